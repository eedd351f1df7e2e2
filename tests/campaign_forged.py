"""Requests that Slack did not send: forged, replayed, of another team, too large, misshapen.

Each is made from a true one, signed rightly where the signature is not what is wrong with it.
Accepted would be: an answer of 200 that is not a refusal, or anything that reached a feature.
"""

import hashlib
import hmac
import http.client
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import structlog

from bot.loading import load_file
from handlers.edge.boundary import OTHER_TEAM
from handlers.edge.claims import BUSY
from handlers.edge.door import MOST
from storage.store import Store
from tests.campaign_verdict import Verdict
from tests.edge_fixtures import Bot, running_bot

ROOT = Path(__file__).parent.parent
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A request as it goes over the wire. ``signed`` None: by the true secret, at the end."""

    body: bytes
    content_type: str = FORM
    timestamp: str = ""
    signature: str | None = None
    method: str = "POST"
    path: str = "/slack/events"


class Forger:
    """Makes the requests; ``dice`` decides what is wrong with each."""

    def __init__(self, bot: Bot, dice: random.Random) -> None:
        self.bot, self.dice = bot, dice
        self.kinds: dict[str, Callable[[], Sent]] = {
            "no signature": lambda: replace(self.command(), signature=""),
            "other secret": self.other_secret,
            "a letter changed": self.letter_changed,
            "an old timestamp": lambda: self.signed(
                replace(self.command(), timestamp=self.moment(-301 - self.dice.randrange(10**6)))
            ),
            "a timestamp to come": lambda: self.signed(
                replace(self.command(), timestamp=self.moment(302 + self.dice.randrange(10**6)))
            ),
            "no time at all": lambda: self.signed(
                replace(
                    self.command(),
                    timestamp=self.dice.choice(("", "soon", "-1", "1e9", "१७००", "9" * 40, "\t")),
                )
            ),
            "another time signed": self.other_time,
            "version of the signature": self.other_version,
            "another team": lambda: self.signed(
                self.command(team_id=f"T{self.dice.randrange(10**9):09}")
            ),
            "another team's click": lambda: self.signed(
                self.click(f"T{self.dice.randrange(10**9):09}")
            ),
            "another team's event": lambda: self.signed(
                self.event(f"T{self.dice.randrange(10**9):09}")
            ),
            "too large": self.too_large,
            "another type": lambda: self.signed(
                replace(
                    self.command(),
                    content_type=self.dice.choice(
                        ("text/plain", "multipart/form-data", "", "application/xml")
                    ),
                )
            ),
            "no payload": self.no_payload,
            "broken JSON": self.broken_json,
            "another method": lambda: self.signed(
                replace(
                    self.command(),
                    method=self.dice.choice(("GET", "PUT", "DELETE", "PATCH", "OPTIONS")),
                )
            ),
            "another path": lambda: self.signed(
                replace(
                    self.command(),
                    path=self.dice.choice(
                        (
                            "/slack/events/",
                            "/",
                            "//slack/events",
                            "/slack/../slack/events",
                            "/slack/interactive",
                        )
                    ),
                )
            ),
        }

    def command(self, **changed: str) -> Sent:
        slack = self.bot.slack
        fields = {
            "token": "x",
            "team_id": slack.workspace.team.id,
            "channel_id": slack.hiring,
            "user_id": slack.mira,
            "command": "/candidate",
            "text": f"forged {self.dice.random()}",
            "response_url": f"{slack.url}/respond/forged",
            "trigger_id": "1.1.x",
            **changed,
        }
        return Sent(body=urlencode(fields).encode(), timestamp=self.moment(0))

    def click(self, team: str) -> Sent:
        slack = self.bot.slack
        payload = {
            "type": "block_actions",
            "team": {"id": team},
            "user": {"id": slack.mira, "team_id": team},
            "container": {"message_ts": "1.1", "channel_id": slack.hiring, "is_ephemeral": True},
            "channel": {"id": slack.hiring},
            "response_url": f"{slack.url}/respond/forged",
            "actions": [
                {
                    "action_id": "candidate.share",
                    "value": "forged",
                    "type": "button",
                    "block_id": "b",
                }
            ],
        }
        return Sent(
            body=urlencode({"payload": json.dumps(payload)}).encode(), timestamp=self.moment(0)
        )

    def event(self, team: str) -> Sent:
        slack = self.bot.slack
        event = {
            "type": "app_mention",
            "user": slack.mira,
            "channel": slack.hiring,
            "ts": "1.1",
            "text": "<@U1> forged",
        }
        payload = {
            "type": "event_callback",
            "team_id": team,
            "event_id": f"Ev{self.dice.random()}",
            "event": event,
        }
        return Sent(body=json.dumps(payload).encode(), content_type=JSON, timestamp=self.moment(0))

    def moment(self, off: int) -> str:
        return str(int(time.time()) + off)

    def signed(self, sent: Sent) -> Sent:
        return replace(sent, signature=self.signature(sent.timestamp, sent.body))

    def signature(self, timestamp: str, body: bytes, secret: str | None = None) -> str:
        key = (secret or self.bot.slack.workspace.signing_secret).encode()
        message = b"v0:" + timestamp.encode() + b":" + body
        return f"v0={hmac.new(key, message, hashlib.sha256).hexdigest()}"

    def other_secret(self) -> Sent:
        sent = self.command()
        secret = self.dice.choice(("x", self.bot.slack.workspace.signing_secret[:-1], "0" * 32))
        return replace(sent, signature=self.signature(sent.timestamp, sent.body, secret))

    def letter_changed(self) -> Sent:
        sent = self.signed(self.command())
        assert sent.signature is not None
        if self.dice.random() < 0.5:
            return replace(sent, body=sent.body.replace(b"forged", b"forgot"))
        at = self.dice.randrange(3, len(sent.signature))
        other = self.dice.choice(
            [each for each in "0123456789abcdefA-" if each != sent.signature[at]]
        )
        return replace(sent, signature=sent.signature[:at] + other + sent.signature[at + 1 :])

    def other_time(self) -> Sent:
        sent = self.signed(self.command())
        return replace(sent, timestamp=self.moment(1 + self.dice.randrange(200)))

    def other_version(self) -> Sent:
        sent = self.signed(self.command())
        assert sent.signature is not None
        bare = sent.signature.removeprefix("v0=")
        return replace(
            sent,
            signature=self.dice.choice(
                (
                    bare,
                    f"v1={bare}",
                    f"V0={bare}",
                    f"v0={bare}00",
                    f"v0={bare.upper()}" if bare.upper() != bare else "v0=",
                    f" v0={bare}é",
                )
            ),
        )

    def too_large(self) -> Sent:
        sent = self.command()
        return self.signed(
            replace(
                sent,
                body=sent.body
                + b"&more="
                + b"x" * (MOST - len(sent.body) + self.dice.randrange(2, 9) - 6),
            )
        )

    def no_payload(self) -> Sent:
        body = self.dice.choice(
            (
                b"",
                b"[]",
                b"a=b",
                b"payload=",
                b"payload=[]",
                b"payload=null",
                b"\xff\xfe",
                b"payload=%7B%7D",
            )
        )
        kind = self.dice.choice((FORM, JSON))
        return self.signed(Sent(body=body, content_type=kind, timestamp=self.moment(0)))

    def broken_json(self) -> Sent:
        sent = self.event(self.bot.slack.workspace.team.id)
        at = self.dice.randrange(len(sent.body) - 1)
        return self.signed(replace(sent, body=sent.body[:at]))

    def all(self, count: int) -> Iterator[tuple[str, Sent]]:
        names = list(self.kinds)
        for number in range(count):
            name = names[number % len(names)]
            yield name, self.kinds[name]()


class Logged:
    """Events of the logs that are no refusals."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def __call__(self, _: Any, level: str, event: Any) -> Any:
        if level in {"error", "critical", "exception"}:
            self.errors.append(str(event))
        raise structlog.DropEvent


