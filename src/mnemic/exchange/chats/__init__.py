"""Readers of chat exports and of what other memories export, one file a format."""
