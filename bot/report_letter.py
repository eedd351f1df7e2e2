"""The report of ``bot.reporting`` as a letter to the person it is about, in Markdown.

It says "you", tells days as they are told everywhere, and shows nothing of the program's own
structure: for that there is the JSON document. Stored texts stand in it as they are stored, in
fenced blocks; colleagues by their id in Slack, since no more is kept of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Final

import regex

from bot.letter_facts import Part, facts_told, remarks_told
from bot.letter_words import listed, plain
from storage.search.dates import told_day, told_on

Day = Callable[[str], str]
"""The day of an instant of the report, told in the zone of whoever makes it."""

ACTIONS: Final[Mapping[str, str]] = {
    "ask": "found it by a question",
    "page": "found it on a further page of an answer",
    "open": "opened the card",
    "more": "opened the details",
    "history": "read its history",
    "preview": "previewed a digest that tells of it",
    "digest": "had a digest posted that tells of it",
    "show": "printed the record",
    "share": "shared the card",
    "withdraw": "took a shared card back",
    "export": "exported the record",
    "report": "made this report or one like it",
    "stand": "set a restriction",
    "lift": "lifted a restriction",
    "take_up": "noted being in touch",
    "let_go": "noted being in touch no more",
    "notice": "noted how it stands with telling about the record",
    "add": "added it",
    "update": "brought a newer page of it",
    "undo": "took an addition back",
    "duties": "saw it in the list of what is due by law",
    "audit": "saw it in the list of who did what",
    "let_in": "let the record be stored again",
    "restore": "restored it from a backup",
    "refused": "named it in a command that was refused",
    "remove": "erased it",
    "forget": "erased it",
    "expire": "let its time run out",
}
"""An action of the audit in the past tense; "it" is the record."""
_VIA: Final = {
    "slack": " with a message in Slack",
    "load": " from a file",
    "inbox": " from a watched folder",
    "seeds": " with the examples of the program",
}
_ACTORS: Final = {
    "folder": "the bot, from a watched folder",
    "seeds": "the bot, with its examples",
}
_FORMATS: Final = {
    "docx": "a Word document",
    "html": "a web page",
    "pdf": "a PDF",
    "prog-ai": "a Prog,AI profile page",
    "text": "a résumé as text",
}
_MESSAGES: Final = {
    "card": "your card",
    "answer": "an answer to a question",
    "digest": "a digest of new people",
    "receipt": "the receipt of an addition",
}
_OUTCOMES: Final = {
    "stored": "added the record",
    "updated": "brought a newer page",
    "reread": "had the page read once more",
}
_RESTRICTIONS: Final = {
    "do_not_contact": "Nobody may contact you",
    "restricted": "Your record is kept and used for nothing",
    "objected": "You objected to the processing, and your record is not used",
    "expired": "Your record is shown to nobody, since its time is over",
}
_SLACK_PERSON: Final = regex.compile(r"[UW][A-Z0-9]+")
_SLACK_CHANNEL: Final = regex.compile(r"[CG][A-Z0-9]+")


def as_markdown(told: Part, *, zone: tzinfo) -> str:
    """The report as a letter; days are those of ``zone``."""
    return "\n".join(_lines(told, zone)) + "\n"


def often(number: int) -> str:
    """``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _lines(told: Part, zone: tzinfo) -> Iterator[str]:
    now = datetime.fromisoformat(told["made_at"]).astimezone(zone)

    def day(instant: str) -> str:
        return told_on(datetime.fromisoformat(instant), now)

    yield f"# What is stored about {plain(told['facts']['name'])}"
    yield ""
    yield (
        "This is everything that our recruiting bot holds about you. It was put together on "
        f"{told_day(now.date(), None)} at {now:%H:%M} ({zone}). Days are those of that time zone; "
        f"a day without a year is in {now.year}."
    )
    yield ""
    ids = [f"`{each}`" for each in (told["id"], *told["earlier_ids"])]
    yield f"If you write to us about it, name the record: {ids[0]}{_earlier(ids[1:])}."
    for heading, lines in (
        ("What is recorded about you", facts_told(told["facts"])),
        ("What to know about these facts", remarks_told(told["facts"])),
        ("Where they come from", _sources(told, day)),
        ("What happened to the record", _history(told, day)),
        ("Who saw it, and what they did", _seen(told, day)),
        ("Questions that it answered", _searches(told, day)),
        ("Messages and digests that name you", _messages(told, day)),
        ("Restrictions, and who is in touch with you", _restrictions(told, day)),
        ("How long it is kept", _kept(told, day, now)),
    ):
        yield from ("", f"## {heading}", "")
        yield from list(lines) or ["Nothing."]
    yield ""
    yield (
        "Gender, age, origin and photos are not among these facts, and nobody is ranked by them. "
        "You may ask us to correct the record, to erase it or to use it no more, and you may "
        "complain to a data protection authority."
    )


def _earlier(ids: Sequence[str]) -> str:
    return f" (earlier also {listed(ids)})" if ids else ""


# Where it comes from, and what became of it


def _sources(told: Part, day: Day) -> Iterator[str]:
    for number, source in enumerate(told["sources"]):
        if number:
            yield ""
        kind = _FORMATS.get(source["read_by"].partition("/")[0], "a document")
        yield (
            f"**{plain(source['name'])}**, {kind}, was added on {day(source['added_at'])} by "
            f"{_who(source['added_by'])}{_via(source)}. Its text as it is stored:"
        )
        yield ""
        yield from _fenced(source["text"])


