"""How much contributions that carry a skill or a word add: see ``ranking`` for the formula."""

from typing import Final

EVIDENCE: Final = (1.0, 1.25, 1.375, 1.4375)
"""The factor for 0, 1, 2, 3 or more contributions."""
