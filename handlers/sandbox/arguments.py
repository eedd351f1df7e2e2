"""The arguments of a Web API call, however they came: query, form or JSON.

Slack accepts all three; in a query or form, structured arguments (``blocks``,
``view``, ``metadata``) are JSON text and switches are ``true``/``1``.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from handlers.sandbox.records import Refused

_TS = re.compile(r"\d{1,12}(\.\d{1,6})?")


DEEPEST = 100
"""Lists and objects inside each other; what Slack sends and takes has about ten."""


def read_json(text: str | bytes) -> Any:
    """The value. Raises ValueError for what is no JSON, too deep, or no text (lone surrogates)."""
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    level = [value]
    for _ in range(DEEPEST):
        for each in level:
            if isinstance(each, str):
                each.encode()
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in ([*each, *each.values()] if isinstance(each, dict) else each)
        ]
        if not level:
            return value
    raise ValueError("nested too deeply")


class Arguments(Mapping[str, Any]):
    """A call's arguments by name, read with the type the method expects."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {name: value for name, value in values.items() if value is not None}

    @classmethod
    def parse(cls, *, query: str, body: bytes, content_type: str) -> "Arguments":
        """Arguments from a request's parts; the body wins over the query."""
        values: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
        kind = content_type.split(";", maxsplit=1)[0].strip().lower()
        if kind == "application/json":
            try:
                sent = read_json(body or b"{}")
            except ValueError as error:
                raise Refused("invalid_json") from error
            if not isinstance(sent, dict):
                raise Refused("json_not_object")
            values.update(sent)
        elif kind == "application/x-www-form-urlencoded" or (not kind and body):
            try:
                text = body.decode()
            except UnicodeDecodeError as error:
                raise Refused("invalid_form_data") from error
            values.update(parse_qsl(text, keep_blank_values=True))
        elif body and kind:
            raise Refused("invalid_post_type")
        return cls(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def text(self, name: str, default: str = "") -> str:
        value = self._values.get(name, default)
        return value if isinstance(value, str) else json.dumps(value)

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise Refused(
                "invalid_arguments",
                response_metadata={"messages": [f"[ERROR] missing required field: {name}"]},
            )
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self._values.get(name, default)
        return value if isinstance(value, bool) else str(value).lower() in {"1", "true"}

    def count(self, name: str, *, default: int, most: int) -> int:
        """A whole number from 1 to ``most``; Refused ``invalid_limit`` otherwise."""
        value = str(self._values.get(name, default))
        if not value.isdecimal() or not 1 <= int(value) <= most:
            raise Refused("invalid_limit")
        return int(value)

    def moment(self, name: str) -> str | None:
        """A message timestamp, made comparable: ``1700000000.000100``; None when absent or 0."""
        value = str(self._values.get(name, "") or "")
        if value in {"", "0", "now"}:
            return None
        if not _TS.fullmatch(value):
            raise Refused(f"invalid_ts_{name}")
        seconds, _, micro = value.partition(".")
        return f"{int(seconds):010d}.{micro:0<6}"

    def structure(self, name: str, *, error: str) -> Any:
        """A JSON argument as Python value, None when absent; Refused ``error`` when broken."""
        value = self._values.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return read_json(value)
        except ValueError as broken:
            raise Refused(error) from broken
