"""The format: web pages of a person, saved as HTML."""

from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, UnreadableProfile
from bot.profiles.html.hresume import resume_in
from bot.profiles.html.json_ld import people_in
from bot.profiles.html.visible import lines_in, tree_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.reading import page_of, text_of_lines
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.stated import Stated, profile_of

_LONGEST: Final = 5_000_000
_START: Final = regex.compile(
    r"(?i)\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    regex.DOTALL,
)
_MARKED: Final = regex.compile(r"(?i)class=[\"'][^\"']*\b(?:hresume|h-resume)\b")


class Html:
    """A web page of one person, or several in its own data."""

    NAME: Final = "html"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        try:
            start = text_of(content[:20_000])
        except UnreadableProfile:
            return 0.0
        if _START.match(start):
            return 0.4
        return 0.4 if start.lstrip().startswith("<") and _MARKED.search(start) else 0.0

    def read(self, content: bytes) -> Reading:
        if len(content) > _LONGEST:
            raise UnreadableProfile(
                "The web page is larger than 5 MB. Print it as PDF and send that. "
                "Nothing was stored."
            )
        tree = tree_of(text_of(content))
        if tree is None:
            raise UnreadableProfile("This is a saved web page without text. Nothing was stored.")
        lines = lines_in(tree)
        stated = resume_in(tree)
        people = [stated] if stated is not None else []
        if not people:
            try:
                pages = [page_of(lines)]
            except UnreadableProfile as error:
                people = people_in(tree)
                if not people:
                    raise UnreadableProfile(f"This is a saved web page. {error}") from error
        if people:
            pages = [_page(each, lines, alone=len(people) == 1) for each in people]
        return Reading(pages=tuple(pages), parser=f"{self.NAME}/{self.VERSION}")


def _page(stated: Stated, lines: list[Line], *, alone: bool) -> PersonPage:
    """The whole page's text where it is about one person, else what its data say of each."""
    profile = profile_of(stated)
    said = [profile.name, profile.title, profile.company, profile.summary]
    text = text_of_lines(lines) if alone and lines else "\n".join(filter(None, said))
    return PersonPage(profile=profile, text=without_sensitive_lines(text))
