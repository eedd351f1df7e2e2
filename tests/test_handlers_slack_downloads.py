"""Files are fetched from Slack alone, bounded in size and time; hostile ones stay harmless."""

import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from handlers.sandbox.files import delete_file, keep_file, share_in
from handlers.slack.downloads import NotFetched, SharedFile, described, fetch, is_slack, shown_name
from tests.adding_fixtures import finished, send, texts
from tests.edge_fixtures import Bot
from tests.loading_fixtures import page
from tests.sandbox_fixtures import SlackServer

TOO_LARGE = 20 * 1024 * 1024 + 1


def shared(slack: SlackServer, content: bytes, *, name: str = "page.txt") -> dict[str, Any]:
    """A file in #hiring, as Slack describes it; what is changed in it Slack says from then on."""
    file = keep_file(slack.workspace, user=slack.mira, name=name, content=content, origin=slack.url)
    share_in(slack.workspace.channels[slack.hiring], [file])
    return file


def got(slack: SlackServer, file: dict[str, Any], **options: Any) -> bytes:
    client = slack.client()
    return fetch(described(client, file["id"]), client, **options)


def refusal(slack: SlackServer, file: dict[str, Any], **options: Any) -> str:
    with pytest.raises(NotFetched) as caught:
        got(slack, file, **options)
    return str(caught.value)


def test_a_file_comes_through_whole(slack: SlackServer):
    content = bytes(range(256)) * 5000
    assert got(slack, shared(slack, content)) == content


# -- size and time


def test_what_is_said_to_be_too_large_is_not_begun(slack: SlackServer):
    file = shared(slack, b"x")
    file["size"] = 100 * 1024 * 1024
    assert "larger than 20 MB" in refusal(slack, file)


def test_what_turns_out_to_be_too_large_is_broken_off(slack: SlackServer):
    file = shared(slack, b"x" * TOO_LARGE)
    file["size"] = 10
    assert "larger than 20 MB" in refusal(slack, file)


def test_a_download_that_breaks_off_is_tried_once_more(slack: SlackServer):
    file = shared(slack, b"Ines Adeyemi" * 1000)
    slack.fail("download", mode="half")
    assert got(slack, file) == b"Ines Adeyemi" * 1000


def test_a_download_that_breaks_off_twice_is_told(slack: SlackServer):
    file = shared(slack, b"Ines Adeyemi" * 1000)
    slack.fail("download", mode="half", times=2)
    assert "did not come through" in refusal(slack, file)


@pytest.mark.parametrize("fault", [{"status": 500}, {"mode": "drop"}])
def test_an_error_of_slacks_is_tried_once_more(slack: SlackServer, fault: dict[str, Any]):
    file = shared(slack, b"Ines")
    slack.fail("download", **fault)
    assert got(slack, file) == b"Ines"


def test_a_download_that_hangs_ends(slack: SlackServer):
    file = shared(slack, b"Ines")
    slack.fail("download", mode="timeout", seconds=5.0, times=2)
    began = time.monotonic()
    assert "did not come through" in refusal(slack, file, timeout=0.3)
    assert time.monotonic() - began < 4


def test_a_download_that_drips_for_ever_ends(slack: SlackServer):
    with dripping() as url:
        file = SharedFile(id="F1", name="page.txt", size=10, kind="text", url=f"{url}/F1/page.txt")
        client = slack.client()
        client.base_url = f"{url}/api/"
        with pytest.raises(NotFetched, match="did not come through"):
            fetch(file, client, timeout=1.0, patience=0.5)


@contextmanager
def dripping() -> Iterator[str]:
    """A server that sends one byte after the other and never ends."""

    class Drip(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(100):
                    self.wfile.write(b"x" * (64 * 1024))
                    time.sleep(0.1)
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Drip)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


# -- whose file it is


def test_the_token_goes_to_no_foreign_host(slack: SlackServer):
    with listening() as (url, heard):
        file = shared(slack, b"Ines")
        file["url_private_download"] = f"{url}/files/{file['id']}/page.txt"
        assert "does not lie with Slack" in refusal(slack, file)
    assert heard == []


def test_a_redirect_is_not_followed(slack: SlackServer):
    with listening() as (url, heard), listening(redirect=f"{url}/stolen") as (first, asked):
        client = slack.client()
        client.base_url = f"{first}/api/"
        file = SharedFile(id="F1", name="page.txt", size=1, kind="text", url=f"{first}/F1")
        with pytest.raises(NotFetched):
            fetch(file, client)
    assert asked == ["Bearer xoxb-sandbox-bot"]
    assert heard == []


@contextmanager
def listening(redirect: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """A server that notes the tokens it is given."""
    heard: list[str] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.headers.get("Authorization", ""))
            self.send_response(302 if redirect else 200)
            if redirect:
                self.send_header("Location", redirect)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", heard
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "url",
    [
        "https://files.slack.com/files-pri/T1-F1/download/page.txt",
        "https://northwind.slack.com/files/F1",
        "https://files.slack.com:443/F1",
    ],
)
def test_these_are_slacks_own(url: str):
    assert is_slack(url, "https://slack.com/api/")


