"""Measuring a brain: its answers and its speed."""
