"""What happens: commands, clicks and the clock. The only place that knows Slack."""
