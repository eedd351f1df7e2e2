"""What a line above the first heading is: a name, a place, or the rest of something else.

A page whose top is missing begins anywhere: with the headline, a badge, a row
of skills, the months of a contribution. None of these is a person's name, and
without a name there is no person.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import regex

from bot.profiles.prog_ai.badges import KNOWN, opens_badges
from bot.profiles.prog_ai.contributions import (
    is_contribution_text,
    looks_like_topics,
    repository_of,
)
from bot.profiles.prog_ai.education import looks_like_education
from bot.profiles.prog_ai.headings import Kind, heading_of
from bot.profiles.prog_ai.lines import Line
from bot.profiles.prog_ai.months import months_of
from bot.profiles.prog_ai.skills import split_score
from bot.profiles.prog_ai.stackoverflow import is_stackoverflow
from bot.profiles.topics import is_topic, split_topics
from storage.places import country_named, is_large_city, is_place, is_state


def name_among(lines: Sequence[str], heading: Kind | None) -> int | None:
    """The index of the name among the lines above the first ``heading``, if one is there.

    What says nothing of a person, such as an address, may stand above it. What
    stands below a name on the page may not: then the name is missing.

    >>> name_among(["torvalds42", "Engineer at X"], Kind.SUMMARY)
    0
    >>> name_among(["cuda10", "onnx9"], Kind.LANGUAGES) is None
    True
    """
    if _are_rows(lines, heading) or any(_is_of_contributions(line) for line in lines):
        return None
    headline = False
    for index, line in enumerate(lines):
        if _AT in line:
            headline = True  # or a word before the page, such as "look at her"
        elif _stands_below_names(line):
            return None
        elif may_be_name(line):
            below = lines[index + 1] if index + 1 < len(lines) else None
            if headline and (below is None or is_location(line)):
                return None
            if _is_left_over(line, len(lines) - index - 1):
                continue
            return index if _is_likely(line, below, heading) else None
    return None


def may_be_name(text: str) -> bool:
    """Short, with letters, and certainly nothing else that stands on a page."""
    return (
        0 < len(text) <= LONGEST_NAME
        and len(text.split()) <= _MOST_WORDS
        and bool(_LETTER.search(text))
        and not _NO_NAME.search(text)
        and _AT not in f"{text} "
        and not _stands_below_names(text)
    )


def is_location(text: str) -> bool:
    """A heading line that states a place: a comma and no `` at ``, or a place that is known."""
    if _AT in text or len(text) > LONGEST_NAME or text.endswith("."):
        return False
    if "," not in text:
        return is_place(text)
    return not _JOB.search(text) or any(is_place(piece.strip()) for piece in text.split(","))


def are_topics(text: str) -> bool:
    """Topics of a repository, all of them known: ``dockernginx``, and not ``prince``."""
    return looks_like_topics(text) and all(is_topic(topic) for topic in split_topics(text))


LONGEST_NAME: Final = 100
_AT: Final = " at "
_MOST_WORDS: Final = 8
_LEAST_TOPICS: Final = 3
_WHOLE: Final = 3
"""Name, headline and place."""
_LETTER: Final = regex.compile(r"\p{L}")
_NO_NAME: Final = regex.compile(r"https?:|www\.|[@<>{}=|\\/]|:$|\p{Ll}{4,}[.!?]\s|\p{Ll}{3,}[.!?]$")
_FRAGMENT: Final = regex.compile(
    r"\(\s*\d[\d,.]*\s*\)?$|(?:coding )?experience$|\bemployment\b|software developer$"
    r"|(?:project|ummary|ributions)\s*:|\d+ (?:commit|PR|pull request|review|push|branch)"
    r"|\bin (?:\d+|a) (?:day|week|month|year)s?$|\b(?:19|20)\d\d\b.*[-–]|[-–]\s*\w* ?(?:19|20)\d\d$"
    r"|^(?:reputation|reached|answers?|questions?)$|ackoverflow$|\bUniversity\b|^at |^[,;)–-]"
    r"|^\p{Lu}.* \p{Ll}{4,} .*(?<!\b[JSD]r)[.!?]$"
    r"|\b(?:Bay|Metro|Metropolitan|Greater \p{L}+) Area$"
)
"""What a page has in its facts and never in a name, whole or cut off at its beginning."""
_JOB: Final = regex.compile(
    r"\b(?:Engineer|Developer|Architect|Manager|Lead|Director|Scientist|Researcher|Founder|CTO|CEO"
    r"|VP|Head|Designer|Analyst|Consultant|Programmer|Student|Professor|Administrator|SRE|Intern)\b",
    regex.IGNORECASE,
)
_JOB_WORDS: Final = regex.compile(
    r"(?:Engineer(?:ing)?|Developer|Architect|Manager|Lead|Leader|Director|Scientist|Researcher"
    r"|Founder|CTO|CEO|VP|Head|Designer|Analyst|Consultant|Programmer|Student|Professor"
    r"|Administrator|SRE|Intern|Maintainer|Contributor|Owner|Tester|Specialist|Expert|Freelancer"
    r"|Senior|Sr|Junior|Jr|Staff|Principal|Chief|Associate|Assistant|Co|Technical|Tech|Team|Group"
    r"|Software|Hardware|Firmware|Embedded|Systems?|Network|Cloud|Platform|Infrastructure|Security"
    r"|Site|Reliability|Dev|Ops|DevOps|MLOps|SecOps|Data|Database|Machine|Deep|Learning|Research"
    r"|ML|AI|NLP|CV|QA|QE|UI|UX|IT|R|D|Test|Testing|Automation|Quality|Assurance|Release|Build"
    r"|Product|Project|Program|Solutions?|Sales|Support|Application|Applications|Web|Mobile|Game"
    r"|Games|iOS|Android|Front|Back|Full|Frontend|Backend|Fullstack|Stack|End|Robotics|Blockchain"
    r"|Graphics|Compiler|Kernel|Performance|Computer|Vision|Science|Open|Source|Java|Python|PHP"
    r"|JavaScript|React|Go|Ruby|Rust|Technology|Technologist|Officer|of|and|the|for|in|at)",
    regex.IGNORECASE,
)
_TITLE: Final = regex.compile(
    r"Engineer|Developer|Architect|Scientist|Researcher|Founder|CTO|CEO|VP|Designer|Analyst"
    r"|Consultant|Programmer|Professor|Administrator|SRE|Maintainer|DevOps|Freelancer",
    regex.IGNORECASE,
)
"""One word that is a job and seldom a name; ``Head``, ``Student`` and the like are names too."""
_FIXED: Final = (
    "years of coding experience",
    "years of employment as a software developer",
    "Stackoverflow",
    "reputation",
    "reached",
    "answers",
    "questions",
    "Rockstar🎓",
    "Rockstar🤩",
    "Top School🎓",
    "Top School🤩",
)
"""Lines whose last letters are no name when the page's top is cut off inside them."""
_LEAST_LETTERS: Final = 4
_NAMESAKES: Final = regex.compile(
    r"chad|china|cuba|france|georgia|india|ireland|israel|jordan|kenya|malta|mali|niger"
    r"|adelaide|alexandria|austin|berlin|brooklyn|cali|dallas|houston|jackson|jilin|jinhua|lima"
    r"|aden|jos|kazan|kobe|london|milan|paris|perth|phoenix|rome|salvador|santiago|sofia|surat|sydney|valencia|victoria",
    regex.IGNORECASE,
)
"""Countries and large cities that are people's names too."""
_CITY: Final = regex.compile(
    r"^(?:San|New|Los|Las|Fort|Port|Rio|Tel|Kuala|Ho Chi|Cape|Buenos|S[aã]o|Salt|Abu|Addis) "
    r"|. City$"
)
_SUFFIX: Final = regex.compile(r"(?:Jr|Sr|Ph\.?\s?D|M\.?D|M\.?Sc|B\.?Sc|MBA|Esq|I{2,3}|IV)\.?")
_WORD: Final = regex.compile(r"[\p{L}\p{N}]+")


