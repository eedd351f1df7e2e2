"""What Slack answers and how it is asked: verdicts, channels, groups, files, direct messages."""
