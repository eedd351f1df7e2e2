"""How an answer reaches the person who asked, and nobody else.

A command or a click brings a ``response_url``, which works even where the bot
is no member (five times, for half an hour). A mention is answered by
``chat.postEphemeral``, a direct message in the direct message itself. Where one way is
certainly closed the next is taken: the response_url, the channel, a direct message.

What Slack certainly did not take (429) is sent again when Slack says so; what
it answered with an error of its own (5xx) is sent once more, since a private
answer that comes twice is better than none. After a timeout or a broken
connection nothing is repeated: it has made two messages of one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from slack_sdk import WebClient
from slack_sdk.web import SlackResponse
from slack_sdk.webhook import WebhookClient

from handlers.access.people import Place
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judge_webhook, judged
from handlers.views.message import Message, typed_plainly

log = structlog.get_logger(__name__)

TIMEOUT = 10
"""Seconds for one call to Slack."""
TRIES, PATIENCE = 3, 10
"""How often one way is tried, and the longest pause between tries that a person is left waiting."""
AGAIN = 1.0
"""Seconds before what failed on Slack's side is sent once more."""


def unnoted(_: str, __: str, ___: Message) -> None:
    """Nobody remembers what was posted."""


class Untold(Exception):
    """An answer that could not be delivered; the person does not see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Speaks privately to ``user`` at ``place``."""

    client: WebClient
    user: str
    place: Place
    response_url: str | None = None
    sleep: Callable[[float], None] = time.sleep
    note: Callable[[str, str, Message], None] = unnoted
    """Hears channel and timestamp of each message that stays, so that it can be changed later."""

    def answer(self, message: Message) -> str | None:
        """Send the message privately; the timestamp when it is one that stays. Raises Untold."""
        return self._tell(message, replace=False)

    def replace(self, message: Message) -> None:
        """Put the message in the place of the one whose button was pressed. Raises Untold."""
        self._tell(message, replace=True)

    def remove(self) -> None:
        """Take away the private message whose button was pressed. Raises Untold."""
        if self.response_url:
            try:
                self._patiently(lambda: self._send({"delete_original": True}))
            except RefusedError as refused:
                raise Untold(str(refused)) from refused

    def _tell(self, message: Message, *, replace: bool) -> str | None:
        if self.place.is_with_us:
            message = typed_plainly(message)
        ways: list[Callable[[], str | None]] = []
        if self.place.kind == "home":  # whoever opens a tab is not written to
            ways.append(lambda: self._publish(message))
        if self.response_url:
            ways.append(lambda: self._respond(message, replace=replace))
        if self.place.channel:
            ways.append(lambda: self._post(message))
        if self.place.kind not in {"direct", "home"}:
            ways.append(lambda: self._post_direct(message))
        reason = "no way to answer"
        for way in ways:
            try:
                return self._patiently(way)
            except RefusedError as refused:
                reason = str(refused)
                log.info("voice.refused", code=reason)
        raise Untold(reason)

    def _patiently(self, way: Callable[[], str | None]) -> str | None:
        """Try one way as often as is safe. Raises RefusedError, or Untold."""
        left = TRIES
        while True:
            left -= 1
            try:
                return way()
            except LaterError as later:
                if not left or later.seconds > PATIENCE:
                    raise RefusedError("ratelimited") from later
                self.sleep(later.seconds)
            except UncertainError as uncertain:
                if not uncertain.answered or left < TRIES - 1:
                    raise Untold(str(uncertain)) from uncertain
                self.sleep(AGAIN)

    def _respond(self, message: Message, *, replace: bool) -> None:
        body: dict[str, Any] = {
            "response_type": "ephemeral",
            "replace_original": replace,
            **message.post(),
        }
        if self.place.thread and not replace:
            body["thread_ts"] = self.place.thread
        self._send(body)

    def _send(self, body: dict[str, Any]) -> None:
        webhook = WebhookClient(
            self.response_url or "",
            timeout=TIMEOUT,
            ssl=self.client.ssl,
            retry_handlers=[],
            proxy=self.client.proxy,
        )
        with judged():
            response = webhook.send_dict(body)
        judge_webhook(response.status_code, dict(response.headers))

    def _post(self, message: Message) -> str | None:
        if self.place.kind == "direct":
            with judged():
                posted = self.client.chat_postMessage(
                    channel=self.place.channel or self.user,
                    thread_ts=self.place.thread,
                    unfurl_links=False,
                    unfurl_media=False,
                    **message.post(),
                )
            return self._noted(posted, message)
        with judged():
            self.client.chat_postEphemeral(
                channel=self.place.channel or "",
                user=self.user,
                thread_ts=self.place.thread,
                **message.post(),
            )
        return None

    def _publish(self, message: Message) -> None:
        with judged():
            self.client.views_publish(
                user_id=self.user, view={"type": "home", "blocks": list(message.blocks)}
            )

    def _post_direct(self, message: Message) -> None:
        with judged():
            posted = self.client.chat_postMessage(
                channel=self.user, unfurl_links=False, unfurl_media=False, **message.post()
            )
        self._noted(posted, message)

    def _noted(self, posted: SlackResponse, message: Message) -> str | None:
        """The timestamp of a message that stays; None where Slack does not say it."""
        ts, channel = posted.get("ts"), posted.get("channel") or self.place.channel
        if not ts or not channel:
            return None
        self.note(str(channel), str(ts), message)
        return str(ts)
