"""How often Slack lets an app call: tiers by the minute, posting by the second and channel."""

from collections import defaultdict, deque
from datetime import datetime, timedelta
from math import ceil

from handlers.sandbox.call import Method

TIERS = {1: 1, 2: 20, 3: 50, 4: 100}
MINUTE = timedelta(minutes=1)
POSTING = {"chat.postMessage", "chat.postEphemeral"}
POSTING_PACE = timedelta(seconds=1)


class RateLimits:
    """Counts calls; ``wait`` is the number of seconds of a 429's Retry-After, 0 to go ahead."""

    def __init__(self, *, enabled: bool = False) -> None:
        self.enabled = enabled
        self._calls: dict[str, deque[datetime]] = defaultdict(deque)
        self._posts: dict[str, datetime] = {}

    def wait(self, name: str, method: Method, channel: str, now: datetime) -> int:
        if not self.enabled:
            return 0
        if name in POSTING:
            last = self._posts.get(channel)
            if last is not None and now - last < POSTING_PACE:
                return 1
            self._posts[channel] = now
            return 0
        if method.tier not in TIERS:
            return 0
        recent = self._calls[name]
        while recent and now - recent[0] >= MINUTE:
            recent.popleft()
        if len(recent) >= TIERS[method.tier]:
            return max(1, ceil((recent[0] + MINUTE - now).total_seconds()))
        recent.append(now)
        return 0
