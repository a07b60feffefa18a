"""`limit` is an upper bound, the best come first, and equals stand in a fixed order."""

from __future__ import annotations

import random

import pytest

from mnemic import BoundMemory, Embedder, Memory, Settings
from mnemic.errors import InvalidInput
from tests.conftest import Opener, WordVectors

WORDS = "violin harbour lantern copper bread ferry quince saddle letter garden".split()


@pytest.fixture(params=["words", "vectors", "by bits", "sealed"])
def options(request: pytest.FixtureRequest) -> dict[str, object]:
    """How to open a brain for each way to search."""
    index = {"by bits": {"exact_vectors": 0}, "sealed": {"segment_passages": 8}}
    embedder: Embedder | None = None if request.param == "words" else WordVectors()
    return {"embedder": embedder, "settings": Settings(index=index.get(str(request.param), {}))}


def ids(who: BoundMemory, question: str, limit: int = 1_000) -> list[str]:
    return [hit.trace.id for hit in who.recall(question, limit=limit, touch=False)]


def test_the_limit_cuts_the_one_order_there_is(
    open_brain: Opener, options: dict[str, object]
) -> None:
    """Strength may lift a trace from far down; where the cut is must not change who is lifted."""
    rng = random.Random(3)
    index = options["settings"].index  # type: ignore[attr-defined]
    strong = Settings(index=index, mind={"ranking": {"strength_weight": 1}})
    who = open_brain(embedder=options["embedder"], settings=strong).bind(user="ana")
    who.remember_many(
        [
            {
                "content": f"{at} " + " ".join(rng.choices(WORDS, k=8)),
                "strength": rng.choice([0.0, 1.0]),
                "thread": str(at),
            }
            for at in range(200)
        ]
    )
    hits = who.recall("violin harbour", limit=1_000, touch=False)
    assert len(hits) > 100
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    by_relevance = sorted(hits, key=lambda hit: -(hit.score - hit.why.breakdown["strength"]))
    assert by_relevance != hits  # strength does move some
    everything = [hit.trace.id for hit in hits]
    for limit in (*range(1, 30), 60, len(everything), len(everything) + 1):
        assert ids(who, "violin harbour", limit) == everything[:limit]


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "3", None])
def test_a_limit_that_is_none_is_refused(ana: BoundMemory, limit: object) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        ana.recall("violin", limit=limit)  # type: ignore[arg-type]


def test_strength_moves_a_score_by_no_more_than_its_weight(
    open_brain: Opener, options: dict[str, object]
) -> None:
    who = open_brain(**options).bind(user="ana")
    for strength in (0.0, 0.25, 0.5, 1.0):
        who.remember(f"a violin {'abcde'[int(strength * 4)]}", strength=strength)
    hits = who.recall("violin", limit=10)
    moved = {hit.trace.strength: hit.why.breakdown["strength"] for hit in hits}
    assert moved == pytest.approx({0.0: -0.05, 0.25: -0.025, 0.5: 0.0, 1.0: 0.05})


LESS, MORE = "a violin", "a violin and a violin"


def filed_alike(memory: Memory) -> BoundMemory:
    """Two times three hundred texts that answer "violin" equally well, to the last bit."""
    who = memory.bind(user="ana", organization="acme")
    who.remember_many(
        [
            {
                "content": (LESS, LESS, MORE, LESS, MORE, MORE)[at % 6],
                "thread": str(at),
                "scope": ("user", "organization")[at % 2],
            }
            for at in range(600)
        ]
    )
    return who


def test_equals_stand_in_the_order_in_which_they_were_written(
    open_brain: Opener, options: dict[str, object]
) -> None:
    memory = open_brain(**options)
    who = filed_alike(memory)
    hits = who.recall("violin", limit=1_000, touch=False)
    assert len(hits) == 600
    assert len({hit.score for hit in hits}) == 2
    written = sorted(
        hits, key=lambda hit: (-hit.score, hit.trace.scope == "organization", hit.trace.id)
    )
    assert hits == written


def test_the_order_of_equals_stays(open_brain: Opener, options: dict[str, object]) -> None:
    """Asked again, cut elsewhere, after being touched, after a change, from another process."""
    memory = open_brain(**options)
    who = filed_alike(memory)
    first = ids(who, "violin")
    assert ids(who, "violin") == first
    for limit in (1, 10, 249, 250, 251, 300):
        assert ids(who, "violin", limit) == first[:limit]
    who.recall("violin", limit=5)
    assert ids(who, "violin") == first
    who.forget(first[3])
    assert ids(who, "violin") == first[:3] + first[4:]
    who.restore(first[3], reason="it was right")
    assert ids(who, "violin") == first
    memory.close()
    again = open_brain(**options).bind(user="ana", organization="acme")
    assert ids(again, "violin") == first


def test_an_empty_brain_answers_nothing(open_brain: Opener, options: dict[str, object]) -> None:
    memory = open_brain(**options)
    who = memory.bind(user="ana")
    assert who.recall("violin") == []
    receipt = who.remember("a violin")
    assert receipt.trace is not None
    assert len(who.recall("violin")) == 1
    who.forget(receipt.trace.id)
    assert who.recall("violin") == []
