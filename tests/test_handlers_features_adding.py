"""Adding people where one talks: every way in, the receipt, Undo, as a workspace meets it."""

import json
from dataclasses import replace

import pytest
from slack_bolt import BoltRequest

from bot.asking import LONGEST
from bot.loading import content_steps
from handlers.app import build_app
from handlers.edge.heard import SentFile, heard_event
from handlers.edge.pool import Pool
from handlers.features.adding import (
    carried,
    carry_on,
    heard_again,
    intake_id,
    task_of,
    write_down,
)
from handlers.features.pieces import asks_to_add
from storage.intakes import LEASE
from storage.store import Store
from tests.adding_fixtures import dated, directly, finished, privately, send, texts
from tests.edge_fixtures import Bot, running_bot, utc_now
from tests.loading_fixtures import page


def stored(bot: Bot) -> list[str]:
    """Who is stored beside the two seeds."""
    hits = bot.store.search("", limit=50, now=utc_now()).hits
    seeds = {"Chenggang Zhao", "Lei Wang"}
    return sorted({hit.candidate.profile.name for hit in hits} - seeds)


def newest(bot: Bot, before: int, user: str | None = None):
    """The newest private message, once there are two more (the sign of work, the receipt)."""
    bot.slack.wait_for(lambda: len(privately(bot, user)) > before, within=15)
    bot.settle()
    return privately(bot, user)[-1]


# -- the direct message


def test_a_file_in_the_direct_message_is_answered_by_a_receipt(bot: Bot):
    bot.ask("digest weekly monday 09:00")
    receipt = send(bot, ("profiles-dec.txt", page("Ines Adeyemi") + page("Bo Lind")))
    assert stored(bot) == ["Bo Lind", "Ines Adeyemi"]
    said = receipt.text
    assert "profiles-dec.txt: 2 people" in said
    assert "Ines Adeyemi · Engineer at Foo · Berlin" in said
    assert "new · 1 skill" in said
    assert f"In the digest of #{bot.slack.hiring} on Mon" in said
    assert "Added by" in said
    assert "Undo" in texts(receipt)
    assert len(directly(bot)) == 1  # the sign of work became the receipt


def test_the_sign_of_work_names_the_file(bot: Bot):
    bot.slack.fail("download", mode="slow", seconds=1.0)
    bot.slack.share(bot.slack.mira, bot.slack.direct(bot.slack.mira), ("dec.txt", page("Bo Lind")))
    bot.slack.wait_for(lambda: directly(bot))
    assert "Reading dec.txt …" in directly(bot)[0].text
    assert "dec.txt: 1 person" in finished(bot).text


def test_the_receipt_is_recorded_with_the_people_it_names(bot: Bot):
    receipt = send(bot, ("dec.txt", page("Bo Lind")))
    posted = bot.store.posted(receipt.channel, receipt.ts)
    (bo,) = (hit.candidate.id for hit in bot.store.search("bo", now=utc_now()).hits)
    assert (posted.kind, posted.by, posted.candidate_ids) == ("receipt", bot.slack.mira, (bo,))


def test_open_shows_the_card_with_who_added_it(bot: Bot):
    receipt = send(bot, ("dec.txt", page("Bo Lind")))
    bot.press(receipt, "candidate.open")
    card = bot.slack.wait_for(lambda: privately(bot) and privately(bot)[-1])
    assert "Bo Lind" in card.text
    assert f"by <@{bot.slack.mira}>" in texts(card)


def test_a_pasted_page_is_told_from_a_question(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.direct(bot.slack.mira), page("Ines Adeyemi"))
    assert "Read 1 person from your message" in finished(bot).text
    assert stored(bot) == ["Ines Adeyemi"]


