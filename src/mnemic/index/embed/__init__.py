"""Embedders: what makes vectors of texts."""
