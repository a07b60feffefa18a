"""The dialogues of public benchmarks, to be remembered and asked about."""
