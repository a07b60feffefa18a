"""What is to be done later: the times, events and matters at which it is remembered."""
