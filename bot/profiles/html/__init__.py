"""Web pages of a person: marked up (JSON-LD, hResume), or read as they are seen."""
