"""A forgotten person leaves Slack too: cards, digests, answers; what is refused is tried again."""

import json
import re
import zlib
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, make_url

from bot.forgetting import forget as forget_person
from bot.loading import load_file
from handlers.scheduled import cleaning
from handlers.scheduled.intake import Inbox
from handlers.scheduled.sending import posting_client, tick
from storage.models import RefusedFileRow
from tests.adding_fixtures import directly, finished, send
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add, page

NAME = "Quetzal Adeyemi"
WORDS = ("quetzal", "adeyemi")
BO = {
    "headline": "Engineer at Foo", "title": "Engineer", "company": "Foo", "contributions": (),
    "education": (), "likely_login": "boq",
}  # fmt: skip


def bot_with_people(store, **settings):
    return running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",), **settings)


@pytest.fixture
def people(store):
    """Two people; the one of them is to be forgotten."""
    now = utc_now() - timedelta(hours=1)
    return add(store, now=now), add(store, "Bo Quist", now=now, **BO)


@pytest.fixture
def bot(store, people):
    with bot_with_people(store) as running:
        workspace = running.slack.workspace
        with workspace.lock:
            workspace.channels[running.slack.leads].members.add(workspace.bot_user)
        yield running


def said(bot, channel):
    """All that stands in a channel, as one text."""
    return json.dumps(
        [[m.text, m.blocks] for m in bot.slack.messages(channel)], ensure_ascii=False
    ).lower()


def names(text):
    return any(word in text.lower() for word in WORDS)


def share(bot):
    card = bot.ask("quetzal adeyemi", channel=bot.slack.leads)
    bot.press(card, "candidate.share")
    bot.settle()


def digest(bot, channel):
    now = utc_now()
    subscription, _ = bot.store.save_subscription(
        channel=channel, weekdays=(1, 2, 3, 4, 5, 6, 7), hour=0, minute=0, timezone="UTC",
        since=now - timedelta(days=7), created_by="U0MIRALINDG", now=now - timedelta(days=2),
    )  # fmt: skip
    bot.store.request_digest(subscription.number, now=now)
    tick(bot.store, client(bot), utc_now, pause=lambda _: None)
    return subscription


def client(bot):
    return posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)


def forget(bot, who="quetzal adeyemi"):
    question = bot.ask(f"forget {who}", channel=bot.slack.leads)
    bot.press(question, "candidate.forget")
    bot.settle()
    return bot.slack.ephemerals(bot.slack.mira)[-1]


def grep(store_url):
    """Files beside the database that hold one of the words."""
    path = Path(make_url(store_url).database)
    return [
        each.name
        for each in path.parent.glob(f"{path.name}*")
        if names(each.read_bytes().decode("utf-8", "replace"))
        or names(each.read_bytes().decode("utf-16-le", "replace"))
    ]


def test_a_forgotten_person_leaves_channels_direct_messages_and_every_file(bot, people, store_url):
    """A shared card, a digest of two, a direct answer; then all files are searched."""
    gone, kept = people
    share(bot)
    digest(bot, bot.slack.hiring)
    direct = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, direct, "quetzal adeyemi")
    bot.slack.wait_for(lambda: [m for m in bot.slack.messages(direct) if m.bot_id])
    bot.settle()
    bot.slack.say(bot.slack.mira, bot.slack.leads, "/candidate adeyemi, quetzal and nobody else")
    bot.settle()
    bot.store.audit(who="terminal:ada", action="export", place="terminal", candidate_ids=[gone],
                    now=utc_now())  # fmt: skip
    assert names(said(bot, bot.slack.leads))
    assert names(said(bot, bot.slack.hiring))
    assert grep(store_url) != []
    receipt = forget(bot)
    assert "Forgotten" in receipt.text
    assert "exported" in receipt.text
    assert "ada" in receipt.text
    assert not names(json.dumps([receipt.text, receipt.blocks]))
    assert not names(said(bot, bot.slack.leads))
    assert "this record was removed" in said(bot, bot.slack.leads)
    hiring = said(bot, bot.slack.hiring)
    assert not names(hiring)
    assert "bo quist" in hiring
    assert "1 new candidate" in hiring
    assert "somebody was removed" in hiring
    from_bot = [m for m in bot.slack.messages(direct) if m.bot_id]
    assert not names(json.dumps([[m.text, m.blocks] for m in from_bot]))
    assert bot.store.candidate(gone) is None
    assert bot.store.candidate(kept) is not None
    assert bot.store.verify_audit().fault is None
    bot.slack.wait_for(bot.store.checkpoint)  # a reader may need the log a moment longer
    assert grep(store_url) == []
    reference = bot.store.tombstones()[0].reference
    again = bot.ask(f"forget {reference}")
    assert "Receipt" in again.text


