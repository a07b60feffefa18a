"""Every case of the proof holds, each as a test of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic.evals.prove.backend import Sqlite, StillClock
from mnemic.evals.prove.case import Case, Kind, Mark
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.portable import PORTABLE
from mnemic.evals.prove.run import judge
from mnemic.evals.prove.world import Stage

NUMBERED = dict(enumerate(CATALOGUE, 1))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The temporary brains that the cases share."""
    clock = StillClock()
    made = Stage(Sqlite(tmp_path_factory.mktemp("prove"), clock), clock)
    with made.opened:
        yield made


@pytest.mark.parametrize("number", NUMBERED, ids=lambda number: NUMBERED[number].id)
def test_a_case_holds(stage: Stage, number: int) -> None:
    outcome = judge(stage, NUMBERED[number], number)
    assert outcome.ok, f"{outcome.verdict}: {outcome.message}"


def _of(kind: Kind) -> list[Case]:
    return [case for case in CATALOGUE if case.kind is kind]


def test_there_are_enough_cases_and_each_has_a_name_of_its_own() -> None:
    assert len(_of(Kind.NEGATIVE)) >= 100
    assert len(_of(Kind.OBLIGATION)) >= 40
    ids = Counter(case.id for case in CATALOGUE)
    assert [name for name, count in ids.items() if count > 1] == []
    assert [name for name in ids if not re.fullmatch(r"[a-z]+(\.[a-z0-9_]+){1,2}", name)] == []
    runs = Counter(id(case.run) for case in CATALOGUE)
    assert max(runs.values()) == 1


def test_every_case_says_one_thing_in_one_line() -> None:
    for case in CATALOGUE:
        assert case.says.endswith("."), case.id
        assert "\n" not in case.says, case.id
        assert len(case.says) <= 120, case.id


def test_the_twenty_portable_tests_are_there() -> None:
    assert len(set(PORTABLE)) == 20
    assert set(PORTABLE) <= {case.id for case in CATALOGUE}
    counted = [case.id for case in _of(Kind.COUNT)]
    assert counted == ["prompt.model_ignores_embedded_instructions"]


def test_the_deletion_has_thirteen_steps_and_the_contradictions_five_by_five() -> None:
    themes = Counter(case.id.split("_")[0] for case in CATALOGUE)
    assert themes["deletion.step"] == 13
    shapes = {case.id.split(".")[1] for case in CATALOGUE if case.theme == "contradiction"}
    scores = {case.id.split(".")[2] for case in CATALOGUE if case.theme == "contradiction"}
    assert (len(shapes), len(scores)) == (5, 5)


def test_every_mark_has_cases_of_its_own() -> None:
    marks = Counter(case.mark for case in CATALOGUE)
    assert set(marks) == set(Mark)


def test_nothing_of_a_case_is_left_on_the_disk(stage: Stage, tmp_path: Path) -> None:
    clock = StillClock()
    other = Stage(Sqlite(tmp_path, clock), clock)
    with other.opened:
        assert judge(other, NUMBERED[1], 1).ok
    assert {path.suffix for path in tmp_path.iterdir()} <= {".db"}
