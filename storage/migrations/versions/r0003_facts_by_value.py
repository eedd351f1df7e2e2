"""Searches look facts up by value, in tables of their own; the store fills them when it opens.

Changes of what is searched are noted, and the words of a contribution stand in its index alone.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, and the indexes that hold all that a search scans."""
    op.create_table(
        "fact",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("kind", "value", "doc"),
        sqlite_with_rowid=False,
    )
    op.create_index("fact_by_doc", "fact", ["doc"], unique=False)
    op.create_table(
        "fact_value",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "value"),
        sqlite_with_rowid=False,
    )
    op.create_index("fact_value_by_people", "fact_value", ["kind", "people"], unique=False)
    op.add_column(
        "profile", sa.Column("name_order", sa.String(), nullable=False, server_default="")
    )
    op.drop_index("profile_by_added", "profile")
    for name, columns in (
        ("profile_by_added", ["workspace", "added_at", "doc"]),
        ("profile_by_workspace", ["workspace", "doc"]),
        ("profile_by_years_coding", ["workspace", "years_coding", "doc"]),
        ("profile_by_years_employed", ["workspace", "years_employed", "doc"]),
        ("profile_in_order", ["workspace", "name_order", "name", "id", "doc"]),
    ):
        op.create_index(name, "profile", columns, unique=False)
    op.create_table(
        "search_change",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    with op.batch_alter_table("profile_contribution") as contributions:
        contributions.drop_column("text")
    op.get_context().opts["dialect"].text_index.create_contributions(op.get_bind())
