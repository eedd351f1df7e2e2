"""``/candidate export``: the file comes to the asker alone, and what Slack refuses is said."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bot.exporting.resume import profile_in
from handlers.features.candidate import answer, reply_as_json
from handlers.scheduled.alarms import look_for_bulk_reading
from storage.records import StandingKind
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now
from tests.people_fixtures import add


def direct(bot: Bot, user: str | None = None) -> list:
    """What the bot said in the direct message, oldest first."""
    user = user or bot.slack.mira
    said = bot.slack.messages(bot.slack.direct(user))
    return [each for each in said if each.user == bot.slack.bot_user]


def files(bot: Bot, user: str | None = None) -> list[tuple[str, bytes]]:
    """(name, content) of the files in the direct message."""
    return [
        (file["name"], bot.slack.workspace.files[file["id"]][1])
        for message in direct(bot, user)
        for file in message.files
    ]


def exports(store: Store) -> list:
    return store.audited(actions=["export"])


def test_the_file_comes_to_the_direct_message_and_the_channel_sees_nothing(bot: Bot):
    said = bot.ask("export skill:cuda")
    assert "is in our direct message: 2 people" in said.text
    assert bot.slack.messages(bot.slack.hiring) == []
    [(name, content)] = files(bot)
    assert name.startswith("candidates-")
    assert name.endswith(".csv")
    assert b"Lei Wang" in content
    assert b"Chenggang Zhao" in content
    note = direct(bot)[0].text
    assert "2 people as CSV for" in note
    assert "It holds personal data" in note
    assert "Lei Wang" not in note
    [entry] = exports(bot.store)
    assert (entry.who, len(entry.candidate_ids)) == (bot.slack.mira, 2)
    assert entry.place == bot.slack.hiring


@pytest.mark.parametrize(
    ("text", "ending", "sign"),
    [
        ("export json lei wang", "json", b'"basics"'),
        ("export lei wang as excel", "xlsx", b"PK"),
        ("export md lei wang", "md", b"# Lei Wang"),
        ("Export CSV lei wang", "csv", b"Lei Wang"),
    ],
)
def test_each_form_is_had_by_its_word(bot: Bot, text: str, ending: str, sign: bytes):
    bot.ask(text)
    [(name, content)] = files(bot)
    assert name.endswith(f".{ending}")
    assert sign in content


def test_in_the_direct_message_the_file_stands_beside_the_answer(bot: Bot):
    there = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, there, "export json lei wang")
    bot.slack.wait_for(lambda: len(direct(bot)) == 2)
    [(_, content)] = files(bot)
    [hit] = bot.store.named("lei wang").hits
    assert profile_in(json.loads(content)) == hit.candidate.profile
    assert [each.text for each in direct(bot) if "1 person as JSON Resume" in each.text]


def test_a_message_that_names_whom_it_is_about_is_known_for_when_they_are_forgotten(bot: Bot):
    bot.ask("export lei wang")
    note = direct(bot)[0]
    [hit] = bot.store.named("lei wang").hits
    assert bot.store.posted(note.channel, note.ts).candidate_ids == (hit.candidate.id,)


def test_the_page_gives_the_file_to_who_sees_it_and_to_nobody_else(bot: Bot):
    bot.ask("export skill:cuda")
    [file] = [file for message in direct(bot) for file in message.files]
    address = f"{bot.slack.url}/sandbox/file/{file['id']}?user="
    with urlopen(address + bot.slack.mira, timeout=10) as got:
        assert got.headers["Content-Disposition"].startswith("attachment;")
        assert b"Lei Wang" in got.read()
    for url in (address + bot.slack.jonas, f"{bot.slack.url}/sandbox/file/F404?user=U1"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(url, timeout=10)


# -- what Slack refuses


@pytest.mark.parametrize(
    ("method", "fault", "told"),
    [
        ("files.getUploadURLExternal", {"error": "missing_scope"}, "scope files:write"),
        ("files.getUploadURLExternal", {"error": "file_uploads_disabled"}, "does not allow"),
        ("files.getUploadURLExternal", {"error": "unknown_method"}, "does not let me send"),
        ("files.getUploadURLExternal", {"error": "file_upload_size_restricted"}, "Narrow"),
        ("files.getUploadURLExternal", {"status": 429, "retry_after": 7}, "in 7 seconds"),
        ("files.getUploadURLExternal", {"mode": "poor", "without": "upload_url"}, "did not take"),
        ("upload", {"status": 500}, "did not take the file"),
        ("upload", {"mode": "drop"}, "did not take the file"),
        ("files.completeUploadExternal", {"error": "channel_not_found"}, "(channel_not_found)"),
        ("files.completeUploadExternal", {"status": 500}, "did not say whether"),
    ],
)
def test_what_slack_refuses_is_said_and_nothing_stays_behind(
    bot: Bot, method: str, fault: dict, told: str
):
    bot.slack.fail(method, **fault)
    assert told in bot.ask("export skill:cuda").text
    assert files(bot) == []
    assert direct(bot) == []
    assert len(exports(bot.store)) == 1  # written down before anything leaves


def test_without_a_message_there_is_no_file(bot: Bot):
    bot.slack.fail("chat.postMessage", error="restricted_action")
    assert "so I sent no file" in bot.ask("export skill:cuda").text
    assert bot.slack.calls("files.completeUploadExternal") == []


def test_an_address_that_is_not_slack_s_gets_nothing(bot: Bot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("handlers.slack.uploads.is_slack", lambda *_: False)
    assert "not Slack's own" in bot.ask("export skill:cuda").text
    assert files(bot) == []


# -- who may, and about whom


def test_a_viewer_may_not_and_is_told_so(seeded_store: Store):
    with running_bot(
        seeded_store, clock=utc_now, admin_users=("U0A",), viewer_groups=("@recruiters",)
    ) as bot:
        said = bot.ask("export skill:cuda")
        assert "may not export people" in said.text
        assert files(bot) == []
        assert exports(bot.store) == []


def test_a_channel_shared_with_another_company_is_refused(bot: Bot):
    said = bot.ask("export skill:cuda", channel=bot.slack.acme)
    assert "shared with another company" in said.text
    assert files(bot) == []


def test_who_must_not_be_exported_is_left_out_and_counted(bot: Bot):
    [hit] = bot.store.named("lei wang").hits
    bot.store.set_standing(hit.candidate.id, StandingKind.DO_NOT_CONTACT, by="U1", now=utc_now())
    bot.ask("export skill:cuda")
    [(_, content)] = files(bot)
    assert b"Lei Wang" not in content
    assert "1 left out: their record must not be exported." in direct(bot)[0].text
    assert "the record of Lei Wang must not be" in bot.ask("export lei wang").text
    [entry] = exports(bot.store)
    assert hit.candidate.id not in entry.candidate_ids


def test_a_large_export_raises_the_alarm_that_much_reading_raises(store: Store, now):
    ids = [add(store, f"Person {name}", now=now) for name in ("Abe", "Bea", "Cyd")]
    store.audit(who="U7", action="export", place="C1", candidate_ids=ids, now=now)
    look_for_bulk_reading(store, lambda: now, 2)
    [alarm] = store.untold_alarms()
    assert "3 different people" in alarm.text


# -- what is no export


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("export", "done"),
        ("export xlsx", "done"),
        ("export manager", "nothing"),
        ("export skill:cobol", "done"),
        ("export skill:cuda", "done"),
        ("export lei wang", "done"),
        ("export csv (", "done"),
    ],
)
def test_what_is_an_export_at_a_terminal_says_how_it_is_had_there(
    seeded_store: Store, now, text: str, kind: str
):
    found = reply_as_json(answer(seeded_store, text, asker="terminal:ada", now=now))
    assert found["answer"] == kind, found["message"]


def test_who_is_called_so_is_found(store: Store, now):
    add(store, "Ada Byte", title="Export Manager", headline="Export Manager", now=now)
    found = answer(store, "export manager", asker="U1", now=now)
    assert "Ada Byte" in found.plain
    assert exports(store) == []
