"""I'm on it: who is in touch with whom, for everybody who may see the card.

The button says what it does, so pressing it twice does it once. On a private card
the card is drawn anew; under a shared card or a digest the answer is private, and
its button takes it back. After 30 days it no longer counts.
"""

import re
from dataclasses import replace

from handlers.edge.boundary import Edge, Request
from handlers.features.candidate import noted, setting_of
from handlers.features.records import HIDDEN
from handlers.views.card import LET_GO, TAKE_UP, Setting, card, let_go_button
from handlers.views.message import Actions, Message, Section, compose
from handlers.views.standing import current, standing_lines, touch_line
from handlers.views.text import Bold, line, plain
from storage.errors import BotError
from storage.records import Candidate, Use
from storage.standings import IN_TOUCH_FOR
from storage.uses import allows, is_hidden

GONE = "This person is no longer stored: the record was removed."


class CannotTakeUp(BotError):
    """Somebody who is not to be contacted, or is not there; the sentence says which."""


def register(edge: Edge) -> None:
    edge.action(re.compile(rf"^{re.escape(TAKE_UP)}(\.|$)"), take_up, action="take_up")
    edge.action(re.compile(rf"^{re.escape(LET_GO)}(\.|$)"), let_go, action="take_up")


def take_up(request: Request) -> None:
    """I'm on it was pressed."""
    candidate, setting = the_person(request), setting_of(request)
    if not allows(candidate.standings, Use.CONTACT):
        why = ", and ".join(plain(each) for each in standing_lines(candidate, setting))
        raise CannotTakeUp(f"Nobody is to get in touch: {why}.")
    request.edge.store.take_up(candidate.id, who=request.person.id, now=setting.now)
    if not is_in_touch(candidate, request.person.id, setting):
        noted(request, candidate.id, "take_up")
    tell(request, candidate.id)


def let_go(request: Request) -> None:
    """I'm done was pressed."""
    candidate = the_person(request)
    if request.edge.store.let_go(candidate.id, who=request.person.id):
        noted(request, candidate.id, "let_go")
    tell(request, candidate.id)


def the_person(request: Request) -> Candidate:
    """Whom the button is about. Raises CannotTakeUp."""
    candidate = request.edge.store.candidate(request.heard.value.partition(" ")[0])
    if candidate is None:
        raise CannotTakeUp(GONE)
    if is_hidden(candidate):
        raise CannotTakeUp(HIDDEN)
    return candidate


def is_in_touch(candidate: Candidate, who: str, setting: Setting) -> bool:
    return any(each.who == who for each in current(candidate, setting))


def tell(request: Request, candidate_id: str) -> None:
    """Draw a private card anew; elsewhere say privately who is in touch now."""
    candidate, setting = request.edge.store.candidate(candidate_id), setting_of(request)
    if candidate is None:
        return
    _, thread, where, *_ = [*request.heard.value.split(" "), "", ""]
    if where == "card":
        there = replace(setting, thread=thread if thread not in {"", "-"} else None)
        request.replace(card(candidate, there))
    elif not request.heard.ephemeral:
        request.answer(answer(candidate, setting))
    else:
        request.replace(answer(candidate, setting))


def answer(candidate: Candidate, setting: Setting) -> Message:
    """Who is in touch with a person, with the button that ends it for the reader."""
    there = current(candidate, setting)
    name = Bold(candidate.profile.name)
    mine = [each for each in there if each.who == setting.viewer]
    if not mine:
        first = line("You are no longer marked as in touch with ", name, ".")
    else:
        first = line("You are marked as in touch with ", name, f" for {IN_TOUCH_FOR.days} days.")
    others = [touch_line(each, setting) for each in there if each.who != setting.viewer]
    buttons = [let_go_button(candidate.id, candidate.id)] if mine else []
    return compose([Section([first, *others]), Actions(buttons)])
