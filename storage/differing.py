"""Contradictions between documents: what of title, company, place and years differs, and where."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from storage.records import Location, Profile, Remark, Severity
from storage.same_entry import is_same_company, is_same_place
from storage.search.folding import tokens

DIFFERS: Final = "sources-differ-"
"""Codes of these remarks begin so; the field follows."""
Told = tuple[Profile, str]
"""What a document says, and what it is called to people."""


def differences(told: Sequence[Told]) -> Iterator[Remark]:
    """A remark for each field of which documents, the newest first, say different things."""
    for field, label, is_same in _COMPARED:
        said = _apart(told, field, is_same)
        if len(said) > 1:
            each = " · ".join(f"“{value}” in {where}" for value, where in said)
            yield Remark(
                code=f"{DIFFERS}{field.replace('_', '-')}",
                text=f"{label} differs: {each}.",
                severity=Severity.CHECK,
            )


def _apart(
    told: Sequence[Told], field: str, is_same: Callable[..., bool]
) -> list[tuple[object, str]]:
    """The values that are not the same, each with the newest document that states it."""
    found: list[tuple[object, str]] = []
    for profile, where in told:
        value = getattr(profile, field)
        if value is not None and not any(is_same(value, known) for known, _ in found):
            found.append((value, where))
    return [(each.text if isinstance(each, Location) else each, at) for each, at in found]


def _is_same_title(one: str, other: str) -> bool:
    return set(tokens(one)) == set(tokens(other))


def _is_equal(one: object, other: object) -> bool:
    return one == other


_COMPARED: Final[tuple[tuple[str, str, Callable[..., bool]], ...]] = (
    ("title", "Title", _is_same_title),
    ("company", "Company", is_same_company),
    ("location", "Place", is_same_place),
    ("years_coding", "Years of coding", _is_equal),
    ("years_employed", "Years employed", _is_equal),
)
