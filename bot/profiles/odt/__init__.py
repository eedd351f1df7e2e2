"""OpenDocument texts (ODT, and flat as one XML file) as résumés."""
