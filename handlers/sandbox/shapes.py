"""The small language in which Block Kit's rules are written down (see blocks.py).

A check looks at one value and notes what Slack would say about it, in Slack's
own words and with Slack's pointer to the place:
``must be less than 3001 characters [json-pointer:/blocks/0/text/text]``.
"""

from collections.abc import Callable, Mapping
from typing import Any

from handlers.sandbox.records import Json

Check = Callable[[Any, str, list[str]], None]


def note(problems: list[str], said: str, at: str) -> None:
    problems.append(f"{said} [json-pointer:{at}]")


def string(*, most: int | None = None, least: int = 1) -> Check:
    """A string of ``least`` to ``most`` characters."""

    def check(value: Any, at: str, problems: list[str]) -> None:
        if not isinstance(value, str):
            note(problems, "must provide a string", at)
        elif len(value) < least:
            note(problems, f"must be more than {least - 1} characters", at)
        elif most is not None and len(value) > most:
            note(problems, f"must be less than {most + 1} characters", at)

    return check


def url(*, most: int = 3000) -> Check:
    """A link of http or https (or a mail address) of at most ``most`` characters."""
    as_string = string(most=most)

    def check(value: Any, at: str, problems: list[str]) -> None:
        before = len(problems)
        as_string(value, at, problems)
        if len(problems) == before and not value.startswith(
            ("http://", "https://", "mailto:", "slack://")
        ):
            note(problems, "invalid url", at)

    return check


def switch(value: Any, at: str, problems: list[str]) -> None:
    if not isinstance(value, bool):
        note(problems, "must provide a boolean", at)


def whole(value: Any, at: str, problems: list[str]) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        note(problems, "must provide an integer", at)


def anything(_value: Any, _at: str, _problems: list[str]) -> None:
    """What Slack takes as it comes, or what we do not look into."""


def one_of(*allowed: str) -> Check:
    def check(value: Any, at: str, problems: list[str]) -> None:
        if value not in allowed:
            note(problems, f"must be one of {', '.join(allowed)}", at)

    return check


def listed(item: Check, *, most: int, least: int = 1) -> Check:
    """An array of ``least`` to ``most`` items."""

    def check(value: Any, at: str, problems: list[str]) -> None:
        if not isinstance(value, list):
            note(problems, "must provide an array", at)
            return
        if len(value) < least:
            note(problems, f"must provide at least {least} items", at)
        if len(value) > most:
            note(problems, f"no more than {most} items allowed", at)
            return
        for place, entry in enumerate(value):
            item(entry, f"{at}/{place}", problems)

    return check


def shaped(
    required: Mapping[str, Check],
    optional: Mapping[str, Check] | None = None,
    *,
    also: Callable[[Json, str, list[str]], None] | None = None,
) -> Check:
    """An object with those fields and no others; ``also`` looks at it as a whole."""
    fields = {**required, **(optional or {})}

    def check(value: Any, at: str, problems: list[str]) -> None:
        if not isinstance(value, dict):
            note(problems, "must provide an object", at)
            return
        for name in required:
            if value.get(name) is None:
                note(problems, f"missing required field: {name}", at)
        for name, entry in value.items():
            if name == "type" and name not in fields:
                continue
            if name not in fields:
                note(problems, f"invalid additional property: {name}", at)
            elif entry is not None:
                fields[name](entry, f"{at}/{name}", problems)
        if also is not None:
            also(value, at, problems)

    return check


def kind_of(kinds: Mapping[str, Check], *, only: frozenset[str] | None = None) -> Check:
    """An object whose ``type`` chooses its check; ``only`` narrows which types fit here."""

    def check(value: Any, at: str, problems: list[str]) -> None:
        if not isinstance(value, dict):
            note(problems, "must provide an object", at)
            return
        kind = value.get("type")
        if kind is None:
            note(problems, "missing required field: type", at)
        elif kind not in kinds or (only is not None and kind not in only):
            note(problems, f"unsupported type: {kind}", f"{at}/type")
        else:
            kinds[kind](value, at, problems)

    return check


def text(*kinds: str, most: int = 3000, least: int = 1) -> Check:
    """A text object of one of the kinds (both by default)."""
    body = string(most=most, least=least)
    plain = shaped({"text": body}, {"emoji": switch})
    marked = shaped({"text": body}, {"verbatim": switch})
    both = {"plain_text": plain, "mrkdwn": marked}
    return kind_of(both, only=frozenset(kinds or both))


def plain(*, most: int = 3000, least: int = 1) -> Check:
    return text("plain_text", most=most, least=least)
