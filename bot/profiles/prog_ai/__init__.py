"""Profile pages of Prog,AI, copied as text."""
