"""A sentence cut into runs of words, each with what the little words before it say of it.

``in`` stands before places, ``at`` before employers and schools, ``on`` before what people
worked on, ``not`` before what they are not; stops and joiners end a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bot.talk import CHATTER
from storage.search.language import LEADING, TRAILING

LONGEST_PHRASE: Final = 4
"""Words that may be one name."""
_PIECE: Final = regex.compile(
    r"(?P<mark>\x00\d+\x00)|(?P<word>[^\s,;:!?()\x00]*[^\s,;:!?().\x00]|\.\w[^\s,;:!?()\x00]*)"
    r"|(?P<end>[,;:!?().]+)"
)
_NEGATIONS: Final = frozenset(
    regex.findall(
        r"\S+",
        "not no without except excluding exclude never isn't aren't non don't doesn't",
    )
)
_JOINERS: Final = {"or": "or", "nor": "or", "and": "and", "&": "and"} | dict.fromkeys(
    ("but", "who", "that", "which"), ""
)
"""What joins, and what begins anew."""
WHERE: Final = frozenset({"in", "at", "from", "school", "past"})
"""Behind these stands where people are or were: left out, it would be about others."""
PAST: Final = "past"
"""The context of where people were before."""
_USED_TO: Final = regex.compile(
    r"\b(?:(?:who )?used to (?:work|be)(?: employed)?|ex-|ex (?=\w)"
    r"|(?:was|were|been|worked)(?= (?:at|for) [^,;.]+? (?:before|previously|earlier)\b))",
    regex.IGNORECASE,
)
_CONTEXTS: Final = {
    **dict.fromkeys(("in", "near", "around", "based"), "in"),
    **dict.fromkeys(("at", "@", "for"), "at"),
    **dict.fromkeys(("on", "to", "into"), "on"),
    **dict.fromkeys(("with", "knows", "know", "using", "knowing", "uses", "use", "speaks"), "with"),
    **dict.fromkeys(("studied", "graduated", "degree", "phd", "alumni", "graduate"), "school"),
    **dict.fromkeys(("former", "formerly", "previously", "previous", "earlier", "past"), PAST),
    "from": "from",
}
"""What little words say of those behind them."""
_SAID: Final = CHATTER | frozenset(
    regex.findall(
        r"\S+",
        """the and or but that which whose as also very really well good great strong solid
        excellent experience experienced expertise expert proficient proficiency knowledge
        knowledgeable familiar familiarity skill skills skilled background understanding ability
        able contributed contribute contributing contributions worked working work works written
        write writes wrote built build builds building developed develop develops used uses use
        using knows know knowing year years studied graduated degree based living lives located
        currently now current ideally preferably least most more than has have
        had having least plus any some both either into to near around speaks part were repository
        repositories project projects open-source company team role position job field areas area
        region commit commits committed committer committers contributor contributors maintainer
        maintainers patches pull requests like want wanting best top by after before hire hiring
        talent talented senior-level level""",
    )
)


@dataclass(frozen=True, slots=True)
class SaidWord:
    text: str
    context: str
    negated: bool
    joined: str
    """``or`` or ``and`` where it stands right before it."""


def runs_of(text: str) -> list[list[SaidWord]]:
    """The words between the stops of a text, each with what the words before it say of it."""
    runs: list[list[SaidWord]] = [[]]
    context, negated, joined = "", False, ""
    for found in _PIECE.finditer(_USED_TO.sub(" formerly ", text)):
        if found["end"]:
            runs.append([])
            context, joined, negated = "", "", False
            continue
        text_ = found[0].lstrip(LEADING).rstrip(TRAILING)
        said = text_.lower().replace("’", "'")
        if not text_:
            continue
        if said in _NEGATIONS:
            negated, context = True, ""
            runs.append([])
            continue
        if said in _JOINERS:
            joined = _JOINERS[said]
            if not joined:
                context, negated = "", False
            runs.append([])
            continue
        shift = _CONTEXTS.get(said)
        if shift is not None:
            stays = context in {"school", PAST} and shift in {"at", "from", "in"}
            context = context if stays else shift
            negated = negated and joined != "and"
            runs.append([])
            continue
        runs[-1].append(SaidWord(text_, context, negated, joined))
        joined = "" if is_sought(text_) else joined  # ``or the bay area``
    return [run for run in runs if run]


def phrases_of(run: Sequence[SaidWord]) -> list[str]:
    """All phrases of a run, the longest first, with the singular of the last word."""
    return [
        form
        for length in range(min(LONGEST_PHRASE, len(run)), 0, -1)
        for start in range(len(run) - length + 1)
        for form in forms_of(" ".join(word.text for word in run[start : start + length]))
        if length > 1 or is_sought(run[start].text)
    ]


def forms_of(phrase: str) -> tuple[str, ...]:
    singular = (
        phrase[:-1] if len(phrase) > 3 and phrase[-2:].lower() not in {"ss", "us", "is"} else phrase
    )
    return (phrase, singular) if phrase[-1:].lower() == "s" else (phrase,)


def is_sought(word: str) -> bool:
    """Whether a word is more than what is only said around others; a number alone is not."""
    return word.lower() not in _SAID and any(letter.isalpha() for letter in word)
