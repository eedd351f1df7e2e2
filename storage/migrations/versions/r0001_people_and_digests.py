"""Everything that the first program stores."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables and the text index."""
    op.create_table(
        "audit",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("audit_by_time", "audit", ["workspace", "at"], unique=False)
    op.create_table(
        "audit_subject",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("audit_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "audit_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "delivery",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
        sqlite_with_rowid=False,
    )
    op.create_index("delivery_by_time", "delivery", ["at"], unique=False)
    op.create_table(
        "digest_item",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("subscription", sa.Integer(), nullable=False),
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "subscription", "profile_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("digest_item_by_profile", "digest_item", ["profile_id"], unique=False)
    op.create_index("digest_item_by_run", "digest_item", ["run_id"], unique=False)
    op.create_table(
        "digest_part",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("ts", sa.String(), nullable=True),
        sa.Column("posted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "part"),
    )
    op.create_table(
        "history",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=True),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "meta",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "name_token",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "position"),
        sqlite_with_rowid=False,
    )
    op.create_index("name_token_by_token", "name_token", ["token"], unique=False)
    op.create_table(
        "posted_message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("ts", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("posted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "posted_message_at", "posted_message", ["workspace", "channel", "ts"], unique=False
    )
    op.create_table(
        "posted_person",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "message_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "profile",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("title_text", sa.String(), nullable=False),
        sa.Column("company_text", sa.String(), nullable=False),
        sa.Column("city_text", sa.String(), nullable=False),
        sa.Column("country_text", sa.String(), nullable=False),
        sa.Column("stated_country_text", sa.String(), nullable=False),
        sa.Column("login_text", sa.String(), nullable=False),
        sa.Column("years_coding", sa.Integer(), nullable=True),
        sa.Column("years_employed", sa.Integer(), nullable=True),
        sa.Column("newest_fact", sa.String(), nullable=True),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("added_via", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("profile_by_added", "profile", ["workspace", "added_at"], unique=False)
    op.create_index("profile_by_doc", "profile", ["doc"], unique=False)
    op.create_index("profile_by_name", "profile", ["workspace", "name_key"], unique=False)
    op.create_table(
        "profile_alias",
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("alias"),
        sqlite_with_rowid=False,
    )
    op.create_index("profile_alias_by_profile", "profile_alias", ["profile_id"], unique=False)
    op.create_table(
        "profile_contribution",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("repository", sa.String(), nullable=False),
        sa.Column("repository_key", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("role_text", sa.String(), nullable=False),
        sa.Column("from_month", sa.String(), nullable=True),
        sa.Column("to_month", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "position"),
    )
    op.create_index(
        "profile_contribution_by_repository",
        "profile_contribution",
        ["repository_key"],
        unique=False,
    )
    op.create_table(
        "profile_education",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("school_text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "position"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "profile_skill",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("profile_id", "position"),
        sqlite_with_rowid=False,
    )
    op.create_index("profile_skill_by_key", "profile_skill", ["key", "score"], unique=False)
    op.create_table(
        "source",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("file_key", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text_length", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("added_via", sa.String(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("parser", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "id"),
    )
    op.create_table(
        "source_key",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "digest"),
        sqlite_with_rowid=False,
    )
    op.create_index("source_key_by_profile", "source_key", ["profile_id"], unique=False)
    op.create_table(
        "subscription",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("weekdays", sa.String(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("active_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("workspace", "number"),
    )
    op.create_index("subscription_by_key", "subscription", ["workspace", "key"], unique=True)
    op.create_table(
        "digest_run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("subscription", sa.Integer(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("first_claim_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("payload", sa.String(), nullable=True),
        sa.Column("payload_sha", sa.String(), nullable=True),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("swept", sa.Integer(), nullable=False),
        sa.Column("alarms", sa.Integer(), nullable=False),
        sa.Column("notice_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("noticed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace", "subscription"],
            ["subscription.workspace", "subscription.number"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("digest_run_due", "digest_run", ["workspace", "state", "due_at"], unique=False)
    op.create_index(
        "digest_run_slot", "digest_run", ["workspace", "subscription", "slot"], unique=True
    )
    op.create_index(
        "digest_run_swept", "digest_run", ["workspace", "swept", "settled_at"], unique=False
    )
    op.get_context().opts["dialect"].text_index.create(op.get_bind())
