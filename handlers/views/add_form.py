"""The form that ``/candidate add`` opens."""

import json
from typing import Any, Final

from handlers.views.message import escape_lines

ADD: Final = "candidate.add"
"""The shortcut in a message's menu."""
FORM: Final = "candidate.add.form"
FIELD: Final = "files"
MOST_FILES: Final = 10
"""Slack lets a form hold no more."""
KINDS: Final = (
    "pdf", "docx", "doc", "odt", "rtf", "txt", "text", "md", "html", "htm", "csv", "tsv", "xlsx",
    "json", "vcf", "xml", "eml", "msg", "zip",
)  # fmt: skip
"""What the form lets people choose; what a file is is seen by its content."""
PASTE: Final = (
    "To paste a page instead, send it to me in our direct message: it may be longer than the "
    "3,000 characters that a form takes. A newer page of somebody stored updates them."
)


def form(channel: str) -> dict[str, Any]:
    """A modal for up to ten files; ``channel`` is where its receipt goes."""
    return {
        "type": "modal",
        "callback_id": FORM,
        "private_metadata": json.dumps({"channel": channel}),
        "title": _plain("Add people"),
        "submit": _plain("Add"),
        "close": _plain("Cancel"),
        "blocks": [
            {
                "type": "input",
                "block_id": FIELD,
                "label": _plain("Résumés, profile pages, lists of people"),
                "element": {
                    "type": "file_input",
                    "action_id": FIELD,
                    "filetypes": list(KINDS),
                    "max_files": MOST_FILES,
                },
            },
            {"type": "context", "elements": [_plain(PASTE)]},
        ],
    }


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": escape_lines(text), "emoji": False}