def _stands_below_names(text: str) -> bool:
    """A line that the page has below the name and nowhere else."""
    return (
        heading_of(Line(text, text)) is not None
        or repository_of(text) is not None
        or _is_of_contributions(text)
        or (len(text) <= LONGEST_NAME and _FRAGMENT.search(text) is not None)
        or is_stackoverflow(text)
        or opens_badges(text)
        or text in KNOWN
        or looks_like_education(text)
        or _is_certainly_place(text)
        or _is_role(text)
    )


def _is_of_contributions(text: str) -> bool:
    return months_of(text) is not None or is_contribution_text(text)


def _is_certainly_place(text: str) -> bool:
    """``Beijing, United States``, and not ``Jordan, Michael``."""
    if "," not in text:
        return False
    *before, last = (piece.strip() for piece in text.split(","))
    if not last or _SUFFIX.fullmatch(last) or not before[0]:
        return False
    if country_named(last) is not None:
        return True
    return is_place(before[0]) and (is_place(last) or is_state(last, of=before[0]))


def _is_role(text: str) -> bool:
    """Two words or more, all of jobs: ``ML Engineer``, and not ``Mary Head``."""
    words = _WORD.findall(text[:LONGEST_NAME])
    if text[0].islower() and len(words) > 1 and _TITLE.fullmatch(words[-1]):
        return True  # cut off inside its first word, or written small
    return (
        len(words) > 1
        and _JOB.search(text) is not None
        and all(_JOB_WORDS.fullmatch(word) for word in words)
    )


