"""Journeys of ``tests.campaign_kill`` that need Slack: adding people there, Undo, forgetting.

Slack is the sandbox in a process of its own (``Beside``), because what is killed is forked, and
a process with threads should not fork.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from slack_bolt import BoltRequest

from bot.forgetting import forget
from bot.settings import Settings
from handlers.app import build_app
from handlers.edge.boundary import Edge
from handlers.edge.pool import Pool
from handlers.features.adding import carry_on
from handlers.sandbox.payloads import direct_message, message_action
from handlers.scheduled import cleaning
from handlers.scheduled.sending import posting_client
from storage.recognising import Forgotten
from storage.store import Store
from tests import people_fixtures
from tests.campaign_kill_files import DATABASE, NOW, names, opened, sound
from tests.campaign_killing import Journey, in_child
from tests.loading_fixtures import page
from tests.sandbox_fixtures import SlackServer, running_slack

ROOT = Path(__file__).parent.parent
LATER = timedelta(minutes=3)
"""When the next start comes: nobody works on what the killed one had begun."""
numbers = count(1)


# Slack


class Beside:
    """The sandbox in another process; a method of ``HANDS`` is called by its name."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.campaign_kill_slack"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        told = self._heard()
        self.api_url, self.token, self.hiring = told["api_url"], told["token"], told["hiring"]

    def ask(self, hand: str, *given: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([hand, *given]) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@cache
def slack() -> Beside:
    """Started when it is first asked for; it ends with this process, which holds its input."""
    return Beside()


def shared(server: SlackServer, name: str, text: str) -> Any:
    """Somebody sends the bot a file; what Slack tells the bot of it."""
    message = server.share(server.mira, server.direct(server.mira), (name, text))
    told = direct_message(server.workspace, message)
    return server.delivery._event_callback(told, shared=False)


def pressed(server: SlackServer, ts: str, action: dict[str, Any]) -> Any:
    """What Slack tells the bot when a button in that direct message is pressed."""
    message = server.workspace.message(server.direct(server.mira), ts)
    assert message is not None
    return message_action(
        server.workspace,
        user=server.mira, message=message, action=action, state={}, origin=server.url,
    )  # fmt: skip


def said(server: SlackServer, channel: str) -> Any:
    """What the bot's messages in a channel, or in the direct message, are now."""
    channel = channel or server.direct(server.mira)
    return [
        {"ts": each.ts, "text": each.text, "blocks": each.blocks or []}
        for each in server.messages(channel)
        if each.bot_id
    ]


HANDS: dict[str, Callable[..., Any]] = {"share": shared, "press": pressed, "said": said}


def serve() -> None:
    """Slack until standard input ends: a line of JSON for each line of JSON."""
    with running_slack() as server:
        server.workspace.events.discard("message.im")  # the one who is killed is told by hand
        server.workspace.channels[server.hiring].members.add(server.bot_user)
        told: Any = {
            "api_url": server.api_url,
            "token": server.workspace.bot_token,
            "hiring": server.hiring,
        }
        print(json.dumps(told), flush=True)
        for line in sys.stdin:
            hand, *given = json.loads(line)
            print(json.dumps(HANDS[hand](server, *given)), flush=True)


# Adding and Undo


def running(folder: Path, late: timedelta) -> tuple[Edge, Store]:
    """The bot, by a clock that is ``late`` ahead."""
    store = opened(folder)
    settings = Settings(
        _env_file=None,
        bot_mode="http",
        slack_bot_token=slack().token,
        slack_signing_secret="s",
        slack_api_url=slack().api_url,
    )
    pool = Pool(workers=1, waiting=9)
    return build_app(settings, store, lambda: datetime.now(UTC) + late, pool=pool), store


def answer(folder: Path) -> None:
    """Hear the delivery, unless its acknowledgement reached Slack; the next start carries on."""
    again = (folder / "begun").exists()
    (folder / "begun").touch()
    edge, store = running(folder, LATER if again else timedelta())
    if not (folder / "acknowledged").exists():
        body = json.loads((folder / "body.json").read_text())
        if edge.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200:
            (folder / "acknowledged").touch()
    if again:
        carry_on(edge)
    assert edge.pool.drain(30)
    assert edge.adding.drain(30)
    assert edge.telling.drain(30)
    store.close()


def send_file(folder: Path) -> None:
    """A file of two people, under a name of its own."""
    name = f"file-{next(numbers)}.txt"
    (folder / "name").write_text(name)
    body = slack().ask("share", name, page("Ines Adeyemi") + page("Bo Lindqvist"))
    (folder / "body.json").write_text(json.dumps(body))


SENT = ["Bo Lindqvist, Engineer", "Ines Adeyemi, Engineer"]


def receipts(folder: Path) -> list[dict[str, Any]]:
    name = (folder / "name").read_text()
    return [each for each in slack().ask("said", "") if each["text"].startswith(name)]


def added(folder: Path) -> list[str]:
    found, told = names(folder), [each["text"] for each in receipts(folder)]
    once = len(told) == 1 and told[0].count("new ·") == 2
    return [
        *sound(folder),
        *([] if found == SENT else [f"stored are {found}"]),
        *([] if once else [f"receipts are {told}"]),
    ]


def make_receipt(folder: Path) -> None:
    """Two people were added, and Undo stands under the receipt."""
    send_file(folder)
    in_child(answer, folder, 0)
    (receipt,) = receipts(folder)
    (button,) = [
        each
        for block in receipt["blocks"]
        for each in block.get("elements", ())
        if each.get("action_id", "").startswith("candidate.undo")
    ]
    (folder / "receipt.json").write_text(json.dumps([receipt["ts"], button]))
    for each in ("begun", "acknowledged"):
        (folder / each).unlink()


def press_undo(folder: Path) -> None:
    ts, button = json.loads((folder / "receipt.json").read_text())
    body = slack().ask("press", ts, {**button, "action_ts": f"{next(numbers)}.0"})
    (folder / "body.json").write_text(json.dumps(body))


def take_back(folder: Path) -> None:
    """Undo is pressed, and pressed again when nothing came of it."""
    (folder / "acknowledged").unlink(missing_ok=True)
    answer(folder)


def both_or_none(folder: Path) -> list[str]:
    found = names(folder)
    return [*sound(folder), *([] if found in ([], SENT) else [f"stored are {found}"])]


def taken_back(folder: Path) -> list[str]:
    ts, _ = json.loads((folder / "receipt.json").read_text())
    found = names(folder)
    (told,) = [each["text"] for each in slack().ask("said", "") if each["ts"] == ts]
    return [
        *sound(folder),
        *([] if found == [] else [f"stored are {found}"]),
        *([] if told.startswith(("Undone", "This was undone")) else [f"the receipt is {told}"]),
    ]


# Forgetting

WORDS = ("quetzal", "adeyemi")
BARE: dict[str, Any] = {
    "headline": "Engineer at Foo", "title": "Engineer", "company": "Foo", "contributions": (),
    "education": (), "likely_login": "boq",
}  # fmt: skip


def two_people(folder: Path) -> None:
    """Two people, one of them in the audit and in a file of the watched folder."""
    (folder / "inbox/done").mkdir(parents=True)
    (folder / "inbox/done/page.txt").write_text(people_fixtures.page())
    store = opened(folder)
    gone = people_fixtures.add(store, now=NOW, text=people_fixtures.page())
    kept = people_fixtures.add(store, "Bo Quist", now=NOW, **BARE)
    store.audit(who="U1", action="ask", place="C1", text="quetzal adeyemi",
                candidate_ids=[gone], now=NOW)  # fmt: skip
    store.close()
    (folder / "ids.json").write_text(json.dumps([gone, kept]))


def post_about_them(folder: Path) -> None:
    """A digest in a channel that names both."""
    gone, kept = json.loads((folder / "ids.json").read_text())
    client = posting_client(slack().token, slack().api_url, 5)
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": f"*{name}* · Engineer"},
         "accessory": {"type": "button", "action_id": f"candidate.open.{id_}", "value": id_,
                       "text": {"type": "plain_text", "text": "Open"}}}
        for name, id_ in (("Quetzal Adeyemi", gone), ("Bo Quist", kept))
    ]  # fmt: skip
    posted = client.chat_postMessage(
        channel=slack().hiring, text="2 new candidates: Quetzal Adeyemi, Bo Quist", blocks=blocks
    )
    (folder / "ts").write_text(posted["ts"])
    store = opened(folder)
    store.record_posted(channel=slack().hiring, ts=posted["ts"], kind="digest", by="U1",
                        candidate_ids=[gone, kept], now=NOW)  # fmt: skip
    store.close()


