"""Telling people by direct message what nobody asked for: failures and alarms."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

import structlog
from slack_sdk import WebClient

from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.message import Message

Admins: TypeAlias = Callable[[], Sequence[str]]
"""Whom to tell of what concerns admins; may raise GroupsUnknown."""

log = structlog.get_logger(__name__)


def tell(
    client: WebClient,
    clock: Callable[[], datetime],
    people: Sequence[str],
    message: Message,
    heard: Callable[[str], object] = lambda _: None,
) -> bool:
    """Send each of these people the message; ``heard`` is called with each who certainly has it.

    False when somebody is to be told once more, later: Slack was busy, or nobody knows
    whether it did it (then that person may read it twice, which is better than never).
    Whom Slack will never write to is logged and passed over.
    """
    for person in people:
        clock()  # each call shows that we move
        try:
            with judged():
                client.chat_postMessage(
                    channel=person, unfurl_links=False, unfurl_media=False, **message.post()
                )
        except RefusedError as refused:
            log.error("somebody was not told", user=person, error=refused.code)  # noqa: TRY400 - no defect of ours
            continue
        except (LaterError, UncertainError):
            return False
        heard(person)
    return True
