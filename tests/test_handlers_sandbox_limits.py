"""Each limit of Block Kit: what is just allowed passes, one more fails with Slack's own code."""

from collections.abc import Callable
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from handlers.sandbox.blocks import check_message_blocks, check_view
from handlers.sandbox.records import Refused
from tests.sandbox_fixtures import SlackServer

Json = dict[str, Any]


def plain(length: int) -> Json:
    return {"type": "plain_text", "text": "x" * length}


def mrkdwn(length: int) -> Json:
    return {"type": "mrkdwn", "text": "x" * length}


def section(**fields: Any) -> Json:
    return {"type": "section", "text": mrkdwn(3), **fields}


def button(**fields: Any) -> Json:
    return {"type": "button", "text": plain(3), **fields}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def image(**fields: Any) -> Json:
    return {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "a", **fields}


def option(text: int = 3, value: int = 3) -> Json:
    return {"text": plain(text), "value": "v" * value}


def select(count: int = 1, **fields: Any) -> Json:
    options = [option() for _ in range(count)]
    return {"type": "static_select", "options": options, "placeholder": plain(3), **fields}


def overflow(count: int) -> Json:
    return {"type": "overflow", "options": [option() for _ in range(count)]}


def table(rows: int, cells: int = 1) -> Json:
    row = [{"type": "raw_text", "text": "a"} for _ in range(cells)]
    return {"type": "table", "rows": [row for _ in range(rows)]}


def confirm(title: int = 3, text: int = 3, yes: int = 3, no: int = 3) -> Json:
    return {"title": plain(title), "text": mrkdwn(text), "confirm": plain(yes), "deny": plain(no)}


def card(title: int = 3, body: int = 3) -> Json:
    return {"type": "card", "title": mrkdwn(title), "body": mrkdwn(body)}


# what, a block of that size, the most that passes, where Slack points when it is one more
ONE_BLOCK: list[tuple[str, Callable[[int], Json], int, str]] = [
    ("section text", lambda n: section(text=mrkdwn(n)), 3000, "/blocks/0/text/text"),
    ("section fields", lambda n: section(fields=[plain(1)] * n), 10, "/blocks/0/fields"),
    ("field text", lambda n: section(fields=[plain(n)]), 2000, "/blocks/0/fields/0/text"),
    ("header", lambda n: {"type": "header", "text": plain(n)}, 150, "/blocks/0/text/text"),
    (
        "context elements",
        lambda n: {"type": "context", "elements": [mrkdwn(1)] * n},
        10,
        "/blocks/0/elements",
    ),
    ("actions", lambda n: actions(*[button()] * n), 25, "/blocks/0/elements"),
    ("block_id", lambda n: section(block_id="b" * n), 255, "/blocks/0/block_id"),
    (
        "action_id",
        lambda n: actions(button(action_id="a" * n)),
        255,
        "/blocks/0/elements/0/action_id",
    ),
    ("button text", lambda n: actions(button(text=plain(n))), 75, "/blocks/0/elements/0/text/text"),
    ("button value", lambda n: actions(button(value="v" * n)), 2000, "/blocks/0/elements/0/value"),
    (
        "button url",
        lambda n: actions(button(url="https://" + "u" * (n - 8))),
        3000,
        "/blocks/0/elements/0/url",
    ),
    ("alt text", lambda n: image(alt_text="a" * n), 2000, "/blocks/0/alt_text"),
    ("image title", lambda n: image(title=plain(n)), 2000, "/blocks/0/title/text"),
    ("options", lambda n: actions(select(n)), 100, "/blocks/0/elements/0/options"),
    (
        "option text",
        lambda n: actions(select(options=[option(text=n)])),
        75,
        "/blocks/0/elements/0/options/0/text/text",
    ),
    (
        "option value",
        lambda n: actions(select(options=[option(value=n)])),
        150,
        "/blocks/0/elements/0/options/0/value",
    ),
    (
        "placeholder",
        lambda n: actions(select(placeholder=plain(n))),
        150,
        "/blocks/0/elements/0/placeholder/text",
    ),
    (
        "overflow options",
        lambda n: section(accessory=overflow(n)),
        5,
        "/blocks/0/accessory/options",
    ),
    (
        "confirm title",
        lambda n: actions(button(confirm=confirm(title=n))),
        100,
        "/blocks/0/elements/0/confirm/title/text",
    ),
    (
        "confirm text",
        lambda n: actions(button(confirm=confirm(text=n))),
        300,
        "/blocks/0/elements/0/confirm/text/text",
    ),
    (
        "confirm button",
        lambda n: actions(button(confirm=confirm(yes=n))),
        30,
        "/blocks/0/elements/0/confirm/confirm/text",
    ),
    ("table rows", table, 100, "/blocks/0/rows"),
    ("table cells", lambda n: table(1, n), 20, "/blocks/0/rows/0"),
    ("markdown", lambda n: {"type": "markdown", "text": "x" * n}, 12_000, "/blocks/0/text"),
    ("card title", lambda n: card(title=n), 150, "/blocks/0/title/text"),
    ("card body", lambda n: card(body=n), 200, "/blocks/0/body/text"),
    (
        "carousel",
        lambda n: {"type": "carousel", "elements": [card()] * n},
        10,
        "/blocks/0/elements",
    ),
]


