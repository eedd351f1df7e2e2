"""Where an error came from, fit for a log: places in the code, never the values at hand."""

import traceback

FRAMES = 8


def trace(error: BaseException) -> list[str]:
    """The innermost frames as ``FILE:LINE FUNCTION``; values and messages may name people."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
