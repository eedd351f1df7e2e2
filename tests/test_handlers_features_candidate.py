"""``/candidate`` in a workspace: what a person types, presses and reads."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.app import build_app
from storage.records import Contribution, Document, Location, Profile, Skill
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now


def texts(message: Any) -> str:
    """All that a message shows, in one string."""

    def of(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["text"]] if isinstance(value.get("text"), str) else []
            return own + [text for each in value.values() for text in of(each)]
        if isinstance(value, list):
            return [text for each in value for text in of(each)]
        return []

    return "\n".join(of(message.blocks))


def add_people(store: Store, count: int, now: datetime, *, rust: int = 0) -> None:
    """People with zig, the first ``rust`` of them with rust too."""
    for number in range(count):
        also = (Skill(name="rust", score=7),) if number < rust else ()
        store.add(
            Profile(
                name=f"Ada Nguyen{number:02}",
                title="Engineer",
                company="Norrsken Labs",
                location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
                skills=(Skill(name="zig", score=9), *also),
            ),
            Document(
                name=f"ada{number}.txt",
                text=f"page {number}",
                added_by="seeds",
                added_via="seeds",
                parser="prog-ai/1",
            ),
            now=now,
        )


def test_a_name_is_answered_with_a_card_for_the_person_alone(bot: Bot):
    card = bot.ask("chenggang")
    assert card.blocks[0]["text"]["text"] == "Chenggang Zhao"
    assert "Core Infra Engineer at *DeepSeek AI*" in texts(card)
    assert "<https://github.com/triton-lang/triton|triton-lang/triton>" in texts(card)
    assert "4 commits, 15 PRs, 37 reviews" in texts(card)
    assert card.text.startswith("Chenggang Zhao\n")
    assert bot.slack.messages(bot.slack.hiring) == []
    assert bot.slack.ephemerals(bot.slack.jonas) == []


def test_contradictions_stand_in_one_line_of_the_card(bot: Bot):
    shown = texts(bot.ask("wang"))
    assert "Beijing _(country unclear)_" in shown
    assert "*Skills* _(15 of 16 on the page; spellings of one skill shown once)_" in shown
    assert "*Check:* " in shown


def test_open_shows_a_card_and_keeps_the_results(bot: Bot):
    results = bot.ask("skill:cuda")
    before = len(bot.slack.ephemerals(bot.slack.mira))
    bot.press(results, "candidate.open.")
    card = bot.next_ephemeral(bot.slack.mira, before)
    assert card.ts != results.ts
    assert card.blocks[0]["text"]["text"] == "Lei Wang"


def test_more_opens_a_modal_with_all_that_the_card_leaves_out(bot: Bot):
    bot.press(bot.ask("chenggang"), "candidate.more")
    view = bot.slack.wait_for(lambda: bot.slack.modal(bot.slack.mira))
    shown = str(view.body["blocks"])
    for words in ("DeepSeek AI, NVIDIA", "Rockstar", "1 reputation", "libdevice"):
        assert words in shown
    assert "000_9e2165598a480d86.txt" in shown or "004_6325a03b96e54d5c.txt" in shown


def test_more_after_slacks_three_seconds_is_a_private_message(bot: Bot):
    card = bot.ask("chenggang")
    before = len(bot.slack.ephemerals(bot.slack.mira))
    bot.slack.fail("views.open", error="expired_trigger_id")
    bot.press(card, "candidate.more")
    assert "Rockstar" in texts(bot.next_ephemeral(bot.slack.mira, before))


def test_a_button_of_a_removed_person_says_so(bot: Bot, now: datetime):
    results = bot.ask("skill:cuda skill:triton")
    [person] = [hit.candidate for hit in bot.store.named("chenggang").hits]
    bot.store.remove(person.id, now=now)
    before = len(bot.slack.ephemerals(bot.slack.mira))
    bot.press(results, "candidate.open.")
    assert "no longer stored" in bot.next_ephemeral(bot.slack.mira, before).text


def test_pages_go_forward_and_back_in_the_same_message(bot: Bot, now: datetime):
    add_people(bot.store, 23, now)
    first = bot.ask("skill:zig")
    assert "*23 people*" in texts(first)
    assert len([block for block in first.blocks if "accessory" in block]) == 10
    seen = []
    for action, heading in (("next", "11–20"), ("next", "21–23"), ("previous", "11–20")):
        bot.press(first, f"candidate.page.{action}")
        bot.slack.wait_for(
            lambda heading=heading: heading in texts(bot.slack.ephemerals(bot.slack.mira)[-1])
        )
        first = bot.slack.ephemerals(bot.slack.mira)[-1]
        seen.append(first.ts)
    assert len(set(seen)) == 1


def test_a_longer_result_is_refined_in_its_place(bot: Bot, now: datetime):
    add_people(bot.store, 14, now, rust=4)
    page = bot.ask("skill:zig")
    assert "Narrow it down:" in texts(page)
    assert "skill:rust · 4" in texts(page)
    bot.press(page, "candidate.refine.")
    bot.slack.wait_for(lambda: "*4 people*" in texts(bot.slack.ephemerals(bot.slack.mira)[-1]))
    fewer = bot.slack.ephemerals(bot.slack.mira)[-1]
    assert fewer.ts == page.ts
    assert "Without skill:rust" in texts(fewer)
    bot.press(fewer, "candidate.refine.back")
    bot.slack.wait_for(lambda: "*14 people*" in texts(bot.slack.ephemerals(bot.slack.mira)[-1]))
    assert "Without" not in texts(bot.slack.ephemerals(bot.slack.mira)[-1])


def test_a_page_that_has_vanished_becomes_the_first(bot: Bot, now: datetime):
    add_people(bot.store, 11, now)
    page = bot.ask("skill:zig")
    person = bot.store.search("skill:zig", now=now).hits[3].candidate
    bot.store.remove(person.id, now=now)
    bot.press(page, "candidate.page.next")
    bot.slack.wait_for(lambda: "*10 people*" in texts(bot.slack.ephemerals(bot.slack.mira)[-1]))


def test_nothing_found_offers_what_dropping_a_part_gives(bot: Bot):
    nothing = bot.ask("skill:cuda skill:rust")
    assert "`skill:rust` finds nobody" in texts(nothing)
    bot.press(nothing, "candidate.without")
    bot.slack.wait_for(lambda: "*2 people*" in texts(bot.slack.ephemerals(bot.slack.mira)[-1]))


def test_a_mention_is_answered_privately_in_its_thread(bot: Bot):
    slack = bot.slack
    slack.say(slack.mira, slack.hiring, f"<@{slack.bot_user}> chenggang")
    root = slack.messages(slack.hiring)[-1]
    slack.wait_for(lambda: slack.ephemerals(slack.mira))
    slack.say(slack.jonas, slack.hiring, f"<@{slack.bot_user}> wang", thread_ts=root.ts)
    answer = slack.wait_for(lambda: slack.ephemerals(slack.jonas))[-1]
    assert answer.thread_ts == root.ts
    assert "Lei Wang" in texts(answer)


def test_a_direct_message_is_answered_there_and_recorded(bot: Bot):
    slack = bot.slack
    channel = slack.direct(slack.mira)
    slack.say(slack.mira, channel, "chenggang")
    answer = slack.wait_for(lambda: [m for m in slack.messages(channel) if m.bot_id])[-1]
    assert "DeepSeek AI" in texts(answer)
    assert answer.unfurl_links is False
    assert answer.unfurl_media is False
    bot.settle()
    posted = bot.store.posted(channel, answer.ts)
    assert posted is not None
    assert posted.kind == "answer"


@pytest.mark.parametrize("text", ["", "help", "hi", "  "])
def test_help_is_made_of_what_works_here(bot: Bot, text: str):
    assert "`/candidate chenggang`" in texts(bot.ask(text))


def test_the_same_event_delivered_twice_is_answered_once(bot: Bot):
    slack = bot.slack
    slack.faults.duplicate_events = 1
    channel = slack.direct(slack.mira)
    slack.say(slack.mira, channel, "chenggang")
    slack.wait_for(
        lambda: len([d for d in slack.workspace.deliveries if d.kind == "events_api"]) > 1
    )
    bot.settle()
    assert len([m for m in slack.messages(channel) if m.bot_id]) == 1


def test_buttons_survive_a_restart(seeded_store: Store):
    with running_bot(seeded_store, clock=utc_now) as bot:
        results = bot.ask("skill:cuda")
        again = build_app(bot.edge.settings, seeded_store, utc_now)
        bot.edge.app._listeners[:] = again.app._listeners
        before = len(bot.slack.ephemerals(bot.slack.mira))
        bot.press(results, "candidate.open.")
        assert "Lei Wang" in texts(bot.next_ephemeral(bot.slack.mira, before))
        again.pool.drain(5)
        again.telling.drain(5)


def test_a_new_digest_from_slack_names_the_channel_where_it_was_typed(bot: Bot):
    answer = bot.ask("digest weekly monday 09:00")
    assert bot.slack.hiring in answer.text
    assert bot.store.subscriptions()[0].channel == bot.slack.hiring
    assert bot.store.subscriptions()[0].timezone == "Europe/Berlin"


def test_home_shows_help_and_the_digests(bot: Bot):
    bot.ask("digest weekly monday 09:00")
    bot.slack.open_home(bot.slack.mira)
    view = bot.slack.wait_for(lambda: bot.slack.home(bot.slack.mira))
    shown = str(view.body["blocks"])
    assert "/candidate chenggang" in shown
    assert "every Monday at 09:00" in shown


def test_each_question_is_audited_without_a_name_in_the_log(bot: Bot):
    with capture_logs() as logs:
        bot.ask("chenggang")
        bot.settle()
    entry = bot.store.audited(limit=1)[0]
    assert (entry.who, entry.action, entry.text) == (bot.slack.mira, "ask", "chenggang")
    assert "henggang" not in str(logs)


def test_stored_markup_stays_literal(bot: Bot, now: datetime):
    bot.store.add(
        Profile(
            name="<!channel> *Eve* & `co`",
            title="<https://evil.example|click>",
            company="_A_",
            contributions=(Contribution(repository="x/y|z>", role="<@U0MIRALINDG>"),),
        ),
        Document(name="e", text="e", added_by="<@U1>", added_via="load", parser="prog-ai/1"),
        now=now,
    )
    card = bot.ask("eve")
    shown = texts(card)
    assert "&lt;!channel&gt;" in shown
    assert "<!channel>" not in shown + card.text
    assert "<https://evil" not in shown + card.text
    assert "<@U0MIRALINDG>" not in shown + card.text


@pytest.fixture
def empty_bot(store: Store) -> Iterator[Bot]:
    with running_bot(store, clock=utc_now) as running:
        yield running


def test_an_empty_store_says_how_to_begin(empty_bot: Bot):
    assert "help add" in texts(empty_bot.ask("help"))
    assert "Nobody is stored yet" in texts(empty_bot.ask("chenggang"))


def test_home_without_digests_says_how_to_start_one(empty_bot: Bot):
    empty_bot.slack.open_home(empty_bot.slack.mira)
    view = empty_bot.slack.wait_for(lambda: empty_bot.slack.home(empty_bot.slack.mira))
    assert "None yet" in str(view.body["blocks"])


def test_an_answer_that_cannot_be_delivered_is_in_the_log(bot: Bot):
    with capture_logs() as logs:
        bot.slack.fail("respond", status=500, times=2)
        bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate chenggang")
        bot.slack.wait_for(lambda: any(each["event"] == "boundary.untold" for each in logs))
    assert bot.ask("chenggang").blocks


@pytest.mark.parametrize(
    "fault", [{"status": 500}, {"status": 429, "retry_after": 1}, {"status": 404}], ids=str
)
def test_an_answer_that_slack_did_not_take_arrives_all_the_same(bot: Bot, fault):
    """Sent once more, when Slack says so, or as an ephemeral message: once it is there."""
    bot.slack.fail("respond", **fault)
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate chenggang")
    bot.slack.wait_for(lambda: any("Chenggang Zhao" in texts(m) for m in answers(bot)))
    assert len(answers(bot)) == 1


def answers(bot: Bot):
    return [message for message in bot.slack.ephemerals(bot.slack.mira) if message.blocks]


def test_a_button_of_another_version_says_what_to_do(bot: Bot):
    button = {
        "type": "button",
        "text": {"type": "plain_text", "text": "Levitate"},
        "action_id": "candidate.levitate.1",
    }
    bot.edge.client.chat_postMessage(
        channel=bot.slack.hiring, text="old", blocks=[{"type": "actions", "elements": [button]}]
    )
    bot.press(bot.slack.messages(bot.slack.hiring)[-1], "candidate.levitate")
    bot.slack.wait_for(
        lambda: any("no longer works" in texts(m) for m in bot.slack.ephemerals(bot.slack.mira))
    )


def test_the_try_button_of_a_mistyped_command_shows_it(bot: Bot):
    nothing = bot.ask("halp")
    bot.press(nothing, "candidate.try")
    bot.slack.wait_for(lambda: "2 people stored" in texts(bot.slack.ephemerals(bot.slack.mira)[-1]))


def test_hints_in_a_direct_message_leave_the_command_out(bot: Bot):
    channel = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, channel, "help")
    [told] = bot.slack.wait_for(lambda: [m for m in bot.slack.messages(channel) if m.bot_id])
    assert "`chenggang` a name" in texts(told)
    assert "/candidate" not in told.text + texts(told)
    assert "`/candidate chenggang` a name" in texts(bot.ask("help", channel=channel))
