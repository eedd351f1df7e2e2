"""The values that cross the border of storage.

Everything here is frozen and knows no database. Instants are aware datetimes
in UTC, months are ``"YYYY-MM"``, scores are whole numbers from 0 to 10.
``None`` means "not stated": it is never 0 and never "none".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place as a document states it.

    ``country`` is None when no country is stated or when the stated one
    contradicts the city; the contradicted one stays in ``stated_country``.
    """

    text: str
    city: str | None = None
    country: str | None = None
    stated_country: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Education:
    """``text`` is the whole entry in the document's words; dates as of ``Job``."""

    text: str
    school: str | None = None
    area: str | None = None
    degree: str | None = None
    from_date: str | None = None
    to_date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job as a document states it.

    Dates are as precise as stated: ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``. ``is_current``
    holds only where the document says so (``Present``, a first date and no last one in a
    format that leaves it out for that reason).
    """

    employer: str | None = None
    title: str | None = None
    from_date: str | None = None
    to_date: str | None = None
    is_current: bool = False
    place: str | None = None
    summary: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language that people speak, and how well in the document's words."""

    name: str
    level: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A page of the person's; ``url`` is absolute."""

    url: str
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    title: str
    publisher: str | None = None
    date: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    name: str
    issuer: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StackOverflow:
    reputation: int | None = None
    reached: int | None = None
    answers: int | None = None
    questions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill in the document's wording; ``score`` 0–10, None when it cannot be read."""

    name: str
    score: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The counts in a page's headings, which may exceed what the page lists."""

    skills: int | None = None
    languages: int | None = None
    contributions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """Work in one repository. Months ``YYYY-MM``; ``span`` in the page's words."""

    repository: str
    from_month: str | None = None
    to_month: str | None = None
    description: str | None = None
    role: str | None = None
    commits: int | None = None
    pull_requests: int | None = None
    reviews: int | None = None
    pushes: int | None = None
    branches: int | None = None
    other: Mapping[str, int] = field(default_factory=dict)
    span: str | None = None
    summary: str | None = None
    topics: tuple[str, ...] = ()