def test_only_an_admin_may_ask_for_it_or_press_the_button(bot, people):
    asked = bot.ask("forget quetzal adeyemi", user=bot.slack.jonas)
    assert "admin" in asked.text
    question = bot.ask("forget quetzal adeyemi")
    with bot.slack.workspace.lock:
        question.only_for = bot.slack.jonas
    bot.slack.click(bot.slack.jonas, question, "candidate.forget")
    bot.settle()
    assert bot.store.candidate(people[0]) is not None


def test_the_button_asks_first_and_pressing_it_twice_forgets_once(bot, people):
    question = bot.ask("forget quetzal adeyemi")
    [button] = [b["accessory"] for b in question.blocks if b.get("accessory")]
    assert button["style"] == "danger"
    assert button["confirm"]["style"] == "danger"
    bot.press(question, "candidate.forget")
    bot.settle()
    assert len(bot.store.tombstones()) == 1


def test_several_people_of_one_name_are_told_apart(bot, store, people):
    other = add(store, now=utc_now(), text="another", file="z.txt", **BO)
    question = bot.ask("forget quetzal adeyemi")
    assert "2 people could be" in question.text
    bot.press(question, f"candidate.forget.{other}")
    bot.settle()
    assert store.candidate(other) is None
    assert store.candidate(people[0]) is not None


