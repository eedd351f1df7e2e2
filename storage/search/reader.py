"""The database as one question sees it, and what the index says of single profiles."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Executable, Select, String, bindparam, cast, func, select
from sqlmodel import Session, col

from storage.dialects.dialect import TextIndex
from storage.models import FactRow
from storage.prepared import Prepared, Value

_FACTS: Final = Prepared(
    select(col(FactRow.doc), col(FactRow.kind), col(FactRow.value), col(FactRow.weight)).where(
        col(FactRow.doc).in_(bindparam("docs", expanding=True))
    )
)


def as_texts(statement: Select[Any]) -> Select[Any]:
    """The statement with each column as one text, for ``Reader.numbers``."""
    each = statement.subquery()
    texts: list[Any] = [func.aggregate_strings(cast(column, String), ",") for column in each.c]
    return select(*texts)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What is indexed of one profile; of one that is not there, nothing."""

    facts: Mapping[str, Mapping[str, int | None]]
    """Kind → value → weight: see ``postings``."""
    text: str
    contributions: tuple[str, ...]

    def values(self, kind: str) -> Collection[str]:
        """The values of a kind."""
        return self.facts.get(kind, {})


class Reader:
    """Reads over one session."""

    def __init__(self, session: Session, index: TextIndex) -> None:
        """Stand over a session; nothing is read yet."""
        self.session = session
        self.index = index

    def rows(
        self, statement: Executable | Prepared, values: Mapping[str, Value] | None = None
    ) -> list[Any]:
        """All rows that a statement gives."""
        connection = self.session.connection()
        if isinstance(statement, Prepared):
            return statement.rows(connection, values or {})
        return list(connection.execute(statement, values or {}).all())

    def numbers(
        self, statement: Select[Any] | Prepared, values: Mapping[str, Value] | None = None
    ) -> list[NDArray[np.int64]]:
        """The columns of whole numbers that a statement gives.

        They come as one text a column: a hundred thousand rows cost a tenth of what they
        would one by one. Of a ``Prepared`` they already do: see ``as_texts``.
        """
        asked = statement if isinstance(statement, Prepared) else as_texts(statement)
        texts = self.rows(asked, values)[0]
        return [np.fromstring(text or "", dtype=np.int64, sep=",") for text in texts]

    def indexed(self, docs: Sequence[int]) -> dict[int, Indexed]:
        """What is indexed of these profiles."""
        facts: dict[int, defaultdict[str, dict[str, int | None]]] = {
            doc: defaultdict(dict) for doc in docs
        }
        for doc, kind, value, weight in self.rows(_FACTS, {"docs": docs}):
            facts[doc][kind][value] = weight
        return {
            doc: Indexed(
                facts=dict(facts[doc]),
                text=" ".join(
                    text
                    for found, text in self.index.rows(self.session, doc - 1, 1)
                    if found == doc
                ),
                contributions=tuple(self.index.contributions(self.session, doc)),
            )
            for doc in docs
        }
