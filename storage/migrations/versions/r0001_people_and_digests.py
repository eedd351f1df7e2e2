"""Everything that the first program stores."""

from alembic import op
from sqlmodel import SQLModel

import storage.models

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    SQLModel.metadata.create_all(op.get_bind())
    op.get_context().opts["dialect"].text_index.create(op.get_bind())
