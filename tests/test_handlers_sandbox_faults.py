"""The sandbox fails as it is told, and a client sees what it would see of a failing Slack."""

import time
from http.client import HTTPException
from typing import Any
from urllib.error import URLError

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from handlers.sandbox.faults import Fault, Faults, Noise, as_fault, dropped_and_lost
from handlers.sandbox.records import Refused

LOST = (URLError, OSError, HTTPException, TimeoutError)


def post(slack, **options: Any) -> Any:
    return slack.client(**options).chat_postMessage(channel=slack.hiring, text="hello")


def stored(slack) -> int:
    return len(slack.messages(slack.hiring))


@pytest.mark.parametrize(("mode", "count"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("status", [500, 503])
def test_an_error_of_the_server_before_or_after_the_message_is_stored(slack, mode, count, status):
    slack.fail("chat.postMessage", mode=mode, status=status)
    with pytest.raises(SlackApiError) as caught:
        post(slack)
    assert caught.value.response.status_code == status
    assert stored(slack) == count
    assert post(slack)["ok"]


@pytest.mark.parametrize(("mode", "count"), [("before", 0), ("after", 1)])
def test_an_error_of_slacks_own(slack, mode, count):
    slack.fail("chat.postMessage", mode=mode, error="fatal_error")
    with pytest.raises(SlackApiError) as caught:
        post(slack)
    assert caught.value.response["error"] == "fatal_error"
    assert stored(slack) == count


def test_too_many_requests_say_when_to_come_back(slack):
    slack.fail("chat.*", status=429, retry_after=7, times=2)
    for _ in range(2):
        with pytest.raises(SlackApiError) as caught:
            post(slack)
        assert caught.value.response.status_code == 429
        assert caught.value.response.headers["Retry-After"] == "7"
    assert post(slack)["ok"]
    assert slack.client().auth_test()["ok"]


@pytest.mark.parametrize(("mode", "count"), [("drop", 0), ("drop_after", 1)])
def test_a_connection_is_cut_before_or_after_the_message_is_stored(slack, mode, count):
    slack.fail("chat.postMessage", mode=mode)
    with pytest.raises(LOST):
        post(slack)
    assert stored(slack) == count


@pytest.mark.parametrize(("mode", "count"), [("timeout", 0), ("timeout_after", 1)])
def test_an_answer_never_comes_though_the_message_may_be_stored(slack, mode, count):
    slack.fail("chat.postMessage", mode=mode)
    with pytest.raises(LOST):
        post(slack, timeout=1)
    assert stored(slack) == count


def test_a_timeout_ends_by_hanging_up(slack):
    slack.fail("chat.postMessage", mode="timeout", seconds=0.1)
    with pytest.raises(LOST):
        post(slack)


def test_a_slow_answer_is_a_good_one(slack):
    slack.fail("chat.postMessage", mode="slow", seconds=0.3)
    started = time.monotonic()
    assert post(slack)["ok"]
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("mode", ["before", "after", "slow"])
def test_response_urls_can_fail_too(slack, mode):
    slack.fail("respond", mode=mode, status=500, seconds=0.1)
    permit = slack.workspace.new_permit(slack.hiring, slack.mira)
    answer = WebhookClient(f"{slack.url}/respond/{permit.id}").send(text="hello")
    assert answer.status_code == (200 if mode == "slow" else 500)
    assert len(slack.ephemerals(slack.mira)) == (0 if mode == "before" else 1)


def test_a_running_timeout_does_not_hold_up_the_end(make_slack):
    slack = make_slack()
    slack.fail("*", mode="timeout", seconds=60)
    with pytest.raises(LOST):
        slack.client(timeout=1).auth_test()
    started = time.monotonic()
    slack.served.stop()
    assert time.monotonic() - started < 5


def test_noise_with_the_same_seed_is_the_same_noise():
    def run(seed: int) -> list[str | None]:
        noise = Noise(seed=seed, chance=0.5, kinds=dropped_and_lost(), methods=("chat.*",))
        taken = [noise.take("chat.postMessage") for _ in range(50)]
        return [f"{f.mode} {f.status}" if f else None for f in taken]

    assert run(7) == run(7)
    assert run(7) != run(8)
    assert None in run(7)
    assert (
        Noise(seed=1, chance=1.0, kinds=dropped_and_lost(), methods=("chat.*",)).take("x") is None
    )


def test_noise_on_a_running_sandbox(slack):
    noise = {"seed": 3, "chance": 1.0, "methods": ["chat.*"], "kinds": [{"status": 503}]}
    assert slack.post("faults", {"noise": noise})["ok"]
    with pytest.raises(SlackApiError):
        post(slack)
    assert slack.client().auth_test()["ok"]
    slack.post("faults", {"clear": True})
    assert post(slack)["ok"]


def test_faults_are_told_over_http_as_well(slack):
    told = {"method": "chat.postMessage", "status": 429, "times": 1, "retry_after": 3}
    assert slack.post("faults", told) == {"ok": True, "pending": 1}
    with pytest.raises(SlackApiError) as caught:
        post(slack)
    assert caught.value.response.headers["Retry-After"] == "3"
    assert slack.post("faults", {"mode": "sulk"})["error"] == "invalid_arguments"
    assert "no colour" in slack.post("faults", {"colour": "red"})["message"]


def test_a_fault_is_used_up_unless_it_is_forever():
    faults = Faults()
    faults.add(Fault(method="a", times=1))
    faults.add(Fault(method="b*", times=-1))
    assert [bool(faults.take("a")), bool(faults.take("a"))] == [True, False]
    assert all(faults.take("bc") for _ in range(5))
    assert faults.take("c") is None
    assert [fault.method for fault in faults.pending()] == ["b*"]
    with pytest.raises(Refused):
        as_fault({"mode": "sulk"})