def run(size: int, seed: int) -> Verdict:
    verdict = Verdict(part="forged", seed=seed, size=size)
    begun = time.monotonic()
    logged = Logged()
    structlog.configure(processors=[logged])
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = Store.open(f"sqlite:///{folder}/candidates.db")
            for path in sorted((ROOT / "seeds").glob("*.txt")):
                load_file(store, path, added_by="seeds", added_via="seeds", now=datetime.now(UTC))
            with running_bot(store, clock=lambda: datetime.now(UTC)) as bot:
                besiege(bot, verdict, random.Random(seed), size)
                bot.settle()
            asked = [each for each in store.audited(limit=1_000_000) if "forg" in each.text]
            verdict.expect(not asked, f"{len(asked)} reached the audit")
            store.close()
    finally:
        structlog.reset_defaults()
    verdict.expect(not logged.errors, f"logged errors: {logged.errors[:5]}")
    verdict.figures["exceptions"] = len(logged.errors)
    verdict.seconds = time.monotonic() - begun
    return verdict


def besiege(bot: Bot, verdict: Verdict, dice: random.Random, size: int) -> None:
    """Send them all, and true ones between: each once, then the very same again."""
    forger = Forger(bot, dice)
    came: Counter[str] = Counter()
    accepted = replayed = true = 0
    wire = Wire(bot.url)
    for number, (name, sent) in enumerate(forger.all(size)):
        status, said = wire.send(sent)
        came[str(status)] += 1
        if not refused(name, status, said):
            accepted += 1
            verdict.expect(False, f"{name} was answered {status} {said[:100]!r}")
        if number % 20 == 0:
            right = forger.signed(forger.command(text=f"help {number}"))
            status, _ = wire.send(right)
            verdict.expect(status == 200, f"a true request was answered {status}")
            true += status == 200
            status, said = wire.send(right)
            came[str(status)] += 1
            replayed += 1
            accepted += status != 401
            verdict.expect(status == 401, f"a replayed request was answered {status}")
    tried = size + replayed
    verdict.figures |= {
        "tried": tried,
        "replayed": replayed,
        "accepted": accepted,
        "true ones answered": true,
    }
    verdict.figures |= {f"answered {status}": count for status, count in sorted(came.items())}


def refused(name: str, status: int, said: str) -> bool:
    """Whether this answer takes nothing; what another team typed or pressed is refused in words.

    So is a command while the database is busy, before anybody looks at its team.
    """
    told = (
        any(each in json_text(said) for each in (OTHER_TEAM, BUSY))
        or (name == "another team's click" and not said)
    )  # fmt: skip
    return status >= 300 or (status == 200 and told)


def json_text(said: str) -> str:
    try:
        return str(json.loads(said).get("text", ""))
    except (AttributeError, ValueError):
        return ""


class Wire:
    """One connection after another; a server may close one that sent too much."""

    def __init__(self, url: str) -> None:
        self.place = urlsplit(url).netloc

    def send(self, sent: Sent) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.place, timeout=30)
        headers = {
            "Content-Type": sent.content_type,
            "X-Slack-Request-Timestamp": sent.timestamp,
            "X-Slack-Signature": sent.signature or "",
        }
        try:
            connection.request(
                sent.method,
                sent.path,
                sent.body,
                {name: value.encode() for name, value in headers.items() if value},
            )
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        except (ConnectionError, http.client.HTTPException):
            return 499, ""  # closed on us: nothing was taken
        finally:
            connection.close()