def test_a_pasted_page_keeps_what_slack_wraps(bot: Bot):
    text = page("Ines Adeyemi").replace("python10", "node.js10")
    bot.slack.say(bot.slack.mira, bot.slack.direct(bot.slack.mira), text)
    finished(bot)
    (hit,) = bot.store.search("ines", now=utc_now()).hits
    assert [skill.name for skill in hit.candidate.profile.skills] == ["node.js"]


def test_a_very_long_paste_comes_as_a_snippet_and_is_read_all_the_same(bot: Bot):
    many = "".join(page(f"Person Number{chr(97 + n)}") for n in range(26))
    assert len(many) > 12_000 or len(many * 2) > 12_000
    text = many if len(many) > 12_000 else many + " " * (12_001 - len(many)) + "."
    message = bot.slack.post(
        "say",
        {"user": bot.slack.mira, "channel": bot.slack.direct(bot.slack.mira), "text": text},
    )
    shown = bot.slack.workspace.message(bot.slack.direct(bot.slack.mira), message["ts"])
    assert shown.files[0]["mode"] == "snippet"
    assert "26 people" in finished(bot).text


def test_a_long_text_that_is_no_page_gets_a_sentence(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.direct(bot.slack.mira), "lorem ipsum dolor " * 200)
    said = finished(bot)
    assert "long for a question" in said.text
    assert "Nothing was stored" in said.text
    assert stored(bot) == []


def test_a_question_over_several_lines_is_still_a_question(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.direct(bot.slack.mira), "chenggang\nzhao\n?")
    assert "Chenggang Zhao" in finished(bot).text
    assert len(directly(bot)) == 1


def test_a_job_description_is_for_the_command_that_takes_one(bot: Bot):
    text = "job: " + "we look for a compiler engineer who knows llvm\n" * 30
    assert len(text) > LONGEST
    bot.slack.say(bot.slack.mira, bot.slack.direct(bot.slack.mira), text)
    told = finished(bot)
    assert "Read as (edit it and ask again, if it is not meant)" in told.text
    assert "skill:llvm" in told.text
    assert stored(bot) == []


def test_several_files_each_get_their_line(bot: Bot):
    receipt = send(
        bot, ("a.txt", page("Ada Oz")), ("notes.txt", "buy milk"), ("a.txt", page("Bo Oz"))
    )
    assert stored(bot) == ["Ada Oz", "Bo Oz"]
    assert "a.txt (1): 1 person" in receipt.text
    assert "a.txt (2): 1 person" in receipt.text
    assert "Not added: notes.txt" in receipt.text


def test_a_refused_file_waits_in_quarantine(bot: Bot):
    receipt = send(bot, ("saved-page.txt", "Find and Hire Top Developers"))
    assert "Not added: saved-page.txt" in receipt.text
    assert "Undo" not in texts(receipt)
    (file,) = bot.store.refused_files()
    assert f"Kept 30 days · ref {file.ref}" in receipt.text
    assert bot.store.refused_content(file.ref) == b"Find and Hire Top Developers"


def test_an_update_says_what_changed(bot: Bot):
    send(bot, ("ines.txt", dated("Ines Adeyemi")))
    receipt = send(
        bot,
        ("new.txt", dated("Ines Adeyemi", title="Staff Engineer at Foo", skills="python10\nmlir9")),
    )
    assert "updated · title: Engineer → Staff Engineer" in receipt.text
    assert "mlir" in receipt.text
    assert stored(bot) == ["Ines Adeyemi"]


def test_two_pages_of_one_person_in_one_message(bot: Bot):
    old, new = dated("Ines Adeyemi"), dated("Ines Adeyemi", title="Staff Engineer at Foo")
    receipt = send(bot, ("old.txt", old), ("new.txt", new))
    assert "new ·" in receipt.text
    assert "updated · title: Engineer → Staff Engineer" in receipt.text
    bot.press(receipt, "candidate.undo")
    bot.slack.wait_for(lambda: "1 person no longer stored" in directly(bot)[-1].text)
    assert stored(bot) == []


