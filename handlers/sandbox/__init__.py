"""A Slack workspace in this process: Web API, Socket Mode, signed HTTP and a page for people."""
