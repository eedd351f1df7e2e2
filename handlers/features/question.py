"""A question with all that its answer may depend on, and how the rest of a command parses.

Each parser says whether what stands after a command's word is meant for it; when
not, the whole text is searched.
"""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import regex
from slack_sdk import WebClient

from bot.days_said import days_back
from bot.settings import Settings
from bot.zones import zone_of
from handlers.access.people import TERMINAL, Asker, Place
from handlers.access.rights import may_somewhere
from handlers.features import digests
from handlers.features.shareable import instead_of_share
from handlers.views.card import Setting
from storage.records import Candidate
from storage.search.tree import QueryError
from storage.search.unwrap import unwrap
from storage.search.values import NameTier
from storage.store import Store
from storage.uses import is_hidden

_BETWEEN = regex.compile(r"\s*,\s*|\s+(?:and|with|vs\.?|versus|&)\s+", regex.IGNORECASE)
_LOOSE_END = regex.compile(r"(?:\s*,|\s+(?:and|with|vs\.?|versus|&))\s*$", regex.IGNORECASE)
LONGEST_NAME = 200
BOT_NAME = "candidate"
"""As the bot is invited, until Slack has told its name."""
SEVERAL = 8
"""Names of a comparison, or the words of a few of them."""
_PASTED = regex.compile(r"^(?:\s*/candidate(?=\s|$))+\s*", regex.IGNORECASE)
_AUDITED = regex.compile(
    r"^(\s*audit\s+)<@([UW][A-Z0-9]+)(?:\|[^>]*)?>(?:\s+(?!before\b)[\p{L}'.-]+){0,3}",
    regex.IGNORECASE,
)
"""The one command that is about a colleague; the rest of the name may stand behind the mention."""
_MENTION = regex.compile(r"<@[UW][A-Z0-9]+(?:\|([^>]*))?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A text with everything around it that an answer may depend on."""

    store: Store
    text: str
    asker: Asker
    now: datetime
    place: Place = TERMINAL
    settings: Settings | None = None
    client: WebClient | None = None
    """Slack, for the commands that have to ask it; None at a terminal."""
    thread: str | None = None
    """The thread that a card shared from this answer goes to."""
    bot_name: str = BOT_NAME
    typed: str = ""
    """The text with its lines, as it came."""

    @property
    def admins(self) -> tuple[str, ...]:
        """Whom a refusal says to ask."""
        return self.settings.admin_users if self.settings else ()

    @property
    def zone(self) -> tzinfo:
        """Whose days are meant: the asker's zone in Slack, else ``DIGEST_TIMEZONE``, else UTC."""
        default = self.settings.digest_timezone if self.settings else None
        return zone_of(self.asker.timezone, default)

    @property
    def here(self) -> datetime:
        """Now, in the asker's zone: whose days a search and its reasons mean."""
        return self.now.astimezone(self.zone)

    @property
    def setting(self) -> Setting:
        return Setting(
            now=self.now,
            zone=self.zone,
            thread=self.thread,
            may_share=may_somewhere(self.asker, "share"),
            may_see_contacts=may_somewhere(self.asker, "contact"),
            viewer=self.asker.id,
        )

    @property
    def card_setting(self) -> Setting:
        """The setting of a card: it asks Slack whether a card can be shared here."""
        instead = instead_of_share(self.client, self.place, self.bot_name)
        return replace(self.setting, instead_of_share=instead)


def as_typed(text: str) -> str:
    """What was asked, without a pasted ``/candidate`` before it.

    Raises QueryError for the mention of a colleague: candidates have no account here.
    """
    text = _AUDITED.sub(r"\1\2", _PASTED.sub("", text))
    if _MENTION.search(text):
        raise QueryError(
            "I find candidates, not people of this workspace, so a mention finds nobody. "
            "Type the name as words, such as `/candidate lei wang`."
        )
    return unwrap(text)


def one_person(store: Store, who: str) -> tuple[Candidate | None, list[Candidate]]:
    """The one person whom an id, a name or a login names; else None and those it could be.

    Whom no search may show is nobody here.
    """
    who = unwrap(who)
    by_id = store.candidate(who)
    if by_id is not None and not is_hidden(by_id):
        return by_id, []
    people = [hit.candidate for hit in store.named(who).hits] if who else []
    return (people[0], []) if len(people) == 1 else (None, people)


def nothing_more(_: Question, rest: str) -> bool:
    return not rest


def this_week(question: Question, rest: str) -> bool:
    """Nothing, or a stretch of time back from now."""
    return days_back(rest, question.now) is not None


def names_somebody(question: Question, rest: str) -> bool:
    """The rest is an id or names people here, mistyped or not."""
    if not rest or '"' in rest or len(rest) > LONGEST_NAME:
        return False
    by_id = question.store.candidate(rest)
    if by_id is not None:
        return not is_hidden(by_id)
    return question.store.named(rest).tier is not NameTier.NONE


def begins_with_somebody(question: Question, rest: str) -> bool:
    """Some words at the beginning of the rest name people here."""
    words = rest.split()[:SEVERAL]
    return any(
        names_somebody(question, " ".join(words[:count])) for count in range(len(words), 0, -1)
    )


def names_several(question: Question, rest: str) -> bool:
    """Names between commas or "and", one of which means somebody; or words that all do."""
    parts = parted(rest)
    if not 1 < len(parts) <= SEVERAL:
        return False
    named = [names_somebody(question, part) for part in parts]
    return all(named) or (any(named) and len(_between(rest)) > 1)


def parted(rest: str) -> list[str]:
    """The names between commas or "and"; the words where there is nothing between."""
    parts = _between(rest)
    return parts[0].split() if len(parts) == 1 else parts


def _between(rest: str) -> list[str]:
    return [part.strip() for part in _BETWEEN.split(_LOOSE_END.sub("", rest)) if part.strip()]


def nobody_or_somebody(question: Question, rest: str) -> bool:
    return not rest or names_somebody(question, rest)


def a_page(_: Question, rest: str) -> bool:
    """Nothing, or so much text that it is a page or a description and not words to find."""
    return not rest or len(rest) > 200


def a_description(question: Question, rest: str) -> bool:
    return len(rest) > 100 or question.text.lower().startswith("job:")


def something(_: Question, rest: str) -> bool:
    return bool(rest)


def a_digest(_: Question, rest: str) -> bool:
    """It is one of digest's own words or a schedule; whether all of it parses it says itself."""
    return rest.lower() == "help" or digests.understands(rest)
