"""What goes into a prompt."""
