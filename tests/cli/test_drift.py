"""`mnemic review drift`: proposals are shown, accepted or declined, and wait no more."""

from __future__ import annotations

import pytest

from mnemic import Memory, Settings
from tests.cli.conftest import Cli

GRIM = {"valence": -1.0, "arousal": 1.0, "dominance": 0.0}


@pytest.fixture
def quarrelled(cli: Cli) -> Cli:
    """A brain in which changes of personality are proposed for user "me"."""
    cli.brain.parent.mkdir()
    settings = Settings(mind={"drift": {"enabled": True}})
    with Memory.open(cli.brain, embedder=None, settings=settings) as memory:
        who = memory.bind(user="me")
        who.remember_many(
            {"content": f"a horrible quarrel, number {n}, I hated it", "mood": GRIM}
            for n in range(40)
        )
        memory.consolidate(steps=["drift"])
    return cli


def test_a_proposal_is_shown_and_decided_on_once(quarrelled: Cli) -> None:
    proposals = quarrelled.json("review", "drift")["proposals"]
    assert {one["trait"] for one in proposals} >= {"agreeableness"}
    assert "agreeableness" in quarrelled("review", "drift").stdout
    first, second = (str(one["number"]) for one in proposals[:2])
    assert quarrelled.json("review", "drift", "--accept", first)["state"] == "accepted"
    assert "declined" in quarrelled("review", "drift", "--decline", second).stdout
    assert quarrelled.json("review", "drift")["proposals"] == proposals[2:]
    assert "no proposal" in quarrelled.error("review", "drift", "--accept", first, code=1)
    assert "exclude" in quarrelled.error("review", "drift", "--accept=1", "--decline=2", code=2)


def test_nothing_is_proposed_to_somebody_else(quarrelled: Cli) -> None:
    assert quarrelled.json("review", "drift", "--user=bob")["proposals"] == []
    assert quarrelled.json("review", "drift", "--whole")["proposals"]