def _via(source: Part) -> str:
    """How it came, where who brought it does not say so already."""
    return "" if source["added_by"] in _ACTORS else _VIA.get(source["added_via"], "")


def _history(told: Part, day: Day) -> Iterator[str]:
    for each in told["history"]:
        changes = plain("; ".join(each["changes"])) or "nothing changed"
        yield f"- {day(each['at'])}, by {_who(each['by'])}: {changes}."
    for each in told["added_from_slack"]:
        done = _OUTCOMES.get(each["outcome"], "brought the page again")
        yield f"- {day(each['at'])}: {_who(each['by'])} {done} with a message in Slack."


def _seen(told: Part, day: Day) -> Iterator[str]:
    for each in told["recipients"]:
        first, last = day(each["first"]), day(each["last"])
        when = f"on {first}" if first == last else f"between {first} and {last}"
        done = ACTIONS.get(each["action"], "used the record")
        where = listed(list(dict.fromkeys(filter(None, map(_where, each["places"])))))
        yield _sentence(
            f"{_who(each['who'])} {done}, {often(each['times'])}, {when}{where and ', '}{where}"
        )


def _searches(told: Part, day: Day) -> Iterator[str]:
    for each in told["searches"]:
        asked = f"“{plain(each['asked'])}”" if each["asked"] else "words that are kept no more"
        where = _where(each["where"])
        who = _who(each["by"])
        yield f"- {day(each['at'])}, {who}: {asked}{where and ', '}{where}."


def _messages(told: Part, day: Day) -> Iterator[str]:
    for each in told["messages"]:
        what = _MESSAGES.get(each["kind"], "a message")
        gone = f", taken back on {day(each['withdrawn_at'])}" if each["withdrawn_at"] else ""
        where = _where(each["channel"])
        yield f"- {day(each['posted_at'])}: {what}, {where}, by {_who(each['by'])}{gone}."
    for each in told["digests"]:
        at = each["posted_at"]
        when = f"told of you on {day(at)}" if at else "is to tell of you and is not posted yet"
        yield _sentence(f"digest {each['digest']}, {_where(each['channel'])}, {when}")


def _restrictions(told: Part, day: Day) -> Iterator[str]:
    for each in told["restrictions"]:
        what = _RESTRICTIONS.get(each["kind"], "Your record is used less than others")
        why = f" Noted with it: “{plain(each['reason'])}”." if each["reason"] else ""
        yield f"- {what}, since {day(each['since'])}; noted by {_who(each['by'])}.{why}"
    for each in told["in_touch"]:
        yield _sentence(
            f"{_who(each['who'])} is in touch with you since {day(each['since'])}; "
            f"this note ends on {day(each['until'])}"
        )


def _kept(told: Part, day: Day, now: datetime) -> Iterator[str]:
    notice, kept = told["told_of_being_stored"], told["kept"]
    if notice:
        yield f"- {_notice(notice, day)}"
    if not kept:
        return
    yield f"- The record was first collected on {day(kept['first_collected_at'])}."
    contact = kept["last_contact_at"]
    yield f"- Last contact with you: {day(contact) if contact else 'none is noted'}."
    if not kept["hidden_at"]:
        yield "- It is kept until somebody removes it."
        return
    hidden, erased = day(kept["hidden_at"]), day(kept["erased_at"])
    if datetime.fromisoformat(kept["hidden_at"]) <= now:
        yield f"- Nobody finds it since {hidden}; it is erased on {erased}."
    else:
        yield (
            f"- Without further contact nobody finds it from {hidden} on, and it is erased on "
            f"{erased}."
        )


def _notice(notice: Part, day: Day) -> str:
    when, who = day(notice["at"]), _who(notice["by"]) if notice["by"] else "somebody"
    why = f" The reason: “{plain(notice['reason'])}”." if notice["reason"] else ""
    match notice["state"]:
        case "informed":
            return f"You were told that you are stored: {who} noted that on {when}.{why}"
        case "exempt":
            return (
                f"On {when} {who} noted that you need not be told separately that you are "
                f"stored.{why}"
            )
        case "overdue":
            return f"You should have been told by {when} that you are stored, and were not yet."
        case _:
            return f"You have not been told yet that you are stored; that is due by {when}."


# Words


def _who(who: str) -> str:
    if _SLACK_PERSON.fullmatch(who):
        return f"a colleague (`{who}` in Slack)"
    if who.startswith("terminal:"):
        return f"a colleague who runs the bot ({plain(who.removeprefix('terminal:'))})"
    return _ACTORS.get(who, "the bot")


def _where(place: str) -> str:
    """Where in Slack or elsewhere; empty where it says nothing."""
    if _SLACK_CHANNEL.fullmatch(place):
        return f"in the Slack channel `{place}`"
    if place == "direct" or place.startswith("D"):
        return "in a direct message"
    if place == "terminal":
        return "on the bot's machine"
    return "in Slack" if place in {"command", "mention", "action", "home", "view"} else ""


def _sentence(text: str) -> str:
    return f"- {text[0].upper()}{text[1:]}."


def _fenced(text: str) -> Iterator[str]:
    """The text in a fence that it cannot close."""
    longest = max((len(run) for run in regex.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield text.rstrip("\n")
    yield fence
