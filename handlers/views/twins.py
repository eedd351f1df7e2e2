"""Likely twins with buttons to rule, what a ruling did, and the merges of a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from handlers.views.card import added_by, headline
from handlers.views.card_setting import Setting
from handlers.views.dates import day
from handlers.views.message import Actions, Button, Context, Message, Part, Section, compose
from handlers.views.text import Bold, Code, Either, Line, join, line
from storage.merging import Merge
from storage.records import Candidate
from storage.twins import Twins

SAME, APART, LATER = "candidate.same", "candidate.not_same", "candidate.same_later"
PAGES, UNMERGE = "candidate.twins", "candidate.unmerge"
PAGE: Final = 5
OF_ALL: Final = "-"
"""Stands in a button's value where the list is of everybody."""
_BUTTONS: Final = ((SAME, "Same"), (APART, "Not the same"), (LATER, "Later"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A part of the list: ``of`` is the person it is about, if it is about one."""

    pairs: Sequence[Twins]
    total: int
    offset: int = 0
    of: Candidate | None = None


def twins_message(shown: Shown, *, may_rule: bool, said: Sequence[Part] = ()) -> Message:
    """What was just ruled, the pairs with their reasons, and buttons for who may rule."""
    parts: list[Part] = [*said, Section([_heading(shown)])]
    for number, twins in enumerate(shown.pairs):
        parts += _pair(twins, shown, number, may_rule=may_rule)
    if pages := _pages(shown):
        parts.append(Actions(pages))
    if shown.pairs:
        parts.append(Context([_WHAT if may_rule else _WHO]))
    return compose(parts, text="Duplicates")


_WHAT: Final = line(
    Bold("Same"), " keeps both histories, and ", Code("/candidate unmerge NAME"),
    " takes it back. ", Bold("Not the same"), " is remembered. I never merge by a name alone.",
)  # fmt: skip
_WHO: Final = line("A recruiter rules who is the same.")


def _heading(shown: Shown) -> Line:
    whom = line(" of ", Bold(shown.of.profile.name)) if shown.of else ()
    if not shown.total:
        return line("Nobody here looks like a second record", *whom, ".")
    if shown.total == 1:
        return line(Bold("1 pair"), " may be one person", *whom)
    return line(Bold(f"{shown.total:,} pairs"), " may be one person each", *whom)


def _pair(twins: Twins, shown: Shown, number: int, *, may_rule: bool) -> list[Part]:
    ids = (twins.one.id, twins.other.id)
    parts: list[Part] = [
        Section([headline(twins.one), headline(twins.other), line(" · ".join(twins.reasons))]),
        Context([line(f"id {ids[0]} · id {ids[1]}")]),
    ]
    if may_rule:
        value = f"{ids[0]} {ids[1]} {shown.of.id if shown.of else OF_ALL} {shown.offset}"
        parts.append(
            Actions(
                [
                    Button(text=text, action=f"{action}.{number}", value=value)
                    for action, text in _BUTTONS
                ]
            )
        )
        parts.append(Context([line(Either("", f"to merge them: merge {ids[0]}, {ids[1]}"))]))
    return parts


def _pages(shown: Shown) -> list[Button]:
    there = (("Previous", shown.offset - PAGE), ("Next", shown.offset + PAGE))
    return [
        Button(
            text=text,
            action=f"{PAGES}.{text.lower()}",
            value=f"{shown.of.id if shown.of else OF_ALL} {to}",
        )
        for text, to in there
        if 0 <= to < shown.total
    ]


def merged_said(done: Merge, whole: Candidate, lines: Sequence[Line] = ()) -> Section:
    """That two are one person now, with a button that takes it back."""
    name = Bold(whole.profile.name)
    first = line(Bold(done.name), " is now one person with ", name, ".")
    if done.name == whole.profile.name:
        first = line("The two records of ", name, " are one person now.")
    return Section([first, *lines], take_apart(done, "Undo"))


def ruled_said(one: Candidate, other: Candidate, *, later: bool) -> Section:
    names = join([line(Bold(one.profile.name)), line(Bold(other.profile.name))], " and ")
    if later:
        return Section([line("I ask about ", *names, " again in a week.")])
    if one.profile.name == other.profile.name:
        names = line("The two called ", Bold(one.profile.name))
    return Section([line(*names, " are not the same, and I suggest them no more.")])


def apart_said(done: Merge, whole: Candidate | None) -> Section:
    """That a merge was taken back."""
    from_whom = line(" and ", Bold(whole.profile.name)) if whole else ()
    return Section(
        [line(Bold(done.name), *from_whom, " are two people again, each as before the merge.")]
    )


def take_apart(merge: Merge, text: str = "Take apart") -> Button:
    return Button(text=text, action=f"{UNMERGE}.{merge.merged}", value=merge.merged)


def merges_message(whole: Candidate, merges: Sequence[Merge], setting: Setting) -> Message:
    """The records that a person is made of, each with a button that takes it out."""
    name = whole.profile.name
    if not merges:
        return compose([Section([line(Bold(name), " is not merged with anybody.")])])
    parts: list[Part] = [
        Section([line(Bold(name), " is made of several records. Take out which?")])
    ]
    for each in merges:
        when = day(each.at, now=setting.now, zone=setting.zone)
        why = f": {each.reason}" if each.reason else ""
        told = line(Bold(each.name), f" · merged {when}", *added_by(each.by), why)
        parts.append(Section([told], take_apart(each)))
        parts.append(Context([line(f"id {each.merged}")]))
    return compose(parts)
