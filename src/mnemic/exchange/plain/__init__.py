"""Plain files of messages and memories: JSON Lines, CSV."""