def test_the_same_page_again_is_unchanged_and_cannot_be_undone(bot: Bot):
    send(bot, ("ines.txt", page("Ines Adeyemi")))
    again = send(bot, ("ines.txt", page("Ines Adeyemi")))
    assert "unchanged" in again.text
    assert "Undo" not in texts(again)


# -- channels


def test_add_this_under_a_message_with_a_file_is_private(bot: Bot):
    shared = bot.slack.share(bot.slack.jonas, bot.slack.hiring, ("dec.txt", page("Bo Lind")))
    before = len(bot.slack.messages(bot.slack.hiring))
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "@candidate add this", thread_ts=shared.ts)
    receipt = newest(bot, 1)
    assert "dec.txt: 1 person" in receipt.text
    assert receipt.thread_ts == shared.ts
    assert stored(bot) == ["Bo Lind"]
    assert len(bot.slack.messages(bot.slack.hiring)) == before + 1
    assert privately(bot, bot.slack.jonas) == []


def test_add_together_with_a_file(bot: Bot):
    bot.slack.share(
        bot.slack.mira, bot.slack.hiring, ("dec.txt", page("Bo Lind")), text="@candidate add this"
    )
    assert "dec.txt: 1 person" in newest(bot, 1).text


def test_add_under_a_pasted_page_and_with_one(bot: Bot):
    bot.slack.say(bot.slack.jonas, bot.slack.hiring, page("Ines Adeyemi"))
    pasted = bot.slack.messages(bot.slack.hiring)[-1]
    bot.slack.say(
        bot.slack.mira, bot.slack.hiring, "@candidate please add her", thread_ts=pasted.ts
    )
    assert "Read 1 person from your message" in newest(bot, 1).text
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "@candidate add this\n" + page("Bo Lind"))
    newest(bot, 3)
    assert stored(bot) == ["Bo Lind", "Ines Adeyemi"]


def test_add_where_there_is_nothing_says_what_to_do(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "@candidate add this")
    assert "no file and no profile page" in newest(bot, 0).text


def test_a_file_in_a_channel_that_nobody_asked_to_add_is_left_alone(bot: Bot):
    bot.slack.share(bot.slack.mira, bot.slack.hiring, ("dec.txt", page("Bo Lind")))
    bot.slack.share(
        bot.slack.mira, bot.slack.hiring, ("x.txt", page("Bo Lind")), text="@candidate skill:cuda"
    )
    bot.slack.wait_for(lambda: privately(bot))
    bot.settle()
    assert stored(bot) == []
    assert "with skill" in texts(privately(bot)[-1])


@pytest.mark.parametrize("text", ["add", "Add this!", "please add them", "add the file", "ADD IT."])
def test_these_ask_to_add(text: str):
    assert asks_to_add(text)


@pytest.mark.parametrize("text", ["", "additive", "add this candidate to berlin", "who added this"])
def test_these_are_questions(text: str):
    assert not asks_to_add(text)


# -- shortcut and form


def test_the_shortcut_adds_from_any_message(bot: Bot):
    shared = bot.slack.share(bot.slack.jonas, bot.slack.hiring, ("dec.txt", page("Bo Lind")))
    bot.slack.shortcut(bot.slack.mira, shared)
    assert "dec.txt: 1 person" in newest(bot, 1).text
    assert bot.store.search("bo", now=utc_now()).hits[0].candidate.added_by == bot.slack.mira


def test_the_shortcut_on_a_message_without_a_page_says_so(bot: Bot):
    bot.slack.say(bot.slack.jonas, bot.slack.hiring, "Good morning")
    bot.slack.shortcut(bot.slack.mira, bot.slack.messages(bot.slack.hiring)[-1])
    assert "no file in this message" in newest(bot, 0).text


