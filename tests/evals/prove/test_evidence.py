"""The evidence: every file, symbol, test and case that it names is there."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from mnemic.evals.prove.case import Kind, Mark, Verdict
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.evidence import PLACES, TEST, Place, evidence, matching
from mnemic.evals.prove.run import prove

ROOT = Path(__file__).parents[3]


def names_in(file: Path) -> set[str]:
    """The names that a file defines at its top level, and those of its classes."""
    found: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if hasattr(one, "name")}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


@pytest.mark.parametrize("place", PLACES, ids=lambda one: f"{one.mark.value}-{one.symbol}")
def test_a_place_is_there(place: Place) -> None:
    file = ROOT / place.file
    assert file.is_file()
    assert place.symbol in names_in(file)
    assert place.behaviour.endswith(".")
    for begin in place.cases:
        assert matching([begin]), f"no case begins with {begin!r}"


def test_a_symbol_that_is_not_there_would_be_seen() -> None:
    names = names_in(ROOT / "src/mnemic/govern/audit.py")
    assert {"Chain.append", "verify", "GENESIS"} <= names
    assert not {"Chain.remove", "verified"} & names


def test_the_test_that_is_named_is_there() -> None:
    name, _, function = TEST.partition("::")
    assert function in names_in(ROOT / name)


def test_each_mark_has_several_places_with_cases() -> None:
    proof = prove(cases=CATALOGUE[:2])
    told = json.loads(json.dumps(evidence(proof)))
    assert list(told["marks"]) == [mark.value for mark in Mark]
    for mark, places in told["marks"].items():
        assert len(places) >= 3, mark
        for place in places:
            keys = ["mark", "subsystem", "file", "symbol", "behaviour", "test", "cases"]
            assert list(place) == keys
            assert place["mark"] == mark
            assert place["cases"]
            assert place["test"].startswith(TEST)
            assert f"[{place['cases'][0]}]" in place["test"]
    assert told["verdicts"] == {case.id: Verdict.HOLDS.value for case in CATALOGUE[:2]}


def test_the_evidence_reaches_nearly_every_case() -> None:
    named = {one for place in PLACES for one in matching(place.cases)}
    left = [c.id for c in CATALOGUE if c.id not in named and c.kind is not Kind.COUNT]
    assert len(left) <= len(CATALOGUE) // 20, left