def refusal(blocks: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        check_message_blocks(blocks, new_id=str)
    return caught.value


@pytest.mark.parametrize(
    ("make", "most", "pointer"), [row[1:] for row in ONE_BLOCK], ids=[row[0] for row in ONE_BLOCK]
)
def test_a_block_at_its_limit_passes_and_one_over_it_is_invalid(make, most, pointer):
    assert check_message_blocks([make(most)], new_id=iter_ids())
    refused = refusal([make(most + 1)])
    assert refused.code == "invalid_blocks"
    assert f"[json-pointer:{pointer}]" in refused.extra["errors"][0]
    assert refused.extra["response_metadata"]["messages"][0].startswith("[ERROR] ")


def iter_ids() -> Callable[[str], str]:
    used: list[str] = []

    def new(prefix: str) -> str:
        used.append(prefix)
        return f"{prefix}{len(used)}"

    return new


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ([{"type": "section"}], "must define either `text` or `fields`"),
        ([{"type": "poster"}], "unsupported type: poster [json-pointer:/blocks/0/type]"),
        ([{"text": plain(3)}], "missing required field: type"),
        (["hello"], "must provide an object"),
        ([{"type": "header", "text": mrkdwn(3)}], "unsupported type: mrkdwn"),
        ([section(text=mrkdwn(0))], "must be more than 0 characters"),
        ([section(colour="red")], "invalid additional property: colour"),
        ([section(text="bare")], "must provide an object"),
        ([{"type": "image", "image_url": "https://example.com/a.png"}], "field: alt_text"),
        ([image(image_url="javascript:alert(1)")], "invalid url"),
        ([{"type": "image", "alt_text": "a"}], "`image_url` or `slack_file`"),
        ([actions()], "must provide at least 1 items"),
        ([actions(button(style="loud"))], "must be one of primary, danger"),
        ([actions({"type": "plain_text_input"})], "unsupported type: plain_text_input"),
        ([actions(select(options=None))], "`options` or `option_groups`"),
        ([section(accessory={"type": "datepicker", "initial_date": "1 Dec"})], "invalid date"),
        ([section(accessory={"type": "timepicker", "initial_time": "25:00"})], "invalid time"),
        ([{"type": "table", "rows": [[], []]}], "must provide at least 1 items"),
        ([section(expand="yes")], "must provide a boolean"),
        ([{"type": "actions", "elements": "x"}], "must provide an array"),
        ([actions(button(value=5))], "must provide a string"),
    ],
)
def test_a_malformed_block_is_invalid_and_slack_says_where(blocks, said):
    refused = refusal(blocks)
    assert refused.code == "invalid_blocks"
    assert said in " ".join(refused.extra["errors"])


