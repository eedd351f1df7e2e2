"""What a digest says: who is new to a subscription, and why each is in it.

``compose`` is the only way to a digest: the preview shows what it returns and
the sender freezes it. Up to 10 people stand in the message, up to 40 more in
its thread; the others are counted, and a query lists them. All are told of.
"""

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from bot.recurrence import Recurrence
from bot.zones import zone_of
from storage.records import Candidate, Contribution, Profile, RunState, Severity, Subscription
from storage.search.skills import fold_skills
from storage.search.values import Hit
from storage.store import Store

FURTHEST_WEST: Final = timedelta(hours=12)
"""Behind UTC: whoever reads a digest there, too, gets everybody from the query that lists them."""
IN_MESSAGE: Final = 10
IN_THREAD: Final = 40
SKILLS: Final = 4
WEIGHT: Final = 7_500
"""Characters of people in one message, escaped: Slack's limit is over all its blocks."""
FRAME: Final = 120
"""Characters that stand around a person's words: emphasis, a link, a button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A person as a digest tells of them; every text is literal and cut to a line."""

    id: str
    name: str
    work: str
    place: str
    place_unclear: bool
    proof: Contribution | None
    """The contribution with most commits, pull requests and reviews; numbers and months only."""
    skills: tuple[str, ...]
    why: tuple[str, ...]
    """Why the digest's query matches; empty in a digest of everyone."""
    added_at: datetime
    added_by: str
    checks: int
    """Contradictions to look at."""

    @property
    def weight(self) -> int:
        """About how many characters this takes in a message, never less."""
        proof = self.proof.repository * 2 if self.proof else ""
        texts = (self.name, self.work, self.place, proof, *self.skills, *self.why)
        return FRAME + sum(len(text) + 5 * sum(map("&<>*_~`:".count, text)) for text in texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A digest. ``parts`` are its messages: the first in the channel, the others in its thread."""

    number: int
    query: str
    phrase: str
    """The query in English, such as ``with skill cuda``; empty without one."""
    timezone: str
    since: datetime
    following: datetime | None
    """When the next one comes."""
    first: bool
    total: int
    parts: tuple[tuple[Newcomer, ...], ...]
    rest_query: str
    """Lists everybody of this digest, for those that it only counts."""
    empties: int = 0
    """Slots in a row without anybody: set in the line that says that the digest runs."""
    last_added: datetime | None = None
    rest: tuple[str, ...] = ()
    """Ids of those only counted; not part of the frozen payload."""

    @property
    def people(self) -> tuple[Newcomer, ...]:
        return tuple(person for part in self.parts for person in part)

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """Ids by message; those only counted belong to the last, which counts them."""
        named = [tuple(person.id for person in part) for part in self.parts]
        named[-1] += self.rest
        return tuple(named)


def compose(
    store: Store,
    subscription: Subscription,
    now: datetime,
    beat: Callable[[], object] = lambda: None,
) -> Digest:
    """What the subscription's digest would say at ``now``; ``beat`` is called between the steps.

    Raises a BotError when its query can no longer be read or its zone is not known.
    """
    following = Recurrence.of(subscription).coming(now, 1)
    here = now.astimezone(zone_of(subscription.timezone))
    query, phrase, ids, first_hits = _news(store, subscription, here, beat)
    beat()
    named = _newcomers(store, ids[: IN_MESSAGE + IN_THREAD], first_hits)
    last = store.last_digest(subscription.number, now=now)
    known = last is not None and last.state in {RunState.POSTED, RunState.EMPTY}
    oldest = min((person.added_at for person in named), default=now)
    return Digest(
        number=subscription.number,
        query=query,
        phrase=phrase,
        timezone=subscription.timezone,
        since=last.due_at if last is not None and known else subscription.since,
        following=following[0].due_at if following else None,
        first=last is None,
        total=len(named) + len(ids[IN_MESSAGE + IN_THREAD :]),
        parts=split(named),
        rest_query=f"added>={oldest - FURTHEST_WEST:%Y-%m-%d}" + (f" ({query})" if query else ""),
        rest=tuple(ids[IN_MESSAGE + IN_THREAD :]),
    )


def sign_of_life(store: Store, digest: Digest, empties: int) -> Digest:
    """The line for a digest that was empty ``empties`` times in a row."""
    latest = store.latest_addition()
    return dataclasses.replace(digest, empties=empties, last_added=latest[0] if latest else None)


def split(people: Sequence[Newcomer]) -> tuple[tuple[Newcomer, ...], ...]:
    """People in messages: at most 10 each, and no more characters than a message holds."""
    parts: list[list[Newcomer]] = [[]]
    room = WEIGHT
    for person in people:
        if len(parts[-1]) == IN_MESSAGE or (parts[-1] and person.weight > room):
            parts.append([])
            room = WEIGHT
        parts[-1].append(person)
        room -= person.weight
    return tuple(tuple(part) for part in parts)


def digest_to_payload(digest: Digest) -> str:
    """The digest as JSON, to be frozen."""
    values = dataclasses.asdict(digest)
    del values["rest"]
    return json.dumps(values, default=_instant_to_json, ensure_ascii=False, sort_keys=True)


def digest_from_payload(payload: str) -> Digest:
    """What was frozen."""
    values = json.loads(payload)
    for name in ("since", "following", "last_added"):
        values[name] = _instant(values[name])
    values["parts"] = tuple(tuple(_newcomer(each) for each in part) for part in values["parts"])
    return Digest(**values)


def _news(
    store: Store, subscription: Subscription, now: datetime, beat: Callable[[], object]
) -> tuple[str, str, list[str], Mapping[str, Hit]]:
    """The query as understood, the same in English, all ids that are new, and the first hits.

    Only who is named needs a reason; of the others the ids are enough.
    """
    if not subscription.query:
        return "", "", store.untold(subscription), {}
    page = store.search(
        subscription.query,
        limit=IN_MESSAGE + IN_THREAD,
        untold=subscription.number,
        now=now,
    )
    hits = {hit.candidate.id: hit for hit in page.hits}
    ids = list(hits)
    if page.total > len(ids):
        beat()
        all_ids = store.untold_matches(subscription.query, subscription.number, now=now)
        ids += [id_ for id_ in all_ids if id_ not in hits]
    return page.query, page.phrase, ids, hits


def _newcomers(store: Store, ids: Sequence[str], hits: Mapping[str, Hit]) -> list[Newcomer]:
    if hits:
        return [_tell(hits[id_].candidate, hits[id_].why) for id_ in ids]
    return [_tell(candidate, ()) for candidate in store.candidates(ids)]


def _tell(candidate: Candidate, why: Iterable[str]) -> Newcomer:
    profile = candidate.profile
    location = profile.location
    unclear = bool(location and location.city and location.stated_country and not location.country)
    place = ""
    if location:
        place = (location.city or location.text) if unclear else location.text
    best = sorted(fold_skills(profile.skills), key=lambda skill: -(skill.score or 0))
    return Newcomer(
        id=candidate.id,
        name=_cut(profile.name, 100),
        work=_cut(_work(profile), 140),
        place=_cut(place, 80),
        place_unclear=unclear,
        proof=_proof(profile.contributions),
        skills=tuple(_cut(skill.name, 40) for skill in best[:SKILLS]),
        why=tuple(_cut(reason, 120) for reason in list(why)[:3]),
        added_at=candidate.added_at,
        added_by=candidate.added_by,
        checks=sum(remark.severity is Severity.CHECK for remark in profile.remarks),
    )


def _work(profile: Profile) -> str:
    return " at ".join(filter(None, (profile.title, profile.company))) or profile.headline or ""


def _proof(contributions: Sequence[Contribution]) -> Contribution | None:
    """The one with the most commits, pull requests and reviews, without its prose."""
    best = max(contributions, key=_activity, default=None)
    if best is None:
        return None
    return Contribution(
        repository=_cut(best.repository, 100),
        from_month=best.from_month,
        to_month=best.to_month,
        commits=best.commits,
        pull_requests=best.pull_requests,
        reviews=best.reviews,
        pushes=best.pushes,
        branches=best.branches,
    )


def _activity(contribution: Contribution) -> int:
    counted = (contribution.commits, contribution.pull_requests, contribution.reviews)
    return sum(number or 0 for number in counted)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _newcomer(values: dict[str, Any]) -> Newcomer:
    proof = values["proof"]
    if proof is not None:
        proof = Contribution(**{**proof, "topics": tuple(proof["topics"])})
    return Newcomer(
        **{
            **values,
            "proof": proof,
            "skills": tuple(values["skills"]),
            "why": tuple(values["why"]),
            "added_at": datetime.fromisoformat(values["added_at"]),
        }
    )


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _instant_to_json(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} does not belong into a digest")
