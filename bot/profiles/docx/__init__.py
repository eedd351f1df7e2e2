"""Word documents (DOCX): their paragraphs as lines."""
