"""The framework of the proof: what counts as a pass, and why there are two scores."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemic.errors import NotFound
from mnemic.evals.prove.case import Case, Kind, Mark, Run, Verdict
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.run import NULL_MEMORY, Outcome, prove
from mnemic.evals.prove.world import World, readers
from tests.evals.prove.null import Nowhere

NEGATIVE, OBLIGATION = Kind.NEGATIVE, Kind.OBLIGATION


def outcome(kind: Kind, run: Run) -> Outcome:
    case = Case("test.case", Mark.TOMBSTONE, kind, "A case.", run)
    return prove(cases=[case]).outcomes[0]


def broken(world: World) -> None:
    raise KeyError("a case with a bug")


def vanishes(world: World) -> None:
    raise NotFound("nothing here")


def kept(world: World) -> None:
    world.told(world.bind(), "The tea is ready")
    world.never(readers(world.bind("bob"), "The tea is ready"), "it is given to another user")


@pytest.mark.parametrize(
    ("kind", "run", "verdict"),
    [
        (NEGATIVE, kept, Verdict.HOLDS),
        (NEGATIVE, lambda world: None, Verdict.NO_CONTROL),
        (
            NEGATIVE,
            lambda world: world.never(False, "a denial without a control"),
            Verdict.NO_CONTROL,
        ),
        (
            NEGATIVE,
            lambda world: world.never(True, "a sight without a control"),
            Verdict.NO_CONTROL,
        ),
        (NEGATIVE, lambda world: world.control(False, "a control"), Verdict.NO_CONTROL),
        (NEGATIVE, lambda world: world.control(True, "a control and no denial"), Verdict.ERROR),
        (NEGATIVE, vanishes, Verdict.NO_CONTROL),
        (NEGATIVE, broken, Verdict.ERROR),
        (OBLIGATION, lambda world: None, Verdict.HOLDS),
        (OBLIGATION, lambda world: world.must(False, "an obligation"), Verdict.UNMET),
        (OBLIGATION, lambda world: world.need(None, "a value"), Verdict.UNMET),
        (OBLIGATION, vanishes, Verdict.ERROR),
        (OBLIGATION, broken, Verdict.ERROR),
        (Kind.COUNT, lambda world: world.note("3 of 4"), Verdict.COUNTED),
    ],
)
def test_what_a_case_comes_to(kind: Kind, run: Run, verdict: Verdict) -> None:
    found = outcome(kind, run)
    assert found.verdict is verdict
    assert found.ok is (verdict in (Verdict.HOLDS, Verdict.COUNTED))


def test_a_sight_of_what_must_not_be_is_a_violation_and_is_shown() -> None:
    def leaks(world: World) -> None:
        ana = world.bind()
        world.told(ana, "The tea is ready")
        world.never(readers(ana, "The tea is ready"), "it is given")

    found = outcome(NEGATIVE, leaks)
    assert (found.verdict, found.controls) == (Verdict.VIOLATED, 1)
    assert "recall" in found.message


def test_what_is_refused_and_what_is_barred_counts_as_denied() -> None:
    def refused(world: World) -> None:
        ana = world.bind()
        world.told(ana, "The tea is ready")
        world.refuses(ana.remember(str(ana.context("tea"))), "recalled text")
        world.bars(lambda: ana.show("mt_unknown"), "showing an unknown id")

    found = outcome(NEGATIVE, refused)
    assert (found.verdict, found.denials) == (Verdict.HOLDS, 2)

    def taken(world: World) -> None:
        ana = world.bind()
        trace = world.told(ana, "The tea is ready")
        world.bars(lambda: ana.show(trace.id), "showing what is there")

    assert outcome(NEGATIVE, taken).verdict is Verdict.VIOLATED

    def breaks(world: World) -> None:
        world.told(world.bind(), "The tea is ready")
        world.bars(lambda: broken(world), "a call that breaks")

    assert outcome(NEGATIVE, breaks).verdict is Verdict.ERROR


def test_a_story_is_told_once_and_its_failure_is_everybodys() -> None:
    told: list[int] = []

    def tell() -> int:
        told.append(1)
        return len(told)

    def listens(world: World) -> None:
        world.must(world.story("of one", tell) == 1, "it was told again")
        world.must(world.story("that fails", lambda: world.need(None, "a value")), "never")

    cases = [Case(f"test.{n}", Mark.TOMBSTONE, OBLIGATION, "A case.", listens) for n in range(2)]
    proof = prove(cases=cases)
    assert [one.verdict for one in proof.outcomes] == [Verdict.UNMET] * 2
    assert told == [1]


def test_a_memory_that_stores_nothing_violates_nothing_and_meets_nothing() -> None:
    proof = prove(backend=Nowhere)
    negatives, obligations = proof.score(NEGATIVE), proof.score(OBLIGATION)
    assert negatives.cases >= 100
    assert negatives.by_verdict == {Verdict.NO_CONTROL.value: negatives.cases}
    assert obligations.ok == 0
    assert obligations.cases >= 40
    assert not proof.ok
    assert "stores nothing" in NULL_MEMORY


def test_cases_do_not_see_the_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_LEARNING__MODE", "frozen")
    assert outcome(NEGATIVE, kept).verdict is Verdict.HOLDS
    assert os.environ["MNEMIC_LEARNING__MODE"] == "frozen"


def test_progress_is_told_and_the_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    steps: list[tuple[int, int, str]] = []
    proof = prove(cases=CATALOGUE[:2], progress=lambda *step: steps.append(step))
    assert steps == [(1, 2, CATALOGUE[0].theme), (2, 2, CATALOGUE[1].theme)]
    assert proof.ok
    assert list(tmp_path.iterdir()) == []


def test_the_result_as_plain_values() -> None:
    told = prove(cases=CATALOGUE[:1]).as_dict()
    assert told["ok"] is True
    assert told["backend"] == "sqlite"
    assert told["negatives"] == {
        "cases": 1,
        "hold": 1,
        "violated": 0,
        "no_control": 0,
        "unmet": 0,
        "error": 0,
    }
    assert told["cases"][0]["id"] == CATALOGUE[0].id
    assert told["cases"][0]["controls"] >= 1
    assert told["brain"] == []