def test_the_shortcut_in_a_channel_shared_with_another_company_adds_nobody(bot: Bot):
    shared = bot.slack.share(bot.slack.jonas, bot.slack.acme, ("dec.txt", page("Bo Lind")))
    bot.slack.shortcut(bot.slack.mira, shared)
    assert "shared with another company" in newest(bot, 0).text
    assert stored(bot) == []


def test_the_shortcut_where_the_bot_is_no_member_answers_all_the_same(bot: Bot):
    shared = bot.slack.share(bot.slack.jonas, bot.slack.leads, ("dec.txt", page("Bo Lind")))
    bot.slack.shortcut(bot.slack.mira, shared)
    said = newest(bot, 1)
    assert "cannot see this file" in said.text
    assert stored(bot) == []


def test_the_form_takes_files_and_says_where_to_paste(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate add")
    view = bot.slack.wait_for(lambda: bot.slack.modal(bot.slack.mira))
    assert "3,000 characters" in json.dumps(view.body)
    files = [
        bot.slack.upload(bot.slack.mira, f"{name}.txt", page(name)) for name in ("Ada Oz", "Bo Oz")
    ]
    bot.slack.submit(bot.slack.mira, view, {"files": {"files": {"files": files}}})
    assert bot.slack.modal(bot.slack.mira) is None
    receipt = newest(bot, 1)
    assert "Ada Oz.txt: 1 person" in receipt.text
    assert receipt.channel == bot.slack.hiring
    assert stored(bot) == ["Ada Oz", "Bo Oz"]


def test_the_form_is_not_sent_without_a_file_or_with_a_picture(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate add")
    view = bot.slack.wait_for(lambda: bot.slack.modal(bot.slack.mira))
    assert bot.slack.submit(bot.slack.mira, view)["errors"]["files"]
    picture = bot.slack.upload(bot.slack.mira, "me.png", "PNG")
    answer = bot.slack.submit(bot.slack.mira, view, {"files": {"files": {"files": [picture]}}})
    assert "kinds of files" in answer["errors"]["files"]


def test_a_form_that_comes_too_late_is_told_in_words(bot: Bot):
    bot.slack.fail("views.open", error="expired_trigger_id")
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate add")
    said = newest(bot, 0)
    assert "/candidate add" in said.text
    assert "direct message" in said.text


def test_a_form_of_somebody_who_may_not_is_told_in_the_form(bot: Bot):
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "/candidate add")
    view = bot.slack.wait_for(lambda: bot.slack.modal(bot.slack.mira))
    bot.settle()
    person = bot.edge.people.person(bot.slack.mira)
    bot.edge.people._kept[bot.slack.mira] = (utc_now(), replace(person, refusal="Not you."))
    file = bot.slack.upload(bot.slack.mira, "dec.txt", page("Bo Lind"))
    answer = bot.slack.submit(bot.slack.mira, view, {"files": {"files": {"files": [file]}}})
    assert answer["errors"] == {"files": "Not you."}
    assert stored(bot) == []


# -- who may


def test_a_guest_adds_nobody(bot: Bot):
    guest = bot.slack.guest
    bot.slack.share(guest, bot.slack.direct(guest), ("dec.txt", page("Bo Lind")))
    there = bot.slack.direct(guest)
    bot.slack.wait_for(lambda: any(m.bot_id for m in bot.slack.messages(there)), within=15)
    assert "Guests" in bot.slack.messages(there)[-1].text
    assert stored(bot) == []
    bot.settle()
    carry_on(replace(bot.edge, clock=lambda: utc_now() + 2 * LEASE))  # refused once, told once
    bot.settle()
    assert len([m for m in bot.slack.messages(there) if m.bot_id]) == 1


def test_somebody_of_another_company_adds_nobody(bot: Bot):
    bot.slack.share(
        bot.slack.stranger, bot.slack.acme, ("dec.txt", page("Bo Lind")), text="@candidate add this"
    )
    said = bot.slack.wait_for(lambda: privately(bot, bot.slack.stranger), within=15)
    assert "another company" in said[-1].text
    assert stored(bot) == []


def test_a_file_of_another_company_is_looked_up_before_it_is_read(bot: Bot):
    shared = bot.slack.share(bot.slack.stranger, bot.slack.acme, ("dec.txt", page("Bo Lind")))
    with bot.slack.workspace.lock:  # the partnership has ended, the message stays
        bot.slack.workspace.channels[bot.slack.acme].kind = "public"
    bot.slack.shortcut(bot.slack.mira, shared)
    assert "dec.txt: 1 person" in newest(bot, 1).text
    assert bot.slack.calls("files.info")


# -- undo


def test_undo_takes_it_back_and_says_what_was_done(bot: Bot):
    receipt = send(bot, ("dec.txt", page("Bo Lind") + page("Ines Adeyemi")))
    bot.press(receipt, "candidate.undo")
    bot.slack.wait_for(lambda: "Undone" in directly(bot)[-1].text)
    assert "2 people no longer stored." in directly(bot)[-1].text
    assert "Bo Lind" not in texts(directly(bot)[-1])
    assert stored(bot) == []


def test_undo_of_an_update_goes_back_to_the_page_before(bot: Bot):
    send(bot, ("ines.txt", dated("Ines Adeyemi")))
    receipt = send(bot, ("new.txt", dated("Ines Adeyemi", title="Staff Engineer at Foo")))
    bot.press(receipt, "candidate.undo")
    bot.slack.wait_for(lambda: "Ines Adeyemi is as before." in directly(bot)[-1].text)
    (hit,) = bot.store.search("ines", now=utc_now()).hits
    assert hit.candidate.profile.title == "Engineer"
    history = bot.ask("history Ines Adeyemi")
    assert "undone: as on the page before (ines.txt)" in history.text


def test_a_private_receipt_in_a_channel_is_replaced(bot: Bot):
    shared = bot.slack.share(bot.slack.jonas, bot.slack.hiring, ("dec.txt", page("Bo Lind")))
    bot.slack.shortcut(bot.slack.mira, shared)
    receipt = newest(bot, 1)
    bot.press(receipt, "candidate.undo")
    bot.slack.wait_for(lambda: "Undone" in privately(bot)[-1].text)
    assert len(privately(bot)) == 2


def test_somebody_else_cannot_undo(bot: Bot):
    receipt = send(bot, ("dec.txt", page("Bo Lind")))
    intake = receipt.blocks[-1]["elements"][0]["value"]
    with pytest.raises(Exception, match="Only the person who added"):
        bot.store.undo_intake(intake, by=bot.slack.jonas, admin=False, now=utc_now())
    assert stored(bot) == ["Bo Lind"]


# -- limits


def test_one_person_too_many_for_a_message_stores_nobody_of_that_file(bot: Bot):
    many = "".join(page(f"Person N{chr(97 + n // 26)}{chr(97 + n % 26)}") for n in range(101))
    receipt = send(bot, ("many.txt", many), ("one.txt", page("Bo Lind")))
    assert "There are 101 people on it" in receipt.text
    assert stored(bot) == ["Bo Lind"]


def test_a_hundred_people_fit_into_a_receipt(bot: Bot):
    many = "".join(page(f"Person N{chr(97 + n // 26)}{chr(97 + n % 26)}") for n in range(100))
    receipt = send(bot, ("many.txt", many))
    assert "many.txt: 100 people" in receipt.text
    assert "And 85 people more" in receipt.text
    assert "Person Ndv" in receipt.text
    assert "Undo" in texts(receipt)
    assert bot.store.count() == 102


def test_the_daily_cap_names_the_rest(seeded_store):
    with running_bot(seeded_store, clock=utc_now, daily_cap=2) as bot:
        receipt = send(bot, ("dec.txt", page("Ada Oz") + page("Bo Oz") + page("Cy Oz")))
        assert stored(bot) == ["Ada Oz", "Bo Oz"]
        assert "Not added: Cy Oz" in receipt.text
        assert "2 people within a day" in receipt.text
        assert bot.store.refused_files() == []


# -- once


BODIES: dict[str, dict] = {}


def event_of(bot: Bot, event_id: str, file_id: str | None, ts: str, text: str = "") -> dict:
    BODIES[event_id] = {
        "type": "event_callback",
        "team_id": bot.slack.workspace.team.id,
        "event_id": event_id,
        "event": {
            "type": "message",
            **({"subtype": "file_share", "files": [{"id": file_id}]} if file_id else {}),
            "channel_type": "im",
            "channel": bot.slack.direct(bot.slack.mira),
            "user": bot.slack.mira,
            "text": text,
            "ts": ts,
        },
    }
    return BODIES[event_id]


def quiet_share(bot: Bot, *files: tuple[str, str]):
    """A message of whose event the bot does not hear."""
    bot.slack.workspace.events.discard("message.im")
    return bot.slack.share(bot.slack.mira, bot.slack.direct(bot.slack.mira), *files)


def test_an_event_that_comes_twice_gives_one_receipt(bot: Bot):
    bot.slack.post("faults", {"duplicate_events": 1})
    receipt = send(bot, ("dec.txt", page("Bo Lind")))
    bot.settle()
    assert "new" in receipt.text
    assert len(directly(bot)) == 1


def test_what_a_dead_process_began_is_carried_on(bot: Bot):
    message = quiet_share(bot, ("dec.txt", page("Bo Lind")))
    die_after_writing_down(bot, event_of(bot, "EvDead", message.files[0]["id"], message.ts))
    assert stored(bot) == []
    carry_on(bot.edge)
    assert "dec.txt: 1 person" in finished(bot).text
    assert stored(bot) == ["Bo Lind"]
    carry_on(bot.edge)
    bot.settle()
    assert len(directly(bot)) == 1


def test_nothing_that_names_anybody_is_written_down(bot: Bot):
    """A task holds ids of Slack's; file names and pasted texts may name people."""
    heard = heard_event(event_of(bot, "Ev1", "F1", "1.1", text="Ines Adeyemi\nEngineer\nMalmö"))
    heard = replace(heard, files=(SentFile(id="F1", name="ines-adeyemi.txt"),))
    assert "ines" not in json.dumps(task_of(heard)).lower()


def test_a_page_that_was_pasted_is_found_again_after_a_crash(bot: Bot):
    bot.slack.workspace.events.discard("message.im")
    direct = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, direct, page("Ines Adeyemi"))
    message = bot.slack.messages(direct)[-1]
    die_after_writing_down(bot, event_of(bot, "EvPaste", None, message.ts, text=message.text))
    bot.store.attempt_intake(intake_of("EvPaste"), now=utc_now() - 2 * LEASE)
    carry_on(bot.edge)
    assert "Read 1 person from your message" in finished(bot).text
    assert stored(bot) == ["Ines Adeyemi"]


