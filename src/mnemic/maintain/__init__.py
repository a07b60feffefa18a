"""Looking after a brain: its health and its size."""
