"""A month of simulated time: four people, files, digests, restarts, an outage, a backup.

``cases/month.jsonl`` is the month. Each line is something that somebody does at a moment, and
under ``then`` every message that the bot shows anybody from then until the next line: the minute,
the place, to whom, and the first line of its text. Nothing else may be said, and nothing less.

The month begins with the database of the first released schema, so its first start is an upgrade.
``.venv/bin/python -m tests.campaign_month --record`` writes ``then`` anew, to be read and judged
by a person before it is committed.
"""

import argparse
import gzip
import json
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import structlog

from bot.settings import Settings
from handlers.app import build_app
from handlers.clock import Clock, build_clock
from handlers.edge.boundary import Edge
from handlers.edge.link import Link
from handlers.edge.pool import Pool
from handlers.sandbox.faults import FOREVER, Fault
from handlers.sandbox.records import Channel, Group, User
from storage.backups import backups_in
from storage.restoring import restore
from storage.store import Store
from tests.campaign_sound import unsound
from tests.campaign_verdict import Verdict
from tests.loading_fixtures import page
from tests.sandbox_fixtures import SlackServer, running_slack

CASES = Path(__file__).parent / "cases"
SCRIPT = CASES / "month.jsonl"
RELEASED = CASES / "released/0001.db.gz"
BEGIN, END = datetime(2026, 12, 1, 9, 30, tzinfo=UTC), datetime(2027, 1, 1, 9, 0, tzinfo=UTC)
STEP = timedelta(hours=2)
"""How often the clock ticks here; in the program every fifteen seconds."""
LIST = re.compile(r"^((?:\d+ new candidates?|\d+–\d+ of \d+)[^:]*):.*")
"""Whom a digest names stands in an order by ids, which are other ones when more is stored."""
PEOPLE = {
    "mira": "U0MIRA", "tom": "U0TOM", "priya": "U0PRIYA", "vera": "U0VERA", "guest": "U0GUEST",
}  # fmt: skip
"""Mira is an admin, Tom and Priya are recruiters, Vera may only look."""
VIEWERS = "S0VIEWERS"
PLACES = {"hiring": "C0HIRING", "leads": "C0LEADS"}