def test_people_stored_before_a_crash_are_told_as_new_afterwards(bot: Bot):
    message = quiet_share(bot, ("dec.txt", page("Bo Lind") + page("Ines Adeyemi")))
    body = event_of(bot, "EvHalf", message.files[0]["id"], message.ts)
    die_after_writing_down(bot, body)
    intake = intake_of("EvHalf")
    steps = content_steps(
        lambda profile, document, now: bot.store.add_to_intake(
            intake, profile, document, daily_cap=300, now=now
        ),
        "dec.txt",
        (page("Bo Lind") + page("Ines Adeyemi")).encode(),
        added_by=bot.slack.mira,
        added_via="slack",
        clock=lambda: utc_now() - 2 * LEASE,
    )
    next(steps)
    assert stored(bot) == ["Bo Lind"]
    carry_on(bot.edge)
    receipt = finished(bot)
    assert receipt.text.count("new ·") == 2
    assert stored(bot) == ["Bo Lind", "Ines Adeyemi"]
    assert bot.store.intake(intake).people == 2


def test_somebody_who_may_no_more_is_told_once_when_it_is_carried_on(bot: Bot):
    message = quiet_share(bot, ("dec.txt", page("Bo Lind")))
    die_after_writing_down(bot, event_of(bot, "EvGone", message.files[0]["id"], message.ts))
    bot.slack.workspace.users[bot.slack.mira].is_guest = True
    for minutes in (0, 4, 8):
        carry_on(replace(bot.edge, clock=lambda late=minutes: utc_now() + late * LEASE))
        bot.settle()
    assert [("Guests" in each.text) for each in directly(bot)] == [True]
    assert stored(bot) == []


