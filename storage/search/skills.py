"""Skills: one exact key for the spellings that mean one skill.

A key is what ``skill:`` compares, and nothing else does: ``c``, ``c++`` and
``c#`` are three keys and none is a part of another. Spellings are folded only
by the table ``skill_aliases.tsv``, each line with the source of its folding;
``compiler-compiler`` (a parser generator) and ``compiler-development`` are not
in it and stay themselves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import regex

from storage.records import Skill
from storage.search.folding import fold
from storage.search.tables import rows

_SEPARATORS: Final = regex.compile(r"[\s\p{C}_‐-―-]+")
_EDGES: Final = ",;:!?\"'()[]{}<>-"

_LANGUAGES: Final = """
    ada assembly bash c c++ c# clojure cobol cuda d dart elixir elm erlang f# fortran go groovy
    haskell java javascript julia kotlin lisp lua matlab objective-c ocaml opencl perl php
    powershell prolog python r racket ruby rust scala scheme shell solidity sql swift tcl
    typescript verilog vhdl zig
"""
LANGUAGES: Final = frozenset(_LANGUAGES.split())
"""Keys of programming languages: a page may count its languages and show none of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedSkill:
    """A skill as shown: ``name`` is the wording to show, ``spellings`` all that the page had."""

    key: str
    name: str
    score: int | None
    spellings: tuple[str, ...]


@cache
def aliases() -> Mapping[str, str]:
    """Spelling → key, from ``skill_aliases.tsv``."""
    return {spelling: key for spelling, key, _source in rows("skill_aliases.tsv")}


@lru_cache(maxsize=16_384)
def skill_key(name: str) -> str:
    """The exact key of a skill, however it is spelt; empty when ``name`` says nothing.

    >>> [skill_key(name) for name in ("C-Language", "Machine Learning", "C++", "Node.js", "golang")]
    ['c', 'machine-learning', 'c++', 'node.js', 'go']
    """
    spelling = skill_spelling(name)
    return aliases().get(spelling, spelling)


def skill_spelling(name: str) -> str:
    """The spelling of a skill as the table has it: folded, with hyphens for spaces."""
    key = _SEPARATORS.sub("-", fold(name)).lstrip(_EDGES)
    return key.rstrip(_EDGES + ".") or key.rstrip(_EDGES)


def is_exact_only(key: str) -> bool:
    """True for keys that prose cannot carry safely: one or two letters, or with symbols.

    >>> [key for key in ("c", "go", "c++", "node.js", "cuda", "l2", "ci-cd") if is_exact_only(key)]
    ['c', 'go', 'c++', 'node.js']
    """
    if any(symbol in key for symbol in "+#"):
        return True
    if key.startswith(".") or key.endswith((".js", ".net", ".io", ".py")):
        return True
    return len(key) <= 2 and key.isalpha() and key.isascii()


def fold_skills(skills: Iterable[Skill]) -> list[FoldedSkill]:
    """One entry a key, in the order of first appearance, with the highest readable score."""
    groups: dict[str, list[Skill]] = {}
    for skill in skills:
        groups.setdefault(skill_key(skill.name) or fold(skill.name), []).append(skill)
    return [
        FoldedSkill(
            key=key,
            name=group[0].name if len({skill.name for skill in group}) == 1 else key,
            score=max((skill.score for skill in group if skill.score is not None), default=None),
            spellings=tuple(dict.fromkeys(skill.name for skill in group)),
        )
        for key, group in groups.items()
    ]
