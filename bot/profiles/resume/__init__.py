"""Résumés of free form: lines of text become what they state of a person."""
