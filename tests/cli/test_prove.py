"""`mnemic prove`: what it shows, what it writes, and how it ends."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from mnemic.evals.prove import run
from mnemic.evals.prove.case import Case, Kind, Mark
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.world import World
from tests.cli.conftest import Cli
from tests.store.raw import contents, tampering

FEW = (
    *(case for case in CATALOGUE if case.theme in ("script", "prompt")),
    *(case for case in CATALOGUE if case.id.startswith("clock.open")),
)


def _seen(world: World) -> None:
    trace = world.told(world.bind(), "The tea is ready")
    world.never(trace, "it is given")


def _unmet(world: World) -> None:
    world.must(False, "an obligation that nobody meets \x1b[31m")


BAD = (
    Case("test.seen", Mark.TOMBSTONE, Kind.NEGATIVE, "It is not given.", _seen),
    Case("test.unmet", Mark.AUDIT_LOG, Kind.OBLIGATION, "It is met.", _unmet),
)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few cases in place of all."""
    monkeypatch.setattr(run, "prove", partial(run.prove, cases=FEW))


@pytest.fixture
def bad(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases of which two do not hold."""
    monkeypatch.setattr(run, "prove", partial(run.prove, cases=(*FEW, *BAD)))


@pytest.mark.usefixtures("few")
def test_a_proof_as_a_table(cli: Cli) -> None:
    text = cli("prove", words=False).stdout
    assert max(len(line) for line in text.splitlines()) <= 80
    for part in (
        "tombstone",
        "script",
        "obligations",
        "negative invariants",
        "each after its control",
        "stores nothing",
        "everything holds",
        "0 models were asked",
    ):
        assert part in text
    assert not cli.brain.exists()


@pytest.mark.usefixtures("few")
def test_a_proof_as_json(cli: Cli) -> None:
    told = cli.json("prove", words=False)
    assert told["ok"] is True
    assert [one["id"] for one in told["cases"]] == [case.id for case in FEW]
    negatives = sum(case.kind is Kind.NEGATIVE for case in FEW)
    assert told["negatives"]["cases"] == told["negatives"]["hold"] == negatives
    assert told["obligations"]["hold"] == 1
    assert "stores nothing" in told["about_the_scores"]


@pytest.mark.usefixtures("bad")
def test_what_does_not_hold_is_named_and_the_exit_code_is_1(cli: Cli) -> None:
    text = cli("prove", words=False, code=1).stdout
    assert "test.seen: violated: it is given" in text
    assert "test.unmet: unmet: an obligation that nobody meets ␛[31m" in text
    assert "everything holds" not in text
    told = cli.json("prove", words=False, code=1)
    assert told["ok"] is False
    assert (told["negatives"]["violated"], told["obligations"]["unmet"]) == (1, 1)


@pytest.mark.usefixtures("few")
def test_the_evidence_is_written(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    text = cli("prove", "--evidence", str(file), words=False).stdout
    assert file.name in text
    told = json.loads(file.read_text("utf-8"))
    assert len(told["marks"]) == 7
    error = cli.error("prove", "--evidence", str(tmp_path), words=False, code=3)
    assert "cannot be written" in error


@pytest.mark.usefixtures("few")
def test_a_brain_in_use_is_looked_at_and_not_changed(cli: Cli) -> None:
    cli.remember("The tea is ready")
    before = cli.brain.read_bytes(), contents(cli.brain)
    told = cli.json("prove", "--brain", str(cli.brain), words=False)
    assert told["ok"] is True
    assert len(told["brain"]) == 9
    assert all(one["ok"] for one in told["brain"])
    assert "9 of 9 checks" in cli("prove", "--brain", str(cli.brain), words=False).stdout
    assert (cli.brain.read_bytes(), contents(cli.brain)) == before


@pytest.mark.usefixtures("few")
def test_a_brain_that_is_damaged_fails_the_proof(cli: Cli) -> None:
    cli.remember("The tea is ready")
    with tampering(cli.brain) as connection:
        connection.execute("UPDATE audit_log SET actor = 'nobody'")
    text = cli("prove", "--brain", str(cli.brain), words=False, code=1).stdout
    assert "own.audit_chain: does not hold" in text
    assert "own.append_only: does not hold" in text
    told = cli.json("prove", "--brain", str(cli.brain), words=False, code=1)
    assert told["ok"] is False


@pytest.mark.usefixtures("few")
def test_a_brain_that_is_not_there_is_said(cli: Cli, tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere.db")
    assert "nowhere.db" in cli.error("prove", "--brain", missing, words=False, code=1)
    cli.remember("The tea is ready")
    args = ("prove", "--brain", str(cli.brain), "--brain-id", "other")
    assert "other" in cli.error(*args, words=False, code=1)


@pytest.mark.slow
def test_everything_holds(cli: Cli) -> None:
    told = cli.json("prove", words=False)
    assert told["ok"] is True
    assert told["negatives"]["cases"] >= 100
