"""Logs: structured, on stderr, with ids; never message texts, names or tokens."""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

QUIET = ("slack_sdk", "apscheduler", "uvicorn", "alembic", "asyncio")
"""Libraries whose everyday chatter is noise, and whose debug logs would carry texts."""
FRAMES = 8

Event = MutableMapping[str, Any]


def trace(error: BaseException) -> list[str]:
    """The innermost frames as ``FILE:LINE FUNCTION``; values and messages may name people."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


def without_values(_: Any, __: str, event: Event) -> Event:
    """A traceback, ours or a library's, becomes the error's type and the places in the code."""
    told = event.pop("exc_info", None)
    error = told[1] if isinstance(told, tuple) else sys.exc_info()[1] if told is True else told
    if isinstance(error, BaseException):
        event.setdefault("error", type(error).__name__)
        event.setdefault("at", trace(error))
    event.pop("stack_info", None)
    return event


def configure_logs(*, secrets: tuple[str, ...] = (), level: int = logging.INFO) -> None:
    """JSON lines on stderr, or coloured ones on a terminal; ``secrets`` are blotted out."""

    def blot(_: Any, __: str, rendered: str) -> str:
        for secret in secrets:
            rendered = rendered.replace(secret, "[secret]")
        return rendered

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer()
        if sys.stderr is not None and sys.stderr.isatty()  # None: it was closed before we began
        else structlog.processors.JSONRenderer()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                without_values,
                renderer,
                blot,  # type: ignore[list-item]  # what the renderer returns is text
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    # a call that failed is raised as well, and told or logged by whoever made it
    logging.getLogger("slack_sdk.web.base_client").setLevel(logging.CRITICAL)
    # its one warning at every start is about how we pass the token, and is not so
    logging.getLogger("slack_bolt").setLevel(logging.ERROR)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
