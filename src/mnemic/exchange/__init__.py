"""Import: files of other programs, read into drafts, one file a format."""
