"""The figures of this process, for Prometheus.

A process has one set of counters, as it has one log; they stand here by name
and are counted where things happen. What can be asked at any time (people, due
digests, the pool …) is asked when somebody reads ``/metrics``: see
``handlers.edge.operation``. No label holds an id, a name or a text.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

COUNTED: Final = CollectorRegistry()

COMMANDS: Final = Counter(
    "candidate_commands_total",
    "Commands, clicks, events and modals that were worked on, and what came of them.",
    ["kind", "outcome"],
    registry=COUNTED,
)
"""Outcomes: answered, refused (with a sentence), untold (no way to answer), failed."""
REFUSED: Final = Counter(
    "candidate_refused_requests_total",
    "Deliveries that were turned away before any work.",
    ["reason"],
    registry=COUNTED,
)
ACKNOWLEDGED: Final = Histogram(
    "candidate_ack_seconds",
    "From a delivery's arrival to its acknowledgement; Slack waits three seconds.",
    ["way"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0),
    registry=COUNTED,
)
ANSWERED: Final = Histogram(
    "candidate_answer_seconds",
    "From a delivery that was taken to the end of its work, the answer sent.",
    ["kind"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0),
    registry=COUNTED,
)
SLACK_ERRORS: Final = Counter(
    "candidate_slack_errors_total",
    "Calls to Slack that did not work, by Slack's code, HTTP status or the kind of trouble.",
    ["code"],
    registry=COUNTED,
)
SCHEDULED: Final = Counter(
    "candidate_scheduled_total",
    "Runs of each scheduled function, and whether it failed.",
    ["function", "outcome"],
    registry=COUNTED,
)
BACKUPS: Final = Counter(
    "candidate_backups_total", "Scheduled backups.", ["outcome"], registry=COUNTED
)
RECONNECTED: Final = Counter(
    "candidate_socket_replacements_total",
    "Sockets to Slack that fell silent and were replaced, or could not be.",
    ["outcome"],
    registry=COUNTED,
)
ALARMS: Final = Counter(
    "candidate_alarms_total", "Alarms raised to admins.", ["about"], registry=COUNTED
)


def slack_error(code: str) -> None:
    """Count a call to Slack that did not work; what is no code is counted as ``other``."""
    code = code.replace(" ", "_")
    SLACK_ERRORS.labels(code if re.fullmatch(r"[A-Za-z0-9_.:-]{1,60}", code) else "other").inc()


@contextmanager
def acknowledging(way: str) -> Iterator[None]:
    """Around a delivery from its arrival to its acknowledgement; ``way`` is http or socket."""
    began = time.perf_counter()
    try:
        yield
    finally:
        ACKNOWLEDGED.labels(way).observe(time.perf_counter() - began)
