"""PDF documents: the lines of their pages in reading order."""
