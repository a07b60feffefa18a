"""mnemic, awaited."""
