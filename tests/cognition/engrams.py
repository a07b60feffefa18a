"""Engrams for tests: one to be told apart from, and any that there may be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from mnemic.model.mind import Emotion, Engram

HOUR = 3_600_000
DAY = 24 * HOUR
START = 1_780_000_000_000


def engram(strength: float = 0.3, stability: float = 30 * DAY, **changes: Any) -> Engram:
    plain = Engram(
        strength=strength,
        stability=stability,
        importance=0.5,
        emotion=Emotion(),
        uses=0,
        used_at=None,
        created_at=START,
        interval=float(HOUR),
        due_at=None,
    )
    return replace(plain, **changes)


SPAN = st.integers(0, 3 * 365 * DAY)
EMOTIONS = st.builds(Emotion, st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1))
ENGRAMS = st.builds(
    engram,
    strength=st.floats(0, 1),
    stability=st.floats(1, 1e14),
    emotion=EMOTIONS,
    uses=st.integers(0, 500),
    used_at=st.none() | SPAN.map(lambda span: START + span),
    interval=st.floats(1, 1e13),
)