@dataclass(slots=True)
class Month:
    """The bot, its Slack and its database over the month."""

    folder: Path
    slack: SlackServer
    moments: list[datetime]
    store: Store = field(init=False)
    edge: Edge = field(init=False)
    link: Link | None = None
    clock: Clock | None = None
    ids: Any = field(default_factory=lambda: count(1_000))
    seen: set[tuple[str, str, str, str]] = field(default_factory=set)

    # What can be done: the word of the script, and the rest of its line

    def start(self, _: dict[str, Any]) -> None:
        """The program starts; the first time, on a database of the first schema."""
        self.store = Store.open(self.url, new_id=lambda: f"{next(self.ids):032x}")
        settings = Settings(
            _env_file=None,
            bot_mode="socket",
            slack_bot_token=self.slack.workspace.bot_token,
            slack_app_token=self.slack.workspace.app_token,
            slack_api_url=self.slack.api_url,
            database_url=self.url,
            inbox=self.folder / "inbox",
            admin_users=("U0MIRA",),
            allowed_users=("U0TOM", "U0PRIYA"),
            viewer_groups=(VIEWERS,),
        )
        self.edge = build_app(
            settings, self.store, self.now, pool=Pool(workers=1), reference=lambda: "7KQ2MX"
        )
        self.link = Link(self.edge, self.slack.workspace.app_token)
        self.link.open()
        self.slack.wait_for(lambda: self.slack.delivery.sockets.is_open)
        self.clock = build_clock(
            self.store, self.edge.client, self.now, admins=("U0MIRA",), inbox=settings.inbox
        )

    def stop(self, _: dict[str, Any]) -> None:
        """The program ends, as on SIGTERM."""
        assert self.link is not None
        self.link.stop_hearing()
        self.edge.pool.drain(10)
        self.edge.adding.drain(10)
        self.edge.telling.drain(10)
        self.link.close()
        self.store.close()
        self.link = self.clock = None

    def say(self, what: dict[str, Any]) -> None:
        user, where = PEOPLE[what["who"]], what.get("in", "hiring")
        channel = self.slack.direct(user) if where == "direct" else PLACES[where]
        self.slack.say(
            user, channel, what["text"].replace("@candidate", f"<@{self.slack.bot_user}>")
        )

    def press(self, what: dict[str, Any]) -> None:
        """The newest button of that kind that this person sees."""
        user = PEOPLE[what["who"]]
        for message in reversed(self.visible(user)):
            if f'"{what["button"]}' in json.dumps(message.blocks or []):
                self.slack.click(user, message, what["button"])
                return
        raise AssertionError(f"there is no {what['button']} to press")

    def file(self, what: dict[str, Any]) -> None:
        """A file of invented people is put into the watched folder."""
        inbox = self.folder / "inbox"
        inbox.mkdir(exist_ok=True)
        (inbox / what["name"]).write_text(pages(what))

    def upload(self, what: dict[str, Any]) -> None:
        """A file of invented people is sent to the bot in a direct message."""
        user = PEOPLE[what["who"]]
        self.slack.share(user, self.slack.direct(user), (what["name"], pages(what)))

    def remove(self, what: dict[str, Any]) -> None:
        (hit,) = self.store.named(what["person"]).hits
        self.store.remove(hit.candidate.id, now=self.now(), by="U0MIRA")

    def backup(self, _: dict[str, Any]) -> None:
        self.store.back_up(self.folder / "backups", keep=3, now=self.now())

    def restore(self, _: dict[str, Any]) -> None:
        """The newest backup is put in the place of the database, while the program is down."""
        newest = backups_in(self.folder / "backups", "candidates")[0]
        restore(self.url, newest, by="terminal:mira", now=self.now())

    def outage(self, _: dict[str, Any]) -> None:
        """Slack answers 503 to every post until ``mended``."""
        self.slack.faults.add(Fault(method="chat.postMessage", status=503, times=FOREVER))

    def mended(self, _: dict[str, Any]) -> None:
        self.slack.faults.clear()

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'candidates.db'}"

    # Time

    def now(self) -> datetime:
        return self.moments[-1]

    def pass_until(self, then: datetime) -> None:
        """Tick, and tick again, as the program's clock does; nobody ticks while it is down."""
        while True:
            following = min(then, self.now() + STEP)
            if following <= self.now():
                return
            self.moments.append(following)
            self.tick()

    def tick(self) -> None:
        if self.clock is not None:
            self.clock.tick()

    def settle(self) -> None:
        if self.link is not None:
            time.sleep(0.05)  # events are delivered in the background
            self.slack.wait_for(
                lambda: self.edge.pool.unfinished + self.edge.adding.unfinished == 0, within=30
            )
            self.tick()
            self.tick()  # a file is taken when it has stopped growing

    # What is to be seen

    def visible(self, user: str) -> list[Any]:
        others = {self.slack.direct(other) for other in PEOPLE.values() if other != user}
        return [
            each
            for channel in list(self.slack.workspace.channels)
            if channel not in others
            for each in self.slack.workspace.messages(channel, viewer=user)
        ]

    def news(self) -> list[str]:
        """What the bot has shown since the last time, in order; what was changed is shown anew."""
        found = []
        for name, user in PEOPLE.items():
            for message in self.visible(user):
                if message.user != self.slack.bot_user:
                    continue
                text = LIST.sub(r"\1", message.text.strip().split("\n")[0])
                place = self.place_of(message.channel)
                to = f" to {name}" if self.is_private(message, user) else ""
                key = (message.channel, message.ts, to, text)
                if key not in self.seen:
                    self.seen.add(key)
                    thread = " in thread" if message.thread_ts not in {None, message.ts} else ""
                    found.append((float(message.ts), f"{place}{thread}{to}: {text}"))
        lines = []
        for ts, told in sorted(found):
            at = datetime.fromtimestamp(ts, UTC)
            lines.append(f"{at:%m-%d %H:%M} {told}")
        return list(dict.fromkeys(lines))

    def place_of(self, channel: str) -> str:
        names = {id_: f"#{name}" for name, id_ in PLACES.items()}
        return names.get(channel, "direct")

    def is_private(self, message: Any, user: str) -> bool:
        return message in self.slack.ephemerals(user) or self.place_of(message.channel) == "direct"


