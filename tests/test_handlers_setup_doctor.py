"""The doctor: each thing that may be wrong is found, and told with what to do about it."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bot.settings import Settings
from handlers.sandbox.records import Channel
from handlers.setup import doctor
from handlers.setup.doctor import Finding, examine
from storage.database import Database
from storage.store import Store
from tests.edge_fixtures import utc_now
from tests.sandbox_fixtures import SlackServer

Clock = Callable[[], datetime]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds the program's ``.env``."""
    monkeypatch.setattr(doctor, "PROJECT", tmp_path)
    return tmp_path


def settings_of(store_url: str, **changed: Any) -> Settings:
    return Settings(_env_file=None, database_url=store_url, **changed)


def socket_settings(slack: SlackServer, store_url: str, **changed: Any) -> Settings:
    tokens = {
        "slack_bot_token": slack.workspace.bot_token,
        "slack_app_token": slack.workspace.app_token,
        "slack_api_url": slack.api_url,
    }
    return settings_of(store_url, bot_mode="socket", **(tokens | changed))


def found(
    settings: Settings, *, warnings: Sequence[str] = (), clock: Clock = utc_now
) -> dict[str, list[Finding]]:
    """The findings by their names."""
    by_name: dict[str, list[Finding]] = {}
    for finding in examine(settings, warnings=warnings, clock=clock):
        assert finding.name in str(finding)
        assert finding.sentence in str(finding)
        assert str(finding).startswith("FAIL") is finding.failed
        by_name.setdefault(finding.name, []).append(finding)
    return by_name


def failures(settings: Settings, *, clock: Clock = utc_now) -> list[str]:
    everything = found(settings, clock=clock).values()
    return [each.sentence for several in everything for each in several if each.failed]


def one_failure(settings: Settings, *, clock: Clock = utc_now) -> str:
    [sentence] = failures(settings, clock=clock)
    return sentence


