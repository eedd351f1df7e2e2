"""How an answer reaches the person who asked, and nobody else.

A command or a click brings a ``response_url``, which works even where the bot
is no member (five times, for half an hour). A mention is answered by
``chat.postEphemeral``, a direct message in the direct message itself. Nothing here is
tried twice: a retried call has made two messages.
"""

from dataclasses import dataclass
from typing import Any

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.webhook import WebhookClient

from handlers.people import Place
from handlers.views.message import Message

log = structlog.get_logger(__name__)

TIMEOUT = 10
"""Seconds for one call to Slack."""


class Untold(Exception):
    """An answer that could not be delivered; the person does not see it."""


class NotTaken(Untold):
    """The response_url certainly did not take it: it is used up, expired or unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Speaks privately to ``user`` at ``place``."""

    client: WebClient
    user: str
    place: Place
    response_url: str | None = None

    def answer(self, message: Message) -> str | None:
        """Send the message privately; the timestamp when it is one that stays. Raises Untold."""
        if self._responded(message, replace=False):
            return None
        return self._post_privately(message)

    def replace(self, message: Message) -> None:
        """Put the message in the place of the one whose button was pressed. Raises Untold."""
        if not self._responded(message, replace=True):
            self._post_privately(message)

    def remove(self) -> None:
        """Take away the private message whose button was pressed. Raises Untold."""
        if self.response_url:
            self._send({"delete_original": True})

    def _responded(self, message: Message, *, replace: bool) -> bool:
        """Whether the response_url took it; False when there is none or it certainly did not."""
        if not self.response_url:
            return False
        try:
            self._respond(message, replace=replace)
        except NotTaken as refusal:
            log.info("voice.not_taken", reason=str(refusal))
            return False
        return True

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
            retry_handlers=[],
            proxy=self.client.proxy,
        )
        try:
            response = webhook.send_dict(body)
        except (SlackClientError, OSError) as error:
            raise Untold(type(error).__name__) from error
        if 400 <= response.status_code < 500:
            raise NotTaken(f"response_url answered {response.status_code}")
        if response.status_code != 200:
            raise Untold(f"response_url answered {response.status_code}")

    def _post_privately(self, message: Message) -> str | None:
        try:
            return self._post(message)
        except (SlackClientError, OSError) as error:
            raise Untold(type(error).__name__) from error

    def _post(self, message: Message) -> str | None:
        if self.place.kind == "direct":
            posted = self.client.chat_postMessage(
                channel=self.place.channel or self.user,
                thread_ts=self.place.thread,
                unfurl_links=False,
                unfurl_media=False,
                **message.post(),
            )
            return str(posted["ts"])
        if self.place.channel is None:
            self.client.chat_postMessage(
                channel=self.user, unfurl_links=False, unfurl_media=False, **message.post()
            )
            return None
        self.client.chat_postEphemeral(
            channel=self.place.channel,
            user=self.user,
            thread_ts=self.place.thread,
            **message.post(),
        )
        return None


def error_code(error: SlackApiError) -> str:
    """Slack's code for what went wrong, such as ``not_in_channel``."""
    try:
        return str(error.response["error"])
    except (KeyError, TypeError):
        return "unknown"
