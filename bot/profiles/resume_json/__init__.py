"""Résumés as JSON: JSON Resume and its relatives."""
