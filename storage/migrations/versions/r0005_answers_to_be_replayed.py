"""What an answer was is kept beside its entry of the audit; the newest facts are read by index."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of answers, the place of whom they found, and the index of newest facts."""
    op.create_table(
        "answer",
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ranking", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "number"),
        sqlite_with_rowid=False,
    )
    op.add_column("audit_subject", sa.Column("position", sa.Integer(), nullable=True))
    op.create_index("profile_by_newest_fact", "profile", ["workspace", "newest_fact", "doc"])
