"""Candidates as files that leave the house: forms, and who may be in them."""
