"""The graph of a brain: names that traces mention, and edges between traces and names."""
