"""Pure functions of what is remembered: no I/O."""
