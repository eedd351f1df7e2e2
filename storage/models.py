"""The tables. Rows never leave storage: see ``records`` for what does.

Rules that keep one schema good for SQLite, PostgreSQL and a sharded
PostgreSQL: ids are made by us; primary keys of personal rows contain the
profile's id; ``profile`` carries no other UNIQUE (``source_key`` does the
deduplication); no foreign key between profiles; every row that can hold
personal data is reachable from a profile's id, so that erasing is a walk.

Long columns stand last: SQLite reads a row from its beginning.
``table=True`` skips validation, so rows are made only from ``records``.
"""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import JSON, Column, DateTime, ForeignKeyConstraint, Index
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from storage.dialects.dialect import UnreadableInstant

CLUSTERED: Final = {"sqlite_with_rowid": False}
"""For narrow tables that are read by their primary key: the key *is* the table."""


class UtcDateTime(TypeDecorator[datetime]):
    """An aware instant, kept in UTC; SQLite would otherwise hand back naive ones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ARG002 - SQLAlchemy names it
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime was about to be stored; pass an aware one in UTC")
        return value.astimezone(UTC)

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        """Bytes that are no instant any more raise UnreadableInstant."""
        process: Any = super().result_processor(dialect, coltype)

        def read(value: Any) -> Any:
            try:
                return process(value) if process else value
            except ValueError as error:
                raise UnreadableInstant(str(type(value).__name__)) from error

        return read

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ARG002 - SQLAlchemy names it
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class MetaRow(SQLModel, table=True):
    """Small facts about the store itself, such as the key of its hashes."""

    __tablename__ = "meta"
    __table_args__ = (CLUSTERED,)
    name: str = Field(primary_key=True)
    value: str


class ProfileRow(SQLModel, table=True):
    """One person. ``document`` is the whole Profile as JSON; the columns beside it serve search."""

    __tablename__ = "profile"
    __table_args__ = (
        Index("profile_by_doc", "doc"),
        Index("profile_by_added", "workspace", "added_at", "doc"),
        Index("profile_by_name", "workspace", "name_key"),
        # what searches scan, each whole in its index: a row with its document is a page long
        Index("profile_by_workspace", "workspace", "doc"),
        Index("profile_by_years_coding", "workspace", "years_coding", "doc"),
        Index("profile_by_years_employed", "workspace", "years_employed", "doc"),
        Index("profile_by_newest_fact", "workspace", "newest_fact", "doc"),
        Index("profile_in_order", "workspace", "name_order", "name", "id", "doc"),
    )
    id: str = Field(primary_key=True)
    doc: int
    """The integer of the text index; made by us, never shown, may change on a rebuild."""
    workspace: str
    name: str
    name_key: str
    """Folded name tokens, sorted: two names agree when these are equal."""
    name_order: str = ""
    """What results of one strength are ordered by: the name without regard to case."""
    title_text: str = ""
    company_text: str = ""
    city_text: str = ""
    country_text: str = ""
    stated_country_text: str = ""
    login_text: str = ""
    years_coding: int | None = None
    years_employed: int | None = None
    newest_fact: str | None = None
    added_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    added_by: str
    added_via: str
    updated_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class ProfileAliasRow(SQLModel, table=True):
    """An id that a merge retired, and the one it now means."""

    __tablename__ = "profile_alias"
    __table_args__ = (Index("profile_alias_by_profile", "profile_id"), CLUSTERED)
    alias: str = Field(primary_key=True)
    profile_id: str


class FactRow(SQLModel, table=True):
    """That a profile has a skill, a company, a place, …: what searches look up by value.

    ``storage.search.facts_of`` makes these rows from the profile, and says what each kind is.
    """

    __tablename__ = "fact"
    __table_args__ = (Index("fact_by_doc", "doc"), CLUSTERED)
    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    doc: int = Field(primary_key=True)
    weight: int | None = None
    """The page's score of a skill."""


class FactValueRow(SQLModel, table=True):
    """Each value that some profile has, once, and how many have it."""

    __tablename__ = "fact_value"
    __table_args__ = (Index("fact_value_by_people", "kind", "people"), CLUSTERED)
    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    people: int


class SearchChangeRow(SQLModel, table=True):
    """That what is searched of a profile changed, in the order it did: see ``storage.changed``."""

    __tablename__ = "search_change"
    number: int = Field(primary_key=True)
    doc: int


