"""What people can do: each command with its buttons and dialogs."""
