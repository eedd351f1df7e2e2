"""Changes of what is searched are noted; the words of a contribution stand in its index alone."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the list of changes, and drop a column that nothing reads."""
    op.create_table(
        "search_change",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    with op.batch_alter_table("profile_contribution") as contributions:
        contributions.drop_column("text")
