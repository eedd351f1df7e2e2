"""What the bot can do: read documents, answer questions, compose digests. No Slack, no SQL."""
