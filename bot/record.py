"""A whole record: every fact, every warning, where it came from; for programs and for people."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from storage.profile_json import profile_to_document
from storage.records import Candidate
from storage.store import Store

Record = Mapping[str, Any]

WIDTH: Final = 100
_COUNTS: Final = (
    ("commits", "commit", "commits"),
    ("pull_requests", "pull request", "pull requests"),
    ("reviews", "review", "reviews"),
    ("pushes", "push", "pushes"),
    ("branches", "branch", "branches"),
)
_LISTED: Final = (
    ("Languages", "languages"),
    ("Publications", "publications"),
    ("Certificates", "certificates"),
    ("Links", "links"),
    ("E-mail", "emails"),
    ("Telephone", "phones"),
)
_OVERFLOW: Final = ("reputation", "reached", "answers", "questions")


def record_as_json(store: Store, person: Candidate) -> dict[str, Any]:
    """The whole record: the profile's keys, and beside them what the store knows of it."""
    document = profile_to_document(person.profile)
    remarks = document.pop("remarks")
    return {
        "id": person.id,
        **document,
        "newest_fact": person.profile.newest_fact,
        "warnings": [remark["text"] for remark in remarks],
        "remarks": remarks,
        "added_at": person.added_at.isoformat(),
        "added_by": person.added_by,
        "updated_at": person.updated_at.isoformat(),
        "sources": [
            {
                "id": source.id,
                "name": source.name,
                "added_by": source.added_by,
                "added_via": source.added_via,
                "added_at": source.added_at.isoformat(),
                "read_at": source.read_at.isoformat(),
                "parser": source.parser,
                "characters": source.text_length,
            }
            for source in person.sources
        ],
        "history": [
            {"at": entry.at.isoformat(), "by": entry.by, "changes": list(entry.changes)}
            for entry in store.history(person.id)
        ],
        "standings": [
            {
                "kind": each.kind.value,
                "since": each.at.isoformat(),
                "by": each.by,
                "reason": each.reason,
            }
            for each in person.standings
        ],
        "in_touch": [
            {"who": each.who, "since": each.since.isoformat(), "until": each.until.isoformat()}
            for each in person.in_touch
        ],
    }


def who_it_is(person: Candidate) -> str:
    """Enough to tell whom a command is about to do something with."""
    profile = person.profile
    facts = (
        profile.name,
        profile.headline,
        profile.location.text if profile.location else None,
        *(f"from {source.name}" for source in person.sources),
        f"id {person.id}",
    )
    return "\n".join(fact for fact in facts if fact)


