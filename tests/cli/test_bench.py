"""`mnemic bench` on small files of the three shapes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemic.cli.output import console
from mnemic.cli.vectors import ratios
from mnemic.evals.measure import Measure
from mnemic.evals.speed import SpeedResult
from tests.cli.conftest import Cli
from tests.evals import shapes

KEYS = {
    "benchmark",
    "mode",
    "embedder",
    "brains",
    "turns",
    "questions",
    "dropped",
    "overall",
    "categories",
    "context_tokens",
    "unanswerable",
    "answered_anyway",
    "ingest_seconds",
    "recall_p50_ms",
    "recall_p95_ms",
}

Save = Callable[[str], str]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def saver(benchmark: str) -> str:
        file = tmp_path / f"{benchmark}.json"
        file.write_text(json.dumps(getattr(shapes, benchmark)()), encoding="utf-8")
        return str(file)

    return saver


@pytest.mark.parametrize("benchmark", ["locomo", "longmemeval", "beam"])
def test_a_quality_bench_as_json_and_as_a_table(cli: Cli, save: Save, benchmark: str) -> None:
    file = save(benchmark)
    told = cli.json("bench", benchmark, file)
    assert set(told) == KEYS
    assert (told["benchmark"], told["embedder"]) == (benchmark, None)
    assert told["questions"] == told["overall"]["n"] > 0
    text = cli("bench", benchmark, file).stdout
    for part in ("words only", "dropped", "@10", "@20", "mrr", "standard error", "all"):
        assert part in text
    assert max(len(line) for line in text.splitlines()) <= 80
    assert not cli.brain.exists()


def test_the_options_reach_the_bench(cli: Cli, save: Save) -> None:
    file = save("locomo")
    assert cli.json("bench", "locomo", file)["brains"] == 2
    assert cli.json("bench", "locomo", file, "--pooled")["brains"] == 1
    assert cli.json("bench", "locomo", file, "--dialogues=1")["brains"] == 1
    assert cli.json("bench", "locomo", file, "--questions=1")["questions"] == 2
    cli.error("bench", "locomo", file, "--dialogues=0", code=2)
    everything = cli.json("bench", "longmemeval", save("longmemeval"))
    apart = cli.json("bench", "longmemeval", save("longmemeval"), "--s-like")
    assert everything["brains"] == 1 < apart["brains"]


def test_a_cache_of_vectors_is_kept_and_used(cli: Cli, save: Save, tmp_path: Path) -> None:
    file, cache = save("locomo"), tmp_path / "cache"
    first = cli.json("bench", "locomo", file, f"--cache={cache}", words=False)
    [vectors] = cache.iterdir()
    size = vectors.stat().st_size
    again = cli.json("bench", "locomo", file, f"--cache={cache}", words=False)
    assert vectors.stat().st_size == size > 0
    assert first["embedder"] is not None
    assert first["overall"] == again["overall"]
    assert "drop one" in cli.error("bench", "locomo", file, f"--cache={cache}", code=2)


def test_a_file_of_another_kind_is_refused(cli: Cli, save: Save) -> None:
    cli.error("bench", "beam", save("locomo"), code=2)


@pytest.mark.slow
def test_speed_as_json(cli: Cli) -> None:
    few = ("--size=60", "--size=30", "--questions=2", "--others=1")
    told = cli.json("bench", "speed", *few, words=False)
    assert any("beside 1 users" in one["what"] for one in told["measures"])
    assert set(told) == {"measures"}
    assert all(
        set(one) == {"what", "unit", "ours", "floor", "ratio", "bound", "good"}
        for one in told["measures"]
    )


def test_a_speed_result_as_a_table() -> None:
    result = SpeedResult(
        (
            Measure("recall p50, 1,000 traces", "ms", 7.25, 5.0, 1.45, "<= 2", True),
            Measure("memory a vector", "B", 700.0, None, 700.0, "< 614", False),
        )
    )
    out = console(io.StringIO())
    out.print(ratios(result))
    text = " ".join(out.file.getvalue().split())  # type: ignore[attr-defined]
    for part in ("7.25 ms", "5 ms", "1.450", "<= 2 reached", "700 B", "< 614 missed"):
        assert part in text