@pytest.mark.parametrize(
    ("fault", "then"),
    [
        ({"method": "chat.update", "status": 429, "retry_after": 7}, "edited"),
        ({"method": "chat.update", "status": 500}, "edited"),
        ({"method": "chat.update", "mode": "after", "status": 500}, "named nobody"),
        ({"method": "chat.update", "mode": "drop_after"}, "named nobody"),
        ({"method": "conversations.replies", "status": 503}, "edited"),
        ({"method": "chat.update", "error": "cant_update_message"}, "deleted"),
        ({"method": "chat.update", "error": "message_not_found"}, "gone"),
        ({"method": "conversations.replies", "error": "missing_scope"}, "replaced"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)
def test_what_slack_does_not_do_at_once_is_done_later(bot, people, fault, then):
    digest(bot, bot.slack.hiring)
    bot.slack.fail(**fault)
    erasure = bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    for tries in range(3):
        cleaning.tick(bot.store, client(bot), lambda n=tries: utc_now() + timedelta(minutes=3 * n))
    [message] = [c for c in bot.store.cleanings(erasure.id) if c.kind == "message"]
    assert (message.state, message.outcome) == ("done", then)
    assert not names(said(bot, bot.slack.hiring)) or then == "gone"


@pytest.mark.parametrize("code", ["channel_not_found", "is_archived", "not_in_channel"])
def test_what_slack_never_does_is_told_to_the_admins_once(bot, people, code):
    share(bot)
    bot.slack.fail("chat.update", error=code, times=-1)
    erasure = bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    cleaning.tick(bot.store, client(bot), utc_now)
    cleaning.tick(bot.store, client(bot), utc_now)
    [message] = [c for c in bot.store.cleanings(erasure.id) if c.kind == "message"]
    assert (message.state, message.outcome) == ("failed", code)
    assert not bot.store.raise_alarm(
        key=f"cleaning:{message.id}", audience="admins", text="", now=utc_now()
    )
    receipt = bot.ask(f"forget {erasure.reference}")
    assert f"Slack does not let me change it ({code})" in receipt.text


def test_a_revoked_token_is_waited_for_and_nothing_is_deleted_meanwhile(bot, people):
    digest(bot, bot.slack.hiring)
    erasure = bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    bot.slack.fail("*", error="token_revoked", times=3)
    cleaning.tick(bot.store, client(bot), utc_now)
    [message] = [c for c in bot.store.cleanings(erasure.id) if c.kind == "message"]
    assert (message.state, message.outcome) == ("pending", "token_revoked")
    cleaning.tick(bot.store, client(bot), lambda: utc_now() + timedelta(minutes=5))
    assert "bo quist" in said(bot, bot.slack.hiring)
    assert not names(said(bot, bot.slack.hiring))


def test_slack_that_is_away_for_three_days_is_given_up(bot, people):
    share(bot)
    bot.slack.fail("conversations.replies", status=500, times=-1)
    erasure = bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    for hours in range(0, 80, 1):
        cleaning.clean(bot.store, client(bot), lambda h=hours: utc_now() + timedelta(hours=h))
    [message] = [c for c in bot.store.cleanings(erasure.id) if c.kind == "message"]
    assert message.state == "failed"
    assert message.attempts > 50


def test_two_people_of_one_digest_leave_it_whoever_cleans_first(bot, people):
    digest(bot, bot.slack.hiring)
    for each in people:
        bot.store.forget(each, by="U1", place="C1", now=utc_now())
    cleaning.tick(bot.store, client(bot), utc_now)
    text = said(bot, bot.slack.hiring)
    assert not names(text)
    assert "quist" not in text
    assert "this record was removed" in text


def test_nobody_is_given_a_message_that_another_rewrites(bot, people):
    digest(bot, bot.slack.hiring)
    first = bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    second = bot.store.forget(people[1], by="U1", place="C1", now=utc_now())
    now = utc_now()
    held = []
    while claimed := bot.store.claim_cleaning(now=now, lease=timedelta(minutes=2)):
        held.append(claimed)
    assert [each.kind for each in held].count("message") == 1
    assert {each.erasure_id for each in held} == {first.id, second.id}


def test_a_digest_that_is_on_its_way_is_cleaned_when_it_stands(bot, people):
    """Forgotten between the look into the frozen digest and Slack's answer."""
    store = bot.store

    def step(name):
        if name == "record 0":
            store.forget(people[0], by="U1", place="C1", now=utc_now())
            cleaning.tick(store, client(bot), utc_now)

    now = utc_now()
    subscription, _ = store.save_subscription(
        channel=bot.slack.hiring, weekdays=(1,), hour=0, minute=0, timezone="UTC",
        since=now - timedelta(days=7), created_by="U1", now=now,
    )  # fmt: skip
    store.request_digest(subscription.number, now=now)
    tick(store, client(bot), utc_now, pause=lambda _: None, step=step)
    assert names(said(bot, bot.slack.hiring))
    cleaning.tick(store, client(bot), lambda: utc_now() + timedelta(minutes=2))
    assert not names(said(bot, bot.slack.hiring))
    assert "bo quist" in said(bot, bot.slack.hiring)


def test_a_card_that_is_on_its_way_is_cleaned_when_it_is_recorded(bot, people):
    bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    posted = client(bot).chat_postMessage(channel=bot.slack.leads, text=f"Card: {NAME}")
    bot.store.record_posted(
        channel=bot.slack.leads, ts=posted["ts"], kind="card", by="U1",
        candidate_ids=[people[0]], now=utc_now(),
    )  # fmt: skip
    bot.store.audit(
        who="U1", action="ask", place="C1", text=NAME, candidate_ids=[people[0]], now=utc_now()
    )
    cleaning.tick(bot.store, client(bot), utc_now)
    assert not names(said(bot, bot.slack.leads))
    assert bot.store.audited()[0].text == ""


def test_watched_and_refused_files_go_and_those_of_several_people_are_named(store, tmp_path):
    inbox = tmp_path / "inbox"
    for folder in ("done", "refused"):
        (inbox / folder).mkdir(parents=True)
    (inbox / "done" / "renamed.txt").write_text(page())
    (inbox / "done" / "both.txt").write_text(page() + page("Bo Quist", "Gardener", "roses"))
    (inbox / "done" / "bo.txt").write_text(page("Bo Quist", "Gardener", "roses"))
    (inbox / "refused" / "cut.txt").write_text(page()[:60])
    (inbox / "refused" / "cut.txt.reason.txt").write_text("No person on it.\n")
    (inbox / "refused" / "letter.txt").write_text(
        "Dear all, Adeyemi, Quetzal of norrsken/zugvogel and somebody else came."
    )
    (inbox / "refused" / "other.txt").write_text("Quetzal is a bird; Adeyemi a name.")
    (tmp_path / "p.txt").write_text(page())
    [person] = load_file(
        store, tmp_path / "p.txt", added_by="U1", added_via="load", now=utc_now()
    ).people
    with store.database.write() as session:
        for number, text in enumerate((page(), page() + page("Bo Quist", "Gardener", "roses"))):
            session.connection().execute(
                insert(RefusedFileRow).values(
                    id=f"{number}" * 32, workspace="main", at=utc_now(), until=utc_now(), by="U1",
                    via="slack", name="f.txt", reason="r", size=len(text),
                    content=zlib.compress(text.encode()),
                )
            )  # fmt: skip
    erasure = forget_person(store, person.id, by="U1", place="C1", inbox=inbox, now=utc_now())
    cleaning.clean(store, None, utc_now)
    left = sorted(str(path.relative_to(inbox)) for path in inbox.rglob("*.txt"))
    assert left == ["done/bo.txt", "done/both.txt", "refused/letter.txt", "refused/other.txt"]
    assert [row[0][:2] for row in store.refused_contents()] == ["11"]
    erasure = store.erasure(erasure.reference)
    by_hand = sorted(each.place for each in erasure.cleanings if each.state == "by_hand")
    assert by_hand == [
        str(inbox / "done" / "both.txt"),
        str(inbox / "refused" / "letter.txt"),
        "refused file 11111111",
    ]
    assert erasure.counts["refused_files"] == 1
    (inbox / "done" / "both.txt").unlink()
    cleaning.look_after(store, utc_now)
    assert str(inbox / "done" / "both.txt") not in [each.place for each in store.by_hand()]
    assert len(store.by_hand()) == 2


def test_what_the_terminal_leaves_to_the_bot_is_done_at_its_next_tick(bot, people):
    """Whoever has no Slack keeps nobody waiting for a lease."""
    share(bot)
    forget_person(bot.store, people[0], by="terminal:ada", place="terminal", now=utc_now())
    cleaning.clean(bot.store, None, utc_now)
    assert names(said(bot, bot.slack.leads))
    cleaning.clean(bot.store, client(bot), utc_now)
    assert not names(said(bot, bot.slack.leads))


def test_a_page_sent_again_is_refused_and_not_kept(bot, people):
    """Pasted or as a file: a page that holds only who was erased leaves nothing behind."""
    direct = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, direct, page())
    told = finished(bot)
    assert "Read 1 person from your message" in told.text
    receipt = forget(bot)
    reference = re.search(r"Receipt (\w{8})", receipt.text)[1]
    before = len(directly(bot))
    bot.slack.say(bot.slack.mira, direct, page())
    bot.slack.wait_for(lambda: len(directly(bot)) > before)
    told = finished(bot)
    assert told.text.startswith("Nobody was added\nNot added: a person on this page was erased")
    assert (
        f"lets them in with .venv/bin/python -m bot forget --lift {reference}."
        in told.text.replace("`", "")
    )
    again = send(bot, ("renamed.txt", page().replace("\n", "\r\n")))
    assert again.text.startswith("Nobody was added from renamed.txt")
    for each in (told, again):
        assert "Kept 30 days" not in each.text
        assert not names(each.text)
    assert bot.store.refused_files() == []


def test_a_page_is_kept_for_somebody_else_who_could_not_be_read(bot, people):
    bot.store.forget(people[0], by="U1", place="C1", now=utc_now())
    erased = page()
    assert bot.store.refused_files() == []
    stored = send(bot, ("both.txt", erased + page("Bo Berg", "Gardener", "roses")))
    assert "both.txt: 1 person" in stored.text
    assert bot.store.refused_files() == []  # Bo is stored; of the other nothing is kept
    send(bot, ("part.txt", erased + "\nIda Ek\nSummary\n"))
    assert all(each.reason for each in bot.store.refused_files())


def test_a_watched_page_of_a_forgotten_person_is_not_kept(store, tmp_path):
    """Only a reason stays, under a name that says nothing of who it was."""
    (tmp_path / "p.txt").write_text(page())
    loaded = load_file(store, tmp_path / "p.txt", added_by="U1", added_via="load", now=utc_now())
    erasure = store.forget(loaded.people[0].id, by="U1", place="C1", now=utc_now())
    inbox = Inbox(tmp_path / "inbox", store, utc_now)
    inbox.tick()
    (tmp_path / "inbox" / "quetzal-adeyemi.txt").write_text(page().replace("\n", "\r\n"))
    (tmp_path / "inbox" / "both.txt").write_text(page() + page("Bo Quist", "Gardener", "roses"))
    for _ in range(3):
        inbox.tick()
    left = {path.name: path.read_text() for path in (tmp_path / "inbox").rglob("*.txt")}
    assert set(left) == {
        f"not-stored-{erasure.reference}.reason.txt", "both.txt", "both.txt.reason.txt",
    }  # fmt: skip
    told = left[f"not-stored-{erasure.reference}.reason.txt"]
    assert "was erased here and is kept out" in told
    assert "the file was deleted" in told
    assert not names(told + left["both.txt.reason.txt"])
    assert [each.candidate.profile.name for each in store.named("quist").hits] == ["Bo Quist"]
