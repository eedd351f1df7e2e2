"""A job description becomes a query: what must hold, and what is nice to have.

Read line by line. A heading (``Requirements``, ``Nice to have``, ``About us`` …) says what the
lines below it are; a line may say so itself (``Rust is a plus``). Of what stands there only
what somebody here has becomes a condition (``Store.vocabulary``): skills, and from the title
and the lines about place and years also a role, a place, years. The employer's own name is
never one. The query is shown and can be edited, as every other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import regex

from bot.plain_words import ANY_ROLE, READ_AS, Look, singular
from bot.runs import LONGEST_PHRASE
from bot.years_said import years_in
from storage.search.skills import is_exact_only
from storage.search.tree import Node, Qualified, Question, conjunction, disjunction
from storage.search.unwrap import unwrap
from storage.search.vocabulary import Vocabulary

SHORTEST: Final = 400
"""Characters of a text that is taken for a description without being called one."""
LONGEST: Final = 20_000
"""Characters that are read of one."""
MOST_MUST: Final = 4
MOST_NICE: Final = 8
"""Skills that become conditions; what is named most often goes first."""
_LINES: Final = 4
_KEPT: Final = {"location": 0, "years": 1, "skill": 2, "topic": 2}
"""In which order conditions are kept where nobody meets all."""


class _Part(Enum):
    MUST = auto()
    NICE = auto()
    REST = auto()


_NICE_HEADINGS: Final = (
    r"nice[ -]to[ -]haves?|bonus(?: points)?|pluses|preferred|desirable|desired|good to have"
    r"|it would be (?:great|nice)|what would be (?:great|nice)|extra credit"
)
_OTHER_HEADINGS: Final = (
    r"about|who we are|our (?:company|team|mission|story|culture)|we offer|what we offer"
    r"|benefits|perks|compensation|salary|how to apply|apply|equal opportunit\w*|contact"
    r"|the company|why (?:join|us|work)"
)
_MUST_HEADINGS: Final = (
    r"must(?:[ -]haves?)?|(?:minimum |basic |key )?(?:requirements?|qualifications?)|required"
    r"|skills?|you have|you bring|what you bring|who you are|about you|your profile|experience"
    r"|what we(?:'re| are)? (?:expect|look(?:ing)? for)|we(?:'re| are) looking for"
    r"|what you(?:'ll| will) need"
)
_WORK_HEADINGS: Final = (
    r"responsibilities|duties|tasks|what you(?:'ll| will) (?:do|be doing)|you will|the role"
    r"|your (?:role|tasks|mission)|job description|tech(?:nology)? stack|our stack"
)
_HEADING: Final = tuple(
    (part, regex.compile(rf"(?:{words})\b(?P<rest>.*)", regex.IGNORECASE))
    for part, words in (
        (_Part.MUST, r"about you"),
        (_Part.NICE, _NICE_HEADINGS),
        (_Part.REST, _OTHER_HEADINGS),
        (_Part.MUST, _MUST_HEADINGS),
        (_Part.NICE, _WORK_HEADINGS),
    )
)
_IN_HEADINGS: Final = frozenset(
    regex.findall(
        r"\S+",
        """and or for of the this our your we you us in to be do will have need expect bring role
        job position skills skill experience qualifications requirements knowledge profile
        technical""",
    )
)
"""Words that may stand in a heading behind what makes it one."""
_NEGATED: Final = regex.compile(
    r"\b(?:no|not|never|without|don't|doesn't|do not|does not|isn't|aren't|nor)\b(?! only)",
    regex.IGNORECASE,
)
"""A line that says what is not asked for: nothing of it is a condition."""
_BREAK: Final = regex.compile(
    r"\n|•|\s[-*–]\s|(?<=[.;!?])\s+(?=(?-i:\p{Lu}))"
    rf"|\s(?=(?:{_NICE_HEADINGS}|{_OTHER_HEADINGS}|{_MUST_HEADINGS}|{_WORK_HEADINGS}|location)\s*:)",
    regex.IGNORECASE,
)
"""Between lines, sentences and points; and before a heading, where a text has no lines."""
_NICE_LINE: Final = regex.compile(
    r"\b(?:a|big|huge) plus\b|\bnice to have\b|\bnice-to-have\b|\bpreferred\b|\bbonus\b|\bideally\b"
    r"|\bpreferably\b|\bdesirable\b|\badvantage(?:ous)?\b|\boptional\b",
    regex.IGNORECASE,
)
_TITLE: Final = regex.compile(r"(?:job title|title|position|role)\s*:\s*", regex.IGNORECASE)
_PLACE: Final = regex.compile(
    r"^(?:location|office|where)\s*:\s*(?P<place>.+)$"
    r"|\b(?:based|located|office|on-?site|work) in (?P<place>[^.;()]+)",
    regex.IGNORECASE,
)
_IN: Final = regex.compile(r"\bin (?P<place>[^.;()]+)", regex.IGNORECASE)
_ANYWHERE: Final = regex.compile(r"\bremote\b|\banywhere\b|\bworldwide\b", regex.IGNORECASE)
_BULLET: Final = regex.compile(r"^[\s•*·▪◦‣>–—-]+|^\s*\d+[.)]\s+")
_WORD: Final = regex.compile(r"[^\s,;:()/|\"“”<>=]*[^\s,;:()/|\"“”<>=.!?*_`'’]")
_TELLING: Final = regex.compile(
    r"\b(?:requirements?|responsibilities|qualifications|nice to have|must have|you will|you'll"
    r"|you have|you bring|we are looking for|we're looking for|experience (?:with|in)|we offer)\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A job description as a query. Conditions are printed as they are typed."""

    must: tuple[Qualified, ...]
    nice: tuple[Qualified, ...]

    @property
    def query(self) -> str:
        must: list[Node] = list(self.must)
        nice: list[Node] = list(self.nice)
        return str(
            Question(
                conjunction(must) if must else None,
                nice=disjunction(nice) if nice else None,
            )
        )

    moved: tuple[Qualified, ...] = ()
    """What the description says must hold, and nobody here has together with the rest."""

    def kept(self, found: Callable[[str], bool]) -> "Description":
        """The same with only so much of what must hold that somebody is found.

        Place and years are kept first, then the skills, then the role, each as long as
        somebody has it beside what is kept already. The rest becomes nice to have.
        """
        kept: list[Node] = []
        for part in sorted(self.must, key=lambda part: _KEPT.get(part.key, len(_KEPT))):
            if found(str(conjunction([*kept, part]))):
                kept.append(part)
        moved = tuple(part for part in self.must if part not in kept)
        return Description(
            must=tuple(part for part in self.must if part in kept),
            nice=(*moved, *self.nice),
            moved=moved,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the description was read as, in sentences; what can be typed is in backticks."""
        told = [f"{READ_AS} `/candidate {self.query}`"]
        if self.must:
            told.append(f"Must: {_codes(self.must)}.")
        if self.nice:
            told.append(f"Nice to have, which leaves nobody out: {_codes(self.nice)}.")
        if self.moved:
            told.append(
                "Nobody here has all that it asks for, so I moved to nice to have: "
                f"{_codes(self.moved)}."
            )
        return tuple(told)


def is_description(text: str) -> bool:
    """Whether a text, of several lines and called nothing, reads as a job description."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(text) > SHORTEST and len(lines) >= _LINES and len(_TELLING.findall(text)) > 1


def describe(text: str, look: Look) -> Description | None:
    """The query of a description; None where nobody here has anything that it names."""
    lines = list(_lines(text[:LONGEST]))
    found = look([phrase for _, line in lines for phrase in _phrases(_words(line))], [])
    musts: Counter[Qualified] = Counter()
    nices: Counter[Qualified] = Counter()
    for part, line in lines:
        if part is not _Part.REST:
            (musts if part is _Part.MUST else nices).update(_skills(line, found))
    ranked = [skill for skill, _ in musts.most_common()]
    must = [*_role(lines, found), *ranked[:MOST_MUST], *_place(lines, found), *_years(lines)]
    nice = [*ranked[MOST_MUST:], *(skill for skill, _ in nices.most_common())]
    kept = tuple(dict.fromkeys(each for each in nice if each not in must))[:MOST_NICE]
    if not musts and not kept:
        return None
    return Description(must=tuple(dict.fromkeys(must)), nice=kept)


def _lines(text: str) -> Iterator[tuple[_Part, str]]:
    """The lines, each with what its heading, or it itself, says that it is."""
    part = _Part.MUST
    for each in _BREAK.split(text):
        line = unwrap(_BULLET.sub("", each))
        if not line:
            continue
        heading, colon, rest = line.partition(":")
        if (told := _heading(heading, alone=not colon)) is not None:
            part = told
            if not rest.strip():
                continue
            line = rest
        if _NEGATED.search(line.replace("’", "'")):
            yield _Part.REST, line
            continue
        yield (_Part.NICE if part is _Part.MUST and _NICE_LINE.search(line) else part), line


def _heading(text: str, *, alone: bool) -> _Part | None:
    """What a line is the heading of; ``alone`` it has to be no more than one.

    ``What you bring`` is one, ``Experience with PostgreSQL`` is a demand.
    """
    said = text.strip(" *_#").replace("’", "'")
    if len(said.split()) > LONGEST_PHRASE + 2:
        return None
    for part, heading in _HEADING:
        if found := heading.match(said):
            rest = [word.lower() for word in _words(found["rest"])]
            whole = part is _Part.REST or all(word in _IN_HEADINGS for word in rest)
            return part if whole or not alone else None
    return None


def _words(line: str) -> list[str]:
    return _WORD.findall(line)


def _phrases(words: Sequence[str]) -> Iterator[str]:
    for start in range(len(words)):
        for length in range(min(LONGEST_PHRASE, len(words) - start), 0, -1):
            yield " ".join(words[start : start + length])


def _meant(line: str, found: Vocabulary, keys: Iterable[str]) -> Iterator[Qualified]:
    """What the line's phrases mean, the longest phrase first, each word once."""
    words, wanted = _words(line), tuple(keys)
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_PHRASE, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            meant = found.meanings.get(phrase, {})
            part = next((meant[key] for key in wanted if key in meant), None)
            if part is not None and not _is_plain_english(phrase, part, line):
                yield part
                at += length
                break
        else:
            at += 1


def _is_plain_english(phrase: str, part: Qualified, line: str) -> bool:
    """``go`` is a language only where it is written large and does not begin a sentence."""
    if part.key != "skill" or not is_exact_only(part.value) or not phrase.isalpha():
        return False
    if not line.startswith(f"{phrase} "):
        return phrase.islower()
    following = line[len(phrase) :].split()
    return not following or singular(following[0].strip(",.;:")) not in ANY_ROLE


def _skills(line: str, found: Vocabulary) -> Iterator[Qualified]:
    return _meant(line, found, ("skill", "topic"))


def _role(lines: Sequence[tuple[_Part, str]], found: Vocabulary) -> list[Qualified]:
    """The role that the title names: a line that says so, else the first."""
    titles = [_TITLE.sub("", line, count=1) for _, line in lines if _TITLE.match(line)]
    first = titles or [line for _, line in lines[:1]]
    for line in first:
        roles = [
            role
            for role in _meant(line, found, ("role",))
            if "skill" not in found.meanings.get(role.value, {})
        ]
        if roles:
            return [max(roles, key=lambda role: len(role.value.split()))]
    return []


def _place(lines: Sequence[tuple[_Part, str]], found: Vocabulary) -> list[Qualified]:
    """The place of work; none where it may be anywhere."""
    for _, line in lines:
        for match in _PLACE.finditer(line):
            if _ANYWHERE.search(line):
                return []
            for place in _meant(match["place"], found, ("location",)):
                return [place]
    for _, line in lines[:_LINES]:  # a title that names it, or a line that is nothing else
        if _ANYWHERE.search(line):
            return []
        named = _IN.search(line)
        said = named["place"] if named else line
        places = list(_meant(said, found, ("location",)))
        if places and (named or len(_words(line)) <= LONGEST_PHRASE):
            return places[:1]
    return []


def _years(lines: Sequence[tuple[_Part, str]]) -> list[Qualified]:
    """The first number of years that is asked for."""
    for part, line in lines:
        if part is _Part.MUST and (years := years_in(line)):
            return years[:1]
    return []


def _codes(parts: Sequence[Qualified]) -> str:
    return ", ".join(f"`{part}`" for part in parts)
