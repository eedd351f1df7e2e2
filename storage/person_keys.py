"""Keys: what in a document says who somebody is, by itself or together with the name.

==============  ==========================================  ===========================
kind            what is hashed                              identifies
==============  ==========================================  ===========================
``github``      the login of ``github.com/LOGIN``           alone
``github-id``   the number of ``api.github.com/user/N``     alone
``linkedin``    the slug of ``linkedin.com/in/SLUG``        alone
``page``        the address of a profile elsewhere          alone
``site``        any other address of the person's           with an agreeing name
``email``       the address                                 with an agreeing name
==============  ==========================================  ===========================

A login that was guessed from the owner of a repository is never a key, nor is the
account of the company that somebody works for. Sites and mailboxes may be shared, so
they tell who it is only of people whose names agree. The hashes are made with the key
of this database (``storage.keyring``), so a table of them tells nothing by itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from sqlalchemy import Connection, delete, insert
from sqlmodel import Session, col, select

from storage.identity import name_key
from storage.keyring import hash_key, keyed_hash_of
from storage.models import PersonKeyRow, SourceRow
from storage.records import Profile
from storage.search.folding import tokens
from storage.search.reading import read_aloud

WITH_A_NAME: Final = frozenset({"site", "email"})
"""Kinds that identify only together with an agreeing name."""
_PROFILES: Final = {
    "gitlab.com": "",
    "bitbucket.org": "",
    "huggingface.co": "",
    "kaggle.com": "",
    "dev.to": "",
    "stackoverflow.com": "users",
    "scholar.google.com": "citations",
    "orcid.org": "",
    "xing.com": "profile",
    "x.com": "",
    "twitter.com": "",
    "medium.com": "",
}
"""Hosts of profiles, and the first part of the path there, where it is not the name itself."""
_OF_GITHUB: Final = frozenset(
    {"orgs", "topics", "features", "about", "marketplace", "sponsors", "settings", "explore"}
)
_GITHUB_IDS: Final = frozenset({"api.github.com", "avatars.githubusercontent.com"})
_WORDS: Final = 2
"""Words of a name that have to agree where the other name has more."""


@dataclass(frozen=True, slots=True, order=True)
class PersonKey:
    """``kind`` of the table above, and the value, written one way."""

    kind: str
    value: str


def keys_of(profile: Profile) -> tuple[PersonKey, ...]:
    """The keys that a document states, each once.

    >>> [str(each.value) for each in keys_of(Profile(name="Ada", emails=("Ada@Example.org",)))]
    ['ada@example.org']
    """
    found = [key for each in profile.links if (key := key_of_address(each.url))]
    employers = _employers(profile)
    stated = [each for each in found if each.kind != "github" or each.value not in employers]
    emails = [PersonKey("email", each.strip().casefold()) for each in profile.emails if "@" in each]
    return tuple(dict.fromkeys([*stated, *emails]))


def key_of_address(address: str) -> PersonKey | None:
    """The key that an address is, None when it names no page of one person.

    >>> key_of_address("https://www.GitHub.com/LyricZhao/")
    PersonKey(kind='github', value='lyriczhao')
    >>> key_of_address("https://de.linkedin.com/in/ada-%C3%B6/?trk=x").value, key_of_address("x")
    ('ada-ö', None)
    >>> key_of_address("https://github.com/apache/tvm"), key_of_address("https://github.com")
    (None, None)
    """
    try:
        parts = urlsplit(address.strip() if "//" in address else f"//{address.strip()}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = [unquote(each).casefold() for each in parts.path.split("/") if each]
    if host == "github.com":
        return PersonKey("github", path[0]) if _is_login(path) else None
    if host in _GITHUB_IDS:
        return _second("github-id", path, among={"user", "u"})
    if host == "linkedin.com" or host.endswith(".linkedin.com"):
        return _second("linkedin", path, among={"in", "pub"})
    if host in _PROFILES:
        return _profile_elsewhere(host, path, parts)
    return PersonKey("site", "/".join([host, *path])) if "." in host else None


def _is_login(path: list[str]) -> bool:
    return len(path) == 1 and path[0] not in _OF_GITHUB


def _second(kind: str, path: list[str], *, among: set[str]) -> PersonKey | None:
    """The second part of a path whose first says what it is."""
    return PersonKey(kind, path[1]) if len(path) > 1 and path[0] in among else None


def _profile_elsewhere(host: str, path: list[str], parts: SplitResult) -> PersonKey | None:
    """A profile on a host of many: what follows its first part, or stands in its question."""
    first = _PROFILES[host]
    if first:
        if not path or path[0] != first:
            return None
        path = path[1:]
        if host == "scholar.google.com":
            path = [each[5:] for each in parts.query.split("&") if each.startswith("user=")]
    elif len(path) != 1:
        return None
    return PersonKey("page", f"{host}/{path[0]}") if path else None


def _employers(profile: Profile) -> frozenset[str]:
    """How the accounts of the companies that somebody works for are probably called."""
    companies = [profile.company, *(each.employer for each in profile.jobs)]
    words = [tokens(each or "") for each in companies]
    return frozenset(sign.join(each) for each in words if each for sign in ("", "-"))


def names_agree(one: str, other: str) -> bool:
    """Whether two names may be one person's: in any order and script, a middle name aside.

    >>> names_agree("Zhao, Chenggang", "赵成钢"), names_agree("Ada King Lovelace", "Ada Lovelace")
    (True, True)
    >>> names_agree("Ada Lovelace", "Byron Lovelace"), names_agree("Ada", "Ada Lovelace")
    (False, False)
    """
    if name_key(one) == name_key(other):
        return True
    mine, theirs = _spoken(one), _spoken(other)
    fewer = mine & theirs
    return len(fewer) >= _WORDS and fewer in (mine, theirs)


def _spoken(name: str) -> frozenset[str]:
    return frozenset(tokens(read_aloud(name) or name))


def write_keys(
    connection: Connection, workspace: str, profile_id: str, source_id: str, profile: Profile
) -> None:
    """Keep the keys that this document states, of which none are kept."""
    key = hash_key(connection)
    rows = [
        {
            "workspace": workspace,
            "digest": keyed_hash_of(key, each.kind, each.value),
            "profile_id": profile_id,
            "source_id": source_id,
        }
        for each in keys_of(profile)
    ]
    if rows:
        connection.execute(insert(PersonKeyRow), rows)


def remove_keys(connection: Connection, profile_id: str, source_ids: list[str]) -> None:
    connection.execute(
        delete(PersonKeyRow).where(
            col(PersonKeyRow.profile_id) == profile_id, col(PersonKeyRow.source_id).in_(source_ids)
        )
    )


def sharing_a_key(
    session: Session, workspace: str, profile: Profile
) -> Iterator[tuple[str, str, bool]]:
    """(id, kind, whether the names agree) for each stored document that states one of the keys.

    The id is the one that the document is filed under. Documents of other people may
    state the same mailbox or site: whether that means anything is said by the last.
    """
    stated = keys_of(profile)
    if not stated:
        return
    key = hash_key(session.connection())
    kinds = {keyed_hash_of(key, each.kind, each.value): each.kind for each in stated}
    rows = session.exec(
        select(PersonKeyRow.digest, PersonKeyRow.profile_id, SourceRow.document)
        .join(
            SourceRow,
            (col(SourceRow.profile_id) == col(PersonKeyRow.profile_id))
            & (col(SourceRow.id) == col(PersonKeyRow.source_id)),
        )
        .where(PersonKeyRow.workspace == workspace, col(PersonKeyRow.digest).in_(kinds))
        .order_by(col(PersonKeyRow.profile_id), col(PersonKeyRow.digest))
    )
    for digest, profile_id, document in rows:
        yield profile_id, kinds[digest], names_agree(profile.name, (document or {}).get("name", ""))
