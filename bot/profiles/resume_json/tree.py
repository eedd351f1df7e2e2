"""A JSON document that may hold anything anywhere: reading it never fails, it gives less."""

import json
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import UnreadableProfile
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.tables.headers import Field, column_of

Entry = Mapping[str, object]

_NO_WORDS: Final = frozenset({
    "$schema", "id", "uuid", "icon", "meta", "metadata", "settings", "image", "picture", "photo",
    "avatar", "references", "referees", "testimonials", "layout", "css", "theme", "visible",
    "hidden", "columns",
    "separatelinks", "levelnum", "customcss", "typography", "template", "public", "slug", "userid",
    "createdat", "updatedat", "locked", "type", "options", "iconcolor",
})  # fmt: skip
"""What speaks of the document's looks, of pictures, or of other people."""
_DEEPEST: Final = 12
_MOST_LINES: Final = 20_000
_TAG: Final = regex.compile(r"</?[a-zA-Z][^<>]{0,500}>|<!--.{0,500}?-->", regex.DOTALL)
_BREAK: Final = regex.compile(r"<(?:br|/p|/li|/div|/h\d|/ul|/ol)\b[^<>]*>", regex.IGNORECASE)


def could_be_json(content: bytes, *keys: str) -> str | None:
    """The text where it begins as JSON does and has every one of the keys in it, else None."""
    if content[:64].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00")[:1] not in {b"{", b"["}:
        return None
    try:
        text = text_of(content)
    except UnreadableProfile:
        return None
    return text if all(f'"{each}"' in text for each in keys) else None


def parsed(text: str) -> object:
    """The document; None where the JSON is damaged, or nested beyond reason."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def entries_of(document: object, *inside: str) -> list[Entry]:
    """The objects of a document: itself, those of a list, or those under one of the keys.

    >>> entries_of({"resumes": [{"a": 1}, "b"]}, "resumes"), entries_of({"a": 1})
    ([{'a': 1}], [{'a': 1}])
    """
    if isinstance(document, dict):
        for key in inside:
            if isinstance(document.get(key), (list, dict)):
                # Each key once, so that nothing is gone into without end.
                return entries_of(document[key], *(each for each in inside if each != key))
        return [document]
    if isinstance(document, list):
        return [each for each in document if isinstance(each, dict)]
    return []


def at(entry: object, *path: str) -> object:
    """What stands at the end of a path of keys; None where there is none."""
    for key in path:
        if not isinstance(entry, Mapping):
            return None
        entry = entry.get(key)
    return entry


def text_at(entry: object, *keys: str) -> str | None:
    """The first of the keys that has a text or a number, without markup.

    >>> text_at({"company": "", "name": " Nordlys "}, "company", "name"), text_at({"n": 3}, "n")
    ('Nordlys', '3')
    """
    for key in keys:
        value = at(entry, key)
        if isinstance(value, Mapping):
            value = next(
                (value[each] for each in ("name", "label", "text", "content") if value.get(each)),
                None,
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and (text := plain(value)):
            return text
    return None


def list_at(entry: object, *keys: str) -> list[object]:
    """The first of the keys that has something, as a list: a lone object is its only entry."""
    for key in keys:
        value = at(entry, key)
        if isinstance(value, Mapping) and "items" in value:
            value = value["items"]
        if isinstance(value, list) and value:
            return value
        if isinstance(value, Mapping) and value:
            inner = [each for each in value.values() if isinstance(each, Mapping)]
            return [*inner] if len(inner) == len(value) else [value]
        if isinstance(value, str) and value.strip():
            return [value]
    return []


def plain(text: str) -> str:
    """A text without the markup of an editor.

    >>> plain("<ul><li><p>Fast &amp; safe</p></li><li>Go</li></ul>"), plain("a < b")
    ('Fast & safe\\nGo', 'a < b')
    """
    if "<" in text and _TAG.search(text):
        text = unescape(_TAG.sub("", _BREAK.sub("\n", text)))
    elif "&" in text:
        text = unescape(text)
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)


def readable(entry: object) -> str:
    """What an object says, as ``key: value`` lines, without what must not matter."""
    lines: list[str] = []
    for line in _lines("", entry, 0):
        lines.append(line)
        if len(lines) == _MOST_LINES:
            break
    return without_sensitive_lines("\n".join(lines))


def _lines(key: str, value: object, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or key.lower() in _NO_WORDS or _is_sensitive(key):
        return
    if isinstance(value, Mapping):
        if value.get("visible") is False or value.get("hidden") is True:
            return
        for inner, each in value.items():
            yield from _lines(str(inner), each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _lines(key, each, depth + 1)
    elif value is not None and not isinstance(value, bool):
        text = plain(str(value)).replace("\x00", "")
        if text:
            yield f"{key}: {text}" if key else text


def _is_sensitive(key: str) -> bool:
    return bool(key) and column_of(key).field is Field.SENSITIVE
