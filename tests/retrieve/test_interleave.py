"""From some place on, every second hit is the best by vectors of those that have no place yet."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import Settings
from mnemic.retrieve.mix import Mixed
from tests.conftest import Opener

ORDERS = st.integers(1, 70).flatmap(
    lambda count: st.tuples(st.permutations(range(count)), st.permutations(range(count)))
)


def merged(own: list[int], other: list[int], first: int) -> list[int]:
    """The order that is wanted, place by place."""
    order: list[int] = []
    for place in range(1, 51):
        source = other if place >= first and (place - first) % 2 == 0 else own
        order += [entry for entry in source if entry not in order][:1]
    return order


@given(orders=ORDERS, first=st.integers(1, 30))
def test_every_second_place_goes_by_the_other_order(
    orders: tuple[list[int], list[int]], first: int
) -> None:
    own, other = (sorted(range(len(falling)), key=falling.__getitem__) for falling in orders)
    words, vectors = (np.array(falling, np.float32) * -1 for falling in orders)
    mixed = Mixed(np.arange(len(own)), words, np.zeros_like(words))
    mixed.interleave(vectors, first)
    expected = merged(own, other, first)
    found = mixed.best(0, len(own)).tolist()
    assert sorted(found) == sorted(own)
    # The last place has nothing below it to be lifted above.
    assert found[: len(expected) - 1] == expected[:-1]
    lifts = np.array([mixed.lifted.get(entry, 0.0) for entry in range(len(own))])
    assert (lifts >= 0).all()
    assert mixed.score == pytest.approx(words + lifts, abs=1e-5)


def test_nothing_changes_above_the_first_place() -> None:
    words = np.arange(20, 0, -1).astype(np.float32)
    mixed = Mixed(np.arange(20), words, np.zeros_like(words))
    mixed.interleave(-words, first=10)
    assert mixed.best(0, 12).tolist() == [*range(9), 19, 9, 18]
    assert mixed.score[19] == pytest.approx(11.5)
    assert mixed.lifted[19] == pytest.approx(10.5)


class Opposed:
    """To its vectors, texts are the nearer the later their number, and all are near."""

    name, dimension = "opposed", 2

    def embed(self, texts: list[str]) -> object:
        angles = [0.0 if "?" in text else 1 - int(text.split()[0]) / 40 for text in texts]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], np.float32)


def test_a_text_that_vectors_alone_would_find_has_its_place(open_brain: Opener) -> None:
    texts = [f"{at} violin ferry" if at < 15 else f"{at} harbour ferry" for at in range(30)]
    tried = {}
    for first in (0, 3):
        chosen = Settings(
            retrieval={"vector_slot": first, "vector_weight": 0.2, "vector_slot_weight": 1}
        )
        memory = open_brain(f"{first}.db", embedder=Opposed(), settings=chosen)
        who = memory.bind(user="ana")
        who.remember_many([{"content": text, "thread": text} for text in texts])
        tried[first] = who.recall("violin ferry?", limit=30)
    nearest = texts[29]
    places = {
        first: [hit.trace.content for hit in hits].index(nearest) for first, hits in tried.items()
    }
    assert places[0] > 2
    assert places[3] == 2
    lifted = tried[3][2]
    assert lifted.why.breakdown["slot"] > 0
    assert sum(lifted.why.breakdown.values()) == pytest.approx(lifted.score, abs=1e-5)
    assert not any("slot" in hit.why.breakdown for hit in tried[0])
    scores = [hit.score for hit in tried[3]]
    assert scores == sorted(scores, reverse=True)