def record_text(record: Record) -> str:
    """The document of ``show --json`` in words, under headings; what is not known is left out."""
    return "\n".join(_lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield record["name"]
    yield from _who(record)
    yield from _section(
        "What may be done", [_indented(_stands(each)) for each in record["standings"]]
    )
    yield from _section("In touch", [_indented(_touch(each)) for each in record["in_touch"]])
    yield from _section("Check", [_indented("- " + each) for each in record["warnings"]])
    yield from _section("Summary", [_indented(record["summary"] or "")])
    yield from _section("Jobs", [text for each in record.get("jobs", ()) for text in _job(each)])
    yield from _section(
        _counted("Worked on", record, "contributions"),
        [line for each in record["contributions"] for line in _contribution(each)],
    )
    skills = ", ".join(
        each["name"] if each["score"] is None else f"{each['name']} {each['score']:g}"
        for each in record["skills"]
    )
    scored = any(each["score"] is not None for each in record["skills"])
    heading = "Skills, with the page's scores" if scored else "Skills"
    yield from _section(_counted(heading, record, "skills"), [_indented(skills)])
    yield from _section("Education", [_indented(_studied(each)) for each in record["education"]])
    for heading, key in _LISTED:
        yield from _section(heading, [_indented(_entry_of(each)) for each in record.get(key, ())])
    overflow = record["stackoverflow"] or {}
    told = [f"{each} {overflow[each]:,}" for each in _OVERFLOW if overflow.get(each) is not None]
    yield from _section("Stack Overflow", [_indented(", ".join(told))])
    yield from _section("Badges on the page", [_indented(", ".join(record["badges"]))])
    yield from _section("Sources", [_indented(_source(each)) for each in record["sources"]])
    yield from _section("History", [_indented(_entry(each)) for each in record["history"]])
    yield ""
    yield f"Id {record['id']}"


def _who(record: Record) -> Iterator[str]:
    work = " at ".join(filter(None, (record["title"], record["company"])))
    place = record["location"] or {}
    facts = [
        record["headline"] or "",
        work if work != record["headline"] else "",
        place.get("text") or "",
        f"years of coding: {record['years_coding']}" if record["years_coding"] is not None else "",
        f"years employed as a developer: {record['years_employed']}"
        if record["years_employed"] is not None
        else "",
        f"login probably {record['likely_login']}" if record["likely_login"] else "",
        f"nothing on the page is dated after {record['newest_fact']}"
        if record["newest_fact"]
        else "nothing on the page is dated",
    ]
    yield from (fact for fact in facts if fact)


def _counted(heading: str, record: Record, what: str) -> str:
    """The heading; how many the page says there are, when it lists others."""
    listed, declared = len(record[what]), record["declared"].get(what)
    if declared is None or declared == listed:
        return heading
    return f"{heading} ({listed} of {declared} on the page)"


def _contribution(each: Record) -> Iterator[str]:
    months = each.get("from") or each.get("to") or ""
    if each.get("from") and each.get("to") and each["from"] != each["to"]:
        months = f"{each['from']} to {each['to']}"
    yield _indented(
        " · ".join(filter(None, (each["repository"], each.get("role"), months, each.get("span"))))
    )
    counts = [
        f"{number:,} {one if number == 1 else many}"
        for key, one, many in _COUNTS
        if (number := each.get(key)) is not None
    ]
    counts += [f"{number:,} {what}" for what, number in (each.get("other") or {}).items()]
    topics = each.get("topics") or []
    for text in (
        ", ".join(counts),
        each.get("description") or "",
        each.get("summary") or "",
        f"Topics: {', '.join(topics)}" if topics else "",
    ):
        if text:
            yield _indented(text, 4)


def _job(each: Record) -> Iterator[str]:
    work = " at ".join(filter(None, (each.get("title"), each.get("employer"))))
    last = "now" if each.get("is_current") else each.get("to")
    time = " to ".join(filter(None, (each.get("from"), last)))
    yield _indented(" · ".join(filter(None, (work, time, each.get("place")))))
    if each.get("summary"):
        yield _indented(each["summary"], 4)


def _entry_of(entry: Record | str) -> str:
    """A language, link, publication, certificate or contact detail: all that is stated of it."""
    if isinstance(entry, str):
        return entry
    return " · ".join(str(value) for value in entry.values() if value)


def _studied(entry: Record) -> str:
    text, school = entry["text"], entry["school"]
    return text if not school or school in text else f"{text}, {school}"


def _source(source: Record) -> str:
    return (
        f"{source['name']}, {source['characters']:,} characters, added {_at(source['added_at'])} "
        f"by {_person(source['added_by'])} ({source['added_via']}), read by {source['parser']}"
    )


def _entry(entry: Record) -> str:
    return f"{_at(entry['at'])}, {_person(entry['by'])}: {'; '.join(entry['changes'])}"


def _stands(standing: Record) -> str:
    why = f": {standing['reason']}" if standing["reason"] else ""
    kind = standing["kind"].replace("_", " ")
    return f"{kind} since {_at(standing['since'])}, by {_person(standing['by'])}{why}"


def _touch(touch: Record) -> str:
    return f"{_person(touch['who'])} since {_at(touch['since'])}, until {_at(touch['until'])}"


def _at(moment: str) -> str:
    """``2026-11-30T21:08:31.354217+00:00`` → ``2026-11-30 21:08 UTC``."""
    return f"{moment[:10]} {moment[11:16]} UTC"


def _person(who: str) -> str:
    """``terminal:root`` → ``root at the terminal``."""
    kind, found, login = who.partition(":")
    return f"{login} at the terminal" if found and kind == "terminal" else who


def _section(heading: str, lines: list[str]) -> Iterator[str]:
    if any(each.strip() for each in lines):
        yield ""
        yield heading
        yield from lines


def _indented(text: str, by: int = 2) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=" " * by,
        subsequent_indent=" " * (by + 2 * text.startswith("- ")),
        break_long_words=False,
        break_on_hyphens=False,
    )
