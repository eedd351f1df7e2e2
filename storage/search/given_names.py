"""Given names that are said for one another: short forms, and one name in several languages.

From ``given_names.tsv``, which says where its lines come from.
"""

from collections import defaultdict
from functools import cache
from typing import Final

from storage.search.tables import rows

NEAREST: Final = 1
FURTHER: Final = 2


def also_called(name: str) -> dict[str, int]:
    """The other names, folded, of whoever has this one; 1 where a line of the table says so.

    2 where both stand beside a third: ``bob`` and ``rob`` beside ``robert``.

    >>> also_called("bob")["robert"], also_called("bob")["rob"], also_called("robert")["bob"]
    (1, 2, 1)
    >>> also_called("adeyemi")
    {}
    """
    table = _table()
    found = {other: FURTHER for each in table.get(name, ()) for other in table[each]}
    found |= dict.fromkeys(table.get(name, ()), NEAREST)
    found.pop(name, None)
    return found


@cache
def _table() -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, others, kind in rows("given_names.tsv"):
        same = [name, *others.split()]
        for each in same:
            found[each] |= {name} if kind == "short" else set(same)
        found[name] |= set(same)
    return {each: frozenset(others - {each}) for each, others in found.items()}
