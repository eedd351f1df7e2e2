"""Reading documents: a file's bytes become profiles, or a sentence that says why not."""
