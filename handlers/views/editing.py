"""What can be corrected of a person: values, contradictions with buttons to rule, and a form."""

import json
from collections.abc import Sequence
from typing import Any, Final

from handlers.views.escaping import shorten
from handlers.views.message import (
    Actions,
    Button,
    Context,
    Message,
    Part,
    Section,
    compose,
    escape_lines,
)
from handlers.views.text import Bold, Code, Either, Italic, line
from storage.correcting import FIELDS, LONGEST, Correctable
from storage.records import Candidate

EDIT, RULE = "candidate.edit", "candidate.rule"
FORM: Final = "candidate.edit.form"
FIRST_FIELD: Final = "name"
_LABEL: Final = 40
_HINT: Final = "An empty field is not stated. What you change outranks every document."


def editing_message(candidate: Candidate, facts: Correctable, said: Sequence[str] = ()) -> Message:
    """What was just changed, the facts, what documents say differently, and the form's button."""
    parts: list[Part] = []
    if said:
        parts.append(Section([line(Bold("Corrected")), *(line("• ", each) for each in said)]))
    lines = [
        line(
            f"{label}: ",
            facts.values[field] or Italic("not stated"),
            *((" · ", Italic("by hand")) if field in facts.corrected else ()),
        )
        for field, label in FIELDS.items()
    ]
    parts.append(Section([line(Bold(candidate.profile.name)), *lines], about=candidate.id))
    for number, each in enumerate(facts.differences):
        told = [line(f"“{value}” in {where}") for value, where in each.said]
        parts.append(Section([line(Bold(f"{each.label} differs")), *told]))
        parts.append(
            Actions(
                [
                    Button(
                        text=shorten(value, _LABEL),
                        action=f"{RULE}.{number}.{place}",
                        value=f"{candidate.id} {each.field} {value[:LONGEST]}",
                    )
                    for place, (value, _) in enumerate(each.said)
                ]
            )
        )
    parts.append(
        Actions([Button(text="Edit", action=f"{EDIT}.{candidate.id}", value=candidate.id)])
    )
    how = line(
        Either("A button says which is right; ", ""),
        Either(Bold("Edit"), "To correct: "),
        Either(" opens a form.", Code(f"/candidate edit {candidate.id} title: Lead")),
    )
    parts.append(Context([how]))
    return compose(parts)


def form(candidate: Candidate, facts: Correctable, channel: str) -> dict[str, Any]:
    """A modal with what can be corrected; each input's ``action_id`` ends with the person's id."""
    return {
        "type": "modal",
        "callback_id": FORM,
        "private_metadata": json.dumps({"channel": channel}),
        "title": _plain("Correct a record"),
        "submit": _plain("Save"),
        "close": _plain("Cancel"),
        "blocks": [
            *(_input(candidate.id, field, label, facts) for field, label in FIELDS.items()),
            {"type": "context", "elements": [_plain(_HINT)]},
        ],
    }


def _input(candidate_id: str, field: str, label: str, facts: Correctable) -> dict[str, Any]:
    element: dict[str, Any] = {
        "type": "plain_text_input",
        "action_id": f"{field}.{candidate_id}",
        "max_length": LONGEST,
    }
    if value := facts.values[field][:LONGEST]:
        element["initial_value"] = value
    return {
        "type": "input",
        "block_id": field,
        "optional": field != FIRST_FIELD,
        "label": _plain(label),
        "element": element,
    }


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": escape_lines(text), "emoji": False}
