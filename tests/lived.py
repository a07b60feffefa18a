"""A brain that has lived for a year: said, recalled, corrected and slept; the same every time."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from pathlib import Path

from mnemic import Memory, Settings
from tests.conftest import FixedClock

DAYS = 400
SAID = {
    0: ("Marta Ruiz lives in Lisbon and works at Acme.", "semantic"),
    3: ("Tom met Marta Ruiz in Porto at the book fair.", "episodic"),
    5: ("Marta Ruiz is allergic to walnuts.", "semantic"),
    40: ("Tom keeps bees behind the chapel in Sintra.", "semantic"),
    60: ("The tram to the harbour was late again.", "episodic"),
    130: ("Marta went climbing in Sintra.", "episodic"),
    390: ("Tom asked whether the bees can be moved by ferry.", "episodic"),
}
ASKED = {10: "walnuts allergic", 150: "walnuts allergic", 200: "bees Sintra", 320: "bees Sintra"}
RIGHT = "Tom keeps bees behind the mill in Sintra."
HIVES, WALNUTS, TRAM = (f"mt_{number:032x}" for number in (4, 3, 5))
SECRET = "Bob hides a key under the fern."


def live(path: Path, now: datetime, user: str = "me") -> None:
    """Make a brain of `user` that is `DAYS` old at `now`, with a neighbour, "bob"."""
    clock, numbers = FixedClock(now - timedelta(days=DAYS)), itertools.count(1)
    start = clock.now
    path.parent.mkdir(parents=True, exist_ok=True)
    with Memory.open(
        path,
        embedder=None,
        settings=Settings(),
        clock=clock,
        ids=lambda: f"mt_{next(numbers):032x}",
        new_key=lambda: b"k" * 32,
    ) as memory:
        me = memory.bind(user=user)
        for day in range(DAYS):
            clock.now = start + timedelta(days=day)
            if day in SAID:
                content, kind = SAID[day]
                me.remember(content, type=kind)
            if day in ASKED:
                me.recall(ASKED[day], limit=1)
            if day == 50:
                me.correct(HIVES, RIGHT, reason="it is the mill")
            if day in (180, 230):
                memory.consolidate()
        memory.bind(user="bob").remember(SECRET)
