"""Who may do what where: every cell, in the table and over HTTP at a running workspace."""

import hashlib
import hmac
import itertools
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.settings import PROJECT
from handlers.access.people import Place
from handlers.access.rights import RIGHTS, ChannelKind, Role, may
from handlers.edge.boundary import Request
from handlers.edge.heard import Heard, teams_of
from handlers.sandbox import cast, payloads
from handlers.sandbox.modals import new_view
from handlers.sandbox.records import Channel, Group, User
from handlers.views.message import sentence
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now

VIEWER = {"ask", "open"}
RECRUITER = VIEWER | {
    "share", "withdraw", "digest", "contact", "add", "undo", "take_up", "stand",
}  # fmt: skip
ADMIN = RECRUITER | {"lift", "forget", "report", "duties", "audit"}
ROLES = {"viewer": VIEWER, "recruiter": RECRUITER, "admin": ADMIN}
CLOSED = {"shared"}
OURS = {"public", "private", "direct", "between", "group", "home", "unknown"}
WHERE = {"share": {"public", "private"}, "withdraw": OURS | CLOSED}
"""Rights that do not hold in all of OURS and nowhere else."""
KINDS = {
    "public": ChannelKind.PUBLIC,
    "private": ChannelKind.PRIVATE,
    "shared": ChannelKind.SHARED,
    "direct": ChannelKind.DIRECT,
    "between": ChannelKind.BETWEEN,
    "group": ChannelKind.BETWEEN,
    "home": ChannelKind.HOME,
    "unknown": ChannelKind.UNKNOWN,
}


def expected(role: str, action: str, kind: str) -> bool:
    return action in ROLES[role] and kind in WHERE.get(action, OURS)


# -- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_each_cell_of_the_table_is_what_was_agreed(role: str):
    person = SimpleNamespace(role=Role[role.upper()])
    for action, (kind, channel_kind) in itertools.product(ADMIN, KINDS.items()):
        place = SimpleNamespace(channel_kind=channel_kind)
        assert may(person, action, place) == expected(role, action, kind), (action, kind)


def test_what_is_not_in_the_table_nobody_may_and_who_has_no_role_may_nothing():
    assert set(RIGHTS) == ADMIN
    for kind in ChannelKind:
        place = SimpleNamespace(channel_kind=kind)
        assert not may(SimpleNamespace(role=Role.ADMIN), "fly", place)
        assert not any(may(SimpleNamespace(role=None), action, place) for action in RIGHTS)


def test_a_place_whose_kind_nobody_found_out_is_unknown():
    assert Place(kind="command", channel="C1").channel_kind is ChannelKind.UNKNOWN


def test_docs_show_the_table_of_the_code():
    text = (PROJECT / "docs" / "roles.md").read_text(encoding="utf-8")
    table = text.split("<!-- rights -->")[1].split("<!-- /rights -->")[0].strip().splitlines()
    kinds = [kind for kind in ChannelKind if kind is not ChannelKind.TERMINAL]
    assert table[0] == f"| to | from role | {' | '.join(kinds)} |"
    rows = [
        f"| {right.what} (`{action}`) | {right.role.word} | "
        + " | ".join("yes" if kind in right.kinds else "no" for kind in kinds)
        + " |"
        for action, right in RIGHTS.items()
    ]
    assert table[2:] == rows


# -- a workspace with everybody in every channel ----------------------------------------------

MEMBERS = ("viewer", "recruiter", "admin", "outsider")
ODD = {
    "guest": {"is_guest": True},
    "single": {"is_single_channel_guest": True},
    "bot": {"is_bot": True},
    "deactivated": {"deleted": True},
}
PEOPLE = {
    **{name: {} for name in MEMBERS},
    **ODD,
    "foreign member": {},
    **{f"foreign {name}": odd for name, odd in ODD.items()},
}
REASONS = {
    "outsider": "not among the people",
    "guest": "Guests cannot ask",
    "single": "Guests cannot ask",
    "bot": "people only",
    "deactivated": "deactivated",
}


