"""Modal forms as Slack's client fills and checks them before the bot hears of them."""

from handlers.sandbox.records import Json

REQUIRED = "Please complete this required field."
INITIAL = {
    "initial_value": "value",
    "initial_option": "selected_option",
    "initial_options": "selected_options",
    "initial_user": "selected_user",
    "initial_users": "selected_users",
    "initial_channel": "selected_channel",
    "initial_channels": "selected_channels",
    "initial_conversation": "selected_conversation",
    "initial_conversations": "selected_conversations",
    "initial_date": "selected_date",
    "initial_time": "selected_time",
    "initial_date_time": "selected_date_time",
}
VALUE = {
    "plain_text_input": "value",
    "email_text_input": "value",
    "url_text_input": "value",
    "number_input": "value",
    "rich_text_input": "rich_text_value",
    "static_select": "selected_option",
    "external_select": "selected_option",
    "radio_buttons": "selected_option",
    "checkboxes": "selected_options",
    "multi_static_select": "selected_options",
    "multi_external_select": "selected_options",
    "users_select": "selected_user",
    "multi_users_select": "selected_users",
    "conversations_select": "selected_conversation",
    "multi_conversations_select": "selected_conversations",
    "channels_select": "selected_channel",
    "multi_channels_select": "selected_channels",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "file_input": "files",
}


def complete(blocks: list[Json], state: Json) -> Json:
    """The state of every input, with initial values where nothing was typed."""
    filled: Json = {}
    for block in blocks:
        parts = [block.get("element"), block.get("accessory"), *block.get("elements", [])]
        for element in parts:
            if not isinstance(element, dict) or element.get("type") not in VALUE:
                continue
            name = element["action_id"]
            given = state.get(block["block_id"], {}).get(name)
            filled.setdefault(block["block_id"], {})[name] = (
                {"type": element["type"], **given} if given is not None else initial(element)
            )
    return filled


def initial(element: Json) -> Json:
    field = VALUE[element["type"]]
    empty: object = (
        [] if field.endswith(("options", "users", "conversations", "channels")) else None
    )
    start = {"type": element["type"], field: empty}
    for name, target in INITIAL.items():
        if name in element:
            start[target] = element[name]
    return start


def missing(blocks: list[Json], state: Json) -> dict[str, str]:
    """What Slack's client complains about, by block: required fields and lengths."""
    wrong: dict[str, str] = {}
    for block in blocks:
        if block["type"] != "input":
            continue
        element = block["element"]
        given = state[block["block_id"]][element["action_id"]].get(VALUE[element["type"]])
        if not given:
            if not block.get("optional", False):
                wrong[block["block_id"]] = REQUIRED
        elif element["type"] == "file_input":
            if said := unfit(element, given):
                wrong[block["block_id"]] = said
        elif isinstance(given, str):
            most = element.get("max_length")
            least = element.get("min_length")
            if most is not None and len(given) > most:
                wrong[block["block_id"]] = f"Please use at most {most} characters."
            elif least is not None and len(given) < least:
                wrong[block["block_id"]] = f"Please use at least {least} characters."
    return wrong


def unfit(element: Json, files: list[Json]) -> str | None:
    """What is wrong with the files of a ``file_input``."""
    most, kinds = element.get("max_files", 10), element.get("filetypes")
    if len(files) > most:
        return f"Please choose at most {most} files."
    endings = {each["name"].rpartition(".")[2].lower() for each in files}
    if kinds and not endings <= set(kinds):
        return f"Only these kinds of files: {', '.join(kinds)}."
    return None
