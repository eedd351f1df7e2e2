"""Searching: a question becomes a tree, the tree becomes SQL, and each answer says why."""
