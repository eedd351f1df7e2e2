"""Whenever the bot is killed while it adds people from a message, the next start carries on."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from handlers.sandbox.payloads import direct_message
from storage.store import Store
from tests.loading_fixtures import page
from tests.sandbox_fixtures import running_slack

ROOT = Path(__file__).parent.parent
POINTS = 24
STEP = 3

CAMPAIGN = '''
"""Forks a bot for each kill, kills it at one of its statements, and lets another one carry on."""
import json, os, signal, sys, time
from datetime import UTC, datetime, timedelta
from itertools import count

from slack_bolt import BoltRequest
from sqlalchemy import event

from bot.settings import Settings
from handlers.features.adding import carry_on
from handlers.app import build_app
from handlers.edge.pool import Pool
from storage.store import Store

url, api, token, step = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
events = json.load(sys.stdin)


def running(late):
    store = Store.open(url)
    settings = Settings(_env_file=None, bot_mode="http", slack_bot_token=token,
                        slack_signing_secret="s", slack_api_url=api)
    clock = lambda: datetime.now(UTC) + late
    return build_app(settings, store, clock, pool=Pool(workers=1, waiting=9)), store


def deliver(edge, body):
    return edge.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200


def settle(edge):
    until = time.monotonic() + 30
    while edge.pool.unfinished + edge.adding.unfinished and time.monotonic() < until:
        time.sleep(0.01)


def dying(body, last, pipe):
    edge, store = running(timedelta())
    statements = count(1)

    def at_statement(*_):
        if next(statements) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.database._writing, "before_cursor_execute", at_statement)
    if deliver(edge, body):
        os.write(pipe, b"acknowledged")
    settle(edge)


def carrying_on(body, acknowledged, number):
    edge, store = running(timedelta(minutes=3 * (number + 1)))
    if not acknowledged:
        assert deliver(edge, body)  # Slack brings it again
    carry_on(edge)
    settle(edge)


def forked(work):
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(ours)
            work(theirs)
            status = 0
        finally:
            os._exit(status)
    os.close(theirs)
    with os.fdopen(ours, "rb") as said:
        heard = said.read()
    return heard, os.waitpid(pid, 0)[1]


kills = 0
for number, body in enumerate(events):
    heard, status = forked(lambda pipe: dying(body, 1 + number * step, pipe))
    kills += os.WIFSIGNALED(status)
    _, status = forked(lambda _: carrying_on(body, heard == b"acknowledged", number))
    assert status == 0, number
print(kills)
'''


def test_a_kill_at_any_step_loses_nobody_and_doubles_nothing(store_url: str):
    with running_slack() as slack:
        slack.workspace.events.discard("message.im")
        direct = slack.direct(slack.mira)
        bodies, names = [], []
        for number in range(POINTS):
            pair = [f"{first} K{chr(97 + number)}oz" for first in ("Ada", "Bo")]
            names += pair
            message = slack.share(
                slack.mira, direct, (f"file-{number}.txt", "".join(page(name) for name in pair))
            )
            told = direct_message(slack.workspace, message)
            bodies.append(slack.delivery._event_callback(told, shared=False))
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                CAMPAIGN,
                store_url,
                slack.api_url,
                slack.workspace.bot_token,
                str(STEP),
            ],
            cwd=ROOT,
            input=json.dumps(bodies),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr[-3000:]
        assert int(ran.stdout.split()[-1]) >= 20, ran.stdout
        store = Store.open(store_url)
        people = [store.named(name).hits for name in names]
        assert all(len(hits) >= 1 for hits in people)
        assert store.count() == len(names)
        said = [each.text for each in slack.messages(direct) if each.bot_id]
        receipts = Counter(text for text in said if not text.startswith("Reading"))
        for number in range(POINTS):
            mine = [text for text in receipts if text.startswith(f"file-{number}.txt")]
            assert len(mine) == 1, mine  # however often it was said, it says the same
            assert mine[0].count("new ·") == 2, mine
            assert receipts[mine[0]] == 1, mine
        assert store.verify_audit().fault is None
        store.close()
