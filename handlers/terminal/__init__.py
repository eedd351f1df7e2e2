"""What is asked and done at a terminal."""
