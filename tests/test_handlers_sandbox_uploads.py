"""Files that an app sends in the sandbox: Slack's three steps, shapes and codes."""

from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from slack_sdk.errors import SlackApiError

from handlers.sandbox.cast import BOT_SCOPES
from tests.sandbox_fixtures import SlackServer


def put(address: str, content: bytes) -> str:
    with urlopen(Request(address, data=content, method="POST"), timeout=10) as answer:
        return answer.read().decode()


def code(call) -> str:
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


def test_a_file_is_seen_when_it_is_shared_and_not_before(slack: SlackServer):
    client, there = slack.client(), slack.direct(slack.mira)
    given = client.files_getUploadURLExternal(filename="a.csv", length=3)
    assert put(given["upload_url"], b"a,b") == "OK - 3"
    assert slack.messages(there) == []
    assert code(lambda: client.files_info(file=given["file_id"])) == "file_not_found"
    done = client.files_completeUploadExternal(
        files=[{"id": given["file_id"], "title": "People"}],
        channel_id=there,
        initial_comment="Here",
    )
    assert done["files"] == [{"id": given["file_id"], "title": "People"}]
    [message] = slack.messages(there)
    assert (message.text, message.user) == ("Here", slack.bot_user)
    described = client.files_info(file=given["file_id"])["file"]
    assert (described["name"], described["title"], described["size"]) == ("a.csv", "People", 3)
    assert described["ims"] == [there]


def test_a_file_without_content_or_shared_twice_is_not_found(slack: SlackServer):
    client = slack.client()
    given = client.files_getUploadURLExternal(filename="a.csv", length=3)
    files = [{"id": given["file_id"]}]
    assert code(lambda: client.files_completeUploadExternal(files=files)) == "file_not_found"
    with pytest.raises(HTTPError, match="400"):
        put(given["upload_url"], b"four")
    put(given["upload_url"], b"a,b")
    client.files_completeUploadExternal(files=files)
    assert code(lambda: client.files_completeUploadExternal(files=files)) == "file_not_found"
    with pytest.raises(HTTPError, match="404"):
        put(given["upload_url"], b"a,b")


def test_what_is_wrong_has_slack_s_codes(slack: SlackServer):
    client = slack.client()

    def ask(**said):
        return lambda: client.api_call("files.getUploadURLExternal", params=said)

    assert code(ask(length=3)) == "invalid_arguments"
    assert code(ask(filename="a.csv", length=0)) == "missing_argument"
    given = client.files_getUploadURLExternal(filename="a.csv", length=1)
    put(given["upload_url"], b"a")
    files = [{"id": given["file_id"]}]
    for channel in ("C404", slack.leads):

        def complete(channel=channel):
            client.files_completeUploadExternal(files=files, channel_id=channel)

        assert code(complete) == "channel_not_found"
    assert (
        code(lambda: client.api_call("files.completeUploadExternal", params={"files": "[]"}))
        == "invalid_arguments"
    )


def test_an_app_without_the_scope_may_send_nothing(make_slack):
    slack = make_slack(scopes=BOT_SCOPES - {"files:write"})
    client = slack.client()
    call = lambda: client.files_getUploadURLExternal(filename="a", length=1)  # noqa: E731
    assert code(call) == "missing_scope"
