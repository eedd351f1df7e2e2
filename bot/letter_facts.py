"""What a letter tells of the facts of a record: see ``bot.report_letter``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bot.letter_words import listed, plain, so_many, with_months

Part = Mapping[str, Any]

_REMARKS: Final = {
    "degree-contradicts": "The page contradicts itself about your degree: {}.",
    "country-contradicts": "The country on the page does not fit the city, so none was taken: {}.",
    "span-odd": "The page states a time for one contribution that seems too short for the reviews "
    "and pull requests it counts there: {}.",
    "months-reversed": "The dates of one contribution cannot be right: {}.",
    "name-in-summary": "The summary may be about somebody else: {}.",
}
"""Remarks that are a few words on a card, as sentences; by code."""
_COUNTS: Final = (
    ("commits", "commit", "commits"),
    ("pull_requests", "pull request", "pull requests"),
    ("reviews", "review", "reviews"),
    ("pushes", "push", "pushes"),
    ("branches", "branch", "branches"),
)


def facts_told(facts: Part) -> Iterator[str]:
    yield "A program read this from the documents further below."
    yield ""
    for label, value in (
        ("Name", facts["name"]),
        ("Headline", facts["headline"]),
        ("Job title", facts["title"]),
        ("Company", facts["company"]),
        ("Place", _place(facts)),
        ("Experience, as the page says", _experience(facts)),
        ("GitHub account, probably", facts["likely_login"]),
        ("Education", "; ".join(_studied(each) for each in facts["education"])),
        ("Skills, with the page's scores out of 10", _skills(facts["skills"])),
        ("Stack Overflow", _overflow(facts["stackoverflow"])),
        ("Badges on the page", ", ".join(facts["badges"])),
        ("Summary, written by the page", facts["summary"]),
        *_career(facts),
    ):
        if value:
            yield f"- **{label}:** {plain(value)}"
    for each in facts["contributions"]:
        yield _contribution(each)


def _career(facts: Part) -> Iterator[tuple[str, str]]:
    """(label, text) of what résumés state and pages of profiles do not."""
    spoken = facts.get("languages", ())
    yield "Languages", ", ".join(_with(each["name"], each.get("level")) for each in spoken)
    for job in facts.get("jobs", ()):
        work = " at ".join(filter(None, (job.get("title"), job.get("employer"))))
        ends = (job.get("from"), job.get("to") or ("now" if job.get("is_current") else None))
        when = with_months(" to ".join(filter(None, ends)))
        told = _with(work, ", ".join(filter(None, (when, job.get("place")))))
        yield "Job", ". ".join(filter(None, (told, job.get("summary"))))
    for each in facts.get("publications", ()):
        yield "Publication", _with(each["title"], _rest(each, "publisher", "date", "url"))
    for each in facts.get("certificates", ()):
        yield "Certificate", _with(each["name"], _rest(each, "issuer", "date"))
    yield "Links", ", ".join(each["url"] for each in facts.get("links", ()))
    yield "E-mail", ", ".join(facts.get("emails", ()))
    yield "Telephone", ", ".join(facts.get("phones", ()))


def _rest(entry: Part, *names: str) -> str:
    return ", ".join(filter(None, (entry.get(name) for name in names)))


def _with(text: str, more: str | None) -> str:
    return f"{text} ({more})" if more else text


def _place(facts: Part) -> str:
    """The place as it stands on the page, and what was understood where that says more."""
    place = facts["location"]
    if not place:
        return ""
    understood = (place["city"], place["country"], facts["stated_country"])
    more = [each for each in dict.fromkeys(understood) if each and each not in place["text"]]
    return f"{place['text']}{f' ({listed(more)})' if more else ''}"


def _experience(facts: Part) -> str:
    years = ((facts["years_coding"], "of coding"), (facts["years_employed"], "employed"))
    return ", ".join(
        f"{so_many(number, 'year', 'years')} {what}" for number, what in years if number is not None
    )


def _studied(entry: Part) -> str:
    text, school = entry["text"], entry["school"]
    return text if not school or school in text else f"{text}, {school}"


def _skills(skills: Iterable[Part]) -> str:
    return ", ".join(
        each["name"] if each["score"] is None else f"{each['name']} {each['score']}"
        for each in skills
    )


def _overflow(counts: Part | None) -> str:
    told = {"reputation": "reputation {:,}", "reached": "{:,} people reached"}
    return ", ".join(
        told.get(what, f"{{:,}} {what}").format(number)
        for what, number in (counts or {}).items()
        if number is not None
    )


def _contribution(each: Part) -> str:
    """One contribution: its repository, role and time, what was counted, what the page says."""
    months = [with_months(month) for month in dict.fromkeys((each["from"], each["to"])) if month]
    around = ", ".join(filter(None, (each["role"], " to ".join(months))))
    counted = [so_many(each[key], one, many) for key, one, many in _COUNTS if each[key] is not None]
    counted += [f"{number:,} {what}" for what, number in (each.get("other") or {}).items()]
    during = f"in {each['span']}" if each["span"] else ""
    said = [
        " ".join(filter(None, (listed(counted), during))),
        each["description"] and f"The repository: {each['description']}",
        each["summary"] and f"The page says: {each['summary']}",
        each["topics"] and f"Topics: {', '.join(each['topics'])}",
    ]
    text = " ".join(f"{plain(part).rstrip('.')}." for part in said if part)
    head = f"- **Work on {plain(each['repository'])}**{f' ({plain(around)})' if around else ''}"
    return f"{head}: {text}" if text else head


def remarks_told(facts: Part) -> Iterator[str]:
    declared = facts["declared"]
    stated = [
        so_many(number, one, many)
        for number, one, many in (
            (declared["skills"], "skill", "skills"),
            (declared["languages"], "programming language", "programming languages"),
            (declared["contributions"], "contribution", "contributions"),
        )
        if number is not None
    ]
    if stated:
        yield f"- The headings of the page speak of {listed(stated)}."
    for remark in facts["remarks"]:
        said = plain(with_months(remark["text"]).rstrip("."))
        yield "- " + _REMARKS.get(remark["code"], "{}.").format(said)
