"""Raising an alarm: what somebody has to know and nobody would see.

This is the one place that the parts of the program raise alarms by. An alarm
of the same key is raised once; a key with a date in it comes back the next day.
"""

from collections.abc import Callable
from datetime import datetime

import structlog

from handlers import metrics
from storage.errors import BotError
from storage.store import Store

log = structlog.get_logger(__name__)


def raise_alarm(
    store: Store, *, about: str, key: str, text: str, now: datetime, audience: str = "admins"
) -> None:
    """Have the audience told, once for each key. Never raises: it is called where things fail.

    ``about`` is a word for the figures: ``backup``, ``inbox``, ``checkpoint``, ``untold`` …
    """
    raised: Callable[..., bool] | None = getattr(store, "raise_alarm", None)
    try:
        new = raised is None or raised(key=key, audience=audience, text=text, now=now)
    except BotError as error:  # the database is the trouble: the log has to do
        log.error("alarm.not_kept", key=key, error=type(error).__name__)  # noqa: TRY400
        return
    if new:
        metrics.ALARMS.labels(about).inc()
        log.error("alarm", key=key)