DO: dict[str, Callable[[Month, dict[str, Any]], None]] = {
    "start": Month.start,
    "stop": Month.stop,
    "say": Month.say,
    "press": Month.press,
    "file": Month.file,
    "upload": Month.upload,
    "remove": Month.remove,
    "backup": Month.backup,
    "restore": Month.restore,
    "outage": Month.outage,
    "mended": Month.mended,
}
"""The words of the script."""


def pages(what: dict[str, Any]) -> str:
    """What a file of the script holds."""
    title = what.get("title", "Engineer at Foo")
    return what.get("letter") or "".join(page(name, title=title) for name in what["people"])


def people_and_places(slack: SlackServer) -> None:
    team = slack.workspace.team.id
    for name, user in PEOPLE.items():
        slack.workspace.add_user(
            User(
                id=user, team=team, name=name, real_name=name.title(), tz="Europe/Berlin",
                is_guest=name == "guest",
            )
        )  # fmt: skip
    slack.workspace.groups[VIEWERS] = Group(
        id=VIEWERS, handle="viewers", name="Viewers", members={"U0VERA"}
    )
    for name, channel in PLACES.items():
        members = {*PEOPLE.values(), slack.bot_user}
        slack.workspace.add_channel(Channel(id=channel, name=name, kind="private", members=members))


def lived(folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """The script with what truly followed each line, and what is wrong with the database after."""
    (folder / "candidates.db").write_bytes(gzip.decompress(RELEASED.read_bytes()))
    moments = [BEGIN]
    with running_slack(clock=lambda: moments[-1]) as slack:
        people_and_places(slack)
        month = Month(folder, slack, moments)
        came = []
        lines = [json.loads(each) for each in SCRIPT.read_text(encoding="utf-8").splitlines()]
        for line, following in zip(lines, [*lines[1:], None], strict=True):
            DO[line["do"]](month, line)
            month.settle()
            until = datetime.fromisoformat(following["at"]) if following else END
            month.pass_until(until.replace(tzinfo=UTC))
            came.append({**line, "then": month.news()})
        if month.link is not None:
            month.stop({})
    return came, unsound(folder / "candidates.db")


def run(size: int, seed: int) -> Verdict:
    """The month, once; ``size`` and ``seed`` change nothing."""
    verdict = Verdict(part="month", seed=seed, size=size)
    begun = time.monotonic()
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            came, faults = lived(Path(folder))
    finally:
        structlog.reset_defaults()
    expected = [json.loads(each) for each in SCRIPT.read_text(encoding="utf-8").splitlines()]
    for line, found in zip(expected, came, strict=True):
        for missing in [each for each in line["then"] if each not in found["then"]]:
            verdict.expect(False, f"{line['at']} {line['do']}: missing “{missing}”")
        for extra in [each for each in found["then"] if each not in line["then"]]:
            verdict.expect(False, f"{line['at']} {line['do']}: not expected “{extra}”")
        verdict.expect(
            sorted(line["then"]) == sorted(found["then"]),
            f"{line['at']}: another number of messages",
        )
    verdict.expect(not faults, f"afterwards: {faults}")
    verdict.figures = {
        "days": (END - BEGIN).days,
        "lines": len(expected),
        "messages": sum(len(each["then"]) for each in came),
        "restarts": sum(each["do"] == "start" for each in expected) - 1,
    }
    verdict.seconds = time.monotonic() - begun
    return verdict


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true", required=True)
    parser.parse_args()
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    with tempfile.TemporaryDirectory() as folder:
        came, faults = lived(Path(folder))
    SCRIPT.write_text(
        "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in came), encoding="utf-8"
    )
    print(*(line for each in came for line in each["then"]), sep="\n")
    print(faults)


if __name__ == "__main__":
    main()
