"""The steps of a consolidation, one file each: what it does to one scope id."""
