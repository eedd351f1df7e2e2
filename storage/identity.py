"""Who is who: public ids, and when a page is news of a person we know.

A name alone never identifies. A document is news of a stored person when it shares a
key with one of theirs (``storage.person_keys``), of whatever kind both are; else when the
names agree *and* the file name or one listed contribution (repository and first month)
agrees. A file name that several people of one name share is no evidence among them.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Final

from storage.records import Contribution
from storage.search.folding import fold, tokens

_CROCKFORD: Final = "0123456789abcdefghjkmnpqrstvwxyz"
# fmt: off
_SAYS_NOTHING: Final = frozenset({
    "the", "my", "new", "old", "latest", "final", "draft", "copy", "of", "from", "at", "and",
    "message", "stdin", "paste", "pasted", "clipboard", "untitled", "unnamed", "unknown", "noname",
    "snippet", "screenshot", "scan", "page", "pages", "profile", "profiles", "candidate",
    "candidates", "person", "people", "developer", "developers", "document", "documents", "doc",
    "docs", "text", "txt", "note", "notes", "file", "files", "cv", "cvs", "resume", "resumes",
    "lebenslauf", "curriculum", "vitae", "download", "downloads", "downloaded", "saved", "upload",
    "uploads", "attachment", "image", "input", "output", "export", "import", "data", "list",
    "result", "results", "index", "web", "html", "tmp", "temp", "test", "sample", "example",
    "inbox", "github", "linkedin", "prog", "ai", "progai", "pdf", "docx", "odt", "rtf", "md",
})
# fmt: on
"""Words of file names that programs give, or people who do not think of the file's person."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")

ContributionKey = tuple[str, str | None]


def public_id(new_id: Callable[[], str], is_taken: Callable[[str], bool]) -> str:
    """A free candidate id: 12 characters of Crockford's base 32, which are easy to read out.

    They are 60 bits of a hash of ``new_id()``, so they say nothing about it.
    """
    for _ in range(100):
        number = int.from_bytes(hashlib.sha256(new_id().encode()).digest()[:8], "big")
        candidate_id = "".join(_CROCKFORD[number >> shift & 31] for shift in range(0, 60, 5))
        if not is_taken(candidate_id):
            return candidate_id
    raise RuntimeError("new_id gave a hundred ids in a row that are taken already")


def name_key(name: str) -> str:
    """What agrees when two names agree: the folded tokens, whatever their order.

    >>> name_key("Lei  WANG") == name_key("Wang, Lei")
    True
    """
    return " ".join(sorted(tokens(name))) or fold(name).strip()


def file_key(name: str) -> str | None:
    """What agrees when two file names agree; None for names that tell nobody apart.

    >>> file_key("Ada.TXT"), file_key("message"), file_key("Page (1).txt"), file_key("42.txt")
    ('ada.txt', None, None, None)
    """
    folded = unicodedata.normalize("NFC", name).strip().casefold()
    stem = folded.rsplit(".", 1)[0] if "." in folded else folded
    return folded if set(_LETTERS.findall(fold(stem))) - _SAYS_NOTHING else None


def contribution_keys(contributions: Iterable[Contribution]) -> frozenset[ContributionKey]:
    """Repository and first month of each contribution that states a month."""
    return frozenset(
        (each.repository.casefold(), each.from_month) for each in contributions if each.from_month
    )
