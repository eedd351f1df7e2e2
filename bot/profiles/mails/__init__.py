"""E-mails as containers: the documents attached to them, or what they say themselves."""
