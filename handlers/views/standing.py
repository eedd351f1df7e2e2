"""What may not be done with a person, and who is in touch with them, in a line each."""

from typing import Final

from handlers.views.card_setting import Setting
from handlers.views.dates import day
from handlers.views.text import Bold, Line, Mention, line
from storage.records import Candidate, InTouch, Standing, StandingKind

SAID: Final = {
    StandingKind.DO_NOT_CONTACT: "Do not contact",
    StandingKind.RESTRICTED: "Restricted: kept, and not used",
    StandingKind.OBJECTED: "Objected to being processed",
    StandingKind.EXPIRED: "Kept longer than the retention allows, soon erased",
}
WORDS: Final = {
    StandingKind.DO_NOT_CONTACT: "do-not-contact",
    StandingKind.RESTRICTED: "restrict",
    StandingKind.OBJECTED: "objected",
    StandingKind.EXPIRED: "expired",
}


def label(kind: StandingKind) -> str:
    """A standing in the few words of its button: ``Do not contact``, ``Restricted``."""
    return SAID[kind].partition(":")[0]


def standing_lines(candidate: Candidate, setting: Setting, *, reasons: bool = True) -> list[Line]:
    """``Do not contact since 3 Dec, by @Mira: asked by mail``: one line a standing."""
    return [standing_line(each, setting, reason=reasons) for each in candidate.standings]


def standing_line(standing: Standing, setting: Setting, *, reason: bool = True) -> Line:
    since = day(standing.at, now=setting.now, zone=setting.zone)
    return line(
        Bold(SAID[standing.kind]),
        f" since {since}, by ",
        by(standing.by),
        f": {standing.reason}" if reason and standing.reason else None,
    )


def touch_lines(candidate: Candidate, setting: Setting) -> list[Line]:
    """Who is in touch since when; those whose time is over are left out."""
    return [touch_line(each, setting) for each in current(candidate, setting)]


def touch_line(touch: InTouch, setting: Setting) -> Line:
    since = day(touch.since, now=setting.now, zone=setting.zone)
    return line("In touch since ", f"{since}: ", by(touch.who))


def current(candidate: Candidate, setting: Setting) -> list[InTouch]:
    return [each for each in candidate.in_touch if each.until > setting.now]


def by(who: str) -> Line:
    """A person of Slack as a mention, others as what they are."""
    if who.startswith("terminal:"):
        return line(f"{who.removeprefix('terminal:')} at the terminal")
    return line(Mention(who)) if who.startswith(("U", "W")) else line("the bot")
