"""Candidates: inverted lists, vectors, and the views that a search sees."""
