"""The forms of an export, in one table: a word, a file's ending, and what writes it.

Each takes candidates and gives the bytes of a file. None of them looks at who asks: whom an
export may hold is decided in ``bot.exporting.people``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.exporting.reading_copy import markdown
from bot.exporting.resume import json_resumes
from bot.exporting.table import csv_table
from bot.exporting.workbook import xlsx_workbook
from storage.records import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """``word`` is what people type and the file's ending; ``also`` are other words for it."""

    word: str
    told: str
    """What it is called in a sentence."""
    write: Callable[[Sequence[Candidate]], bytes]
    also: tuple[str, ...] = ()
    is_text: bool = True
    """Whether it can be printed at a terminal."""


FORMS: Final[tuple[Form, ...]] = (
    Form(word="csv", told="CSV", write=csv_table),
    Form(
        word="xlsx",
        told="an Excel workbook",
        write=xlsx_workbook,
        also=("excel",),
        is_text=False,
    ),
    Form(
        word="json",
        told="JSON Resume",
        write=json_resumes,
        also=("jsonresume", "json-resume"),
    ),
    Form(word="md", told="Markdown", write=markdown, also=("markdown",)),
)
"""The first is what an export is where nothing else is said."""
BY_WORD: Final = {word: form for form in FORMS for word in (form.word, *form.also)}


def file_name(form: Form, day: date) -> str:
    """A name that tells of nobody.

    >>> file_name(BY_WORD["excel"], date(2026, 12, 1))
    'candidates-2026-12-01.xlsx'
    """
    return f"candidates-{day.isoformat()}.{form.word}"
