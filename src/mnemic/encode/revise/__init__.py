"""Changes of what is remembered: corrections, judgements, erasure. Each is a new version."""
