"""Screens what says little and comes often: a speaker, a source, the tags of a conversation.

What was found is kept under a digest of the text, so that no name is held in memory for it.
"""

from __future__ import annotations

import hashlib

from mnemic.cognition.screen.screen import screen
from mnemic.model.concern import Finding

_KEPT = 4_096
_LONGEST = 1_000
"""Characters of a text that is worth keeping: longer ones do not come again."""

_found: dict[bytes, tuple[Finding, ...]] = {}


def screen_label(text: str) -> tuple[Finding, ...]:
    """What `screen` finds in a text that may have come before."""
    if len(text) > _LONGEST:
        return screen(text)
    mark = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = _found.get(mark)
    if known is None:
        known = screen(text)
        if len(_found) >= _KEPT:
            _found.clear()  # another thread may be doing the same: nothing but time is lost
        _found[mark] = known
    return known