def user_id(name: str) -> str:
    return "U0" + name.upper().replace(" ", "")


class Office(SimpleNamespace):
    """The places of the workspace, by kind."""

    def channel(self, kind: str, user: str) -> str:
        return self.bot.slack.direct(user) if kind == "direct" else self.channels[kind]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, seed_profiles: Any) -> Iterator[Office]:
    """A bot that only named people may ask; all of PEOPLE are in each channel."""
    store = Store.open(f"sqlite:///{tmp_path_factory.mktemp('rights')}/x.db")
    for profile, document in seed_profiles:
        store.add(profile, document, now=utc_now())
    settings = {
        "admin_users": (user_id("admin"),),
        "allowed_users": (user_id("recruiter"),),
        "viewer_groups": ("@readers",),
    }
    with running_bot(store, clock=utc_now, **settings) as bot:
        workspace = bot.slack.workspace
        ids = {user_id(name) for name in PEOPLE}
        for name, odd in PEOPLE.items():
            team = cast.PARTNER if name.startswith("foreign") else cast.HOME.id
            workspace.add_user(
                User(id=user_id(name), name=name, real_name=name.title(), team=team, **odd)
            )
            workspace.open_direct_message(user_id(name))
        workspace.groups["S0READERS"] = Group(
            id="S0READERS", handle="readers", name="Readers", members={user_id("viewer")}
        )
        rooms = {
            "public": Channel(id="C0PUB", name="pub", kind="public", members=ids),
            "private": Channel(id="C0PRIV", name="priv", kind="private", members=ids),
            "shared": Channel(id="C0SHAR", name="shar", kind="shared", members=ids),
            "group": Channel(id="C0GROUP", name="mpdm-a--b-1", kind="mpim", members=ids),
            "between": Channel(id="D0BETWEEN", name="", kind="im", members=ids),
            "unknown": Channel(id="C0UNKN", name="unkn", kind="private", members=ids),
        }
        for kind, room in rooms.items():
            bot_too = set() if kind in {"between", "unknown"} else {bot.slack.bot_user}
            room.members = ids | bot_too
            workspace.add_channel(room)
        register(bot)
        yield Office(
            bot=bot,
            channels={kind: room.id for kind, room in rooms.items()},
            person=store.named("chenggang").hits[0].candidate.id,
        )
    store.close()


def register(bot: Bot) -> None:
    """A command, a shortcut and a modal for each action: what one does says that it was done."""

    def done(request: Request) -> None:
        request.answer(sentence("DONE"))

    for action in RIGHTS:
        bot.slack.workspace.commands.add(f"/{action}")
        bot.edge.command(f"/{action}", done, action=action)
        listen = bot.edge._listener
        bot.edge.app.message_shortcut(action)(listen(heard_shortcut, done, action))
        bot.edge.app.view(action)(listen(heard_view, done, action))


def heard_shortcut(body: Any) -> Heard:
    return Heard(
        kind="shortcut",
        user=body["user"]["id"],
        teams=teams_of(body),
        place=Place(
            kind="shortcut", channel=body["channel"]["id"], channel_name=body["channel"]["name"]
        ),
        response_url=body["response_url"],
    )


def heard_view(body: Any) -> Heard:
    return Heard(
        kind="view",
        user=body["user"]["id"],
        teams=teams_of(body),
        place=Place(kind="view", channel=body["view"]["private_metadata"] or None),
    )


def seen(bot: Bot, user: str) -> dict[str, str]:
    """All that a person was shown by the bot, by what tells one thing from another."""
    slack = bot.slack
    shown = {
        each.ts: each.text + str(each.blocks)
        for each in [*slack.ephemerals(user), *slack.messages(slack.direct(user))]
        if each.user == slack.bot_user and each.text != "made by the test"
    }
    home = slack.home(user)
    return shown | ({home.hash: str(home.body["blocks"])} if home else {})


