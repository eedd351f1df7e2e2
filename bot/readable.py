"""Text from outside that may hold no text: file names and arguments are bytes to the system.

Python carries bytes that are no UTF-8 as lone surrogates, which can neither be
stored nor printed.
"""

import re
from typing import Final

_NO_BYTES: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def readable(text: str) -> str:
    """``text`` with a replacement character where it holds no character.

    >>> readable("caf\\udcc3\\udca9"), readable("a\\udcff\\ud800")
    ('café', 'a��')
    """
    text = _NO_BYTES.sub("\ufffd", text)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