def test_two_processes_at_the_same_task_give_one_receipt(bot: Bot, store_url: str):
    message = quiet_share(bot, ("dec.txt", page("Bo Lind") + page("Ines Adeyemi")))
    die_after_writing_down(bot, event_of(bot, "EvTwo", message.files[0]["id"], message.ts))
    heard = heard_again(bot.store.intake(intake_of("EvTwo")).task)
    second = Store.open(store_url)
    other = build_app(bot.edge.settings, second, utc_now, pool=Pool(workers=1))
    try:
        for edge in (bot.edge, other):
            assert edge.carry_on(heard, carried, "add", lambda: None)
        bot.slack.wait_for(lambda: bot.edge.adding.unfinished + other.adding.unfinished == 0)
        said = [each.text for each in directly(bot) if "Reading" not in each.text]
        assert len(said) == 1
        assert said[0].count("new ·") == 2
        assert stored(bot) == ["Bo Lind", "Ines Adeyemi"]
    finally:
        for pool in (other.pool, other.adding, other.telling):
            pool.drain(1)
        second.close()


def test_a_receipt_that_reached_nobody_is_sent_later(bot: Bot):
    for method in ("chat.postMessage", "chat.update"):
        bot.slack.fail(method, error="internal_error", times=-1)
    bot.slack.share(bot.slack.mira, bot.slack.direct(bot.slack.mira), ("dec.txt", page("Bo Lind")))
    bot.slack.wait_for(lambda: stored(bot) == ["Bo Lind"], within=15)
    bot.settle()
    assert directly(bot) == []
    bot.slack.faults.clear()
    carry_on(replace(bot.edge, clock=lambda: utc_now() + 2 * LEASE))
    assert "new ·" in finished(bot).text
    bot.settle()
    assert len(directly(bot)) == 1


