"""What identifies a person across documents, who was merged, what was corrected."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables. Documents of earlier programs state no links and no addresses."""
    op.create_table(
        "person_key",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "digest", "profile_id", "source_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("person_key_by_source", "person_key", ["profile_id", "source_id"], unique=False)
    op.create_table(
        "member",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("into_id", sa.String(), nullable=True),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("kept", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id"),
    )
    op.create_index("member_by_name", "member", ["workspace", "name_key"], unique=False)
    op.create_table(
        "twin_ruling",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("profile_id", "other_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "correction",
        sa.Column("profile_id", sa.String(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "field"),
        sqlite_with_rowid=False,
    )
