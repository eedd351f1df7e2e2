"""Candidates for people to read: Markdown, a section each, in which stored text is only text."""

from collections.abc import Sequence

from bot.letter_facts import facts_listed
from bot.letter_words import plain
from storage.profile_json import profile_to_document
from storage.records import Candidate


def markdown(people: Sequence[Candidate]) -> bytes:
    """UTF-8; nothing that a record says can make a heading, a link or HTML."""
    parts = []
    for each in people:
        facts = profile_to_document(each.profile)
        name, said = facts["name"], {**facts, "name": None}
        lines = [f"# {plain(name)}", "", *facts_listed(said)]
        lines += ["", f"Added on {each.added_at.date().isoformat()}, record `{each.id}`."]
        parts.append("\n".join(lines))
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")
