"""The HTTP door: each check in its order, and what a supervisor is told."""

import asyncio
import hashlib
import hmac
import json
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from handlers.edge.claims import Claims
from handlers.edge.door import is_fresh, is_signed
from storage.errors import BotError
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now

FORM = "application/x-www-form-urlencoded"


def post(bot: Bot, body: bytes, *, content_type: str = FORM, **changed: Any) -> tuple[int, str]:
    """A request as Slack signs it; ``changed`` headers replace its own. Status and body."""
    stamp = changed.pop("timestamp", str(int(time.time())))
    secret = bot.slack.workspace.signing_secret.encode()
    digest = hmac.new(secret, b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    headers = {
        "Content-Type": content_type,
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": changed.pop("signature", f"v0={digest}"),
    }
    address = urllib.parse.urlsplit(bot.url)
    with closing(HTTPConnection(address.hostname or "", address.port, timeout=10)) as connection:
        # who refuses does not read on: what is sent then meets a closed door, the answer stands
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", "/slack/events", body=body, headers=headers)
        with HTTPResponse(connection.sock, method="POST") as answer:
            answer.begin()
            return answer.status, answer.read().decode()


def command(bot: Bot, text: str = "chenggang", **changed: str) -> bytes:
    fields = {
        "command": "/candidate",
        "text": text,
        "user_id": bot.slack.mira,
        "team_id": bot.slack.workspace.team.id,
        "channel_id": bot.slack.hiring,
        "response_url": f"{bot.slack.url}/respond/none",
        "trigger_id": "1",
        **changed,
    }
    return urllib.parse.urlencode(fields).encode()


def get(bot: Bot, path: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(f"{bot.url}{path}", timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def test_a_signed_command_is_acknowledged_with_nothing(bot: Bot):
    assert post(bot, command(bot)) == (200, "")


@pytest.mark.parametrize("stamp", ["", "now", "१७", "-1", "1e9", "9" * 40, "1"])
def test_a_bad_timestamp_is_401_and_not_an_error(bot: Bot, stamp: str):
    stamp = urllib.parse.quote(stamp) if not stamp.isascii() else stamp
    assert post(bot, command(bot), timestamp=stamp)[0] == 401


@pytest.mark.parametrize("signature", ["", "v0=", "v0=" + "0" * 64, "nonsense"])
def test_a_wrong_signature_is_401(bot: Bot, signature: str):
    assert post(bot, command(bot), signature=signature)[0] == 401


def test_a_signature_is_used_once(bot: Bot):
    stamp = str(int(time.time()))
    assert post(bot, command(bot), timestamp=stamp)[0] == 200
    assert post(bot, command(bot), timestamp=stamp) == (401, '{"error":"replay"}')


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 32 * 1024 * 1024])
def test_a_body_over_a_mebibyte_is_refused(bot: Bot, size: int):
    assert post(bot, b"x" * size)[0] == 413


def test_a_body_over_a_mebibyte_is_refused_unread(bot: Bot):
    """The answer comes although nothing of the body was sent."""
    address = urllib.parse.urlsplit(bot.url)
    with closing(HTTPConnection(address.hostname or "", address.port, timeout=10)) as connection:
        connection.putrequest("POST", "/slack/events")
        connection.putheader("Content-Type", FORM)
        connection.putheader("Content-Length", str(1024 * 1024 + 1))
        connection.endheaders()
        with connection.getresponse() as answer:
            assert answer.status == 413


def test_another_content_type_is_refused(bot: Bot):
    assert post(bot, command(bot), content_type="text/plain")[0] == 415


def test_the_size_comes_before_the_type_and_the_type_before_the_signature(bot: Bot):
    too_large = b"x" * (1024 * 1024 + 1)
    assert post(bot, too_large, content_type="text/plain", signature="")[0] == 413
    assert post(bot, b"x", content_type="text/plain", signature="")[0] == 415
    assert post(bot, b"x", timestamp="x", signature="")[1] == '{"error":"timestamp"}'


def test_what_is_not_utf8_or_json_is_no_error_of_ours(bot: Bot):
    assert post(bot, b"\xff\xfe")[0] == 400
    assert post(bot, b"{", content_type="application/json")[0] < 500
    assert post(bot, b"[1]", content_type="application/json")[0] < 500
    assert post(bot, b"null", content_type="application/json")[0] < 500


def test_slacks_question_for_the_address_is_answered(bot: Bot):
    body = json.dumps({"type": "url_verification", "challenge": "c7"}).encode()
    status, answer = post(bot, body, content_type="application/json")
    assert status == 200
    assert "c7" in answer


def test_a_command_of_another_team_is_told_and_not_run(bot: Bot):
    status, answer = post(bot, command(bot, team_id="T0OTHER"))
    assert status == 200
    assert "another workspace" in json.loads(answer)["text"]
    assert json.loads(answer)["response_type"] == "ephemeral"
    assert bot.slack.calls("users.info") == []


def test_an_event_of_another_team_is_refused(bot: Bot):
    event = {"type": "message", "channel_type": "im", "user": "U1", "channel": "D1", "text": "x"}
    body = {"type": "event_callback", "team_id": "T0OTHER", "event_id": "Ev1", "event": event}
    assert post(bot, json.dumps(body).encode(), content_type="application/json")[0] == 403


def test_a_payload_without_any_team_is_refused_where_the_settings_name_teams(seeded_store: Store):
    with running_bot(seeded_store, clock=utc_now, allowed_teams=("T0NORTHWIND",)) as bot:
        assert post(bot, b"command=%2Fcandidate&text=x&user_id=U0MIRALINDG")[0] == 200
        assert post(bot, b"{}", content_type="application/json")[0] in {403, 404}
        bot.settle()
        assert bot.slack.calls("users.info") == []


@pytest.mark.parametrize(
    "event", [{"user": 7}, {"user": "U0MIRALINDG", "channel": 9, "ts": 1.5}], ids=str
)
def test_ids_that_are_numbers_are_refused_and_not_an_error_of_ours(bot: Bot, event: Any):
    said = {"type": "event_callback", "team_id": "T0NORTHWIND", "event_id": "Ev0ODD"}
    body = json.dumps(said | {"event": {"type": "app_mention", "text": "x"} | event})
    assert post(bot, body.encode(), content_type="application/json")[0] in {200, 400}


def test_health_and_readiness(bot: Bot):
    assert get(bot, "/healthz") == (200, {"ok": True})
    status, ready = get(bot, "/readyz")
    assert (status, ready["ok"]) == (200, True)


def test_without_a_secret_nothing_is_signed():
    assert not is_signed(b"", "1", b"", "v0=" + hmac.new(b"", b"v0:1:", "sha256").hexdigest())


def test_five_minutes_either_way_are_fresh():
    now = utc_now()
    second = int(now.timestamp())
    assert is_fresh(str(second - 299), now)
    assert not is_fresh(str(second - 302), now)
    assert not is_fresh(str(second + 302), now)


def test_of_two_who_claim_the_same_at_once_one_is_first(store: Store):
    async def both() -> list[bool]:
        claims = Claims(store, utc_now)
        return list(await asyncio.gather(*(claims.first(key) for key in ("a", "a", "b", "a"))))

    assert sorted(asyncio.run(both())) == [False, False, True, True]


def test_what_the_store_raises_reaches_each_who_waits(store: Store):
    store.close()

    class Broken(Store):
        def first_deliveries(self, keys: Any, *, now: Any) -> Any:
            raise BotError("The database is busy: try again.")

    async def both() -> list[Any]:
        claims = Claims(Broken(store.database), utc_now)
        found = (claims.first("a"), claims.first("b"))
        return list(await asyncio.gather(*found, return_exceptions=True))

    assert [type(each) for each in asyncio.run(both())] == [BotError, BotError]


def test_a_body_sent_in_pieces_is_measured_too(bot: Bot):
    request = (
        b"POST /slack/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: application/json\r\n\r\n"
    )
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    host, port = "127.0.0.1", int(bot.url.rpartition(":")[2])
    with socket.create_connection((host, port), timeout=10) as line:
        line.sendall(request + piece * 17 + b"0\r\n\r\n")
        assert b" 413 " in line.recv(200)


def test_without_a_database_it_is_not_ready(bot: Bot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot.store, "count", lambda: 1 / 0)
    assert get(bot, "/readyz")[0] == 503


def test_slacks_check_of_the_certificate_is_answered_signed_or_not(bot: Bot):
    with urllib.request.urlopen(f"{bot.url}/slack/events?ssl_check=1", timeout=10) as answer:
        assert answer.status == 200
    assert post(bot, b"ssl_check=1&token=x", signature="v0=none")[0] == 200
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{bot.url}/slack/events", timeout=10)
    with refused.value as answer:
        assert answer.code == 405


def test_a_locked_database_is_told_before_slack_gives_up(bot: Bot):
    """A command is answered with a sentence, an event is left for Slack to bring again."""
    with bot.store.database.write():  # somebody else writes, and does not stop
        began = time.monotonic()
        status, told = post(bot, command(bot))
        assert time.monotonic() - began < 3.0
        assert status == 200
        assert "Try again in a minute" in json.loads(told)["text"]
        assert json.loads(told)["response_type"] == "ephemeral"
        assert post(bot, event(bot, "EvBusy"), content_type="application/json")[0] == 503
    bot.slack.wait_for(
        lambda: post(bot, event(bot, "EvBusy"), content_type="application/json")[0] == 200
    )
    bot.slack.wait_for(lambda: bot.slack.calls("chat.postEphemeral"))


def test_a_signed_body_of_no_shape_of_slacks_is_400(bot: Bot):
    team = {"id": bot.slack.workspace.team.id}
    body = {"type": "block_actions", "team": team, "user": {"id": "U", "team_id": team["id"]}}
    for actions in ([], [1], "x"):
        payload = json.dumps({**body, "actions": actions})
        status, _ = post(bot, urllib.parse.urlencode({"payload": payload}).encode())
        assert status == 400


def test_what_no_feature_wants_is_acknowledged(bot: Bot):
    """A closed modal or another event is none of ours, and Slack is not to bring it again."""
    team = bot.slack.workspace.team.id
    closed = {"type": "view_closed", "team": {"id": team}, "user": {"id": "U", "team_id": team}}
    payload = json.dumps({**closed, "view": {"id": "V1", "type": "modal"}})
    assert post(bot, urllib.parse.urlencode({"payload": payload}).encode())[0] == 200
    other = {"type": "event_callback", "team_id": team, "event_id": "EvOther"}
    joined = json.dumps({**other, "event": {"type": "member_joined_channel", "user": "U"}})
    assert post(bot, joined.encode(), content_type="application/json")[0] == 200


def event(bot: Bot, event_id: str) -> bytes:
    return json.dumps(
        {
            "type": "event_callback",
            "team_id": bot.slack.workspace.team.id,
            "event_id": event_id,
            "event": {
                "type": "app_mention",
                "user": bot.slack.mira,
                "channel": bot.slack.hiring,
                "ts": "1700000000.000100",
                "text": f"<@{bot.slack.bot_user}> chenggang {event_id}",
            },
        }
    ).encode()