def _is_likely(name: str, below: str | None, heading: Kind | None) -> bool:
    """What may be a name, judged by the line below it, None where that is the first heading."""
    if _TITLE.fullmatch(name) and (below is None or is_location(below)):
        return False
    if below is None and _is_place_alone(name):
        return False
    prose = below is not None and (len(below.split()) > _MOST_WORDS or opens_badges(below))
    if "Summary".endswith(name) and prose:
        return False
    cut = len(name) >= _LEAST_LETTERS and any(fixed.endswith(name) for fixed in _FIXED)
    facts = below is None or is_stackoverflow(below) or looks_like_education(below)
    return not (cut and heading is not Kind.SUMMARY and (facts or prose))


def _is_place_alone(text: str) -> bool:
    """A country or a city that nobody is named after: ``Germany``, ``San Francisco``."""
    if _NAMESAKES.fullmatch(text):
        return False
    return (
        country_named(text) is not None
        or is_large_city(text)
        or (_CITY.search(text) is not None and is_place(text))
    )


def _is_left_over(text: str, below: int) -> bool:
    """The last line of another page: topics, or a topic or skill with a whole person below it."""
    if not looks_like_topics(text):
        return False
    topics = split_topics(text)
    if len(topics) >= _LEAST_TOPICS and sum(map(is_topic, topics)) * 2 > len(topics):
        return True
    if len(topics) > 1 and all(is_topic(each) and len(each) >= _LEAST_LETTERS for each in topics):
        return True
    return below >= _WHOLE and (are_topics(text) or split_score(text)[1] is not None)


def _are_rows(lines: Sequence[str], heading: Kind | None) -> bool:
    """The end of a list that the page has above this heading: skills, or languages."""
    if heading not in {Kind.LANGUAGES, Kind.CONTRIBUTIONS} or not lines:
        return False
    run = list(takewhile(lambda line: " " not in line, reversed(lines)))
    scored = [split_score(line)[1] is not None for line in run]
    if scored and scored[0] and sum(scored) * 2 >= len(run):
        return len(run) > 1 or len(lines) == 1
    return len(lines) > 1 and all(is_topic(line.lower()) for line in lines)
