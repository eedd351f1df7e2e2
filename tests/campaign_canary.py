"""Secrets and names that must not be found anywhere outside the database, whatever happens.

A bot runs as a program of its own with its logs at DEBUG; its tokens, the people, the questions,
the names of files and the forged requests all carry words that stand nowhere else. All that it
wrote (logs, health, what lies in its folder beside the database) is then searched for them.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handlers.sandbox.faults import Fault, Noise
from handlers.sandbox.server import create_sandbox, serve_in_thread
from handlers.sandbox.workspace import Workspace
from tests.campaign_forged import Sent, Wire
from tests.campaign_trouble import KINDS
from tests.campaign_verdict import Verdict
from tests.loading_fixtures import fail_at, page
from tests.sandbox_fixtures import SlackServer

ROOT = Path(__file__).parent.parent
NAMES = ("Zephyrine Quillfeather", "Ottoline Brackenbury", "Ignatius Thistlewood")
WORDS = ("zephyrine", "quillfeather", "ottoline", "brackenbury", "ignatius", "thistlewood")
HEALTH = ("/healthz", "/readyz", "/metrics")
"""Paths that a supervisor reads; one that is not there answers 404."""
AT_DEBUG = (
    "import logging, sys, bot.__main__ as program\n"
    "configure = program.configure_logs\n"
    "def at_debug(**asked):\n"
    "    configure(**{**asked, 'level': logging.DEBUG})\n"
    "    logging.getLogger('handlers').debug('logs at debug')\n"
    "program.configure_logs = at_debug\n"
    "program.main()\n"
)
MINE = ("candidates.db", "candidates.db-wal", "candidates.db-shm", "candidates.db.lock")


class Canaries:
    """The words, and where they were found."""

    def __init__(self, dice: random.Random) -> None:
        self.secrets = {
            "bot token": f"xoxb-canary-{dice.getrandbits(64):x}",
            "app token": f"xapp-1-canary-{dice.getrandbits(64):x}",
            "signing secret": f"{dice.getrandbits(128):032x}",
        }
        self.question = f"quokkaquery{dice.getrandbits(32):x}"
        self.file = f"walrusfile{dice.getrandbits(32):x}"
        self.forged = f"ferretforged{dice.getrandbits(32):x}"

    @property
    def all(self) -> dict[str, str]:
        names = {f"name {word}": word for word in WORDS}
        return {
            **self.secrets, **names,
            "question": self.question, "file": self.file, "forged": self.forged,
        }  # fmt: skip

    def found_in(self, text: str) -> list[str]:
        folded = text.casefold()
        return [kind for kind, word in self.all.items() if word.casefold() in folded]


@contextmanager
def running(
    folder: Path, slack: SlackServer, canaries: Canaries, port: int, log: Path
) -> Iterator[None]:
    settings = {
        "PATH": os.environ["PATH"], "BOT_MODE": "http", "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{folder / 'candidates.db'}", "INBOX": str(folder / "inbox"),
        "SLACK_API_URL": slack.api_url, "ADMIN_USERS": slack.mira,
        "SLACK_BOT_TOKEN": canaries.secrets["bot token"],
        "SLACK_SIGNING_SECRET": canaries.secrets["signing secret"],
        "DIGEST_CHANNEL": slack.hiring, "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    with log.open("ab") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", AT_DEBUG, "run"],
            cwd=folder,
            env=settings,
            stdout=file,
            stderr=file,
        )
        try:
            until = time.monotonic() + 60
            while health(port, "/readyz")[0] != 200:
                assert process.poll() is None, log.read_text()[-2_000:]
                assert time.monotonic() < until, "the bot did not get ready"
                time.sleep(0.1)
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def health(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()
    except OSError:
        return 0, ""


def provoke(
    slack: SlackServer, folder: Path, canaries: Canaries, port: int, size: int
) -> list[str]:
    """Everything that has ever made a program say too much; the bodies of the health paths."""
    inbox, said = folder / "inbox", []
    (inbox / f"{canaries.file}.txt").write_text(page(NAMES[0]) + page(NAMES[1]))
    (inbox / f"{canaries.file}-letter.txt").write_text(f"Dear {NAMES[2]}, {canaries.question}\n")
    slack.wait_for(lambda: len(list(inbox.glob("*/*.txt"))) >= 2, within=90)
    fail_at(f"sqlite:///{folder / 'candidates.db'}", NAMES[2], f"no {NAMES[2]}")
    (inbox / f"{canaries.file}-fails.txt").write_text(page(NAMES[2]))
    asked = (
        NAMES[0], "zephyrine", f"skill:{canaries.question}", canaries.question, "history zephyrine",
        f"company:{WORDS[1]} years>={canaries.question}", f"({WORDS[2]}", "new", "digest preview",
        f"digest weekly monday 09:00 for {canaries.question}", f"forget {NAMES[0]}",
    )  # fmt: skip
    slack.faults.noise = Noise(
        seed=size, chance=0.2, kinds=tuple(each for each in KINDS if each.mode != "timeout"),
        methods=("respond", "chat.*", "users.info"),
    )  # fmt: skip
    wire = Wire(f"http://127.0.0.1:{port}")
    for number in range(size):
        slack.say(slack.mira, slack.hiring, f"/candidate {asked[number % len(asked)]}")
        said += [health(port, path)[1] for path in HEALTH]
        body = json.dumps({"type": canaries.forged, "user": NAMES[0], "n": number}).encode()
        for signature in (
            "",
            f"v0={canaries.forged}",
            slack.delivery.signed(body)["X-Slack-Signature"],
        ):
            wire.send(
                Sent(
                    body=body, content_type="application/json",
                    timestamp=str(int(time.time())), signature=signature,
                )
            )  # fmt: skip
        if number == size // 2:
            slack.faults.clear()
            slack.say(slack.mira, slack.hiring, f"/candidate {NAMES[0]}")
            card = slack.wait_for(
                lambda: [
                    each
                    for each in slack.ephemerals(slack.mira)
                    if each.user == slack.bot_user and "candidate.share" in str(each.blocks)
                ],
                within=30,
            )[-1]
            slack.faults.add(Fault(method="chat.postMessage", mode="drop_after"))
            slack.click(slack.mira, card, "candidate.share")
            slack.say(slack.mira, slack.direct(slack.mira), f"{NAMES[1]} {canaries.question}")
    slack.faults.clear()
    time.sleep(20 if size > 20 else 2)
    return said


def terminal(folder: Path, canaries: Canaries) -> str:
    """What the commands of a terminal write to stderr; what they print is the answer itself."""
    settings = {
        "PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite:///{folder / 'candidates.db'}",
        "PYTHONPATH": str(ROOT), "BOT_MODE": "http",
        "SLACK_BOT_TOKEN": canaries.secrets["bot token"],
        "SLACK_SIGNING_SECRET": canaries.secrets["signing secret"],
        "SLACK_API_URL": "http://127.0.0.1:9/api/",
    }  # fmt: skip
    said = ""
    for words in (("ask", canaries.question), ("doctor",), ("digest", "list"), ("ask", NAMES[1])):
        done = subprocess.run(
            [sys.executable, "-c", AT_DEBUG, *words], cwd=folder, env=settings, text=True,
            capture_output=True, check=False,
        )  # fmt: skip
        said += done.stderr
        said += done.stdout if words[0] == "doctor" else ""
    return said


def run(size: int, seed: int) -> Verdict:
    """``size`` rounds of questions, forgeries and failures."""
    verdict = Verdict(part="canaries", seed=seed, size=size)
    begun = time.monotonic()
    canaries = Canaries(random.Random(seed))
    workspace = Workspace(
        bot_token=canaries.secrets["bot token"],
        app_token=canaries.secrets["app token"],
        signing_secret=canaries.secrets["signing secret"],
    )
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name) / "home", Path(name) / "bot.log"
        (folder / "inbox").mkdir(parents=True)
        served = serve_in_thread(create_sandbox(workspace, ack_within=10.0))
        try:
            slack = SlackServer(served)
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            slack.deliver_to(f"http://127.0.0.1:{port}/slack/events")
            with running(folder, slack, canaries, port, log):
                healths = provoke(slack, folder, canaries, port, size)
            said = terminal(folder, canaries)
        finally:
            served.stop()
        texts = {"logs": log.read_text(), "health": "\n".join(healths), "terminal": said}
        for path in folder.rglob("*"):
            if path.is_file() and "inbox" not in path.parts and path.name not in MINE:
                texts[path.name] = path.read_text(errors="replace")
        for where, text in texts.items():
            found = canaries.found_in(text)
            verdict.expect(not found, f"{where}: {found}")
            verdict.figures[f"bytes of {where}"] = len(text)
        verdict.expect("logs at debug" in texts["logs"], "the logs are not at DEBUG")
        failed = any(f'"level": "{each}"' in texts["logs"] for each in ("error", "warning"))
        verdict.expect(failed, "nothing failed, so nothing was shown")
        if verdict.wrong:
            lines = [line for line in texts["logs"].splitlines() if canaries.found_in(line)]
            verdict.wrong += [line[:300] for line in lines[:5]]
    verdict.figures = {
        "canaries": len(canaries.all),
        "found": len(verdict.wrong),
        **verdict.figures,
    }
    verdict.seconds = time.monotonic() - begun
    return verdict
