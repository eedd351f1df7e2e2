"""What whoever installs the bot needs: the manifest and the doctor."""
