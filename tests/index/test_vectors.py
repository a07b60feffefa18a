"""Vectors: what storing loses of them, and the scan by bits against the exact search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mnemic import BoundMemory, Memory, Settings
from mnemic.index.vectors import pack, unpack
from tests.conftest import Opener, WordVectors
from tests.index.plain import quantised, unit

Floats = NDArray[np.float32]


def brought_to_one(vectors: NDArray[Any]) -> Floats:
    found: Floats = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return found


def random_units(count: int, dimension: int, seed: int) -> Floats:
    """Unit vectors of every direction alike."""
    found = np.random.default_rng(seed).standard_normal((count, dimension))
    return brought_to_one(found)


def clustered_units(count: int, clusters: int, seed: int) -> Floats:
    """Unit vectors of 384 dimensions in clusters, all leaning one way, as those of texts do.

    Two of one cluster have a cosine of about .6, two of different ones of about .2.
    """
    rng = np.random.default_rng(seed)
    common = random_units(1, 384, 1)[0]  # the same for every seed
    centres = random_units(clusters, 384, 2)
    which = rng.integers(0, clusters, count)
    mixed = 0.5 * common + 0.65 * centres[which] + 0.6 * random_units(count, 384, seed + 10)
    return brought_to_one(mixed)


class Given:
    """An embedder that knows the vector of each text beforehand."""

    name = "given"

    def __init__(self, vectors: dict[str, Floats]) -> None:
        self._vectors = vectors
        self.dimension = len(next(iter(vectors.values())))
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Floats:
        self.asked += texts
        return np.array([self._vectors[text] for text in texts], np.float32)


# --- storing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [8, 64, 384, 1_024])
def test_a_stored_vector_is_near_to_what_it_was(dimension: int) -> None:
    vectors = random_units(500, dimension, seed=dimension)
    back = unpack(pack(vectors), dimension)
    assert back.shape == vectors.shape
    assert back.dtype == np.float32
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(back - vectors) <= step / 2 * 1.001).all()  # half a step, and rounding


def test_the_cosine_of_stored_vectors_is_off_by_less_than_two_thousandths() -> None:
    for vectors in (random_units(400, 384, seed=1), clustered_units(400, 8, seed=2)):
        back = unpack(pack(vectors), 384)
        off = np.abs(back @ vectors.T - vectors @ vectors.T)
        assert 0 < off.max() < 0.002  # something is lost, so it is looked at


@given(
    st.lists(
        st.lists(st.floats(-1, 1, width=32), min_size=5, max_size=5).filter(
            lambda row: max(map(abs, row)) > 1e-3
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_vector_can_be_stored(rows: list[list[float]]) -> None:
    given_rows = np.array(rows, np.float64)
    vectors = brought_to_one(given_rows)
    back = unpack(pack(vectors), 5)
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(back - vectors) <= step / 2 + 1e-6).all()  # half a step, and rounding


# --- searching -------------------------------------------------------------------------------


def filed(memory: Memory, texts: Sequence[str]) -> BoundMemory:
    """Each text in a thread of its own, so that no neighbour lends to it."""
    who = memory.bind(user="ana")
    who.remember_many([{"content": text, "thread": text} for text in texts])
    return who


def nearest(who: BoundMemory, question: str) -> list[str]:
    """The ten nearest, where no word is shared and all are equally strong."""
    return [hit.trace.content for hit in who.recall(question, touch=False)]


def test_the_exact_search_is_numpys(open_brain: Opener) -> None:
    texts = [f"n{at}" for at in range(300)]
    vectors = clustered_units(301, 12, seed=3)
    embedder = Given(dict(zip([*texts, "question"], vectors, strict=True)))
    who = filed(open_brain(embedder=embedder), texts)
    hits = who.recall("question", limit=1_000)
    cosine = dict(zip(texts, vectors[:-1] @ vectors[-1], strict=True))
    assert len(hits) == 300
    for hit in hits:
        # A text of one sentence stands for itself as its best sentence.
        assert hit.why.arms["vector"].score == pytest.approx(cosine[hit.trace.content], abs=0.002)
    ranked = sorted(hits, key=lambda hit: hit.why.arms["vector"].rank)
    assert [hit.why.arms["vector"].rank for hit in ranked] == list(range(1, 301))
    scores = [cosine[hit.trace.content] for hit in ranked]
    assert all(a > b - 0.004 for a, b in pairwise(scores))


def test_the_search_by_bits_finds_98_of_100_of_the_exact(open_brain: Opener) -> None:
    """Of twice as many vectors as are let through, by default, to be scored again."""
    count, questions = 2 * Settings().index.rescored_vectors, 30
    texts = [f"n{at}" for at in range(count)]
    asked = [f"q{at}" for at in range(questions)]
    vectors = clustered_units(count, 60, seed=4)
    embedder = Given(
        dict(zip(texts, vectors, strict=True))
        | dict(zip(asked, clustered_units(questions, 60, seed=5), strict=True))
    )
    exact = filed(open_brain(embedder=embedder), texts)
    by_bits = open_brain(embedder=embedder, settings=Settings(index={"exact_vectors": 0}))
    who = by_bits.bind(user="ana")
    assert by_bits.stats().embedded == count

    kept = 0
    for question in asked:
        cosines = vectors @ embedder.embed([question])[0]
        best = nearest(exact, question)
        assert len(best) == 10
        assert {texts.index(text) for text in best} >= set(np.argsort(-cosines)[:8].tolist())
        kept += len(set(best) & set(nearest(who, question)))
    assert kept / (10 * questions) >= 0.98
    # Who asks for everything is given everything, what the scan left out included.
    assert len(who.recall(asked[0], limit=count)) == count


def test_what_the_bits_leave_out_is_what_is_far(open_brain: Opener) -> None:
    """With one vector let through in place of thousands the nearest are lost."""
    texts = [f"n{at}" for at in range(2_000)]
    asked = [f"q{at}" for at in range(20)]
    embedder = Given(
        dict(zip(texts, clustered_units(2_000, 20, seed=6), strict=True))
        | dict(zip(asked, clustered_units(20, 20, seed=7), strict=True))
    )
    exact = filed(open_brain(embedder=embedder), texts)

    def kept(rescored: int) -> float:
        index = {"exact_vectors": 0, "rescored_vectors": rescored}
        who = open_brain(embedder=embedder, settings=Settings(index=index)).bind(user="ana")
        same = [set(nearest(exact, question)) & set(nearest(who, question)) for question in asked]
        return sum(map(len, same)) / (10 * len(asked))

    assert kept(1_000) >= 0.98
    assert kept(1) < 0.7


# --- what has vectors ------------------------------------------------------------------------

THREE = (
    "The boat is red and it is old. Ruth keeps her violin under the stairs. "
    "It rained here for many days."
)


def whole_and_sentences(embedder: WordVectors, question: str, *texts: str) -> list[float]:
    query = unit(embedder, [question])[0]
    return [float(cosine) for cosine in quantised(unit(embedder, list(texts))) @ query]


def test_a_text_is_near_by_its_best_sentence_as_well(open_brain: Opener) -> None:
    question, embedder = "Ruth keeps her violin under the stairs", WordVectors()
    hit = filed(open_brain(), [THREE]).recall(question)[0]
    whole, *sentences = whole_and_sentences(
        embedder, question, THREE, *(part + "." for part in THREE.rstrip(".").split(". "))
    )
    assert max(sentences) > whole + 0.2
    assert hit.why.arms["vector"].score == pytest.approx((whole + max(sentences)) / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("role", "index", "expected"),
    [
        ("user", {}, 4),
        (None, {}, 4),
        ("assistant", {}, 1),
        ("user", {"sentence_vectors": False}, 1),
        ("user", {"max_sentences": 2}, 3),
    ],
)
def test_what_people_say_gets_a_vector_a_sentence(
    open_brain: Opener, role: str | None, index: dict[str, object], expected: int
) -> None:
    parts = [part + "." for part in THREE.rstrip(".").split(". ")]
    embedder = Given(dict(zip([THREE, *parts], random_units(4, 16, seed=8), strict=True)))
    who = open_brain(embedder=embedder, settings=Settings(index=index)).bind(user="ana")
    who.remember(THREE, role=role)
    assert embedder.asked == [THREE, *parts][:expected]


def test_a_speakers_name_is_embedded_with_the_text(open_brain: Opener) -> None:
    embedder = Given({"Ruth: It rained": random_units(1, 16, seed=9)[0]})
    open_brain(embedder=embedder).bind(user="ana").remember("It rained", speaker="Ruth")
    assert embedder.asked == ["Ruth: It rained"]


def test_texts_without_vectors_are_found_by_words_until_they_are_embedded(
    open_brain: Opener,
) -> None:
    without = open_brain(embedder=None)
    without.bind(user="ana").remember_many(["Ruth plays the violin", "The ferry was late"])
    memory = open_brain()
    who = memory.bind(user="ana")
    who.remember("Ruth sings", thread="b")

    def arms() -> dict[str, set[str]]:
        hits = who.recall("violin of Ruth", touch=False)
        return {hit.trace.content: set(hit.why.arms) for hit in hits}

    assert arms() == {"Ruth plays the violin": {"lexical"}, "Ruth sings": {"lexical", "vector"}}
    assert memory.health().unembedded == 2
    done: list[tuple[int, int, str]] = []
    assert memory.reembed(progress=lambda *told: done.append(told)) == 2
    assert done == [(2, 2, "reembed")]
    assert memory.health().unembedded == 0
    assert memory.reembed() == 0
    assert arms() == {
        "Ruth plays the violin": {"lexical", "vector"},
        "Ruth sings": {"lexical", "vector"},
        "The ferry was late": {"vector"},
    }


@pytest.mark.parametrize("segment", [4_096, 2], ids=["unsealed", "sealed"])
def test_reembedding_leaves_what_writing_would_have(open_brain: Opener, segment: int) -> None:
    texts = ["Ruth plays the violin", "The ferry was late", THREE, "A parcel of quinces", "Rain"]
    settings = Settings(index={"segment_passages": segment})
    later = open_brain("later.db", embedder=None, settings=settings)
    filed(later, texts)
    later.reembed(WordVectors())
    at_once = open_brain("at once.db", settings=settings)
    filed(at_once, texts)

    def told(memory: Memory) -> list[tuple[str, float, float]]:
        question = "Ruth and the violin under the stairs"
        hits = memory.bind(user="ana").recall(question, touch=False)
        return [(h.trace.content, h.score, h.why.arms["vector"].score) for h in hits]

    assert len(told(later)) == 5
    assert told(later) == told(at_once)
