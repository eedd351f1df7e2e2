"""The Home tab's blocks: help, the digests with their next times, how the last ones went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from bot.answers import HelpAnswer
from handlers.views.dates import day
from handlers.views.digest import Listed, subscriptions_parts
from handlers.views.help import help_parts
from handlers.views.message import (
    MODAL_BLOCKS,
    MODAL_CHARACTERS,
    Context,
    Divider,
    Header,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.text import Bold, Code, line

SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """``latest`` is when somebody was last added, and their name, which Home does not show."""

    help: HelpAnswer
    listed: Sequence[Listed]
    latest: tuple[datetime, str] | None
    now: datetime
    zone: tzinfo


def home(view: HomeView) -> Message:
    parts: list[Part] = [
        Header("Candidate Bot"),
        *help_parts(view.help),
        Divider(),
        *_digests(view),
    ]
    if view.latest:
        added = day(view.latest[0], now=view.now, zone=view.zone)
        parts.append(Context([f"Last addition: {added}."]))
    return compose(parts, blocks=MODAL_BLOCKS, characters=MODAL_CHARACTERS)


def _digests(view: HomeView) -> list[Part]:
    if not view.listed:
        start = Code("/candidate digest weekly monday 09:00")
        return [
            Section(
                [
                    line(Bold("Digests")),
                    line("None yet. In the channel that should get one, type ", start),
                ]
            )
        ]
    parts: list[Part] = [Section([line(Bold("Digests"))])]
    parts += subscriptions_parts(view.listed[:SHOWN], now=view.now)
    if len(view.listed) > SHOWN:
        parts.append(Context([line("All of them: ", Code("/candidate digest list"))]))
    return parts
