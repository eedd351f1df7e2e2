"""Structured résumés in XML: Europass of all versions, and HR-XML (HR Open Standards)."""
