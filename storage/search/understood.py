"""What a question's synonyms were read as, in a sentence each: ``“k8s” read as kubernetes.``"""

from collections.abc import Callable, Iterator
from typing import Final

from storage.search.compile import Run, joined, run_text
from storage.search.synonyms import (
    company_read_as,
    place_read_as,
    school_read_as,
    skill_read_as,
    word_read_as,
)
from storage.search.tree import And, Node, Not, Or, Phrase, Qualified, Question, Word

_OF_KEY: Final[dict[str, Callable[[str], str]]] = {
    "skill": skill_read_as,
    "lang": skill_read_as,
    "topic": skill_read_as,
    "location": place_read_as,
    "company": company_read_as,
    "school": school_read_as,
}


def readings(question: Question, names: frozenset[str]) -> tuple[str, ...]:
    """A sentence a synonym, each once; ``names`` are the runs of words that are one name."""
    found = _of_node(question.where, names) if question.where is not None else ()
    return tuple(dict.fromkeys(f"“{typed}” read as {meant}." for typed, meant in found if meant))


def _of_node(node: Node | Run, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    match node:
        case And(parts):
            for part in joined(parts, names):
                yield from _of_node(part, names)
        case Or(parts):
            for part in parts:
                yield from _of_node(part, names)
        case Not(part):
            yield from _of_node(part, names)
        case Qualified(key, value):
            if key in _OF_KEY:
                yield value, _OF_KEY[key](value)
        case Word(text) | Phrase(text):
            yield text, word_read_as(text)
        case _:
            text = run_text(node)
            yield text, word_read_as(text)
