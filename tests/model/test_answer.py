"""How answers read."""

from __future__ import annotations

from mnemic.model.answer import Why


def test_a_part_that_rounds_to_nothing_has_no_minus() -> None:
    why = Why({}, (), (), "", {"vector": 0.767, "strength": -0.0042, "archived": -0.5})
    assert str(why).endswith("score: vector +0.77 strength +0.00 archived -0.50")
