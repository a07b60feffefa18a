"""The quality benchmarks, end to end, on small files of our own and with words only."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import Settings
from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.evals import quality
from mnemic.evals.embed_cache import CachedEmbedder
from tests.evals import shapes

Save = Callable[[Any], Path]


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Save:
    """Write a value as JSON and give its path; temporary brains go into a folder that is seen."""
    brains = tmp_path / "brains"
    brains.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(brains))

    def to_file(value: Any) -> Path:
        path = tmp_path / "file.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    return to_file


class Letters:
    """An embedder that counts letters: quick, and the same everywhere."""

    name = "letters"
    dimension = 27

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.ones((len(texts), 27), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1
        return rows


def test_locomo_a_brain_a_dialogue(save: Save, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    result = quality.bench_locomo(
        save(shapes.locomo()),
        embedder=None,
        progress=lambda done, total, stage: told.append((done, total, stage)),
    )
    assert (result.benchmark, result.mode) == ("locomo", "a brain a dialogue")
    assert (result.brains, result.turns, result.questions) == (2, 8, 4)
    assert result.embedder is None
    assert result.dropped["questions without usable evidence"] == 3
    assert result.overall.n == 4
    assert {name: one.n for name, one in result.categories.items()} == {
        "multi-hop": 1,
        "single-hop": 2,
        "temporal": 1,
    }
    # Each dialogue is smaller than twenty turns and its questions share words with the gold.
    assert result.overall.mean["hit@20"] == 1
    assert result.categories["single-hop"].mean["mrr"] == 1
    assert not list((tmp_path / "brains").iterdir())
    assert told[-1] == (5, 5, "ask")
    assert result.unanswerable == 1
    assert (8, 8, "remember") in told
    by_stage = {stage: [done for done, _, s in told if s == stage] for _, _, stage in told}
    assert all(done == sorted(done) for done in by_stage.values())


def test_a_turn_said_twice_is_found_under_the_trace_it_became(save: Save) -> None:
    result = quality.bench_locomo(save(shapes.locomo()), embedder=None)
    assert result.categories["temporal"].mean["recall@5"] == 1


def test_pooled_dialogues_do_not_see_each_other(save: Save) -> None:
    path = save(shapes.locomo())
    pooled = quality.bench_locomo(path, pooled=True, embedder=Letters())
    apart = quality.bench_locomo(path, embedder=Letters())
    assert (pooled.brains, apart.brains) == (1, 2)
    assert pooled.mode != apart.mode
    assert pooled.embedder == "letters"
    assert pooled.overall == apart.overall
    assert pooled.categories == apart.categories


def test_longmemeval_counts_sessions_too(save: Save) -> None:
    path = save(shapes.longmemeval())
    result = quality.bench_longmemeval(path, embedder=None)
    assert (result.brains, result.turns, result.questions) == (1, 9, 2)
    assert result.overall.mean["session any@5"] == result.overall.mean["session all@5"] == 1
    assert result.overall.mean["recall@5"] == 1
    assert result.unanswerable == 1
    s_like = quality.bench_longmemeval(path, s_like=True, embedder=None)
    assert (s_like.brains, s_like.questions) == (2, 2)
    assert s_like.turns == 18


def test_beam(save: Save) -> None:
    result = quality.bench_beam(save(shapes.beam()), embedder=None)
    assert (result.brains, result.turns, result.questions) == (1, 3, 2)
    assert result.overall.mean["recall@20"] == 1
    assert "session any@5" not in result.overall.mean


def test_a_turn_the_brain_does_not_take_counts_against_it(save: Save) -> None:
    data = shapes.locomo()
    data[1]["conversation"]["session_1"][0]["text"] = "queen hive marked " * 40
    settings = Settings(encoding={"max_content_chars": 200})
    result = quality.bench_locomo(save(data), embedder=None, settings=settings)
    assert result.dropped["turns that the brain refused"] == 1
    assert result.turns == 8
    assert result.categories["single-hop"].mean["recall@20"] == 0.5


def test_a_part_can_be_run(save: Save) -> None:
    path = save(shapes.locomo())
    first = quality.bench_locomo(path, dialogues=1, embedder=None)
    assert (first.brains, first.turns, first.questions) == (1, 6, 3)
    few = quality.bench_locomo(path, limit_questions=1, embedder=None)
    assert (few.brains, few.turns, few.questions) == (2, 8, 2)
    with pytest.raises(InvalidInput, match="dialogues must be at least 1, not 0"):
        quality.bench_locomo(path, dialogues=0)
    with pytest.raises(InvalidInput, match="limit_questions must be at least 1, not -1"):
        quality.bench_beam(path, limit_questions=-1)


def test_a_cache_of_vectors_changes_no_figure(save: Save, tmp_path: Path) -> None:
    path = save(shapes.locomo())
    plain = quality.bench_locomo(path, embedder=Letters())
    for _ in range(2):
        cached = CachedEmbedder(Letters(), tmp_path / "vectors")
        assert quality.bench_locomo(path, embedder=cached).overall == plain.overall


def test_the_result_as_a_table_and_as_json(save: Save) -> None:
    result = quality.bench_longmemeval(save(shapes.longmemeval()), embedder=None)
    header, rows = result.header(), result.rows()
    assert header[:3] == ["category", "n", "recall@5"]
    assert "session all@10" in header
    assert [row[0] for row in rows] == [
        "all",
        "± standard error",
        "single-session-assistant",
        "single-session-user",
    ]
    assert all(len(row) == len(header) for row in rows)
    assert rows[0][1:3] == ["2", "1.000"]
    plain = json.loads(json.dumps(result.as_dict()))
    assert plain["overall"]["mean"]["recall@5"] == 1
    assert plain["questions"] == 2
    assert plain["recall_p95_ms"] >= plain["recall_p50_ms"] > 0
    assert plain["ingest_seconds"] >= 0


def test_a_file_of_another_kind_is_refused(save: Save) -> None:
    with pytest.raises(ImportFormatError):
        quality.bench_locomo(save(shapes.longmemeval()), embedder=None)
    with pytest.raises(ImportFormatError):
        quality.bench_beam(save(shapes.locomo()), embedder=None)


def test_a_question_that_nothing_answers_is_asked_apart(save: Save) -> None:
    """One about what was said is answered anyway; one about nothing of it is not."""
    shares = {}
    for question in ("Did the dinghy sink?", "zeppelin airship"):
        record = {"question": question, "answer": "none", "category": 5, "evidence": ["D1:1"]}
        dialogues = shapes.locomo()
        for dialogue in dialogues:
            dialogue["qa"] = [one for one in dialogue["qa"] if one.get("category") != 5]
        dialogues[0]["qa"].append(record)
        result = quality.bench_locomo(save(dialogues), embedder=None)
        assert (result.unanswerable, result.questions) == (1, 4)
        assert result.as_dict()["answered_anyway"] == result.answered_anyway
        shares[question] = result.answered_anyway
    assert shares == {"Did the dinghy sink?": 1.0, "zeppelin airship": 0.0}


def test_the_tokens_of_packets_are_counted(save: Save) -> None:
    used = quality.bench_locomo(save(shapes.locomo()), embedder=None).context_tokens
    assert set(used) == set(quality.CONTEXT_TOKENS)
    assert all(0 < tokens <= budget for budget, tokens in used.items())
