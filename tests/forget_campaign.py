"""Forgets a person once for each step at which the process is killed, and looks what is left.

``python tests/forget_campaign.py FOLDER API_URL TOKEN CHANNEL [EVERY]`` prints a line of JSON.
A step is a statement that writes, a file opened, removed or renamed, or a call to Slack: the
child ends by SIGKILL before it. Then the store is opened anew and has to hold either the whole
person and no tombstone, or neither facts nor name; what was begun is carried on and has to come
to its end: the message changed, the file gone, the tombstone in its file, no name in any file.
"""

import json
import os
import shutil
import signal
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from sqlalchemy import event

from bot.forgetting import forget
from handlers.scheduled import cleaning
from handlers.scheduled.sending import posting_client
from storage.recognising import Forgotten
from storage.store import Store
from tests.people_fixtures import add, document, page, profile

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
WORDS = ("quetzal", "adeyemi")
BARE = {
    "headline": "Engineer at Foo", "title": "Engineer", "company": "Foo", "contributions": (),
    "education": (), "likely_login": "boq",
}  # fmt: skip
WATCHED = {"open", "os.remove", "os.rename", "socket.connect"}


class Campaign:
    def __init__(self, folder, api_url, token, channel):
        self.folder = Path(folder)
        self.client = posting_client(token, api_url, 5)
        self.channel = channel
        self.path = self.folder / "run" / "a.db"
        self.url = f"sqlite:///{self.path}"

    def prepare(self):
        """A store with two people, a message that names both, a watched file."""
        shutil.rmtree(self.path.parent, ignore_errors=True)
        (self.inbox / "done").mkdir(parents=True)
        (self.inbox / "done" / "page.txt").write_text(page())
        store = Store.open(self.url)
        gone = add(store, now=NOW, text=page())
        kept = add(store, "Bo Quist", now=NOW, **BARE)
        blocks = [
            {"type": "section", "text": {"type": "mrkdwn", "text": f"*{name}* · Engineer"},
             "accessory": {"type": "button", "action_id": f"candidate.open.{id_}", "value": id_,
                           "text": {"type": "plain_text", "text": "Open"}}}
            for name, id_ in (("Quetzal Adeyemi", gone), ("Bo Quist", kept))
        ]  # fmt: skip
        posted = self.client.chat_postMessage(
            channel=self.channel, text="2 new candidates: Quetzal Adeyemi, Bo Quist", blocks=blocks
        )
        store.record_posted(
            channel=self.channel, ts=posted["ts"], kind="digest", by="U1",
            candidate_ids=[gone, kept], now=NOW,
        )  # fmt: skip
        store.audit(who="U1", action="ask", place="C1", text="quetzal adeyemi",
                    candidate_ids=[gone], now=NOW)  # fmt: skip
        store.close()
        return gone, kept, posted["ts"]

    @property
    def inbox(self):
        return self.path.parent / "inbox"

    def forget(self, store, candidate_id):
        forget(store, candidate_id, by="U1", place="C1", inbox=self.inbox, now=NOW)
        cleaning.clean(store, self.client, lambda: NOW)

    def killed(self, candidate_id, last):
        """Whether a process was killed before step number ``last`` of forgetting."""
        pid = os.fork()
        if pid == 0:
            store = Store.open(self.url)
            steps = count(1)

            def step(*_):
                if next(steps) == last:
                    os.kill(os.getpid(), signal.SIGKILL)

            def heard(name, args):
                if name in WATCHED and not (name == "open" and ".py" in str(args[0])):
                    step()

            event.listen(store.database._writing, "before_cursor_execute", step)
            event.listen(store.database._writing, "commit", step)
            sys.addaudithook(heard)
            self.forget(store, candidate_id)
            os._exit(0)
        return os.WIFSIGNALED(os.waitpid(pid, 0)[1])

    def message(self, ts):
        found = self.client.conversations_history(
            channel=self.channel, latest=ts, oldest=ts, inclusive=True
        )
        return json.dumps(found["messages"], ensure_ascii=False).lower()

    def check(self, gone, kept, ts):
        """What a kill left, and that carrying on brings it to its end; returns what was left."""
        store = Store.open(self.url)
        there = store.candidate(gone)
        if there is not None:
            assert store.tombstones() == []
            assert store.history(gone)
            assert store.source_text(gone, there.sources[0].id) == page()
            assert [hit.candidate.id for hit in store.named("quetzal").hits] == [gone]
            assert store.audited()[0].text == "quetzal adeyemi"
            self.forget(store, gone)
        else:
            assert len(store.tombstones()) == 1
            assert store.named("quetzal").hits == ()
            for _ in range(3):
                cleaning.tick(store, self.client, lambda: NOW + timedelta(minutes=5))
        assert store.candidate(gone) is None
        assert store.candidate(kept) is not None
        try:
            store.add(profile(), document("anything"), now=NOW)
        except Forgotten:
            pass
        else:
            raise AssertionError("a forgotten person was stored again")
        assert store.verify_audit().fault is None
        erasure = store.erasure(store.tombstones()[0].reference)
        assert {each.state for each in erasure.cleanings} == {"done"}, erasure
        message = self.message(ts)
        assert "bo quist" in message
        assert not any(word in message for word in WORDS)
        assert not (self.inbox / "done" / "page.txt").exists()
        store.checkpoint()
        store.close()
        lines = Path(f"{self.path}.tombstones").read_text().splitlines()
        assert [json.loads(each)["id"] for each in lines] == [erasure.id]
        for file in self.path.parent.rglob("*"):
            if file.is_file():
                held = file.read_bytes().lower()
                assert not any(word.encode() in held for word in WORDS), file.name
        return "whole" if there is not None else "erased"


def main(folder, api_url, token, channel, every="1"):
    campaign = Campaign(folder, api_url, token, channel)
    left = {"whole": 0, "erased": 0}
    for number in count(1, int(every)):
        gone, kept, ts = campaign.prepare()
        killed = campaign.killed(gone, number)
        try:
            left[campaign.check(gone, kept, ts)] += 1
        except AssertionError:
            print("after a kill before step", number, file=sys.stderr)
            raise
        if not killed:
            break
    print(json.dumps({"steps": number, **left}))


if __name__ == "__main__":
    main(*sys.argv[1:])
