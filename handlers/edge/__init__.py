"""Between Slack and the features: what was heard, the boundary, and how an answer goes out."""
