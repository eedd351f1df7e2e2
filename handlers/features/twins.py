"""Duplicates: who may be one person, ruling on it, and taking a merge apart again.

``duplicates`` lists likely twins (``storage.twins``), ``merge NAME, NAME`` rules without
being asked, ``unmerge NAME`` takes back. A merge obeys the marks of both people, so
messages that may not name the other any more are cleaned as after a mark.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from handlers.access.rights import may
from handlers.edge.boundary import Edge, Request
from handlers.features.command import ADDING, Command
from handlers.features.question import (
    Question,
    names_several,
    nobody_or_somebody,
    one_person,
    parted,
)
from handlers.features.records import names_a_record, records
from handlers.features.replies import Reply, done, which
from handlers.features.standing import Around, take_down
from handlers.views.message import Part, Section, compose
from handlers.views.twins import (
    APART,
    LATER,
    OF_ALL,
    PAGE,
    PAGES,
    SAME,
    UNMERGE,
    Shown,
    apart_said,
    merged_said,
    merges_message,
    ruled_said,
    twins_message,
)
from storage.records import Candidate
from storage.store import Store

PUT_OFF: Final = timedelta(days=7)
"""After which somebody who was put off is suggested again."""
GONE: Final = "One of the two is no longer stored, or they are one person already."
NOT_MERGED: Final = "This merge was taken back already."


def register(edge: Edge) -> None:
    buttons = (
        (SAME, same), (APART, not_the_same), (LATER, later), (PAGES, paged), (UNMERGE, apart),
    )  # fmt: skip
    for action, work in buttons:
        right = "ask" if action == PAGES else "merge"
        edge.action(re.compile(rf"^{re.escape(action)}(\.|$)"), work, action=right)


def run_duplicates(question: Question, rest: str) -> Reply:
    person, others = one_person(question.store, rest) if rest else (None, [])
    if rest and person is None and not others:
        return done(question.text, which(rest, others, "whom you mean"))
    person = person or next(iter(others), None)  # whoever else is called so is among the twins
    shown = _found(question.store, person, 0, question.now)
    message = twins_message(shown, may_rule=may(question.asker, "merge", question.place))
    reply = done(question.text, message.plain, message)
    return replace(reply, about=tuple(dict.fromkeys(_ids(shown))))


def run_merge(question: Question, rest: str) -> Reply:
    """``merge NAME, NAME``: two people who are one, whatever is suggested."""
    people = []
    for name in parted(rest):
        person, others = one_person(question.store, name)
        if person is None:
            return done(question.text, which(name, others, "whom to merge"))
        people.append(person)
    if len(people) != 2:
        return done(question.text, "Name two people, with a comma between: `merge NAME, NAME`.")
    around = Around(
        store=question.store,
        who=question.asker.id,
        where=question.place.channel or question.place.kind,
        now=question.now,
        client=question.client,
    )
    message = compose([_merged(around, people[0].id, people[1].id)])
    reply = done(question.text, message.plain, message)
    return replace(reply, about=tuple(each.id for each in people))


def run_unmerge(question: Question, rest: str) -> Reply:
    """``unmerge NAME``: the one merge of a person, or which of several; or that of an id."""
    people = records(question.store, rest, hidden=question.asker.admin)
    if len(people) != 1:
        return done(question.text, which(rest, people, "whom you mean"))
    [whole] = people
    merges = question.store.merges(whole.id)
    meant = [each for each in merges if each.merged == rest.strip()] or merges
    if len(meant) != 1:
        message = merges_message(whole, merges, question.setting)
    else:
        taken = question.store.unmerge(
            meant[0].merged,
            by=question.asker.id,
            place=question.place.channel or question.place.kind,
            now=question.now,
        )
        said = apart_said(taken, question.store.candidate(whole.id)) if taken else None
        message = compose([said or Section([NOT_MERGED])])
    reply = done(question.text, message.plain, message)
    return replace(reply, about=(whole.id, *(each.merged for each in meant)))


def same(request: Request) -> None:
    """Same was pressed."""
    one, other, of, offset = _value(request)
    _show(request, of, offset, [_merged(_pressed(request), one, other)])


def not_the_same(request: Request) -> None:
    """Not the same was pressed."""
    _rule(request, put_off=None)


def later(request: Request) -> None:
    """Later was pressed."""
    _rule(request, put_off=PUT_OFF)


def paged(request: Request) -> None:
    """Next and Previous."""
    of, offset = [*request.heard.value.split(" "), "", ""][:2]
    _show(request, of, offset)


def apart(request: Request) -> None:
    """Take apart, or Undo, was pressed."""
    store = request.edge.store
    whole = store.candidate(request.heard.value)
    taken = store.unmerge(
        request.heard.value,
        by=request.person.id,
        place=request.place.channel or request.place.kind,
        now=request.edge.clock(),
    )
    said = apart_said(taken, store.candidate(whole.id) if whole else None) if taken else None
    request.replace(compose([said or Section([NOT_MERGED])]))


def _rule(request: Request, put_off: timedelta | None) -> None:
    store, now = request.edge.store, request.edge.clock()
    one, other, of, offset = _value(request)
    until = now + put_off if put_off else None
    ruled = store.not_the_same(one, other, by=request.person.id, now=now, until=until)
    people = store.candidates([one, other])
    said = (
        ruled_said(*people, later=put_off is not None)
        if ruled and len(people) == 2
        else Section([GONE])
    )
    _show(request, of, offset, [said])


def _merged(around: Around, one: str, other: str) -> Section:
    """Merge them, clean what the marks of either forbid, and say so."""
    list_id = around.store.new_id()
    merge = around.store.merge(
        one, other, by=around.who, place=around.where, now=around.now, list_id=list_id
    )
    lines = take_down(around, list_id)
    [whole] = around.store.candidates([merge.kept])
    return merged_said(merge, whole, lines)


def _show(request: Request, of: str, offset: str, said: Sequence[Part] = ()) -> None:
    store, now = request.edge.store, request.edge.clock()
    person = None if of in {"", OF_ALL} else store.candidate(of)
    start = int(offset) if offset.isdigit() else 0
    shown = _found(store, person, start, now)
    if not shown.pairs and start:
        shown = _found(store, person, max(0, start - PAGE), now)
    may_rule = may(request.person, "merge", request.place)
    request.replace(twins_message(shown, may_rule=may_rule, said=said))


def _found(store: Store, person: Candidate | None, offset: int, now: datetime) -> Shown:
    pairs, total = store.likely_twins(
        of=person.id if person else None, now=now, limit=PAGE, offset=offset
    )
    return Shown(pairs=pairs, total=total, offset=offset, of=person)


def _ids(shown: Shown) -> list[str]:
    return [each.id for pair in shown.pairs for each in (pair.one, pair.other)]


def _value(request: Request) -> tuple[str, str, str, str]:
    """The pair, the person that the list is about, and where in the list it stood."""
    one, other, of, offset = [*request.heard.value.split(" "), "", "", "", ""][:4]
    return one, other, of, offset


def _pressed(request: Request) -> Around:
    return Around(
        store=request.edge.store,
        who=request.person.id,
        where=request.place.channel or request.place.kind,
        now=request.edge.clock(),
        client=request.edge.client,
    )


DUPLICATES = Command(
    word="duplicates",
    usage="duplicates",
    group=ADDING,
    help="records that may be one person, with the reasons and buttons to rule; `duplicates NAME`",
    parses=nobody_or_somebody,
    run=run_duplicates,
    also=("twins",),
)
MERGE = Command(
    word="merge",
    usage="merge NAME, NAME",
    group=ADDING,
    help="two records that are one person; both histories stay",
    parses=names_several,
    run=run_merge,
    action="merge",
)
UNMERGE_COMMAND = Command(
    word="unmerge",
    usage="unmerge NAME",
    group=ADDING,
    help="take a merge of two records back, without loss",
    parses=names_a_record,
    run=run_unmerge,
    action="merge",
)