def test_rows_of_a_table_have_the_same_number_of_cells():
    uneven = {"type": "table", "rows": [table(1, 2)["rows"][0], table(1, 3)["rows"][0]]}
    assert "same number of cells" in refusal([uneven]).extra["errors"][0]


def test_fifty_blocks_pass_and_fifty_one_are_invalid():
    check_message_blocks([{"type": "divider"}] * 50, new_id=iter_ids())
    refused = refusal([{"type": "divider"}] * 51)
    assert refused.code == "invalid_blocks"
    assert refused.extra["errors"] == ["no more than 50 items allowed [json-pointer:/blocks]"]


def test_identifiers_are_unique_within_a_message():
    twice = refusal([section(block_id="a"), section(block_id="a")])
    assert twice.extra["errors"] == [
        '`block_id` "a" already exists [json-pointer:/blocks/1/block_id]'
    ]
    pressed = refusal([section(accessory=button(action_id="x")), actions(button(action_id="x"))])
    pointer = "/blocks/1/elements/0/action_id"
    assert pressed.extra["errors"] == [f'`action_id` "x" already exists [json-pointer:{pointer}]']


def test_identifiers_that_are_left_out_are_filled_in():
    filled = check_message_blocks([actions(button()), section()], new_id=iter_ids())
    assert [block["block_id"] for block in filled] == ["b1", "b3"]
    assert filled[0]["elements"][0]["action_id"] == "a2"


def test_a_message_holds_one_table():
    check_message_blocks([table(1)], new_id=iter_ids())
    refused = refusal([table(1), table(1)])
    assert refused.code == "invalid_attachments"
    assert "only_one_table_allowed" in refused.extra["errors"][0]


def test_the_text_of_all_blocks_together_has_a_limit_though_each_is_legal():
    four = [section(text=mrkdwn(3000)) for _ in range(4)]
    check_message_blocks([*four, section(text=mrkdwn(1200))], new_id=iter_ids())
    assert refusal([*four, section(text=mrkdwn(1201))]).code == "msg_blocks_too_long"


def modal(**fields: Any) -> Json:
    return {"type": "modal", "title": plain(3), "blocks": [section()], **fields}


def text_input(**fields: Any) -> Json:
    element = {"type": "plain_text_input", "action_id": "in"}
    return {"type": "input", "label": plain(3), "element": element, **fields}


def view_refusal(view: Any, *kinds: str) -> Refused:
    with pytest.raises(Refused) as caught:
        check_view(view, kinds=kinds or ("modal",), new_id=iter_ids())
    return caught.value


VIEW_LIMITS: list[tuple[str, Callable[[int], Json], int, str]] = [
    ("title", lambda n: modal(title=plain(n)), 24, "/view/title/text"),
    ("submit", lambda n: modal(submit=plain(n)), 24, "/view/submit/text"),
    ("close", lambda n: modal(close=plain(n)), 24, "/view/close/text"),
    ("blocks", lambda n: modal(blocks=[{"type": "divider"}] * n), 100, "/view/blocks"),
    ("private_metadata", lambda n: modal(private_metadata="m" * n), 3000, "/view/private_metadata"),
    ("callback_id", lambda n: modal(callback_id="c" * n), 255, "/view/callback_id"),
    (
        "label",
        lambda n: modal(submit=plain(3), blocks=[text_input(label=plain(n))]),
        2000,
        "/view/blocks/0/label/text",
    ),
    (
        "hint",
        lambda n: modal(submit=plain(3), blocks=[text_input(hint=plain(n))]),
        2000,
        "/view/blocks/0/hint/text",
    ),
]


