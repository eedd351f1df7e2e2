"""Contradictions between documents: what of title, company, place and years differs, and where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from storage.records import Location, Profile, Remark, Severity
from storage.same_entry import is_same_company, is_same_place
from storage.search.folding import tokens

DIFFERS: Final = "sources-differ-"
"""Codes of these remarks begin so; the field follows."""
Told = tuple[Profile, str]
"""What a document says, and what it is called to people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field of which documents say different things: each value with the document's name."""

    field: str
    label: str
    said: tuple[tuple[str, str], ...]


def disagreeing(told: Sequence[Told]) -> Iterator[Difference]:
    """The fields of which documents, the newest first, say different things."""
    for field, label, is_same in _COMPARED:
        said = _apart(told, field, is_same)
        if len(said) > 1:
            yield Difference(field=field, label=label, said=said)


def differences(told: Sequence[Told]) -> Iterator[Remark]:
    """The same as remarks."""
    for each in disagreeing(told):
        said = " · ".join(f"“{value}” in {where}" for value, where in each.said)
        yield Remark(
            code=code_of(each.field), text=f"{each.label} differs: {said}.", severity=Severity.CHECK
        )


def code_of(field: str) -> str:
    """The code of the remark that this field differs."""
    return f"{DIFFERS}{field.replace('_', '-')}"


def _apart(
    told: Sequence[Told], field: str, is_same: Callable[..., bool]
) -> tuple[tuple[str, str], ...]:
    """The values that are not the same, each with the newest document that states it."""
    found: list[tuple[object, str]] = []
    for profile, where in told:
        value = getattr(profile, field)
        if value is not None and not any(is_same(value, known) for known, _ in found):
            found.append((value, where))
    return tuple(
        (value.text if isinstance(value, Location) else str(value), where) for value, where in found
    )


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