class NameTokenRow(SQLModel, table=True):
    """Folded tokens of names and logins.

    ``kind`` is ``name``, ``login``, ``romanised`` (a word in another script, in Latin letters),
    ``reading`` (what else it may be read as), ``piece`` (what stands around an apostrophe, or a
    character simplified) or ``skeleton`` (consonants of scripts that leave vowels out): see
    ``search.reading``.
    """

    __tablename__ = "name_token"
    __table_args__ = (Index("name_token_by_token", "token"), CLUSTERED)
    profile_id: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    token: str
    kind: str = "name"


class SkillRow(SQLModel, table=True):
    """``key`` is the exact canonical key (``c``, ``c++``): never matched by prose."""

    __tablename__ = "profile_skill"
    __table_args__ = (Index("profile_skill_by_key", "key", "score"), CLUSTERED)
    profile_id: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    name: str
    key: str
    score: int | None = None


class ContributionRow(SQLModel, table=True):
    __tablename__ = "profile_contribution"
    __table_args__ = (Index("profile_contribution_by_repository", "repository_key"),)
    profile_id: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    repository: str
    repository_key: str
    """``owner/name``, case-folded."""
    name_key: str
    """The part after the last slash, case-folded."""
    role_text: str = ""
    from_month: str | None = None
    to_month: str | None = None


class EducationRow(SQLModel, table=True):
    __tablename__ = "profile_education"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    school_text: str = ""


class SourceRow(SQLModel, table=True):
    """A source document and its text. The text is never searched."""

    __tablename__ = "source"
    profile_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    workspace: str
    name: str
    file_key: str | None = None
    """What file names agree by; None when no person chose the name."""
    version: int
    """1 for the first document of a person; the highest is the one the profile says."""
    text_length: int
    digest: str
    """Keyed hash of the text; it also shows when the text was damaged."""
    added_by: str
    added_via: str
    added_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    read_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    parser: str
    text: str
    document: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """The Profile that was read from the text; None where an earlier program kept none."""


class SourceKeyRow(SQLModel, table=True):
    """Which person a document's keyed hash belongs to."""

    __tablename__ = "source_key"
    __table_args__ = (Index("source_key_by_profile", "profile_id"), CLUSTERED)
    workspace: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    profile_id: str


class HistoryRow(SQLModel, table=True):
    """What happened to a person's record; ``number`` counts from 1."""

    __tablename__ = "history"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    source_id: str | None = None
    changes: list[str] = Field(sa_column=Column(JSON, nullable=False))


class SubscriptionRow(SQLModel, table=True):
    __tablename__ = "subscription"
    __table_args__ = (Index("subscription_by_key", "workspace", "key", unique=True),)
    workspace: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    channel: str
    weekdays: str
    """ISO digits, such as ``12345``."""
    hour: int
    minute: int
    timezone: str
    query: str = ""
    since: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    enabled: bool = True
    stopped: bool = False
    created_by: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    active_from: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    """Slots before this instant do not count: creation, or the last resume or new schedule."""
    key: str | None = None


class DigestRunRow(SQLModel, table=True):
    """One slot of a subscription. See ``storage.claims`` for the state machine."""

    __tablename__ = "digest_run"
    __table_args__ = (
        Index("digest_run_slot", "workspace", "subscription", "slot", unique=True),
        Index("digest_run_due", "workspace", "state", "due_at"),
        Index("digest_run_swept", "workspace", "swept", "settled_at"),
        ForeignKeyConstraint(
            ["workspace", "subscription"], ["subscription.workspace", "subscription.number"]
        ),
    )
    id: str = Field(primary_key=True)
    workspace: str
    subscription: int
    slot: str
    """Local date ``YYYY-MM-DD`` of the slot; ``now-…`` for one asked for by hand."""
    due_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    written_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    state: str
    owner: str | None = None
    """The claim, not the process: each claim has an id of its own."""
    lease_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    not_before: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    """Slack's Retry-After: a run that was let go is not claimed earlier."""
    attempt: int = 0
    first_claim_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    payload: str | None = None
    payload_sha: str | None = None
    people: int = 0
    settled_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    """When the run came to ``posted``, ``empty``, ``failed`` or ``skipped``."""
    swept: int = 0
    """How many of the two sweeps (ten minutes, one day) are done."""
    alarms: int = 0
    """How often (ten minutes, one day) it was said that this run has no message yet."""
    notice_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    """Someone is telling the owner of a failure until then."""
    noticed_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    error: str | None = None


