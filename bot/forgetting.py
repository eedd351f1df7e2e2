"""Forgetting a person: who it is, which files outside the database hold them, and the receipt.

A file of the watched folder, or one that was refused, is removed when everybody
on it is the person. One that holds others too, or of which nobody can say, stays
and is named in the receipt: a part of a file cannot be taken out of it.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Final

from bot.loading import content_of
from bot.profiles.apart import read
from bot.profiles.decoding import text_of
from bot.profiles.format import UnreadableProfile
from bot.profiles.reader import MAXIMUM_BYTES
from storage.errors import BotError
from storage.forgetting import Erasure, Files
from storage.identity import contribution_keys, name_key
from storage.naming import is_named
from storage.records import Candidate, Profile
from storage.search.folding import fold, tokens
from storage.store import Store

REASON: Final = ".reason.txt"
"""What lies beside a refused file, and goes with it."""


REFUSED_FILE: Final = "refused file "
"""What a refused file is called in a receipt, before its id."""


class NobodyToForget(BotError):
    """There is nobody of this id (any more)."""


class Holds(Enum):
    """What a file has to do with a person."""

    NOTHING = "nothing"
    ONLY = "only"
    """Everybody on it is the person."""
    ALSO = "also"
    """It holds others too, or nobody can tell."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a person is recognised by in a file, while they are still stored."""

    profiles: tuple[Profile, ...]
    texts: frozenset[str]
    """Whole pages, blanks and line ends made alike."""

    @classmethod
    def of(cls, store: Store, candidate: Candidate) -> "Known":
        texts = (store.source_text(candidate.id, each.id) for each in candidate.sources)
        profiles = (candidate.profile, *store.documents_said(candidate.id))
        return cls(profiles, frozenset(" ".join(t.split()) for t in texts))

    @property
    def names(self) -> list[list[str]]:
        return [tokens(each.name) for each in self.profiles]

    def is_page_of(self, profile: Profile, text: str) -> bool:
        """Whether a page is this person's: the text, or the name with something beside it."""
        return " ".join(text.split()) in self.texts or any(
            _agree(profile, known) for known in self.profiles
        )

    def is_told_of_in(self, text: str) -> bool:
        """Whether a text that is no page names the person beside something else of theirs."""
        if not is_named(text, self.names):
            return False
        folded = " ".join(tokens(text))
        signs = (sign for known in self.profiles for sign in _signs(known))
        return any(f" {sign} " in f" {folded} " for sign in signs)


def forget(
    store: Store,
    candidate_id: str,
    *,
    by: str,
    place: str,
    reason: str = "",
    inbox: Path | None = None,
    now: datetime,
) -> Erasure:
    """Erase a person and list what is to be cleaned. Raises NobodyToForget."""
    candidate = store.candidate(candidate_id)
    if candidate is not None:
        files = files_of(store, candidate, inbox)
        erasure = store.forget(
            candidate.id, by=by, place=place, reason=reason, files=files, now=now
        )
        if erasure is not None:
            return erasure
    raise NobodyToForget("This person is not stored any more, so there is nothing to forget.")


def files_of(store: Store, candidate: Candidate, inbox: Path | None) -> Files:
    """The files outside the database's rows that hold this person."""
    known = Known.of(store, candidate)
    remove: list[str] = []
    by_hand: list[str] = []
    for path in watched(inbox):
        holds = _of_path(known, path)
        if holds is Holds.ONLY:
            remove.append(str(path))
            reason = path.with_name(path.name + REASON)
            remove += [str(reason)] if reason.is_file() else []
        elif holds is Holds.ALSO:
            by_hand.append(str(path))
    refused: list[str] = []
    for file_id, name, content in store.refused_contents():
        holds = _of_content(known, name, _unpacked(content))
        if holds is Holds.ONLY:
            refused.append(file_id)
        elif holds is Holds.ALSO:
            by_hand.append(f"{REFUSED_FILE}{file_id[:8]}")
    removed = set(remove)
    return Files(
        remove=tuple(remove),
        by_hand=tuple(each for each in by_hand if each not in removed),
        refused=tuple(refused),
    )


def watched(inbox: Path | None) -> Iterator[Path]:
    """Every file in the watched folder, taken or not; links are not followed."""
    if inbox is None or not inbox.is_dir():
        return
    for path in sorted(inbox.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def remove_file(path: str) -> str:
    """Remove one; returns what became of it. Raises OSError when it cannot be removed."""
    try:
        Path(path).unlink()
    except FileNotFoundError:
        return "gone"
    return "deleted"


def _of_path(known: Known, path: Path) -> Holds:
    if path.name.endswith(REASON):
        page = path.with_name(path.name.removesuffix(REASON))
        if page.is_file():  # goes with its file, and stays with it
            return Holds.NOTHING
    try:
        content = content_of(path, follow=False)
    except UnreadableProfile:
        return Holds.NOTHING
    return _of_content(known, path.name, content)


def _of_content(known: Known, name: str, content: bytes) -> Holds:
    """Whom a file holds; one that was not loaded yet counts like one that was."""
    try:
        reading = read(name, content)
    except UnreadableProfile:
        return _of_text(known, name, _text(content))
    theirs = [known.is_page_of(profile, text) for profile, text in reading.profiles]
    if any(theirs):
        return Holds.ONLY if all(theirs) and not reading.refusals else Holds.ALSO
    whole = _text(content)
    return Holds.ALSO if known.is_told_of_in(whole) else Holds.NOTHING


def _of_text(known: Known, name: str, text: str) -> Holds:
    """A file that is no page: a cut one of theirs, one that tells of them, or none."""
    words = " ".join(text.split())
    if len(words) > 20 and any(words in page for page in known.texts):
        return Holds.ONLY
    if known.is_told_of_in(text) or (is_named(Path(name).stem, known.names)):
        return Holds.ALSO
    return Holds.NOTHING


def _agree(one: Profile, other: Profile) -> bool:
    if name_key(one.name) != name_key(other.name):
        return False
    shared = contribution_keys(one.contributions) & contribution_keys(other.contributions)
    return bool(shared) or bool(set(_signs(one)) & set(_signs(other)))


def _signs(profile: Profile) -> Iterator[str]:
    """What beside the name shows who it is: login, repositories, headline, schools, folded."""
    work = " ".join(filter(None, (profile.title, profile.company)))
    said: Iterable[str | None] = (
        profile.likely_login,
        profile.headline,
        work,
        *(each.repository for each in profile.contributions),
        *(each.school for each in profile.education),
    )
    for text in said:
        if words := " ".join(tokens(text or "")):
            yield words


def _text(content: bytes) -> str:
    try:
        return text_of(content)
    except UnreadableProfile:
        return fold(content.decode("utf-8", "replace"))


def _unpacked(content: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(content, MAXIMUM_BYTES)
    except zlib.error:
        return content