class Severity(StrEnum):
    """CHECK: a contradiction that a person should look at. NOTE: incomplete or odd, no more."""

    CHECK = "check"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something about the facts that a reader should know.

    ``code`` is stable (``country-contradicts``, ``skills-incomplete``, …);
    ``text`` is the sentence for people.
    """

    code: str
    text: str
    severity: Severity = Severity.NOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What one document says about one person. Nothing here is inferred without a remark."""

    name: str
    headline: str | None = None
    title: str | None = None
    company: str | None = None
    location: Location | None = None
    badges: tuple[str, ...] = ()
    summary: str | None = None
    years_coding: int | None = None
    years_employed: int | None = None
    education: tuple[Education, ...] = ()
    stackoverflow: StackOverflow | None = None
    skills: tuple[Skill, ...] = ()
    declared: Declared = field(default_factory=Declared)
    contributions: tuple[Contribution, ...] = ()
    likely_login: str | None = None
    jobs: tuple[Job, ...] = ()
    """The newest first, as far as the document orders or dates them."""
    languages: tuple[Language, ...] = ()
    links: tuple[Link, ...] = ()
    publications: tuple[Publication, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    emails: tuple[str, ...] = ()
    """Contact details: never searched, shown to those who may see them."""
    phones: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def newest_fact(self) -> str | None:
        """The latest month ``YYYY-MM`` that anything on the document is dated, or None."""
        dates = [
            *(date for each in self.contributions for date in (each.from_month, each.to_month)),
            *(date for each in self.jobs for date in (each.from_date, each.to_date)),
        ]
        return max((date[:7] for date in dates if date and len(date) >= 7), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source document on its way in: where it came from, its text, and who brought it."""

    name: str
    """File name without folders, or a description such as ``message``."""
    text: str
    """The part of the document that speaks of this person."""
    added_by: str
    """A Slack user id, ``terminal:LOGIN``, ``folder`` or ``seeds``."""
    added_via: str
    """``slack``, ``load``, ``inbox`` or ``seeds``."""
    parser: str
    """Format and version, such as ``prog-ai/1``: the same text read by a newer parser is news."""
    name_tells: bool = True
    """Whether the file name may say who it is: not where several of one name share it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source document as stored, without its text."""

    id: str
    name: str
    digest: str
    """Keyed hash (HMAC-SHA256, hex) of the text."""
    added_by: str
    added_via: str
    added_at: datetime
    read_at: datetime
    parser: str
    text_length: int


class StandingKind(StrEnum):
    """Why less may be done with a person than with others; ``storage.standings`` says what."""

    DO_NOT_CONTACT = "do_not_contact"
    RESTRICTED = "restricted"
    """Kept, and no more (GDPR Art. 18)."""
    OBJECTED = "objected"
    """The person objected to being processed (GDPR Art. 21)."""
    EXPIRED = "expired"
    """Kept longer than the retention allows, and soon erased."""


class Use(StrEnum):
    """What is done with a stored person."""

    SEARCH = "search"
    DIGEST = "digest"
    SHARE = "share"
    EXPORT = "export"
    CONTACT = "contact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """That a person is not to be contacted, restricted, …: since when, by whom, and why."""

    kind: StandingKind
    at: datetime
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InTouch:
    """Somebody is in touch with a person, and until when that is taken to be so."""

    who: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A person as stored. ``id`` never changes and never means another person."""

    id: str
    profile: Profile
    added_at: datetime
    added_by: str
    added_via: str
    updated_at: datetime
    sources: tuple[Source, ...] = ()
    standings: tuple[Standing, ...] = ()
    in_touch: tuple[InTouch, ...] = ()
    """Oldest first; some may be past their end."""


class Outcome(StrEnum):
    STORED = "stored"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of one profile. ``changes`` are sentences such as ``title: Engineer → Lead``."""

    outcome: Outcome
    candidate_id: str
    name: str
    changes: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    """Ids of stored people of the same name that this one was *not* merged with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    at: datetime
    by: str
    source_id: str | None
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A digest that comes again. ``number`` is what people type; it never changes.

    ``weekdays`` are ISO (Monday 1 … Sunday 7); ``hour`` and ``minute`` are local
    in the IANA zone ``timezone``. ``key`` is ``settings`` for the default digest.
    """

    number: int
    channel: str
    weekdays: tuple[int, ...]
    hour: int
    minute: int
    timezone: str
    query: str = ""
    since: datetime
    enabled: bool = True
    stopped: bool = False
    created_by: str
    created_at: datetime
    active_from: datetime
    """Slots before this instant do not count: creation, or the last resume or new schedule."""
    key: str | None = None


class RunState(StrEnum):
    """Where a run of a digest stands; ``storage.claims`` says what leads where."""

    READY = "ready"
    CLAIMED = "claimed"
    POSTED = "posted"
    EMPTY = "empty"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestPart:
    """A message of a run: part 0 stands in the channel, the others in its thread."""

    number: int
    ts: str | None = None
    candidate_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRun:
    """One slot of a subscription, in the ledger."""

    id: str
    subscription: Subscription
    slot: str
    """The slot's local date ``YYYY-MM-DD`` (``now-…`` for one asked for by hand)."""
    due_at: datetime
    state: RunState
    owner: str | None = None
    lease_until: datetime | None = None
    attempt: int = 0
    first_claim_at: datetime | None = None
    payload: str | None = None
    """The frozen digest as JSON; emptied once posted and swept."""
    parts: tuple[DigestPart, ...] = ()
    people: int = 0
    settled_at: datetime | None = None
    """When it came to a state that is not ready or claimed."""
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Who did what, where, and whom it was about."""

    at: datetime
    who: str
    action: str
    place: str
    text: str = ""
    candidate_ids: tuple[str, ...] = ()
    number: int = 0
    """Its place in the chain, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What an answer about people was, beside its question: so much that it can be replayed."""

    ranking: int
    """The version of the formula."""
    zone: str
    """The IANA zone whose days were meant."""
    start: int
    """How many people stood on the pages before."""
    people: int
    """How many it found, on its page."""
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAnswer:
    """An entry of the audit, as an answer. ``answered`` is None where it was no such answer.

    ``shown`` are those whom it found and who are still known, by their place from 0.
    """

    entry: AuditEntry
    answered: Answered | None
    shown: Mapping[int, str]
    emptied: bool
    """The question is gone, with somebody who was erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """How many people were added and changed after a moment, and how many erasures there were."""

    added: int
    changed: int
    erasures: int
    marks: int
    """Marks such as *objected* that were set or lifted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """Something that ``audience`` (``admins`` or a Slack user id) is to be told once."""

    key: str
    at: datetime
    audience: str
    text: str
    heard_by: tuple[str, ...] = ()
    """Who was told already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedMessage:
    """A channel message of ours that names people: it can be edited or withdrawn."""

    id: str
    channel: str
    ts: str
    kind: str
    by: str
    posted_at: datetime
    withdrawn_at: datetime | None = None
    candidate_ids: tuple[str, ...] = ()