@pytest.mark.parametrize(
    ("make", "most", "pointer"), [r[1:] for r in VIEW_LIMITS], ids=[r[0] for r in VIEW_LIMITS]
)
def test_a_view_at_its_limit_passes_and_one_over_it_has_invalid_arguments(make, most, pointer):
    assert check_view(make(most), kinds=("modal",), new_id=iter_ids())
    refused = view_refusal(make(most + 1))
    assert refused.code == "invalid_arguments"
    assert f"[json-pointer:{pointer}]" in refused.extra["errors"][0]


def test_a_view_of_more_than_250_kilobytes_is_too_large():
    text = section(text=mrkdwn(3000))
    few = modal(blocks=[text] * 80)
    assert check_view(few, kinds=("modal",), new_id=iter_ids())
    assert view_refusal(modal(blocks=[text] * 85)).code == "view_too_large"


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ({}, "must be one of modal"),
        ([], "must provide an object"),
        ({"type": "modal", "blocks": []}, "missing required field: title"),
        (modal(blocks=[table(1)]), "unsupported type: table"),
        (modal(blocks=[text_input()]), "must define `submit` to use an `input` block in modals"),
        ({"type": "home", "blocks": []}, "must be one of modal"),
    ],
)
def test_a_malformed_modal_has_invalid_arguments(view, said):
    refused = view_refusal(view)
    assert refused.code == "invalid_arguments"
    assert said in " ".join(refused.extra["errors"])


def test_home_has_no_title_and_holds_a_hundred_blocks():
    home = {"type": "home", "blocks": [{"type": "divider"}] * 100}
    assert check_view(home, kinds=("home",), new_id=iter_ids())
    over = view_refusal({"type": "home", "blocks": [{"type": "divider"}] * 101}, "home")
    assert over.extra["errors"] == ["no more than 100 items allowed [json-pointer:/view/blocks]"]


# Through Slack's own client


def post(slack: SlackServer, **message: Any) -> Any:
    return slack.client().chat_postMessage(channel=slack.hiring, **message)


def code_of(call: Callable[[], Any]) -> str:
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


def test_a_message_needs_text_or_blocks(slack):
    with pytest.warns(UserWarning, match="`text` argument is missing"):
        assert code_of(lambda: post(slack, text="  ")) == "no_text"
    with pytest.warns(UserWarning, match="`text` argument is missing"):
        posted = post(slack, text="", blocks=[section()])
    assert posted["warning"] == "missing_text_in_message"


def test_text_over_forty_thousand_characters_is_cut_with_a_warning(slack):
    whole = post(slack, text="x" * 40_000)
    assert len(whole["message"]["text"]) == 40_000
    assert "warning" not in whole.data
    cut = post(slack, text="x" * 40_001)
    assert len(cut["message"]["text"]) == 40_000
    assert cut["response_metadata"]["warnings"] == ["message_truncated"]


def test_an_update_takes_four_thousand_characters_and_not_one_more(slack):
    client = slack.client()
    ts = post(slack, text="first")["ts"]
    assert client.chat_update(channel=slack.hiring, ts=ts, text="x" * 4000)["ok"]
    long = "x" * 4001
    said = code_of(lambda: client.chat_update(channel=slack.hiring, ts=ts, text=long))
    assert said == "msg_too_long"


def test_an_update_with_text_alone_removes_the_blocks(slack):
    ts = post(slack, text="first", blocks=[section()])["ts"]
    slack.client().chat_update(channel=slack.hiring, ts=ts, text="second")
    message = slack.messages(slack.hiring)[0]
    assert (message.text, message.blocks) == ("second", None)
    assert message.edited


def test_blocks_that_are_no_json_are_malformed_and_refusals_list_their_places(slack):
    assert code_of(lambda: post(slack, text="x", blocks="{nope")) == "invalid_blocks_format"
    with pytest.raises(SlackApiError) as caught:
        post(slack, text="x", blocks=[section(text=mrkdwn(3001))])
    assert caught.value.response["response_metadata"]["messages"] == [
        "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    ]
    assert slack.messages(slack.hiring) == []
