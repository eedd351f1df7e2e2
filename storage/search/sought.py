"""What a word or a value looks for, worked out once: SQL and the reasons both follow it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from storage.places import country_of_code, same_place_names
from storage.search.folding import fold, tokens
from storage.search.index import encode
from storage.search.skills import aliases, is_exact_only, skill_key
from storage.search.synonyms import company_names, region, school_names

Words = tuple[str, ...]

SHORT: Final = 2
"""Letters of a key that prose never speaks of, even in several words (``c language``)."""

REPOSITORY_SEPARATORS: Final = "/-_."
_BETWEEN: Final = str.maketrans(dict.fromkeys(REPOSITORY_SEPARATORS, " "))
_GITHUB: Final = regex.compile(
    r"^(?:https?://)?(?:www\.)?github\.com/(?P<path>[^?#\s]+)", regex.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """``forms`` are the runs of folded words that count as this text, the typed one first."""

    text: str
    forms: tuple[Words, ...]
    key: str
    """Its exact skill key."""
    exact_only: bool
    """Prose says nothing about it: see ``skills.is_exact_only``."""
    places: frozenset[str]
    """Folded names of the place it may be, itself among them."""
    company_forms: tuple[Words, ...]
    """The runs of words that are a company's name: ``forms``, and its other names."""
    school_forms: tuple[Words, ...]
    """The same of a school: ``forms``, and its other names of several words."""
    schools: frozenset[str]
    """Its other names of one word, which are a school only where they are all of its name."""
    repository: str
    """``owner/name`` or a name, case-folded; empty when it cannot be one."""

    @property
    def typed(self) -> Words:
        """The folded words as typed."""
        return self.forms[0]

    @property
    def skill_alone(self) -> bool:
        """Nothing but a skill can bear this name: a single letter, or a word with symbols."""
        symbols = self.exact_only and any(sign in self.text for sign in "+#")
        return symbols or len(self.text) == 1 or not self.typed

    @property
    def skill_forms(self) -> tuple[Words, ...]:
        """The runs of words by which a text names the skill; none when prose cannot be trusted."""
        return _skill_forms(self.key)


@lru_cache(maxsize=4096)
def sought(text: str, *, loose: bool = True) -> Sought:
    """What ``text`` looks for. ``loose`` also counts its plural and its parts together."""
    words = tuple(tokens(text))
    key = skill_key(text)
    alone = not regex.search(r"\s", text.strip())
    repository = repository_key(text)
    if _GITHUB.match(text.strip()):
        words = tuple(tokens(repository))
    forms = _forms(words, loose=loose) if words else ((),)
    found = region(text)
    schools = [tuple(tokens(name)) for name in school_names(text)]
    return Sought(
        text=text,
        forms=forms,
        company_forms=tuple(
            dict.fromkeys((*forms, *(tuple(tokens(name)) for name in company_names(text))))
        ),
        school_forms=tuple(dict.fromkeys((*forms, *(name for name in schools if len(name) > 1)))),
        schools=frozenset(name[0] for name in schools if len(name) == 1),
        key=key,
        exact_only=not words
        or (alone and (is_exact_only(key) or is_exact_only(fold(text).strip())))
        or len(key) <= SHORT,
        places=place_names(text) | (found.names if found else frozenset()),
        repository=repository,
    )


def repository_key(text: str) -> str:
    """``owner/name`` or a name as repositories are compared; a link to GitHub means what it shows.

    >>> repository_key("https://github.com/Apache/TVM/pull/5")
    'apache/tvm'
    """
    text = text.strip()
    if match := _GITHUB.match(text):
        text = "/".join(match["path"].strip("/").split("/")[:2])
    return text.removesuffix(".git").casefold().strip()


@lru_cache(maxsize=4096)
def place_names(text: str) -> frozenset[str]:
    """Folded names, tokens joined by spaces, of the place that ``text`` may mean."""
    names = {" ".join(tokens(name)) for name in (text, *same_place_names(text))}
    return frozenset(name for name in names if name)


def location_readings(text: str) -> tuple[str, ...]:
    """What a stated place may mean: itself, and the country whose ISO code it is.

    >>> location_readings("nl"), location_readings("Malmö")
    (('nl', 'Netherlands'), ('Malmö',))
    """
    country = country_of_code(text)
    return (text,) if country is None else (text, country)


def names_repository(key: str, repository: str) -> bool:
    """Whether ``key`` asks for ``owner/name``: whole, ``owner/``, or whole words of either.

    >>> [names_repository(key, "llvm/llvm-project") for key in ("llvm", "project", "llv")]
    [True, True, False]
    """
    folded = repository.casefold()
    if "/" in key:
        return bool(key) and (key == folded or (key.endswith("/") and folded.startswith(key)))
    words = " ".join(repository_words(key))
    return bool(words) and f" {words} " in f" {' '.join(repository_words(folded))} "


def repository_words(key: str) -> list[str]:
    """The words of a repository's owner and name, between slashes, hyphens, dots and the like."""
    return [word for word in key.translate(_BETWEEN).split(" ") if word]


def _forms(words: Words, *, loose: bool) -> tuple[Words, ...]:
    forms = [words]
    if loose and len(words) > 1:
        forms.append(("".join(words),))
    if loose and len(words) == 1 and len(words[0]) >= 3 and words[0].isalpha():
        forms.append((_other_number(words[0]),))
    return tuple(dict.fromkeys(forms))


def _other_number(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word + "s"


@lru_cache(maxsize=4096)
def _skill_forms(key: str) -> tuple[Words, ...]:
    spellings = [key, *(alias for alias, meant in aliases().items() if meant == key)]
    forms = [tuple(tokens(spelling)) for spelling in spellings]
    return tuple(dict.fromkeys(form for form in forms if form and _safe(form)))


def _safe(form: Words) -> bool:
    return any("+" in word or "#" in word for word in form) or (
        len("".join(form)) > 2 and not (len(form) > 1 and is_exact_only("-".join(form)))
    )


@lru_cache(maxsize=4096)
def index_phrase(form: Words) -> str:
    """A form as the text index writes it."""
    return " ".join(encode(word) for word in form)
