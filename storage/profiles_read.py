"""Profiles that were read lately: the same document is the same profile, and is read once."""

import json
import threading
from collections import OrderedDict
from typing import Final

from storage.profile_json import profile_from_document
from storage.records import Profile

MOST: Final = 2_000
"""Profiles kept, the least recently used going first: some 20 KB each."""


def profile_from_json(text: str) -> Profile:
    """The profile of a stored document. Raises JSONDecodeError for one that is damaged."""
    return profile_from_document(json.loads(text))


class ProfilesRead:
    """By the text of their documents, so that none is older than what the database says.

    Safe to share between threads. ``clear`` it when somebody is erased.
    """

    def __init__(self, *, most: int = MOST) -> None:
        """Nothing was read yet."""
        self._most = most
        self._lock = threading.Lock()
        self._profiles: OrderedDict[str, Profile] = OrderedDict()
        self._cleared = 0

    def __call__(self, text: str) -> Profile:
        """The profile of a document. Raises JSONDecodeError for one that is damaged."""
        with self._lock:
            cleared = self._cleared
            found = self._profiles.get(text)
            if found is not None:
                self._profiles.move_to_end(text)
                return found
        found = profile_from_json(text)
        with self._lock:
            if cleared == self._cleared:  # else it may be of somebody erased meanwhile
                self._profiles[text] = found
            if len(self._profiles) > self._most:
                self._profiles.popitem(last=False)
        return found

    def clear(self) -> None:
        """Keep none of them."""
        with self._lock:
            self._profiles.clear()
            self._cleared += 1