@pytest.mark.parametrize(
    "url",
    [
        "http://files.slack.com/F1",
        "https://files.slack.com.evil.example/F1",
        "https://evilslack.com/F1",
        "https://files.slack.com@evil.example/F1",
        "https://user:word@files.slack.com/F1",
        "https://files.slack.com:8443/F1",
        "https://files.slack.com:x/F1",
        "https://[::1/F1",
        "ftp://files.slack.com/F1",
        "file:///etc/passwd",
        "//files.slack.com/F1",
        "",
    ],
)
def test_these_are_not(url: str):
    assert not is_slack(url, "https://slack.com/api/")


def test_the_server_that_is_set_is_only_that_server():
    assert is_slack("http://127.0.0.1:3000/files/F1", "http://127.0.0.1:3000/api/")
    assert not is_slack("http://127.0.0.1:3001/files/F1", "http://127.0.0.1:3000/api/")


def test_a_file_that_was_deleted_meanwhile(slack: SlackServer):
    file = dict(shared(slack, b"Ines"))
    delete_file(slack.workspace, file["id"])
    assert "was deleted" in refusal(slack, file)


def test_a_file_that_is_deleted_between_the_two_questions(slack: SlackServer):
    file = shared(slack, b"Ines")
    client = slack.client()
    known = described(client, file["id"])
    delete_file(slack.workspace, known.id)
    with pytest.raises(NotFetched, match="was deleted"):
        fetch(known, client)


def test_a_file_of_another_company_that_slack_does_not_open(slack: SlackServer):
    file = shared(slack, b"Ines")
    for name in ("url_private", "url_private_download", "name", "title"):
        del file[name]
    file["file_access"] = "check_file_info"
    assert "comes from another company" in refusal(slack, file)


def test_a_file_that_lies_with_another_service(slack: SlackServer):
    file = shared(slack, b"Ines")
    file.update(is_external=True, mode="external", url_private="https://drive.example/x")
    assert "another service" in refusal(slack, file)


def test_an_app_without_the_scope_says_what_to_do(make_slack):
    slack = make_slack(scopes={"chat:write"})
    assert "files:read" in refusal(slack, shared(slack, b"Ines"))


def test_a_sign_in_page_in_the_files_place_is_noticed(slack: SlackServer):
    file = shared(slack, b"Ines")
    slack.fail("download", mode="page")
    assert "web page in place of" in refusal(slack, file)


# -- hostile files, all the way


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04" + b"\x00" * 100, "The ZIP archive is damaged"),
        (b"%PDF-1.7 \n", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\x00" * 1000, "binary data"),
        (b"<!DOCTYPE html><html><body>Ines</body></html>", "saved web page"),
        (b"\xff\xfe\x00\xd8", "empty"),
        (b" \n\t", "empty"),
        (b"-", "No person on it"),
    ],
)
def test_what_is_no_page_is_refused_in_words(bot: Bot, content: bytes, said: str):
    receipt = send(bot, ("page.txt", content))
    assert "Not added: page.txt" in receipt.text
    assert said in receipt.text
    assert bot.store.count() == 2


def test_stray_zero_bytes_do_no_harm(bot: Bot):
    receipt = send(bot, ("page.txt", page("Bo Lind").replace("Engineer", "Engi\x00neer")))
    assert "page.txt: 1 person" in receipt.text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\mira\\page.txt", "page.txt"),
        ("gpj.\u202etxt.exe", "gpj.txt.exe"),
        ("a\nb\x00c.txt", "a b c.txt"),
        ("", "file"),
        ("/", "file"),
    ],
)
def test_a_name_is_shown_without_its_tricks(name: str, shown: str):
    assert shown_name(name) == shown


@pytest.mark.parametrize("name", ["<!channel> *b* `c` <@U0MIRALINDG>.txt", "~x~ _y_ :boom:.txt"])
def test_a_name_with_markup_stays_text(bot: Bot, name: str):
    receipt = send(bot, (name, page("Bo Lind")))
    assert "<!channel>" not in texts(receipt)
    assert "<@U0MIRALINDG>.txt" not in texts(receipt)
    assert ": 1 person" in receipt.text


def test_one_bad_file_does_not_stop_the_others(bot: Bot):
    bot.slack.fail("download", mode="half", times=2)
    receipt = send(bot, ("a.txt", page("Ada Oz")), ("b.txt", page("Bo Oz")))
    assert "Not added: a.txt" in receipt.text
    assert "did not come through" in receipt.text
    assert "b.txt: 1 person" in receipt.text


def test_a_question_is_answered_while_files_are_read(bot: Bot):
    bot.slack.fail("download", mode="slow", seconds=2.0, times=4)
    for number in range(4):
        bot.slack.share(
            bot.slack.mira, bot.slack.direct(bot.slack.mira), (f"{number}.txt", page(f"P {number}"))
        )
    began = time.monotonic()
    bot.ask("chenggang")
    assert time.monotonic() - began < 2
    assert finished(bot)


def test_slack_that_says_later_gets_its_receipt_later(bot: Bot):
    bot.slack.fail("chat.update", status=429, retry_after=1)
    assert "dec.txt: 1 person" in send(bot, ("dec.txt", page("Bo Lind"))).text


def test_a_receipt_that_cannot_be_changed_is_sent_anew(bot: Bot):
    bot.slack.fail("chat.update", error="message_not_found")
    assert "dec.txt: 1 person" in send(bot, ("dec.txt", page("Bo Lind"))).text
