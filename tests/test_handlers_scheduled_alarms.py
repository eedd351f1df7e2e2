"""Alarms: raised once, told once to each whom they concern, whatever Slack answers."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.scheduled.alarms import look_for_bulk_reading, tell_alarms
from handlers.slack.groups import GroupsUnknown
from storage.store import Store
from tests.sandbox_fixtures import SlackServer

NOON = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Office:
    def __init__(self, store: Store, slack: SlackServer) -> None:
        self.store, self.slack, self.now = store, slack, NOON
        self.admins: Any = lambda: (slack.mira, slack.jonas)

    def tell(self) -> None:
        tell_alarms(self.store, self.slack.client(), lambda: self.now, self.admins)

    def look(self, more_than: int = 3) -> None:
        look_for_bulk_reading(self.store, lambda: self.now, more_than)

    def raised(self, key: str = "fire", audience: str = "admins", text: str = "It burns.") -> bool:
        return self.store.raise_alarm(key=key, audience=audience, text=text, now=self.now)

    def heard(self, user: str) -> list[str]:
        return [each.text for each in self.slack.messages(self.slack.direct(user)) if each.bot_id]


@pytest.fixture
def office(store: Store, slack: SlackServer) -> Office:
    return Office(store, slack)


def test_an_alarm_is_raised_once_and_told_once_to_each_admin(office: Office):
    assert office.raised()
    assert not office.raised()
    for _ in range(3):
        office.tell()
    for admin in (office.slack.mira, office.slack.jonas):
        assert len(office.heard(admin)) == 1
        assert office.heard(admin)[0].startswith("It burns.\n")
    assert office.store.untold_alarms() == []
    assert not office.raised(), "its key is remembered"


def test_one_person_may_be_the_audience(office: Office):
    office.raised(audience=office.slack.jonas)
    office.tell()
    assert len(office.heard(office.slack.jonas)) == 1
    assert office.heard(office.slack.mira) == []


def test_a_mention_in_it_is_one_and_all_else_is_literal(office: Office):
    office.raised(text=f"<@{office.slack.jonas}> & <!channel> type `/candidate audit`.")
    office.tell()
    message = office.slack.messages(office.slack.direct(office.slack.mira))[-1]
    text = message.blocks[0]["text"]["text"]
    assert text == f"<@{office.slack.jonas}> &amp; &lt;!channel&gt; type `/candidate audit`."


@pytest.mark.parametrize("fault", [{"status": 429, "retry_after": 1}, {"mode": "drop"}])
def test_whoever_was_not_told_is_told_later_and_nobody_else_again(office: Office, fault: Any):
    office.raised()
    office.slack.fail("chat.postMessage", **fault)
    office.tell()
    assert office.heard(office.slack.mira) == []
    office.tell()
    assert office.heard(office.slack.mira) == [], "not before the lease has run out"
    office.now += 3 * MINUTE
    office.tell()
    for admin in (office.slack.mira, office.slack.jonas):
        assert len(office.heard(admin)) == 1


def test_the_first_of_two_is_not_told_twice_when_the_second_was_not(office: Office):
    office.raised()
    office.admins = lambda: (office.slack.mira,)
    office.store.alarm_heard("fire", [office.slack.jonas])
    office.admins = lambda: (office.slack.jonas, office.slack.mira)
    office.tell()
    assert office.heard(office.slack.jonas) == []
    assert len(office.heard(office.slack.mira)) == 1


def test_what_slack_may_have_taken_is_told_once_more_rather_than_never(office: Office):
    office.raised(audience=office.slack.mira)
    office.slack.fail("chat.postMessage", mode="drop_after")
    office.tell()
    office.now += 3 * MINUTE
    office.tell()
    office.now += 3 * MINUTE
    office.tell()
    assert len(office.heard(office.slack.mira)) == 2


def test_whom_slack_never_writes_to_does_not_keep_it_from_the_others(office: Office):
    office.raised()
    office.slack.fail("chat.postMessage", error="account_inactive")
    with capture_logs() as said:
        office.tell()
    assert office.heard(office.slack.mira) == []
    assert len(office.heard(office.slack.jonas)) == 1
    assert [line["event"] for line in said] == ["somebody was not told"]


def test_without_admins_there_is_a_line_in_the_log_each_hour_until_somebody_is_there(
    office: Office,
):
    office.raised()
    office.admins = tuple
    with capture_logs() as said:
        for _ in range(8):
            office.tell()
            office.now += 15 * MINUTE
    assert [line["event"] for line in said] == ["nobody to tell of an alarm"] * 2
    assert [each.key for each in office.store.untold_alarms()] == ["fire"]
    office.admins = lambda: (office.slack.mira,)
    office.tell()
    assert len(office.heard(office.slack.mira)) == 1


def test_admins_of_a_group_that_slack_does_not_tell_are_asked_for_again(office: Office):
    def silent() -> tuple[str, ...]:
        raise GroupsUnknown("no answer")

    office.raised()
    office.admins = silent
    office.tell()
    office.admins = lambda: (office.slack.mira,)
    office.now += 3 * MINUTE
    office.tell()
    assert len(office.heard(office.slack.mira)) == 1


def test_two_processes_tell_it_once(office: Office, store_url: str):
    office.raised()
    other = Store.open(store_url)
    assert office.store.claim_alarm(now=office.now, until=office.now + MINUTE)
    assert other.claim_alarm(now=office.now, until=office.now + MINUTE) is None
    assert other.claim_alarm(now=office.now + MINUTE, until=office.now + 2 * MINUTE)
    other.close()


def look_at(office: Office, who: str, people: int, action: str = "open") -> None:
    for number in range(people):
        office.store.audit(
            who=who, action=action, place="C1", candidate_ids=[f"p{number}"], now=office.now
        )


def test_bulk_reading_is_an_alarm_to_admins_once_a_day_and_names_no_candidate(office: Office):
    jonas = office.slack.jonas
    look_at(office, jonas, 4)
    look_at(office, office.slack.mira, 3)
    for _ in range(3):
        office.look()
        office.now += 5 * MINUTE
    office.tell()
    [told] = office.heard(office.slack.mira)
    assert "4 different people within 24 hours" in told
    assert f"/candidate audit {jonas}" in told
    assert "p0" not in told
    office.now += timedelta(days=1)
    office.look()
    office.tell()
    assert len(office.heard(office.slack.mira)) == 1, "that was more than a day ago"
    look_at(office, jonas, 5)
    office.look()
    office.tell()
    assert len(office.heard(office.slack.mira)) == 2


def test_midnight_does_not_make_a_second_alarm_of_one_evening(office: Office):
    office.now = datetime(2026, 12, 7, 23, 50, tzinfo=UTC)
    look_at(office, office.slack.jonas, 5)
    office.look()
    office.now += timedelta(minutes=20)
    office.look()
    assert len(office.store.untold_alarms()) == 1


def test_the_same_people_again_and_what_was_posted_for_somebody_count_nothing(office: Office):
    for _ in range(3):
        look_at(office, office.slack.jonas, 3)
    look_at(office, office.slack.jonas, 9, action="digest")
    office.look()
    assert office.store.untold_alarms() == []


def test_somebody_at_the_terminal_is_named_too(office: Office):
    look_at(office, "terminal:ada", 5, action="show")
    office.look()
    [alarm] = office.store.untold_alarms()
    assert alarm.text.startswith("terminal:ada has looked at 5 different people")
