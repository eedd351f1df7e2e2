"""What supervisors and Prometheus see."""

import urllib.error
import urllib.request
from datetime import timedelta

import anyio
import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from handlers.edge.operation import STALE, Operation
from tests.edge_fixtures import running_bot, utc_now
from tests.keeping_fixtures import NOW


def get(url, **headers):
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def samples(text):
    """(name, labels) → value, as Prometheus reads the page."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found, name, **labels):
    return found.get((f"candidate_{name}", tuple(sorted(labels.items()))), 0.0)


@pytest.fixture
def measured(seeded_store):
    """A bot whose figures may be read with a token."""
    with running_bot(seeded_store, clock=utc_now, metrics_token="s3cret-token") as bot:
        yield bot


def read(bot):
    status, text = get(f"{bot.url}/metrics", Authorization="Bearer s3cret-token")
    assert status == 200
    return samples(text), text


def test_in_http_mode_nobody_reads_the_figures_without_a_token(bot):
    """The proxy in front would make everybody look like this machine."""
    assert get(f"{bot.url}/metrics")[0] == 404
    assert get(f"{bot.url}/metrics", Authorization="Bearer ")[0] == 404


@pytest.mark.parametrize("told", ["", "Bearer", "Bearer s3cret", "Basic s3cret-token"])
def test_a_wrong_token_finds_nothing(measured, told):
    assert get(f"{measured.url}/metrics", Authorization=told)[0] == 404


class Page:
    """The pages as somebody at this address sees them."""

    def __init__(self, app, address):
        self.transport = httpx.ASGITransport(app=app, client=(address, 5000))

    def get(self, path):
        async def asked():
            async with httpx.AsyncClient(transport=self.transport, base_url="http://bot") as client:
                return await client.get(path)

        return anyio.run(asked)


class Connection:
    open = True

    def hears(self):
        return self.open


class Beat:
    silence = timedelta(0)


@pytest.fixture
def operation(bot):
    socket = bot.edge.settings.model_copy(update={"bot_mode": "socket"})
    object.__setattr__(bot.edge, "settings", socket)
    return Operation(bot.edge, lambda: True, pulse=Beat(), link=Connection())


def test_in_socket_mode_this_machine_reads_them_and_no_other(operation):
    here = Page(operation.app(), "127.0.0.1")
    there = Page(operation.app(), "10.0.0.9")
    assert here.get("/metrics").status_code == 200
    assert there.get("/metrics").status_code == 404
    assert there.get("/healthz").json() == {"ok": True}


def test_it_is_not_ready_when_the_socket_is_lost_or_the_clock_stands(operation):
    page = Page(operation.app(), "127.0.0.1")
    assert page.get("/readyz").json() == {"ok": True, "people": 2, "waiting": 0}
    operation.link.open = False
    lost = page.get("/readyz")
    assert (lost.status_code, lost.json()["reason"]) == (503, "socket")
    assert value(samples(page.get("/metrics").text), "socket_connected") == 0
    operation.link.open = True
    operation.pulse.silence = STALE + timedelta(seconds=1)
    assert page.get("/readyz").json() == {"ok": False, "reason": "clock"}
    found = samples(page.get("/metrics").text)
    assert value(found, "ready") == 0
    assert value(found, "tick_age_seconds") == 46
    assert page.get("/healthz").status_code == 200, "the process itself is well"


def test_a_lost_database_is_told_and_the_other_figures_stay(operation, store_url):
    page = Page(operation.app(), "127.0.0.1")
    database = operation.edge.store.database
    with database.write() as session:
        session.connection().exec_driver_sql("ALTER TABLE profile RENAME TO gone")
    assert page.get("/readyz").json()["reason"] == "database"
    found = samples(page.get("/metrics").text)
    assert value(found, "database_up") == 0
    assert value(found, "pool_room") > 0


def test_commands_answers_and_acknowledgements_are_counted(measured):
    before, _ = read(measured)
    measured.ask("chenggang")
    measured.ask("help")
    measured.slack.say(measured.slack.guest, measured.slack.general, "/candidate chenggang")
    measured.settle()
    after, _ = read(measured)

    def more(name, **labels):
        return value(after, name, **labels) - value(before, name, **labels)

    assert more("commands_total", kind="command", outcome="answered") == 2
    assert more("commands_total", kind="command", outcome="refused") == 1
    assert more("ack_seconds_count", way="http") == 3
    assert more("answer_seconds_count", kind="command") == 3
    assert more("lock_waits_total") > 3
    assert value(after, "people") == value(after, "people_stored") == 2
    assert value(after, "documents") == 2


def test_refused_requests_and_slacks_errors_are_counted_by_reason(measured):
    before, _ = read(measured)
    urllib_post(f"{measured.url}/slack/events", b"command=/candidate")
    measured.slack.fail("users.info", error="user_not_found")
    measured.ask("chenggang", user=measured.slack.jonas)
    after, _ = read(measured)

    def more(name, **labels):
        return value(after, name, **labels) - value(before, name, **labels)

    assert more("refused_requests_total", reason="timestamp") == 1
    assert more("slack_errors_total", code="user_not_found") == 1


def urllib_post(url, body):
    content = {"Content-Type": "application/x-www-form-urlencoded"}
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(urllib.request.Request(url, body, content), timeout=5)


def test_digests_are_counted_by_state_and_the_oldest_due_has_an_age(measured):
    store = measured.store
    now = utc_now()
    subscription, _ = store.save_subscription(
        channel=measured.slack.hiring, weekdays=(1,), hour=9, minute=0, timezone="UTC",
        since=NOW, created_by=measured.slack.mira, now=now,
    )  # fmt: skip
    store.write_slots(subscription.number, [("2026-11-30", now - timedelta(minutes=10))], now=now)
    found, _ = read(measured)
    assert value(found, "digest_runs", state="ready") == 1
    assert value(found, "digest_runs", state="failed") == 0
    assert 600 <= value(found, "digest_oldest_due_seconds") < 660


def test_the_age_of_the_newest_backup_is_told(seeded_store, tmp_path):
    folder = tmp_path / "b"
    with running_bot(
        seeded_store, clock=utc_now, metrics_token="s3cret-token", backup_folder=folder
    ) as bot:
        assert "candidate_backup_age_seconds" not in read(bot)[1]
        seeded_store.back_up(folder, keep=1, now=utc_now() - timedelta(hours=2))
        assert 7190 <= value(read(bot)[0], "backup_age_seconds") < 7300


def test_no_figure_names_anybody(measured):
    """Names, ids, questions and tokens stay out of labels, whatever is asked and whoever asks."""
    measured.ask("chenggang")
    measured.ask("Canary McCanary")
    measured.slack.fail("users.info", error="Canary McCanary")
    measured.ask("x", user=measured.slack.jonas)
    _, text = read(measured)
    for secret in (
        "Canary", "chenggang", "Zhao", measured.slack.mira, measured.slack.jonas,
        measured.slack.hiring, measured.slack.workspace.bot_token, "s3cret-token",
    ):  # fmt: skip
        assert secret not in text