@contextmanager
def another_slack(headers: dict[str, str], body: bytes = b'{"ok": true}') -> Iterator[str]:
    """A Slack-compatible server that sends these headers and no others. Its API's address."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.send_response_only(200)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/api/"
        finally:
            server.shutdown()
            thread.join()


def http_settings(api_url: str, store_url: str, **changed: Any) -> Settings:
    tokens = {"slack_bot_token": "xoxb-1", "slack_signing_secret": "s" * 16}
    return settings_of(store_url, bot_mode="http", slack_api_url=api_url, **(tokens | changed))


# The machine's own things


def test_a_healthy_installation_has_nothing_that_failed(
    slack: SlackServer, seeded_store: Store, store_url: str, tmp_path: Path
):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    checked = found(socket_settings(slack, store_url, digest_channel="#hiring", inbox=inbox))
    assert set(checked) - {"sqlite"} == {
        "settings", "database", "backup", "audit", "digest", "inbox", "slack", "scopes", "clock",
        "roles", "alarms", "channel", "socket", "index",
    }  # fmt: skip
    assert not [each for several in checked.values() for each in several if each.failed]
    assert "mode socket" in checked["settings"][0].sentence
    assert "2 people" in checked["database"][0].sentence
    assert slack.bot_user in checked["slack"][0].sentence
    assert "#hiring" in checked["channel"][-1].sentence
    assert str(inbox) in checked["inbox"][0].sentence


def test_without_tokens_nobody_is_asked(slack: SlackServer, seeded_store: Store, store_url: str):
    checked = found(settings_of(store_url, bot_mode="sandbox", slack_api_url=slack.api_url))
    assert set(checked) - {"sqlite"} == {
        "settings", "database", "audit", "roles", "alarms", "digest", "slack", "index",
    }  # fmt: skip
    assert "sandbox" in checked["slack"][0].sentence
    assert slack.calls() == []


def test_what_the_settings_warn_of_is_told(store_url: str):
    checked = found(settings_of(store_url), warnings=["DIGEST_CHANEL is read by nothing."])
    assert "DIGEST_CHANEL is read by nothing." in [each.sentence for each in checked["settings"]]


@pytest.mark.parametrize(("mode", "told"), [(0o600, False), (0o640, True), (0o604, True)])
def test_an_env_file_that_others_can_read_is_told(
    home: Path, store_url: str, mode: int, told: bool
):
    env = home / ".env"
    env.write_text("PORT=3000\n")
    env.chmod(mode)
    sentences = [each.sentence for each in found(settings_of(store_url))["settings"]]
    assert any("chmod 600 .env" in each for each in sentences) is told


def test_a_database_that_is_not_there_yet_is_no_failure(store_url: str, tmp_path: Path):
    [finding] = found(settings_of(store_url))["database"]
    assert not finding.failed
    assert str(tmp_path / "candidates.db") in finding.sentence
    assert not (tmp_path / "candidates.db").exists()


def test_a_database_that_others_can_read_is_told(
    seeded_store: Store, store_url: str, tmp_path: Path
):
    (tmp_path / "candidates.db").chmod(0o640)
    assert "chmod 600" in one_failure(settings_of(store_url))


def test_a_database_that_is_none_is_told(store_url: str, tmp_path: Path):
    path = tmp_path / "candidates.db"
    path.write_bytes(b"this is no database, it is a text " * 100)
    path.chmod(0o600)
    assert one_failure(settings_of(store_url)).endswith(".")
    assert path.read_bytes().startswith(b"this is no database")


def test_a_database_whose_people_cannot_be_read_is_told(
    seeded_store: Store, store_url: str, tmp_path: Path
):
    seeded_store.close()
    path = tmp_path / "candidates.db"
    connection = sqlite3.connect(path)
    [(size,)] = connection.execute("PRAGMA page_size")
    pages = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'profile'")
    damaged = [page for (page,) in pages if page]
    connection.close()
    with path.open("r+b") as file:
        for page in damaged:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
    assert one_failure(settings_of(store_url)).endswith(".")


def test_an_old_sqlite_is_told(
    seeded_store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.40.1")
    warned = found(settings_of(store_url)).get("sqlite", [])
    assert [each.sentence for each in warned] == list(Database.open(store_url).warnings())
    assert "3.40.1" in warned[0].sentence


def test_a_schedule_that_is_none_is_told(store_url: str):
    assert "DIGEST_SCHEDULE" in one_failure(settings_of(store_url, digest_schedule="blursday"))


def test_the_default_digest_is_told_with_its_zone(store_url: str):
    [finding] = found(settings_of(store_url, digest_channel="#hiring"))["digest"]
    assert "weekly monday 09:00 (UTC)" in finding.sentence
    berlin = settings_of(store_url, digest_channel="#hiring", digest_timezone="Europe/Berlin")
    assert "(Europe/Berlin)" in found(berlin)["digest"][0].sentence


def test_an_inbox_that_is_not_there_yet_is_no_failure(store_url: str, tmp_path: Path):
    [finding] = found(settings_of(store_url, inbox=tmp_path / "inbox"))["inbox"]
    assert not finding.failed
    assert str(tmp_path / "inbox") in finding.sentence


def test_an_inbox_that_cannot_be_written_is_told(store_url: str):
    """Root may write everywhere: then the test asks as nobody."""
    nobody = 65534
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_of(store_url, inbox=Path(folder))
        Path(folder).chmod(0o777)
        us = os.getuid()
        if us == 0:
            os.setresuid(nobody, -1, -1)
        try:
            assert failures(settings) == []
            Path(folder).chmod(0o555)
            assert folder in one_failure(settings)
        finally:
            if us == 0:
                os.setresuid(us, -1, -1)
            Path(folder).chmod(0o700)


# Slack


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("invalid_auth", "copy it again"),
        ("not_authed", "is empty"),
        ("account_inactive", "install the app again"),
        ("token_revoked", "install the app again"),
        ("token_expired", "install the app again"),
        ("org_login_required", "org_login_required"),
    ],
)
def test_a_refused_bot_token_is_told_and_nothing_else_is_asked(
    slack: SlackServer, store_url: str, code: str, advice: str
):
    slack.fail("auth.test", error=code)
    assert advice in one_failure(socket_settings(slack, store_url, digest_channel="#hiring"))
    assert [call.method for call in slack.calls()] == ["auth.test"]


def test_a_wrong_bot_token_is_told(slack: SlackServer, store_url: str):
    wrong = socket_settings(slack, store_url, slack_bot_token="xoxb-wrong")
    assert "SLACK_BOT_TOKEN" in one_failure(wrong)


@pytest.mark.parametrize(
    "fault",
    [{"mode": "drop"}, {"status": 500}, {"error": "internal_error"}, {"status": 429}],
    ids=lambda fault: str(*fault.values()),
)
def test_trouble_on_the_way_is_not_blamed_on_the_token(
    slack: SlackServer, store_url: str, fault: dict[str, Any]
):
    slack.fail("auth.test", times=5, **fault)
    told = one_failure(socket_settings(slack, store_url))
    assert slack.api_url in told
    assert "SLACK_API_URL" in told
    assert "install" not in told


def test_an_address_where_nobody_answers_is_told(store_url: str):
    with another_slack({}) as api_url:
        pass
    told = one_failure(http_settings(api_url, store_url))
    assert api_url in told
    assert "refused" in told


def test_a_page_instead_of_an_answer_is_told(store_url: str):
    """An address that is a website's, or a proxy's page to log in."""
    with another_slack({}, b"<html>Log in</html>") as api_url:
        assert "SLACK_API_URL" in one_failure(http_settings(api_url, store_url))


def test_allowed_teams_without_our_own_are_told(slack: SlackServer, store_url: str):
    team = slack.workspace.team.id
    others = socket_settings(slack, store_url, allowed_teams=("T0OTHER",))
    assert "ALLOWED_TEAMS" in one_failure(others)
    assert failures(socket_settings(slack, store_url, allowed_teams=("T0OTHER", team))) == []


def test_missing_scopes_are_named(make_slack: Callable[..., SlackServer], store_url: str):
    slack = make_slack(scopes=frozenset({"chat:write", "commands", "channels:read"}))
    told = one_failure(socket_settings(slack, store_url))
    for scope in ("app_mentions:read", "groups:history", "users:read"):
        assert scope in told
    assert "chat:write" not in told
    assert "manifest" in told


@pytest.mark.parametrize(("apart", "wrong"), [(-50, False), (50, False), (-75, True), (75, True)])
def test_a_clock_that_is_off_is_told(slack: SlackServer, store_url: str, apart: int, wrong: bool):
    told = failures(
        socket_settings(slack, store_url), clock=lambda: utc_now() + timedelta(seconds=apart)
    )
    assert any("time synchronisation" in each for each in told) is wrong
    assert len(told) == wrong


@pytest.mark.parametrize("headers", [{}, {"Date": "yesterday"}], ids=["none", "nonsense"])
def test_what_a_server_does_not_say_is_not_judged(store_url: str, headers: dict[str, str]):
    with another_slack(headers) as api_url:
        checked = found(http_settings(api_url, store_url))
    assert "scopes" not in checked
    assert "clock" not in checked
    assert "socket" not in checked
    assert not checked["slack"][0].failed


def test_headers_are_read_whatever_their_case(store_url: str):
    with another_slack({"X-OAuth-Scopes": "chat:write, commands", "DATE": "x"}) as api_url:
        told = one_failure(http_settings(api_url, store_url))
    assert "users:read" in told
    assert "commands" not in told
    year = datetime(2020, 1, 1, tzinfo=UTC)
    with another_slack({"dAtE": "Wed, 01 Jan 2020 00:00:00 GMT"}) as api_url:
        assert failures(http_settings(api_url, store_url), clock=lambda: year) == []
        assert "time synchronisation" in one_failure(http_settings(api_url, store_url))


def test_a_refused_app_token_is_told(slack: SlackServer, store_url: str):
    wrong = socket_settings(slack, store_url, slack_app_token="xapp-wrong")
    told = one_failure(wrong)
    assert "SLACK_APP_TOKEN" in told
    assert "invalid_auth" in told
    assert "connections:write" in told


def test_a_socket_that_slack_does_not_answer_for_is_not_blamed_on_the_token(
    slack: SlackServer, store_url: str
):
    slack.fail("apps.connections.open", mode="drop", times=5)
    told = one_failure(socket_settings(slack, store_url))
    assert "did not answer" in told
    assert "SLACK_APP_TOKEN" not in told


# The channel of the default digest


@pytest.mark.parametrize("typed", ["#hiring", "hiring", "#Hiring", SlackServer.hiring])
def test_the_channel_is_known_by_name_and_by_id(slack: SlackServer, store_url: str, typed: str):
    checked = found(socket_settings(slack, store_url, digest_channel=typed))
    assert not any(each.failed for each in checked["channel"])
    assert typed in checked["channel"][-1].sentence


def test_a_channel_beyond_the_first_page_is_found(slack: SlackServer, store_url: str):
    with slack.workspace.lock:
        for number in range(450):
            slack.workspace.channels[f"C9{number:04}"] = Channel(
                id=f"C9{number:04}", name=f"room-{number}", kind="public", members={slack.bot_user}
            )
    assert failures(socket_settings(slack, store_url, digest_channel="#room-449")) == []
    assert len(slack.calls("conversations.list")) == 3


def test_a_channel_that_the_bot_does_not_see_is_told(slack: SlackServer, store_url: str):
    for unseen in ("#nowhere", "#hiring-leads"):
        told = one_failure(socket_settings(slack, store_url, digest_channel=unseen))
        assert unseen in told
        assert "/invite" in told


def test_a_channel_that_the_bot_is_not_in_is_told(slack: SlackServer, store_url: str):
    with slack.workspace.lock:
        slack.workspace.channels[slack.hiring].members.discard(slack.bot_user)
    told = one_failure(socket_settings(slack, store_url, digest_channel="#hiring"))
    assert "not in #hiring" in told
    assert "/invite" in told


def test_a_channel_shared_with_another_company_is_told(slack: SlackServer, store_url: str):
    told = one_failure(socket_settings(slack, store_url, digest_channel="#acme-shared"))
    assert "another company" in told


@pytest.mark.parametrize("fault", [{"error": "missing_scope"}, {"mode": "drop"}], ids=str)
def test_a_channel_that_cannot_be_looked_up_is_told(
    slack: SlackServer, store_url: str, fault: dict[str, Any]
):
    slack.fail("conversations.list", times=5, **fault)
    told = one_failure(socket_settings(slack, store_url, digest_channel="#hiring"))
    assert "#hiring could not be looked up" in told