def told(bot: Bot, user: str, act: Any) -> str:
    """What a person is newly shown when they do this; an AssertionError when it is nothing."""
    before = seen(bot, user)
    act()
    bot.slack.wait_for(lambda: seen(bot, user).keys() - before.keys(), within=20)
    bot.settle()
    after = seen(bot, user)
    return "\n".join(after[key] for key in after.keys() - before.keys())


def posted(bot: Bot, body: dict[str, Any]) -> None:
    """A signed interactive payload, as Slack posts it."""
    content = urllib.parse.urlencode({"payload": json.dumps(body)}).encode()
    stamp = str(int(time.time()))
    secret = bot.slack.workspace.signing_secret.encode()
    signed = hmac.new(secret, b"v0:" + stamp.encode() + b":" + content, hashlib.sha256)
    request = urllib.request.Request(
        f"{bot.url}/slack/events",
        data=content,
        headers={
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": f"v0={signed.hexdigest()}",
        },
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200


def button_of(office: Office, action: str) -> dict[str, Any]:
    return {
        "type": "actions",
        "block_id": "b",
        "elements": [
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "Do"},
                "action_id": f"{action}.{office.person}",
                "value": office.person,
            }
        ],
    }


# How something is done. Each takes the office, the person and the channel's kind.


def by_command(office: Office, user: str, kind: str) -> None:
    office.bot.slack.say(user, office.channel(kind, user), "/candidate chenggang")


def by_mention(office: Office, user: str, kind: str) -> None:
    text = f"<@{office.bot.slack.bot_user}> chenggang"
    office.bot.slack.say(user, office.channel(kind, user), text)


def by_message(office: Office, user: str, kind: str) -> None:
    office.bot.slack.say(user, office.channel(kind, user), "chenggang")


def by_button(office: Office, user: str, kind: str) -> None:
    slack = office.bot.slack
    channel = office.channel(kind, user)
    there = slack.bot_user in slack.workspace.channels[channel].members
    message = slack.workspace.say(
        channel,
        slack.bot_user,
        "made by the test",
        bot_id=cast.BOT_ID,
        blocks=[button_of(office, "candidate.open")],
        only_for=None if there else user,
    )
    slack.click(user, message, "candidate.open")


def by_modal_button(office: Office, user: str, kind: str) -> None:
    assert kind == "home"
    slack = office.bot.slack
    body = {"type": "modal", "blocks": [button_of(office, "candidate.open")]}
    slack.click(user, new_view(slack.workspace, user, body), "candidate.open")


def by_opening_home(office: Office, user: str, kind: str) -> None:
    assert kind == "home"
    office.bot.slack.open_home(user)


def by_shortcut(office: Office, user: str, kind: str, action: str = "ask") -> None:
    workspace = office.bot.slack.workspace
    channel = office.channel(kind, user)
    permit = workspace.new_permit(channel, user)
    body = payloads.interaction(workspace, "message_action", user) | {
        "callback_id": action,
        "channel": {"id": channel, "name": workspace.channels[channel].name},
        "message": {"ts": "1.1", "text": "x"},
        "message_ts": "1.1",
        "response_url": f"{office.bot.slack.url}/respond/{permit.id}",
        "trigger_id": workspace.new_trigger(user).id,
        # the boundary reads a delivery of another team as a click
        "actions": [{"action_id": action, "type": "button"}] if user_is_foreign(user) else None,
    }
    posted(office.bot, body)


def by_submitted_modal(office: Office, user: str, kind: str, action: str = "ask") -> None:
    workspace = office.bot.slack.workspace
    channel = "" if kind == "home" else office.channel(kind, user)
    body = {"type": "modal", "callback_id": action, "blocks": [], "private_metadata": channel}
    view = new_view(workspace, user, body)
    posted(office.bot, payloads.view_submission(workspace, user=user, view=view))


def user_is_foreign(user: str) -> bool:
    return user.startswith("U0FOREIGN")


