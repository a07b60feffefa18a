"""Folders of Markdown notes: a trace a file, as a person reads and edits them."""
