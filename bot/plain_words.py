"""Plain words become a query: ``cuda engineers in Beijing with 5+ years, not at Meta``.

Nothing is guessed: a phrase becomes a condition only when somebody here has that skill,
place, company, repository, school or role (``Store.vocabulary``); which of several it
becomes is said by the little word before it (``in`` Beijing, ``at`` Meta, worked ``on``
triton). Words that nobody's page knows are left out and named. What came of it is a query
that is shown and can be edited.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

import regex

from bot.days_said import marked_days
from bot.runs import LONGEST_PHRASE, PAST, WHERE, SaidWord, forms_of, is_sought, phrases_of, runs_of
from bot.talk import how_many
from bot.years_said import marked_years
from storage.search.skills import is_exact_only
from storage.search.tree import (
    And,
    Node,
    Not,
    Phrase,
    Qualified,
    Question,
    Word,
    conjunction,
    disjunction,
    leaves,
)
from storage.search.vocabulary import Vocabulary

MOST_WORDS: Final = 40
"""Words of a text that is read so; a longer one is a description: see ``bot.job``."""
READ_AS: Final = "Read as (edit it and ask again, if it is not meant):"

ANY_ROLE: Final = frozenset(
    "engineer developer dev programmer coder expert specialist professional hacker guru".split()  # noqa: SIM905 - read as spoken
)
"""What people are called whatever their title says: ``cuda engineers`` may be architects."""

_WORK: Final = frozenset({"skill", "topic", "repo", "lang"})

Look: TypeAlias = Callable[[Sequence[str], Sequence[str]], Vocabulary]
"""``Store.vocabulary`` without the time."""

_UNREADABLE: Final = regex.compile(r"[\"“”„<>=|`]+")
_ORDER: Final = {
    "": ("skill", "location", "role", "company", "repo", "school", "topic"),
    "in": ("location", "skill", "topic", "repo", "company", "role", "school"),
    "at": ("company", "school", "location"),
    "from": ("location", "company", "school"),
    "on": ("repo", "topic", "skill", "company"),
    "with": ("skill", "topic", "repo", "role"),
    "school": ("school", "location"),
    PAST: ("company", "role", "skill", "topic", "repo", "location", "school"),
}
"""What a phrase is taken for, the likeliest first, behind each kind of little word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as a query; ``left_out`` are its words that nobody's page knows."""

    where: Node
    nice: tuple[Node, ...] = ()
    """What puts people first and leaves nobody out."""
    moved: tuple[Node, ...] = ()
    """Those of ``nice`` that were asked for, and that nobody has together with the rest."""
    left_out: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    """Words that are sought as they stand."""
    structured: bool = False
    """Whether the text says how its words belong together, and not only which they are."""
    trade: bool = False
    """Whether it calls people by what they do: ``cuda experts``."""
    past: tuple[str, ...] = ()
    """Companies at which people are to have been before."""
    number: str = ""
    """How many people were asked for, as typed: nothing that anybody has."""

    @property
    def dated(self) -> bool:
        """Whether it asks for the days on which people were added or changed."""
        return any(
            isinstance(leaf, Qualified) and leaf.key in {"added", "changed"}
            for leaf, _ in leaves(self.where)
        )

    @property
    def exact(self) -> bool:
        """Whether it calls people by a skill that prose cannot carry: ``go engineers``."""
        return self.trade and _holds_exact(self.where)

    @property
    def query(self) -> str:
        nice = disjunction(list(self.nice)) if self.nice else None
        return str(Question(self.where, nice=nice))

    def softened(self) -> "Reading | None":
        """The same with what a title may word otherwise as nice to have; None if nothing is so.

        For where nobody has all of it: titles and words are worded in many ways, while a
        skill, a place or a company is what it is.
        """
        parts = list(self.where.parts) if isinstance(self.where, And) else [self.where]
        soft = [part for part in parts if _is_soft(part)]
        firm = [part for part in parts if part not in soft]
        if not soft or not any(map(_tells_the_work, firm)):
            return None
        return replace(self, where=conjunction(firm), nice=(*soft, *self.nice), moved=tuple(soft))

    @property
    def notes(self) -> tuple[str, ...]:
        """What became of the text, in sentences; what can be typed stands in backticks."""
        told = [f"{READ_AS} `/candidate {self.query}`"]
        if self.moved:
            moved = ", ".join(f"`{part}`" for part in self.moved)
            told.append(f"Nobody here has all of it, so I moved to nice to have: {moved}.")
        if self.past:
            told.append(
                "Pages do not say where people worked before: I looked for "
                f"{_listed(self.past)} on pages that give another company now, or none."
            )
        if self.number:
            told.append(f"“{self.number}” is how many you want, and no word to look for.")
        if self.left_out:
            told.append(f"Left out, since nobody's page has it: {_listed(self.left_out)}.")
        return tuple(told)


def read(text: str, look: Look, *, now: datetime) -> Reading | None:
    """The query that the text's words make; None where no condition comes of them.

    ``now`` says how long ago ``since 2020`` is.
    """
    marks: list[Qualified] = []
    number, rest = how_many(text)
    marked = marked_days(_UNREADABLE.sub(" ", rest).replace("\0", " "), now, marks)
    runs = runs_of(marked_years(marked, now, marks))
    if sum(len(run) for run in runs) > MOST_WORDS:
        return None
    found = look(
        [phrase for run in runs for phrase in phrases_of(run)],
        [
            form
            for run in runs
            for word in run
            for form in forms_of(word.text)
            if is_sought(word.text)
        ],
    )
    reading = _Reader(found, marks).read(runs)
    return reading and replace(reading, number=number)


