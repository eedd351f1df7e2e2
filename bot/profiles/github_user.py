"""GitHub's JSON of a user (``GET /users/LOGIN``, or GraphQL's), or a list of such."""

from typing import Final

from bot.profiles.contacts import link_of
from bot.profiles.format import UnreadableProfile
from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.tree import Entry, text_at
from bot.profiles.stated import Stated
from storage.records import Link, Remark

_ITS_OWN: Final = ("html_url", "node_id", "avatar_url", "databaseId", "avatarUrl", "public_repos")
_TELLING: Final = (
    "login", "name", "company", "blog", "websiteUrl", "location", "email", "bio",
    "twitter_username", "twitterUsername", "html_url", "url", "public_repos", "followers",
    "created_at",
)  # fmt: skip


def _fits(entry: Entry) -> bool:
    return isinstance(entry.get("login"), str) and any(each in entry for each in _ITS_OWN)


def _stated(entry: Entry) -> Stated:
    login = text_at(entry, "login") or ""
    if text_at(entry, "type", "__typename") in {"Organization", "Bot"}:
        raise UnreadableProfile(
            f"“{login}” is the account of an organization or a bot, not of a person. "
            "Nothing was stored."
        )
    name = text_at(entry, "name")
    if name is None:
        raise UnreadableProfile(
            f"The account “{login}” states no name, and an account's name alone is nobody's. "
            "Nothing was stored."
        )
    handle = text_at(entry, "twitter_username", "twitterUsername")
    links = [
        Link(url=f"https://github.com/{login}"),
        link_of(text_at(entry, "blog", "websiteUrl")),
        link_of(f"https://twitter.com/{handle}") if handle else None,
    ]
    return Stated(
        name=name,
        company=(text_at(entry, "company") or "").lstrip("@") or None,
        place=text_at(entry, "location"),
        summary=text_at(entry, "bio"),
        links=[each for each in links if each],
        emails=[each for each in [text_at(entry, "email")] if each and "@" in each],
        remarks=_remarks(entry, login),
    )


def _remarks(entry: Entry, login: str) -> list[Remark]:
    """The account's number stays when the account is renamed: it identifies better than a name."""
    number = entry.get("id") if isinstance(entry.get("id"), int) else entry.get("databaseId")
    if not isinstance(number, int) or isinstance(number, bool):
        return []
    return [Remark(code="github-id", text=f"GitHub account {login} has the number {number}.")]


def _telling(entry: Entry) -> Entry:
    return {each: entry[each] for each in _TELLING if each in entry}


GITHUB_USER: Final = JsonFormat(
    NAME="github-user",
    VERSION=1,
    keys=("login",),
    fits=_fits,
    stated_of=_stated,
    inside=("data", "user", "users", "items", "nodes"),
    place="account",
    shown=_telling,
)
