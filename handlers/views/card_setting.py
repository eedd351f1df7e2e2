"""How a message about people is read: when, where, by whom."""

from dataclasses import dataclass
from datetime import datetime, tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a message is read: when, in which zone, and where Share leads.

    ``thread`` is the thread of this channel that a shared card goes to; ``viewer`` who reads
    it alone, None where everybody does. Where a card cannot be shared, ``instead_of_share``
    says why and what to do.
    """

    now: datetime
    zone: tzinfo
    thread: str | None = None
    viewer: str | None = None
    instead_of_share: str = ""
    may_share: bool = True
    """Whether whoever reads it has the right to; then a card offers it."""
    may_see_contacts: bool = False
    """Whether whoever reads it may see e-mail addresses and telephone numbers."""
