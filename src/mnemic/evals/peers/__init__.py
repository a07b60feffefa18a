"""`mnemic bench peers`: other memories on the same dialogues and questions, measured beside ours.

Each peer runs in an environment of its own, in a process of its own, by an adapter that knows
nothing of mnemic. What cannot be run has a reason in its place in the table.
"""