ROOMS = ("public", "private", "shared", "direct", "between", "group", "unknown")
WITH_BOT = ("public", "private", "shared", "group")
SURFACES = [
    *((by_command, kind) for kind in ROOMS),
    *((by_mention, kind) for kind in WITH_BOT),
    (by_message, "direct"),
    *((by_button, kind) for kind in ROOMS),
    (by_modal_button, "home"),
    (by_opening_home, "home"),
    *((by_shortcut, kind) for kind in ROOMS),
    *((by_submitted_modal, kind) for kind in (*ROOMS, "home")),
]


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize(
    ("surface", "kind"), SURFACES, ids=[f"{each.__name__}-{kind}" for each, kind in SURFACES]
)
def test_whoever_may_ask_is_answered_and_everybody_else_is_told_why_not(
    office: Office, surface: Any, kind: str, name: str
):
    user = user_id(name)
    office.bot.edge.rates._left.clear()  # how often one may ask is tested elsewhere
    if surface is by_submitted_modal and name.startswith("foreign"):
        with pytest.raises(urllib.error.HTTPError, match="403"):  # they never were shown one
            surface(office, user, kind)
        return
    if kind == "group":  # only a command or a click tells that it is one
        told(office.bot, user, lambda: by_command(office, user, kind))
    answer = told(office.bot, user, lambda: surface(office, user, kind))
    if name in ROLES and kind in OURS:
        wanted = {by_opening_home: "Digests", by_shortcut: "DONE", by_submitted_modal: "DONE"}
        assert wanted.get(surface, "Chenggang Zhao") in answer
        return
    for kept_back in ("Chenggang", "DeepSeek", "Digests", "DONE"):
        assert kept_back not in answer
    if name.startswith("foreign"):
        assert "another workspace" in answer or "another company" in answer
    elif name in REASONS:
        assert REASONS[name] in answer
        # an admin can name the outsider; nothing that an admin sets lets the others in
        assert (f"<@{user_id('admin')}>" in answer) == (name == "outsider")
    else:
        assert "shared with another company" in answer


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", ROOMS)
def test_each_action_is_done_by_whom_and_where_the_table_says(office: Office, kind: str, role: str):
    """By command, by shortcut and by a modal that is sent; who may not is told whom to ask."""
    user = user_id(role)
    office.bot.edge.rates._left.clear()
    told(office.bot, user, lambda: by_command(office, user, kind))
    for action in sorted(RIGHTS):
        ways = (
            lambda action=action: office.bot.slack.say(
                user, office.channel(kind, user), f"/{action}"
            ),
            lambda action=action: by_shortcut(office, user, kind, action),
            lambda action=action: by_submitted_modal(office, user, kind, action),
        )
        for way in ways:
            answer = told(office.bot, user, way)
            assert ("DONE" in answer) == expected(role, action, kind), (action, answer)
            if action not in ROLES[role] and kind in WHERE.get(action, OURS):
                assert f"<@{user_id('admin')}>" in answer


@pytest.mark.parametrize("role", ROLES)
def test_a_command_word_needs_its_own_right(office: Office, role: str):
    user = user_id(role)
    for word, action, sign in (
        ("digest list", "digest", "No digest is subscribed"),
        ("audit", "audit", "Audit"),
    ):
        for ask in (by_typing(office, user, word), by_writing(office, user, word)):
            answer = told(office.bot, user, ask)
            assert (sign in answer) == (action in ROLES[role]), answer


def by_typing(office: Office, user: str, text: str) -> Any:
    return lambda: office.bot.slack.say(user, office.channels["public"], f"/candidate {text}")


def by_writing(office: Office, user: str, text: str) -> Any:
    return lambda: office.bot.slack.say(user, office.bot.slack.direct(user), text)


def test_a_viewer_is_not_offered_what_a_viewer_may_not(office: Office):
    for name, offered in (("viewer", False), ("recruiter", True)):
        user = user_id(name)
        answer = told(office.bot, user, lambda user=user: by_command(office, user, "public"))
        assert ("Share in channel" in answer) == offered
        opened = told(office.bot, user, lambda user=user: by_button(office, user, "public"))
        assert ("Share in channel" in opened) == offered
