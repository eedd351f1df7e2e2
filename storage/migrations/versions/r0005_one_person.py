"""What identifies a person across documents is looked up by keyed hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table. Documents of earlier programs state no links and no addresses."""
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
