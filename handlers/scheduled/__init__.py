"""What happens by itself: digests, cleaning, the watched folder, backups, alarms."""