class DigestPartRow(SQLModel, table=True):
    """A message of a run: part 0 stands in the channel, the others in its thread."""

    __tablename__ = "digest_part"
    run_id: str = Field(primary_key=True)
    part: int = Field(primary_key=True)
    ts: str | None = None
    posted_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class DigestItemRow(SQLModel, table=True):
    """Who was told to which subscription: "new" is the absence of this row."""

    __tablename__ = "digest_item"
    __table_args__ = (
        Index("digest_item_by_run", "run_id"),
        Index("digest_item_by_profile", "profile_id"),
        CLUSTERED,
    )
    workspace: str = Field(primary_key=True)
    subscription: int = Field(primary_key=True)
    profile_id: str = Field(primary_key=True)
    run_id: str
    part: int = 0
    """The message that tells of this person; the last one counts those it does not name."""


class PostedMessageRow(SQLModel, table=True):
    __tablename__ = "posted_message"
    __table_args__ = (Index("posted_message_at", "workspace", "channel", "ts"),)
    id: str = Field(primary_key=True)
    workspace: str
    channel: str
    ts: str
    kind: str
    by: str
    posted_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    withdrawn_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class PostedPersonRow(SQLModel, table=True):
    __tablename__ = "posted_person"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    message_id: str = Field(primary_key=True)


class AuditRow(SQLModel, table=True):
    """Who asked or did what, where: see ``storage.audit`` for the chain and what is promised.

    ``text`` may name people and goes with erasure; nothing else of a row ever changes.
    """

    __tablename__ = "audit"
    __table_args__ = (
        Index("audit_by_number", "workspace", "number", unique=True),
        Index("audit_by_time", "workspace", "at"),
        Index("audit_by_person", "workspace", "who", "at"),
    )
    id: str = Field(primary_key=True)
    workspace: str
    number: int
    """Counts from 1 without a gap."""
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    who: str
    action: str
    place: str
    text_digest: str
    """Keyed hash of the text as it was."""
    people_digest: str
    """Keyed hash of the ids of the people it is about."""
    chain: str
    """Keyed hash of all the above and of the chain of the entry before."""
    emptied_by: int | None = None
    """Number of the entry that tells of the erasure which emptied the text."""
    text: str = ""


class AuditSubjectRow(SQLModel, table=True):
    """Whom an entry of the audit is about."""

    __tablename__ = "audit_subject"
    __table_args__ = (Index("audit_subject_by_entry", "audit_id"), CLUSTERED)
    profile_id: str = Field(primary_key=True)
    audit_id: str = Field(primary_key=True)
    position: int | None = None
    """From 0: the place among the people whom an answer found. None for whoever was not found."""


class AnswerRow(SQLModel, table=True):
    """What an entry of the audit that is an answer needs to be replayed; it names nobody."""

    __tablename__ = "answer"
    __table_args__ = (CLUSTERED,)
    workspace: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    """Of the entry."""
    ranking: int
    """The version of the formula: see ``search.ranking``."""
    zone: str
    """The IANA zone whose days were meant."""
    start: int
    """How many people stood on the pages before."""
    people: int
    """How many the answer found, on its page."""
    total: int


class StandingRow(SQLModel, table=True):
    """What may be done with a person (no more): see ``storage.standings``."""

    __tablename__ = "standing"
    __table_args__ = (Index("standing_by_kind", "kind", "profile_id"), CLUSTERED)
    profile_id: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    reason: str = ""


class InTouchRow(SQLModel, table=True):
    """Who is in touch with a person ("I'm on it"), until when."""

    __tablename__ = "in_touch"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    who: str = Field(primary_key=True)
    since: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    until: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class NoticeRow(SQLModel, table=True):
    """That a person was told about being stored here, or why they need not be (GDPR Art. 14)."""

    __tablename__ = "notice"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    state: str
    """``informed`` or ``exempt``; no row: nobody was told yet."""
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    reason: str = ""


class RetentionRow(SQLModel, table=True):
    """What moves the end of a person's storage beside the day they were first collected."""

    __tablename__ = "retention"
    __table_args__ = (CLUSTERED,)
    profile_id: str = Field(primary_key=True)
    last_contact_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    warned_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class TombstoneRow(SQLModel, table=True):
    """A person who was forgotten and must not come back. It says nothing of who it was."""

    __tablename__ = "tombstone"
    id: str = Field(primary_key=True)
    workspace: str
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    reason: str = ""
    lifted_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    lifted_by: str | None = None
    lift_reason: str | None = None
    receipt: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """What was erased, in numbers, and which exports left the house: see ``storage.forgetting``."""


