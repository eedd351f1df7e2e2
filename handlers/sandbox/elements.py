"""Block Kit's elements: buttons, menus, inputs, pictures, as Slack documents them."""

import re
from typing import Any

from handlers.sandbox.records import Json
from handlers.sandbox.shapes import (
    Check,
    anything,
    kind_of,
    listed,
    note,
    one_of,
    plain,
    shaped,
    string,
    switch,
    text,
    url,
    whole,
)

ACTION_ID = string(most=255)
PLACEHOLDER = plain(most=150)
STYLE = one_of("primary", "danger")

CONFIRM = shaped(
    {
        "title": plain(most=100),
        "text": text(most=300),
        "confirm": plain(most=30),
        "deny": plain(most=30),
    },
    {"style": STYLE},
)


def option(*, label: Check) -> Check:
    return shaped(
        {"text": label, "value": string(most=150)},
        {"description": text(most=75), "url": url()},
    )


PLAIN_OPTION = option(label=plain(most=75))
RICH_OPTION = option(label=text(most=75))
OPTIONS = listed(PLAIN_OPTION, most=100)
GROUPS = listed(shaped({"label": plain(most=75), "options": OPTIONS}), most=100)
INTERACTIVE: dict[str, Check] = {
    "action_id": ACTION_ID,
    "confirm": CONFIRM,
    "focus_on_load": switch,
}
MENU = {**INTERACTIVE, "placeholder": PLACEHOLDER}


def needs_options(menu: Json, at: str, problems: list[str]) -> None:
    if (menu.get("options") is None) == (menu.get("option_groups") is None):
        note(problems, "must define either `options` or `option_groups`", at)


def matches(pattern: str, said: str) -> Check:
    form = re.compile(pattern)

    def check(value: Any, at: str, problems: list[str]) -> None:
        if not isinstance(value, str) or not form.fullmatch(value):
            note(problems, said, at)

    return check


DATE = matches(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", "invalid date")
TIME = matches(r"([01]\d|2[0-3]):[0-5]\d", "invalid time")

IMAGE_FIELDS: dict[str, Check] = {"image_url": url(), "slack_file": anything}


def needs_source(image: Json, at: str, problems: list[str]) -> None:
    if (image.get("image_url") is None) == (image.get("slack_file") is None):
        note(problems, "must define either `image_url` or `slack_file`", at)


IMAGE = shaped({"alt_text": string(most=2000)}, IMAGE_FIELDS, also=needs_source)

BUTTON = shaped(
    {"text": plain(most=75)},
    {
        "action_id": ACTION_ID,
        "value": string(most=2000, least=0),
        "url": url(),
        "style": STYLE,
        "confirm": CONFIRM,
        "accessibility_label": string(most=75),
    },
)


def chosen_from(
    source: dict[str, Check], *, one: dict[str, Check], many: dict[str, Check]
) -> tuple[Check, Check]:
    """A menu in its two forms: choose one, choose several."""
    whole_menu = needs_options if "options" in source else None
    several = {**MENU, **source, **many, "max_selected_items": whole}
    return (
        shaped({}, {**MENU, **source, **one}, also=whole_menu),
        shaped({}, several, also=whole_menu),
    )


STATIC = chosen_from(
    {"options": OPTIONS, "option_groups": GROUPS},
    one={"initial_option": PLAIN_OPTION},
    many={"initial_options": OPTIONS},
)
EXTERNAL = chosen_from(
    {"min_query_length": whole},
    one={"initial_option": PLAIN_OPTION},
    many={"initial_options": OPTIONS},
)
PEOPLE = chosen_from(
    {},
    one={"initial_user": string()},
    many={"initial_users": listed(string(), most=100)},
)
ROOMS = chosen_from(
    {"filter": anything, "default_to_current_conversation": switch},
    one={"initial_conversation": string(), "response_url_enabled": switch},
    many={"initial_conversations": listed(string(), most=100)},
)
CHANNELS = chosen_from(
    {},
    one={"initial_channel": string(), "response_url_enabled": switch},
    many={"initial_channels": listed(string(), most=100)},
)

WRITTEN = {**MENU, "dispatch_action_config": anything}
CHOICES = listed(RICH_OPTION, most=10)

ELEMENTS: dict[str, Check] = {
    "button": BUTTON,
    "image": IMAGE,
    "plain_text": text("plain_text"),
    "mrkdwn": text("mrkdwn"),
    "overflow": shaped(
        {"options": listed(PLAIN_OPTION, most=5)},
        {"action_id": ACTION_ID, "confirm": CONFIRM},
    ),
    "static_select": STATIC[0],
    "multi_static_select": STATIC[1],
    "external_select": EXTERNAL[0],
    "multi_external_select": EXTERNAL[1],
    "users_select": PEOPLE[0],
    "multi_users_select": PEOPLE[1],
    "conversations_select": ROOMS[0],
    "multi_conversations_select": ROOMS[1],
    "channels_select": CHANNELS[0],
    "multi_channels_select": CHANNELS[1],
    "checkboxes": shaped({"options": CHOICES}, {**INTERACTIVE, "initial_options": CHOICES}),
    "radio_buttons": shaped({"options": CHOICES}, {**INTERACTIVE, "initial_option": RICH_OPTION}),
    "datepicker": shaped({}, {**MENU, "initial_date": DATE}),
    "timepicker": shaped({}, {**MENU, "initial_time": TIME, "timezone": string()}),
    "datetimepicker": shaped({}, {**INTERACTIVE, "initial_date_time": whole}),
    "plain_text_input": shaped(
        {},
        {
            **WRITTEN,
            "initial_value": string(most=3000, least=0),
            "multiline": switch,
            "min_length": whole,
            "max_length": whole,
        },
    ),
    "email_text_input": shaped({}, {**WRITTEN, "initial_value": string(least=0)}),
    "url_text_input": shaped({}, {**WRITTEN, "initial_value": string(least=0)}),
    "number_input": shaped(
        {"is_decimal_allowed": switch},
        {**WRITTEN, "initial_value": string(), "min_value": string(), "max_value": string()},
    ),
    "rich_text_input": shaped({}, {**WRITTEN, "initial_value": anything}),
    "file_input": shaped(
        {}, {"action_id": ACTION_ID, "filetypes": listed(string(), most=100), "max_files": whole}
    ),
}

SELECTS = frozenset(name for name in ELEMENTS if name.endswith("_select"))
PICKERS = frozenset({"datepicker", "timepicker"})
CHOOSERS = frozenset({"checkboxes", "radio_buttons"})
TEXT_INPUTS = frozenset(
    {"plain_text_input", "email_text_input", "url_text_input", "number_input", "rich_text_input"}
)

IN_SECTION = SELECTS | PICKERS | CHOOSERS | {"button", "image", "overflow"}
IN_ACTIONS = SELECTS | PICKERS | CHOOSERS | {"button", "overflow", "datetimepicker"}
IN_CONTEXT = frozenset({"image", "plain_text", "mrkdwn"})
IN_INPUT = SELECTS | PICKERS | CHOOSERS | TEXT_INPUTS | {"datetimepicker", "file_input"}


def element(where: frozenset[str]) -> Check:
    return kind_of(ELEMENTS, only=where)
