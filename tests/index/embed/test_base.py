from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from mnemic.index.embed.base import (
    CachedQueries,
    Embedder,
    PartsEmbedder,
    checked_embed,
    checked_parts,
)
from mnemic.model.errors import EmbedderError


class Made:
    """An embedder that gives what a function makes of the texts, and counts what it is asked."""

    name = "made"
    dimension = 3

    def __init__(self, make: Callable[[Sequence[str]], Any]) -> None:
        self.make = make
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return self.make(texts)


def lengths_of(texts: Sequence[str]) -> Any:
    return np.array([[len(text), 1, 0] for text in texts], np.float32)


def test_an_object_with_the_three_names_is_an_embedder() -> None:
    assert isinstance(Made(lengths_of), Embedder)
    assert not isinstance(object(), Embedder)


@pytest.mark.parametrize(
    "make",
    [
        lengths_of,
        lambda texts: lengths_of(texts).astype(np.float64),
        lambda texts: lengths_of(texts).astype(np.int8),
        lambda texts: lengths_of(texts).tolist(),
        lambda texts: lengths_of(texts) * np.float32(1e30),
        lambda texts: lengths_of(texts) * np.float32(1e-30),
        lambda texts: lengths_of(texts).astype(np.float64) * 1e100,
    ],
)
def test_vectors_come_back_as_float32_of_unit_length(make: Callable[[Sequence[str]], Any]) -> None:
    vectors = checked_embed(Made(make), ["abc", "d"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[0], [3 / 10**0.5, 1 / 10**0.5, 0])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda texts: np.ones((len(texts), 4), np.float32), r"shape \(2, 4\).*\(2, 3\)"),
        (lambda texts: np.ones((1, 3), np.float32), r"shape \(1, 3\).*\(2, 3\)"),
        (lambda texts: np.ones(3, np.float32), r"shape \(3,\)"),
        (lambda texts: None, "shape"),
        (lambda texts: [[1, 2, 3], [1]], "failed: ValueError"),
        (lambda texts: [["a", "b", "c"]] * 2, "<U1"),
        (lambda texts: np.ones((2, 3), np.complex64), "complex64"),
        (lambda texts: [[1, 2, 3], [0, 0, 0]], "length 0.0 for text 1 of 2"),
        (lambda texts: [[1, float("nan"), 3], [1, 0, 0]], "length nan for text 0"),
        (lambda texts: [[1, 2, 3], [float("inf"), 0, 0]], "length inf for text 1"),
        (lambda texts: 1 // 0, "failed: ZeroDivisionError"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    make: Callable[[Sequence[str]], Any], says: str
) -> None:
    with pytest.raises(EmbedderError, match=says) as refusal:
        checked_embed(Made(make), ["abc", "secret"])
    assert "'made'" in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_an_error_that_says_enough_is_left_as_it_is() -> None:
    own = EmbedderError("no such model")

    def fail(texts: Sequence[str]) -> Any:
        raise own

    with pytest.raises(EmbedderError) as refusal:
        checked_embed(Made(fail), ["a"])
    assert refusal.value is own


def test_no_texts_ask_nothing() -> None:
    made = Made(lengths_of)
    assert checked_embed(made, []).shape == (0, 3)
    assert made.asked == []


def test_a_question_asked_again_is_not_embedded_again() -> None:
    made = Made(lengths_of)
    queries = CachedQueries(made)
    first = queries.embed_one("where")
    assert np.array_equal(queries.embed_one("where"), first)
    assert first.shape == (3,)
    assert made.asked == ["where"]


def test_a_kept_vector_cannot_be_changed_by_who_got_it() -> None:
    vector = CachedQueries(Made(lengths_of)).embed_one("where")
    with pytest.raises(ValueError, match="read-only"):
        vector += 1


def test_the_questions_asked_longest_ago_are_let_go() -> None:
    made = Made(lengths_of)
    queries = CachedQueries(made)
    for at in range(256):
        queries.embed_one(str(at))
    queries.embed_one("0")  # asked lately now
    queries.embed_one("one more")
    queries.embed_one("0")
    assert len(made.asked) == 257
    queries.embed_one("1")
    assert made.asked[-1] == "1"


def test_a_failure_is_not_kept() -> None:
    answers = iter([[[0, 0, 0]], [[1, 0, 0]]])
    queries = CachedQueries(Made(lambda texts: next(answers)))
    with pytest.raises(EmbedderError):
        queries.embed_one("where")
    assert queries.embed_one("where")[0] == 1


GROUPS = [("abcd", "ab", "cd"), ("e",)]


class Together(Made):
    """One that reads texts with their parts, and says of each how long its group is."""

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> Any:
        self.asked += [f"group of {len(group)}" for group in groups]
        return [np.array([[len(one), len(group), 0] for one in group]) for group in groups]


def test_parts_are_asked_for_together_where_the_embedder_can() -> None:
    apart, together = Made(lengths_of), Together(lengths_of)
    assert isinstance(together, PartsEmbedder)
    assert not isinstance(apart, PartsEmbedder)
    alone = checked_parts(apart, GROUPS)
    assert apart.asked == ["abcd", "ab", "cd", "e"]
    assert np.allclose(alone, checked_embed(apart, ["abcd", "ab", "cd", "e"]))
    found = checked_parts(together, GROUPS)
    assert together.asked == ["group of 3", "group of 1"]
    assert found.shape == (4, 3)
    assert np.allclose(found[0], [4 / 5, 3 / 5, 0])
    assert checked_parts(together, []).shape == (0, 3)


@pytest.mark.parametrize(
    "given",
    [
        lambda groups: [np.ones((1, 3)), np.ones((3, 3))],  # as many in all, in other groups
        lambda groups: [np.ones((3, 3))],
        lambda groups: 1 / 0,
    ],
)
def test_groups_that_come_back_otherwise_are_refused(given: Callable[[Any], Any]) -> None:
    embedder = Together(lengths_of)
    embedder.embed_parts = given  # type: ignore[method-assign, assignment]
    with pytest.raises(EmbedderError, match="'made' failed"):
        checked_parts(embedder, GROUPS)
