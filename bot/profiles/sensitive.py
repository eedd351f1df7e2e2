"""Lines that say what must never matter here: gender, age, origin, religion, photo and the like.

Such a line (``Gender: female``, ``Born 4 May 1990``, ``Nationality – …``, a link to a
picture) is taken out before a page is read, so it is neither a fact, nor searched,
nor ranked, nor kept in the stored text. What a sentence of prose tells stays, since
nobody can take it out without writing the sentence anew; no rank looks at it.
"""

from typing import Final

import regex

LABELS: Final = (
    "gender", "sex", "pronouns?", "age", "aged", "born", "date of birth", "birth ?date", "birthday",
    "d\\.?o\\.?b\\.?", "place of birth", "birthplace", "nationality", "citizenship", "citizen of",
    "ethnicity", "ethnic origin", "race", "national origin", "country of origin", "origin",
    "mother tongue", "native language", "religion", "faith", "marital status", "family status",
    "civil status", "children", "number of children", "pregnan(?:t|cy)", "disabilit(?:y|ies)",
    "health", "sexual orientation", "orientation", "political (?:views?|party)",
    "trade union", "union member(?:ship)?", "photo", "photograph", "picture",
    "profile (?:photo|picture)", "avatar", "headshot", "geschlecht",
    "alter", "geburtsdatum", "geboren", "staatsangehörigkeit",
    "nationalität", "religionszugehörigkeit", "familienstand", "kinder", "foto",
)  # fmt: skip
_LABELLED: Final = regex.compile(
    rf"^[\s>*•\-–_]*(?:{'|'.join(LABELS)})[\s*_]*(?:[:=：–—]|\s-\s)\s*.{{0,80}}$", regex.IGNORECASE
)
_BARE: Final = regex.compile(
    r"^\s*(?:"
    r"(?:male|female|non-?binary|he/him(?:/his)?|she/her(?:/hers)?|they/them(?:/theirs)?)"
    r"|(?:aged?|born(?: on| in)?)\s+[\p{L}\d .,/-]*\d[\p{L}\d .,/-]*"
    r"|\d{1,3}\s*(?:years? old|y/?o|yrs? old)"
    r"|!\[[^\]]*\]\([^)]*\)"
    r"|(?:https?://)?\S+\.(?:jpe?g|png|gif|webp)(?:\?\S*)?"
    r")\s*$",
    regex.IGNORECASE,
)
_ENDS: Final = regex.compile(r"(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])")


def is_sensitive(line: str) -> bool:
    """Whether a line says nothing but such a thing.

    >>> [is_sensitive(each) for each in ("Gender: female", "Age – 34", "she/her", "Ages: Engineer")]
    [True, True, True, False]
    """
    return bool(_LABELLED.match(line) or _BARE.match(line))


def without_sensitive_lines(text: str) -> str:
    """The same text without these lines; one without any is the very same."""
    pieces = _ENDS.split(text)
    lines, ends = pieces[::2], [*pieces[1::2], ""]
    kept = [line + end for line, end in zip(lines, ends, strict=True) if not is_sensitive(line)]
    return text if len(kept) == len(lines) else "".join(kept)
