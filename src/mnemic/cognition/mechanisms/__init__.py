"""What psychology says happens to a memory: one account a file, each a pure function.

A file names the paper that its account comes from and what it leaves out of it. Its constants
are a frozen dataclass; where personality shapes them, `shaped` gives the constants of a person.
Nothing here reads a clock, a file or a random number: instants, moods and chances are given.
"""
