"""The sleep of a brain: what is done to memories while nobody asks for them.

`run.py` goes through the scope ids of a brain, one after another and never across two, and runs
the steps (`steps/`) on each. Every batch is one short transaction: readers go on, a run that is
interrupted loses nothing, and one that is run again finds nothing left to do.
"""