def forget_them(folder: Path) -> None:
    """Forget, or carry on what another process began."""
    gone, _ = json.loads((folder / "ids.json").read_text())
    store = opened(folder)
    client = posting_client(slack().token, slack().api_url, 5)
    if store.candidate(gone) is not None:
        forget(store, gone, by="U1", place="C1", inbox=folder / "inbox", now=NOW)
        cleaning.clean(store, client, lambda: NOW)
    else:
        for _ in range(3):
            cleaning.tick(store, client, lambda: NOW + timedelta(minutes=5))
    store.checkpoint()
    store.close()


def whole_or_erased(folder: Path) -> list[str]:
    gone, _ = json.loads((folder / "ids.json").read_text())
    store = opened(folder)
    there = store.candidate(gone)
    if there is None:
        right = len(store.tombstones()) == 1 and store.named("quetzal").hits == ()
    else:
        text = store.source_text(gone, there.sources[0].id)
        asked = [each.text for each in store.audited(actions=["ask"])]
        right = (
            store.tombstones() == []
            and bool(store.history(gone))
            and text == people_fixtures.page()
            and asked == ["quetzal adeyemi"]
        )
    store.close()
    return [*sound(folder), *([] if right else ["neither whole nor erased"])]


def forgotten(folder: Path) -> list[str]:
    """Nobody there, never stored again, and no name in the message or in any file."""
    gone, kept = json.loads((folder / "ids.json").read_text())
    wrong = sound(folder)
    store = opened(folder)
    if store.candidate(gone) is not None or store.candidate(kept) is None:
        wrong.append("the wrong people are there")
    try:
        people_fixtures.add(store, now=NOW)
    except Forgotten:
        pass
    else:
        wrong.append("a forgotten person was stored again")
    erasure = store.erasure(store.tombstones()[0].reference)
    states = {each.state for each in erasure.cleanings} if erasure else set()
    store.checkpoint()
    store.close()
    wrong += [] if states == {"done"} else [f"cleanings are {states}"]
    ts = (folder / "ts").read_text()
    (message,) = [each for each in slack().ask("said", slack().hiring) if each["ts"] == ts]
    shown = json.dumps(message, ensure_ascii=False).lower()
    if "bo quist" not in shown or any(word in shown for word in WORDS):
        wrong.append(f"the message is {message['text']}")
    listed = Path(f"{folder / DATABASE}.tombstones").read_text().splitlines()
    if [json.loads(each)["id"] for each in listed] != [erasure.id if erasure else None]:
        wrong.append(f"{len(listed)} lines are in the file of tombstones")
    for file in folder.rglob("*"):
        held = file.read_bytes().lower() if file.is_file() else b""
        if any(word.encode() in held for word in WORDS):
            wrong.append(f"{file.name} still names the person")
    return wrong


JOURNEYS: dict[str, Journey] = {
    "add": Journey(begin=send_file, act=answer, whole=sound, done=added),
    "undo": Journey(
        prepare=make_receipt, begin=press_undo, act=take_back, whole=both_or_none, done=taken_back
    ),
    "forget": Journey(
        prepare=two_people,
        begin=post_about_them,
        act=forget_them,
        whole=whole_or_erased,
        done=forgotten,
    ),
}
"""Name → what is done and looked at."""


if __name__ == "__main__":
    serve()
