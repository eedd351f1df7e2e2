"""What puts results in order beside their strength: ``sort:``, in one table, and ``nice:``."""

from dataclasses import dataclass
from typing import Final

SORT: Final = "sort"
NICE: Final = "nice"
NICE_EXAMPLE: Final = "nice:(skill:triton or skill:mlir)"
NICE_HELP: Final = "is nice to have: whoever has some of it comes first, and nobody is left out"
NICE_ALIASES: Final = ("prefer", "preferably", "bonus")
SORT_ALIASES: Final = ("order", "orderby", "sort-by", "sortby")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting:
    """A key of ``sort:``; ``english`` and ``reverse`` say behind "sorted by" what the order is."""

    key: str
    english: str
    reverse: str
    column: str
    """The column of ``profile``; none for what depends on the question."""


SORTINGS: Final = (
    Sorting(
        key="name",
        english="name",
        reverse="name, Z first",
        column="name_order",
    ),
    Sorting(
        key="years",
        english="years of coding, fewest first",
        reverse="years of coding, most first",
        column="years_coding",
    ),
    Sorting(
        key="employed",
        english="years employed, fewest first",
        reverse="years employed, most first",
        column="years_employed",
    ),
    Sorting(
        key="added",
        english="day added, earliest first",
        reverse="day added, latest first",
        column="added_at",
    ),
    Sorting(
        key="changed",
        english="day last changed, earliest first",
        reverse="day last changed, latest first",
        column="updated_at",
    ),
    Sorting(
        key="score",
        english="the page's scores of the skills asked for, lowest first",
        reverse="the page's scores of the skills asked for, highest first",
        column="",
    ),
)
SORT_HELP: Final = (
    f"sorts by {', '.join(each.key for each in SORTINGS[:-1])} or {SORTINGS[-1].key}; "
    "with `-`, the highest or latest first"
)
SORT_EXAMPLE: Final = "sort:-years"