class TombstoneKeyRow(SQLModel, table=True):
    """Keyed hashes of what a forgotten person would be known by: see ``storage.tombstones``."""

    __tablename__ = "tombstone_key"
    __table_args__ = (Index("tombstone_key_by_tombstone", "tombstone_id"), CLUSTERED)
    workspace: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    tombstone_id: str = Field(primary_key=True)


class CleaningRow(SQLModel, table=True):
    """What is still to be cleaned of an erased or hidden person outside the database.

    A message of ours in Slack, or a file that was watched. It knows the person by id and by
    a keyed hash of the name only; a path may hold the name, and goes with the file.
    """

    __tablename__ = "cleaning"
    __table_args__ = (
        Index("cleaning_due", "workspace", "state", "not_before"),
        Index("cleaning_by_erasure", "erasure_id"),
    )
    id: str = Field(primary_key=True)
    workspace: str
    erasure_id: str
    """The tombstone's id, or one of its own for whose time was over or who is hidden by a mark."""
    kind: str
    """``message``, ``digest`` (a message that is still being posted) or ``file``."""
    place: str
    """The channel, the id of the digest's run, or the path."""
    ts: str = ""
    """The message's timestamp; for ``digest`` the number of its part."""
    person_id: str
    name_hash: str
    name_words: int
    state: str
    """``pending``, ``done``, ``failed`` or ``by_hand``."""
    attempts: int = 0
    not_before: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    outcome: str = ""
    """What was done (``edited``, ``deleted``, ``gone``), or Slack's code for why it was not."""


class IntakeRow(SQLModel, table=True):
    """One message, form or file from Slack that people are added from; Undo takes it back.

    It is written down before the work begins, so that a run which died is carried on.
    """

    __tablename__ = "intake"
    __table_args__ = (
        Index("intake_by_person", "workspace", "by", "at"),
        Index("intake_unfinished", "workspace", "finished_at", "lease_until"),
    )
    id: str = Field(primary_key=True)
    workspace: str
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    channel: str
    people: int = 0
    """How many people it stored or updated."""
    lease_until: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    """Somebody works on it until then, and says so again in time."""
    attempts: int = 0
    """How often the work on it was begun."""
    receipt_ts: str | None = None
    """Our message in the direct message that says how it goes, then how it went."""
    finished_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    undone_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    task: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    """Where the files or the page are: ids of Slack's, no texts."""


class IntakeItemRow(SQLModel, table=True):
    """What an intake did to one person; ``source_id`` is the document that it brought."""

    __tablename__ = "intake_item"
    __table_args__ = (Index("intake_item_by_intake", "intake_id"), CLUSTERED)
    profile_id: str = Field(primary_key=True)
    intake_id: str = Field(primary_key=True)
    source_id: str = Field(primary_key=True)
    outcome: str
    """``stored``, ``updated``, or ``reread``: a known document, read by a newer program."""


class RefusedFileRow(SQLModel, table=True):
    """A file that was refused and is kept for a while, so that nothing sent is lost."""

    __tablename__ = "refused_file"
    __table_args__ = (Index("refused_file_until", "until"),)
    id: str = Field(primary_key=True)
    workspace: str
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    until: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    via: str
    name: str
    reason: str
    size: int
    """Bytes of the file; ``content`` holds them compressed by zlib."""
    content: bytes


class AlarmRow(SQLModel, table=True):
    """Something that an admin, or one person, is to be told once. It names no candidate."""

    __tablename__ = "alarm"
    __table_args__ = (Index("alarm_untold", "workspace", "told_at"),)
    workspace: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    """What it is about; an alarm of the same key is not raised twice."""
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    audience: str
    """``admins`` or a Slack user id."""
    text: str
    told_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    held_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    """Somebody is telling it, or nobody can be told before."""
    heard_by: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """User ids of those who were told."""


class DeliveryRow(SQLModel, table=True):
    """What Slack delivered already: event ids and request signatures, for a while."""

    __tablename__ = "delivery"
    __table_args__ = (Index("delivery_by_time", "at"), CLUSTERED)
    key: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    done: bool = False
