"""What a company needs that leaves the bot running: who saw whom, who may be contacted, what
was refused, who was forgotten. The audit becomes a chain of hashes that only grows.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from storage.chain import START, link
from storage.keyring import hash_key, keyed_hash_of

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the new tables, chain the audit, and keep what each newest document said."""
    make_tables()
    chain_the_audit(op.get_bind())
    op.create_index("profile_of_workspace", "profile", ["workspace", "id"], unique=False)
    op.add_column("source", sa.Column("document", sa.JSON(), nullable=True))
    op.execute(
        "UPDATE source SET document = (SELECT document FROM profile"
        " WHERE profile.id = source.profile_id) WHERE version = (SELECT max(version)"
        " FROM source AS other WHERE other.profile_id = source.profile_id)"
    )


def make_tables() -> None:
    """Tables that are new."""
    op.create_table(
        "alarm",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("audience", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("workspace", "key"),
    )
    op.create_index("alarm_untold", "alarm", ["workspace", "told_at"], unique=False)
    op.create_table(
        "in_touch",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "who"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "intake",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("intake_by_person", "intake", ["workspace", "by", "at"], unique=False)
    op.create_table(
        "intake_item",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("intake_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "intake_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("intake_item_by_intake", "intake_item", ["intake_id"], unique=False)
    op.create_table(
        "notice",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "refused_file",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("refused_file_until", "refused_file", ["until"], unique=False)
    op.create_table(
        "retention",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("last_contact_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("warned_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("profile_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_index("standing_by_kind", "standing", ["kind", "profile_id"], unique=False)
    op.create_table(
        "tombstone",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("lifted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lifted_by", sa.String(), nullable=True),
        sa.Column("lift_reason", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tombstone_key",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tombstone_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "digest", "tombstone_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("tombstone_key_by_tombstone", "tombstone_key", ["tombstone_id"], unique=False)


def chain_the_audit(connection: sa.Connection) -> None:
    """Number and chain the entries there are, oldest first, then let nobody change them."""
    op.rename_table("audit", "audit_unchained")
    op.drop_index("audit_by_time", "audit_unchained")
    op.create_table(
        "audit",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("text_digest", sa.String(), nullable=False),
        sa.Column("people_digest", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("emptied_by", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("audit_by_number", "audit", ["workspace", "number"], unique=True)
    op.create_index("audit_by_person", "audit", ["workspace", "who", "at"], unique=False)
    op.create_index("audit_by_time", "audit", ["workspace", "at"], unique=False)
    key = hash_key(connection)
    people: dict[str, list[str]] = {}
    for audit_id, profile_id in connection.execute(
        sa.text("SELECT audit_id, profile_id FROM audit_subject ORDER BY profile_id")
    ):
        people.setdefault(audit_id, []).append(profile_id)
    newest: dict[str, tuple[int, str]] = {}
    entries = connection.execute(
        sa.text(
            "SELECT id, workspace, at, who, action, place, text FROM audit_unchained"
            " ORDER BY workspace, at, id"
        ).columns(at=sa.DateTime())
    )
    audit = sa.table(
        "audit",
        *(
            sa.column(name)
            for name in ("id", "workspace", "number", "who", "action", "place", "text_digest")
        ),
        *(sa.column(name) for name in ("people_digest", "chain", "text")),
        sa.column("at", sa.DateTime()),
    )
    for row in entries.all():
        number, before = newest.get(row.workspace, (0, START))
        text_digest = keyed_hash_of(key, row.text)
        people_digest = keyed_hash_of(key, *people.get(row.id, ()))
        at: datetime = row.at.replace(tzinfo=UTC)
        told = (row.who, row.action, row.place, text_digest, people_digest)
        chain = link(key, before, number + 1, row.workspace, at, *told)
        connection.execute(
            audit.insert().values(
                id=row.id,
                workspace=row.workspace,
                number=number + 1,
                at=at.replace(tzinfo=None),
                who=row.who,
                action=row.action,
                place=row.place,
                text_digest=text_digest,
                people_digest=people_digest,
                chain=chain,
                text=row.text,
            )
        )
        newest[row.workspace] = (number + 1, chain)
    op.drop_table("audit_unchained")
    op.get_context().opts["dialect"].keep_audit(connection)