def names_a_trade(text: str) -> bool:
    """Whether people are called by what they do: ``go engineers``, ``c programmers in japan``.

    >>> names_a_trade("C programmers"), names_a_trade("Eng Tan")
    (True, False)
    """
    return any(singular(word.strip(",.!?")) in ANY_ROLE for word in text.split())


class _Reader:
    """Reads runs of words by a vocabulary."""

    def __init__(self, found: Vocabulary, marks: Sequence[Qualified]) -> None:
        self.found = found
        self.marks = marks
        self.parts: list[tuple[Node, bool]] = []
        """Each condition, and whether ``or`` joins it to the one before."""
        self.left_out: list[str] = []
        self.past: list[str] = []
        self.plain: list[str] = []
        self.structured = self.lost = False
        self.trade = False
        """Whether people are called by what they do: ``go engineers``."""
        self._excluded = False
        """Whether what a negation is about was read: only ``or`` and ``and`` carry it on."""

    def read(self, runs: Sequence[Sequence[SaidWord]]) -> Reading | None:
        for run in runs:
            rest = list(run)
            while rest:
                del rest[: self._take(rest)]
        named = [part for part, _ in self.parts if not isinstance(part, Word)]
        if not named or self.lost or len(self.left_out) > len(named):
            return None
        must, nice = self._joined()
        return Reading(
            where=must,
            nice=nice,
            left_out=tuple(dict.fromkeys(self.left_out)),
            plain=tuple(self.plain),
            past=tuple(dict.fromkeys(self.past)),
            structured=self.structured,
            trade=bool(nice) or self.trade,
        )

    def _take(self, rest: Sequence[SaidWord]) -> int:
        """Read what stands first and say how many words that was."""
        first = rest[0]
        if first.text.startswith("\0"):
            self._add(self.marks[int(first.text.strip("\0"))], first)
            self.structured = True
            return 1
        for length in range(min(LONGEST_PHRASE, len(rest)), 0, -1):
            if length == 1 and not is_sought(first.text):
                break
            for form in forms_of(" ".join(word.text for word in rest[:length])):
                part = self._meaning(form, first.context)
                whole = part and self._whole_meaning(form, part, first.context)
                if whole:
                    self._add(whole, first)
                    return length
        self._unknown(first)
        return 1

    def _meaning(self, phrase: str, context: str) -> Qualified | None:
        meant = self.found.meanings.get(phrase, {})
        return next((meant[key] for key in _ORDER[context] if key in meant), None)

    def _whole_meaning(self, phrase: str, part: Qualified, context: str) -> Node | None:
        """``go engineer``: who has the skill or the title, for few titles name the skill.

        Where somebody was before, the page says by naming it beside another company.
        None for another title that holds a skill (``senior go``): its words are read one by one.
        """
        if context == PAST and part.key == "company":
            self.past.append(phrase)
            return conjunction([Phrase(phrase), Not(part)])
        *rest, last = phrase.split()
        if part.key != "role" or not rest:
            return part
        if singular(last) not in ANY_ROLE:
            return None if _tells_the_work(self._meaning(last, context)) else part
        work = self._meaning(" ".join(rest), context)
        if _tells_the_work(work):
            self.trade = True
            return disjunction([work, part]) if work else part
        return None if any(_tells_the_work(self._meaning(word, context)) for word in rest) else part

    def _unknown(self, word: SaidWord) -> None:
        if not is_sought(word.text) or singular(word.text) in ANY_ROLE:
            self.trade |= singular(word.text) in ANY_ROLE
            return
        known = next((form for form in forms_of(word.text) if form in self.found.mentioned), None)
        if known is None:
            self.left_out.append(word.text)
            either = word.joined == "or"  # then the others are left
            self.lost |= word.context in WHERE and not (word.negated or either)
        else:
            self.plain.append(word.text)
            self._add(Word(word.text), word)

    def _add(self, part: Node, word: SaidWord) -> None:
        self.structured |= bool(word.context) or word.negated
        negated = word.negated and (not self._excluded or bool(word.joined))
        self._excluded = word.negated
        self.parts.append((Not(part) if negated else part, word.joined == "or"))

    def _joined(self) -> tuple[Node, tuple[Node, ...]]:
        """The conditions together, what ``or`` joins being one of them; and what is nice."""
        groups: list[list[Node]] = []
        for part, either in self.parts:
            if either and groups:
                groups[-1].append(part)
            else:
                groups.append([part])
        nice: tuple[Node, ...] = ()
        if any(_tells_the_work(part) for group in groups for part in group):
            nice = tuple(group[0] for group in groups if len(group) == 1 and _is_any_role(group[0]))
        must = [_either(group) for group in groups if group[0] not in nice]
        return conjunction(must), nice


def _is_any_role(part: Node) -> bool:
    return isinstance(part, Qualified) and part.key == "role" and singular(part.value) in ANY_ROLE


def _holds_exact(part: Node) -> bool:
    return any(
        isinstance(leaf, Qualified) and leaf.key == "skill" and is_exact_only(leaf.value)
        for leaf, _ in leaves(part)
    )


def singular(word: str) -> str:
    return word.lower().removesuffix("s")


def _tells_the_work(part: Node | None) -> bool:
    return isinstance(part, Qualified) and part.key in _WORK


def _is_soft(part: Node) -> bool:
    return isinstance(part, Word) or (isinstance(part, Qualified) and part.key == "role")


def _either(group: Sequence[Node]) -> Node:
    """One of several; of several excluded ones (``not at Meta or Google``) none."""
    if len(group) > 1 and all(isinstance(part, Not) for part in group):
        return Not(disjunction([part.part for part in group if isinstance(part, Not)]))
    return disjunction(list(group))


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
