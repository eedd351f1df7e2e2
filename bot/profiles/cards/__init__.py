"""Address cards: vCard and jCard."""
