"""Figures against values worked out by hand, and what must hold for any list."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.evals.metrics import (
    KS,
    percentile,
    score,
    score_sessions,
    standard_error,
    summarise,
)

RANKED = [f"t{n}" for n in range(1, 21)]
ids = st.integers(0, 40).map(str)
lists = st.lists(ids, unique=True, max_size=20)
golds = st.sets(ids, min_size=1, max_size=8)


def test_a_question_by_hand() -> None:
    scores = score(RANKED, {"t3", "t7", "t15", "elsewhere"})
    assert scores == {
        "recall@5": 0.25,
        "recall@10": 0.5,
        "recall@20": 0.75,
        "hit@5": 1,
        "hit@10": 1,
        "hit@20": 1,
        "all@5": 0,
        "all@10": 0,
        "all@20": 0,
        "mrr": pytest.approx(1 / 3),
    }


def test_the_ends_of_a_list() -> None:
    assert score(RANKED, {"t5"})["all@5"] == 1
    assert score(RANKED, {"t6"})["hit@5"] == 0
    assert score(RANKED, {"t6"})["mrr"] == pytest.approx(1 / 6)
    assert set(score([], {"t1"}).values()) == {0}
    assert score(["t1"], ["t1", "t1"])["recall@5"] == 1


def test_sessions_count_where_they_are_first_met() -> None:
    ranked = ["a", "a", "b", "a", "c", "d", "e", "f", "g", "h", "i", "j"]
    assert score_sessions(ranked, {"a", "f"}) == {
        "session any@5": 1,
        "session all@5": 0,
        "session any@10": 1,
        "session all@10": 1,
    }
    assert score_sessions(ranked, {"j"})["session all@10"] == 1
    assert score_sessions([*ranked, "k"], {"k"})["session any@10"] == 0


def test_without_gold_there_is_nothing_to_measure() -> None:
    with pytest.raises(ValueError, match="without gold"):
        score(RANKED, [])
    with pytest.raises(ValueError, match="without gold"):
        score_sessions(RANKED, set())


def test_means_and_standard_errors_by_hand() -> None:
    summary = summarise([{"x": 0.0, "y": 1.0}, {"x": 1.0, "y": 1.0}, {"x": 0.5, "y": 1.0}])
    assert summary.n == 3
    assert summary.mean == {"x": 0.5, "y": 1.0}
    # deviations -.5, .5, 0: variance .25, over 3, root
    assert summary.stderr["x"] == pytest.approx(math.sqrt(0.25 / 3))
    assert summary.stderr["y"] == 0
    assert summary.as_dict() == {
        "n": 3,
        "mean": {"x": 0.5, "y": 1.0},
        "stderr": {"x": 0.2887, "y": 0.0},
    }
    assert summarise([]).n == 0
    assert standard_error([0.7]) == 0


def test_percentiles_by_hand() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [percentile(values, share) for share in (0, 0.2, 0.5, 0.95, 1)] == [1, 1, 3, 5, 5]
    assert percentile([], 0.5) == 0


@given(lists, golds)
def test_figures_keep_their_order(ranked: list[str], gold: set[str]) -> None:
    scores = score(ranked, gold)
    assert all(0 <= value <= 1 for value in scores.values())
    for k in KS:
        assert scores[f"all@{k}"] <= scores[f"recall@{k}"] <= scores[f"hit@{k}"]
    for name in ("recall", "hit", "all"):
        assert scores[f"{name}@5"] <= scores[f"{name}@10"] <= scores[f"{name}@20"]
    assert (scores["mrr"] > 0) == (scores["hit@20"] > 0)
    assert scores["hit@5"] == (scores["mrr"] >= 1 / 5)


@given(lists, golds, st.integers(0, 19))
def test_what_stands_behind_the_cut_changes_nothing(
    ranked: list[str], gold: set[str], cut: int
) -> None:
    changed = ranked[:5] + ranked[5:][::-1][: max(0, cut - 5)]
    assert score(ranked, gold)["recall@5"] == score(changed, gold)["recall@5"]


@given(st.lists(ids, max_size=30), golds)
def test_repeats_of_a_session_change_nothing(ranked: list[str], gold: set[str]) -> None:
    doubled = [one for one in ranked for _ in range(2)]
    assert score_sessions(ranked, gold) == score_sessions(doubled, gold)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_standard_error_agrees_with_the_library(values: list[float]) -> None:
    expected = statistics.stdev(values) / math.sqrt(len(values))
    assert standard_error(values) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0, 1))
def test_a_percentile_is_one_of_the_values(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9
