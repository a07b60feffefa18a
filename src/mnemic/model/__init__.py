"""Plain values: what a trace, a scope, a clock and an answer are. No input or output here."""
