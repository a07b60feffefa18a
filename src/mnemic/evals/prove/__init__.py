"""The proof that ships with the library: what a memory must do, and what it must never do."""
