"""What several memories about one thing have in common, said in their own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from mnemic.cognition.mechanisms.gist import gist_of
from mnemic.model.times import from_ms

MOST_WORDS = 60
"""Words of an insight, about."""

_MOST_TEXTS = 40
"""Texts that an insight is made of: the newest, which say what holds now."""


def insight(label: str, said: Sequence[tuple[int, str]]) -> str:
    """An insight about one thing.

    Args:
        label: its name.
        said: when, in milliseconds, and what, in the order of time; at least one.
    """
    first, last = (from_ms(said[at][0]) for at in (0, -1))
    since = f"{first:%Y-%m-%d}"
    when = since if first.date() == last.date() else f"{since} to {last:%Y-%m-%d}"
    texts = list(dict.fromkeys(_sentence(text) for _, text in said[-_MOST_TEXTS:]))
    joined = gist_of(" ".join(texts), (label,), MOST_WORDS)
    return f"{label}, {len(said)} memories, {when}: {joined}"


def _sentence(text: str) -> str:
    """A text on one line that ends like a sentence."""
    line = " ".join(text.split())
    return line if line[-1:] in ".!?…" else f"{line}."
