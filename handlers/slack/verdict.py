"""What Slack's answer to a call means for whoever has to decide about trying again.

Slack offers no idempotency key, so a call that may or may not have been
carried out must not simply be repeated.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, Final, TypeVar

from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from handlers.metrics import slack_error
from storage.errors import BotError

AMBIGUOUS: Final = frozenset(
    {
        "fatal_error",
        "internal_error",
        "request_timeout",
        "service_unavailable",
        "team_added_to_org",
        "unknown",
    }
)
UNKNOWN_METHOD: Final = "unknown_method"
"""A server that speaks Slack's language and lacks this call."""
RATE_LIMITED: Final = frozenset({"ratelimited", "rate_limited"})
PAUSE: Final = 30
"""Seconds to wait where Slack does not say how long."""

T = TypeVar("T")


class CannotReachSlack(BotError):
    """Slack did not accept the token, or could not be reached; the sentence says which."""


class LaterError(Exception):
    """Slack did nothing and says when to come again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"retry after {seconds} s")
        self.seconds = seconds


class RefusedError(Exception):
    """Slack did nothing and will not do it: the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class UncertainError(Exception):
    """Nobody knows whether Slack did it: a timeout, a broken connection, an error of theirs.

    ``answered`` is True when Slack answered, with an error of its own (5xx).
    """

    def __init__(self, reason: str, *, answered: bool = False) -> None:
        super().__init__(reason)
        self.answered = answered


@contextmanager
def judged() -> Iterator[None]:
    """Around one call: raises LaterError, RefusedError or UncertainError for what Slack said."""
    try:
        yield
    except SlackApiError as error:
        verdict = _verdict(error)
        slack_error("ratelimited" if isinstance(verdict, LaterError) else str(verdict))
        raise verdict from error
    except (SlackClientError, HTTPException, OSError) as error:
        slack_error(type(error).__name__)
        raise UncertainError(type(error).__name__) from error


def read_again(ask: Callable[[], T]) -> T:
    """What a question that changes nothing brings; asked once more after an error of Slack's own.

    Raises LaterError, RefusedError or UncertainError.
    """
    try:
        with judged():
            return ask()
    except UncertainError as uncertain:
        if not uncertain.answered:
            raise
    with judged():
        return ask()


def listed(answer: SlackResponse, key: str) -> list[Any]:
    """The list that an answer promises. Raises UncertainError where it is left out.

    What was left out is not empty: whoever took it for that would post a second time.
    """
    found = answer.get(key)
    if not isinstance(found, list):
        raise UncertainError(f"an answer without {key}")
    return found


def timestamp(answer: SlackResponse) -> str:
    """Of the message that was posted. Raises UncertainError where the answer does not say it."""
    found = answer.get("ts")
    if not found:
        raise UncertainError("an answer without a timestamp")
    return str(found)


def _verdict(error: SlackApiError) -> Exception:
    response = error.response
    status = getattr(response, "status_code", 0)
    data = getattr(response, "data", None)
    code = str(data.get("error") or "unknown") if isinstance(data, dict) else "unknown"
    if status == 429 or code in RATE_LIMITED:
        return LaterError(_pause(response.headers))
    # What is no code is slack_sdk's sentence about an answer that was not JSON.
    if status != 200 or code in AMBIGUOUS or not re.fullmatch(r"[a-z0-9_.:-]+", code):
        reason = f"{status} {code}" if code in AMBIGUOUS else str(status)
        return UncertainError(reason, answered=status >= 500 or code in AMBIGUOUS)
    return RefusedError(code)


def judge_webhook(status: int, headers: dict[str, str]) -> None:
    """The same for a response_url, whose answer is a status and no more."""
    if status == 429:
        slack_error("ratelimited")
        raise LaterError(_pause(headers))
    if not 200 <= status < 300:
        slack_error(str(status))
    if status >= 500:
        raise UncertainError(str(status), answered=True)
    if not 200 <= status < 300:
        raise RefusedError(str(status))


def _pause(headers: dict[str, str]) -> int:
    told = {name.lower(): value for name, value in headers.items()}.get("retry-after", "")
    return max(1, int(told)) if str(told).isdigit() else PAUSE
