"""Figures become cells, and what has none becomes a reason: nobody is left out."""

from __future__ import annotations

from typing import Any

from mnemic.evals.peers import table


def result(name: str, recall: float, p50: float, **more: Any) -> dict[str, Any]:
    return {
        "peer": name,
        "settings": "as it comes",
        "reason": None,
        "embedder_p50_ms": 6.04,
        "figures": {
            "questions": 760,
            "items": 2760,
            "refused": 0,
            "quality": {
                "mean": {"recall@5": 0.5, "recall@10": recall, "hit@10": 0.7},
                "stderr": {"recall@5": 0.01, "recall@10": 0.0123, "hit@10": 0.01},
            },
            "answers_of_fewer_hits_than_asked": 0,
            "one_by_one_per_second": 41.26,
            "batch_per_second": None,
            "recall_p50_ms": p50,
            "recall_p95_ms": 3 * p50,
            "import_seconds": 0.5,
            "first_answer_seconds": 1.25,
            "install_megabytes": 1234.5,
            "disk_bytes_per_item": 4018,
            **more,
        },
    }


FAILED = {"peer": "broken", "settings": "", "reason": "it needs a Python from 3.99", "figures": {}}
OURS = result("mnemic", 0.8, 8.0)
PEER = result("other", 0.4, 20.0, batch_per_second=99.5, refused=3)


def test_cells_and_ratios_to_ours() -> None:
    quality, speed, weight = table.tables([OURS, PEER])
    assert quality.rows[1] == ("other", "760", "0.500", "0.400 ± 0.012", "0.700", "0.50")
    assert speed.rows[0] == ("mnemic", "41", "-", "8.0", "24.0", "1.00", "6.0")
    assert speed.rows[1] == ("other", "41", "100", "20.0", "60.0", "2.50", "6.0")
    assert weight.rows[1] == ("other", "0.50", "1.25", "1,234", "4,018")
    for one in (quality, speed, weight):
        assert all(len(row) == len(one.header) for row in one.rows)


def test_without_ours_there_is_no_ratio() -> None:
    quality, speed, _ = table.tables([PEER])
    assert quality.rows[0][-1] == speed.rows[0][-2] == "-"


def test_a_peer_without_figures_has_a_reason() -> None:
    results = [OURS, FAILED, PEER]
    assert [row[0] for row in table.tables(results)[0].rows] == ["mnemic", "other"]
    assert table.reasons(results) == [("broken", "it needs a Python from 3.99")]
    assert table.notes(results)[1] == ("other", "as it comes; 3 of 2760 items refused")
