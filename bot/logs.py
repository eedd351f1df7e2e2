"""Logs: structured, on stderr, with ids; never message texts, names or tokens."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

QUIET = ("slack_bolt", "slack_sdk", "apscheduler", "uvicorn", "alembic", "asyncio")
"""Libraries whose everyday chatter is noise, and whose debug logs would carry texts."""


def configure_logs(*, secrets: tuple[str, ...] = (), level: int = logging.INFO) -> None:
    """JSON lines on stderr, or coloured ones on a terminal; ``secrets`` are blotted out."""

    def blot(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        for key, value in event.items():
            if isinstance(value, str):
                for secret in secrets:
                    value = value.replace(secret, "[secret]")  # noqa: PLW2901
                event[key] = value
        return event

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    terminal = sys.stderr.isatty()
    # without the values at hand: they may name people
    traces = structlog.processors.ExceptionRenderer(
        structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    )
    rendering: list[structlog.typing.Processor] = (
        [blot, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if terminal
        else [traces, blot, structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    # its one warning at every start is about how we pass the token, and is not so
    logging.getLogger("slack_bolt").setLevel(logging.ERROR)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
