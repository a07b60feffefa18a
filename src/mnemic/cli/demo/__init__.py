"""`mnemic demo`: what a memory is for, shown in a few seconds on a small conversation."""