def test_what_fails_again_and_again_is_given_up_with_a_word(bot: Bot):
    message = quiet_share(bot, ("dec.txt", page("Bo Lind")))
    die_after_writing_down(bot, event_of(bot, "EvBad", message.files[0]["id"], message.ts))
    intake = intake_of("EvBad")
    for _ in range(5):
        bot.store.attempt_intake(intake, now=utc_now() - 2 * LEASE)
    carry_on(bot.edge)
    assert "could not finish" in finished(bot).text
    assert bot.store.intake(intake).finished_at is not None


def die_after_writing_down(bot: Bot, body: dict) -> None:
    """Hear an event as far as a process does that is killed right after its acknowledgement."""
    clock = bot.edge.clock
    late = replace(bot.edge, clock=lambda: clock() - 2 * LEASE)
    assert write_down(late, heard_event(body))


def intake_of(event_id: str) -> str:
    return intake_id(heard_event(BODIES[event_id]))


def test_a_malformed_shortcut_is_no_exception(bot: Bot):
    body = {"type": "message_action", "callback_id": "candidate.add", "team": {"id": "T0NORTHWIND"}}
    request = BoltRequest(mode="socket_mode", body={**body, "user": {"id": "U9"}, "message": None})
    assert bot.edge.app.dispatch(request).status in {200, 400}
