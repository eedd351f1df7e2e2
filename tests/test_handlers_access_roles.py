"""Roles: from the settings and from Slack's user groups, kept, and through an outage of Slack."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.access.refusals import NotAllowed
from handlers.access.rights import Role
from handlers.access.roles import Roles
from handlers.sandbox import cast
from handlers.slack.groups import Groups, GroupsUnknown
from tests.sandbox_fixtures import SlackServer

NOON = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
RECRUITERS, LEADERS = cast.RECRUITERS, "@hiring-leads"


class Setting:
    """A workspace, a clock set by hand, and roles from what is given."""

    def __init__(self, slack: SlackServer) -> None:
        self.slack = slack
        self.now = NOON
        self.groups = Groups(slack.client(), clock=lambda: self.now)

    def roles(self, *, viewers: Any = (), recruiters: Any = (), admins: Any = (), **named: Any):
        return Roles(
            groups=self.groups,
            groups_of=(
                (Role.ADMIN, admins),
                (Role.RECRUITER, recruiters),
                (Role.VIEWER, viewers),
            ),
            **named,
        )

    def asked(self) -> int:
        return len(self.slack.calls("usergroups.users.list"))


@pytest.fixture
def there(slack: SlackServer) -> Setting:
    return Setting(slack)


def role_of(roles: Roles, user: str, *, workspace_admin: bool = False) -> Role | str:
    try:
        return roles.role(user, workspace_admin=workspace_admin)
    except NotAllowed as refused:
        return str(refused)


def test_without_names_and_groups_everybody_is_a_recruiter_and_workspace_admins_are_admins(there):
    roles = there.roles(admin_users=("U0NAMED",))
    assert role_of(roles, cast.JONAS) is Role.RECRUITER
    assert role_of(roles, cast.MIRA, workspace_admin=True) is Role.ADMIN
    assert role_of(roles, "U0NAMED") is Role.ADMIN
    assert there.slack.calls() == []


@pytest.mark.parametrize(
    "named",
    [
        {"recruiter_users": ("U0OTHER",)},
        {"viewers": ("S0EMPTY",)},
        {"recruiters": ("@nobody-knows",)},
        {"admins": ("S0EMPTY",)},
    ],
)
def test_once_anybody_is_named_nobody_else_gets_in_not_even_workspace_admins(there, named):
    roles = there.roles(admin_users=("U0ADMIN",), **named)
    told = role_of(roles, cast.MIRA, workspace_admin=True)
    assert told == (
        "You are not among the people here who may ask me about candidates. "
        "If you should be, ask U0ADMIN."
    )
    assert role_of(roles, "U0ADMIN") is Role.ADMIN


def test_the_highest_role_wins_and_a_group_is_an_id_or_a_handle(there):
    roles = there.roles(viewers=(RECRUITERS,), admins=(LEADERS,))
    assert role_of(roles, cast.MIRA) is Role.ADMIN
    assert role_of(roles, cast.JONAS) is Role.VIEWER
    roles = there.roles(viewers=(RECRUITERS,), recruiter_users=(cast.JONAS,))
    assert role_of(roles, cast.JONAS) is Role.RECRUITER
    roles = there.roles(recruiters=("@RECRUITERS",), viewers=(RECRUITERS,))
    assert role_of(roles, cast.JONAS) is Role.RECRUITER


def test_slack_is_asked_once_in_five_minutes_and_then_a_change_holds(there):
    roles = there.roles(recruiters=(RECRUITERS,))
    for _ in range(3):
        assert role_of(roles, cast.JONAS) is Role.RECRUITER
    assert there.asked() == 1
    there.slack.workspace.groups[RECRUITERS].members.discard(cast.JONAS)
    there.now += timedelta(minutes=4, seconds=59)
    assert role_of(roles, cast.JONAS) is Role.RECRUITER
    there.now += timedelta(seconds=1)
    assert "not among" in str(role_of(roles, cast.JONAS))
    assert there.asked() == 2


@pytest.mark.parametrize(
    "fault", [{"status": 500}, {"status": 429}, {"mode": "drop"}, {"error": "missing_scope"}]
)
def test_an_outage_uses_the_last_answer_for_an_hour_and_then_refuses_saying_so(there, fault):
    roles = there.roles(recruiters=(RECRUITERS,), recruiter_users=("U0NAMED",))
    assert role_of(roles, cast.JONAS) is Role.RECRUITER
    there.slack.fail("usergroups.users.list", times=1000, **fault)
    there.now += timedelta(minutes=6)
    with capture_logs() as said:
        assert role_of(roles, cast.JONAS) is Role.RECRUITER
        assert role_of(roles, cast.JONAS) is Role.RECRUITER
    assert [line["event"] for line in said] == ["groups.outage"], "Slack is left alone a while"
    there.now = NOON + timedelta(hours=1)
    assert role_of(roles, cast.JONAS) is Role.RECRUITER
    there.now += timedelta(minutes=1)
    told = str(role_of(roles, cast.JONAS))
    assert "could not check with Slack whether you may ask me" in told
    assert "whoever runs the bot" in told
    assert role_of(roles, "U0NAMED") is Role.RECRUITER, "who is named gets in all the same"


def test_an_outage_from_the_start_lets_nobody_in_by_a_group(there):
    there.slack.fail("usergroups.users.list", status=500, times=5)
    roles = there.roles(viewers=(RECRUITERS,), admins=(RECRUITERS,))
    assert "could not check" in str(role_of(roles, cast.JONAS))


def test_a_role_that_only_a_silent_group_would_raise_is_not_granted(there):
    there.slack.fail("usergroups.users.list", status=500, times=5)
    roles = there.roles(admins=(LEADERS,), recruiter_users=(cast.MIRA,))
    assert role_of(roles, cast.MIRA) is Role.RECRUITER
    there.now += timedelta(minutes=1)
    there.slack.faults.clear()
    assert role_of(roles, cast.MIRA) is Role.ADMIN


def test_handles_through_an_outage(there):
    roles = there.roles(admins=(LEADERS,))
    assert role_of(roles, cast.MIRA) is Role.ADMIN
    there.slack.fail("usergroups.list", status=500, times=1000)
    there.slack.fail("usergroups.users.list", status=500, times=1000)
    there.now += timedelta(minutes=30)
    assert role_of(roles, cast.MIRA) is Role.ADMIN
    there.now += timedelta(minutes=31)
    assert "could not check" in str(role_of(roles, cast.MIRA))


def test_whom_to_tell_are_the_named_admins_else_the_members_of_their_groups(there):
    assert there.roles(admin_users=("U2", "U1"), admins=(LEADERS,)).admins() == ("U2", "U1")
    assert there.roles(admins=(LEADERS, RECRUITERS)).admins() == tuple(
        sorted((cast.MIRA, cast.JONAS))
    )
    assert there.roles().admins() == ()
    there.slack.fail("usergroups.users.list", status=500)
    with pytest.raises(GroupsUnknown):
        Setting(there.slack).roles(admins=(RECRUITERS,)).admins()


def test_a_group_that_slack_does_not_know_has_no_members(there):
    assert there.groups.members("S0GONE999") == frozenset()
    assert there.groups.members("@gone") == frozenset()
    assert not there.groups.exists("@gone")
    assert not there.groups.exists("S0GONE999")
    assert there.groups.exists("@recruiters")
    assert there.groups.exists(RECRUITERS)


def test_many_who_ask_at_once_are_one_question_to_slack(there):
    """Slack takes twenty a minute; and who waits for the answer is not refused."""
    there.slack.fail("usergroups.users.list", mode="slow", seconds=0.3)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: there.groups.members(RECRUITERS), range(16)))
    assert set(found) == {frozenset({cast.MIRA, cast.JONAS})}
    assert there.asked() == 1


def test_a_slow_slack_holds_up_only_the_one_who_asks(there):
    there.groups.members(RECRUITERS)
    there.now += timedelta(minutes=6)
    there.slack.fail("usergroups.users.list", mode="slow", seconds=2)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(there.groups.members, RECRUITERS)
        there.slack.wait_for(there.groups._asking.locked)
        assert there.groups.members(RECRUITERS) == frozenset({cast.MIRA, cast.JONAS})
        assert not slow.done()
        assert slow.result() == frozenset({cast.MIRA, cast.JONAS})
    assert there.asked() == 2
