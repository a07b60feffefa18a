"""Runs the catalogue, and keeps its two scores apart."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from mnemic import __version__
from mnemic.errors import MnemicError
from mnemic.evals.prove import own
from mnemic.evals.prove.backend import Backend, Sqlite, StillClock
from mnemic.evals.prove.case import Case, Failed, Kind, Verdict
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.world import Stage, World

Progress = Callable[[int, int, str], None]
Backends = Callable[[Path, StillClock], Backend]

NULL_MEMORY = (
    "A memory that stores nothing would violate no negative invariant and meet no obligation: the "
    "two scores stand apart, and a negative counts only after its positive control."
)
"""Why there are two scores."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case.

    Args:
        case: which one.
        verdict: whether it holds, and if not, how it failed.
        message: what was seen or missed; empty where it holds.
        controls: how often its positive control was shown.
        denials: how often what must not be was looked for.
        notes: what it says besides.
        seconds: how long it took.
    """

    case: Case
    verdict: Verdict
    message: str
    controls: int
    denials: int
    notes: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.verdict in (Verdict.HOLDS, Verdict.COUNTED)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "id": self.case.id,
            "mark": self.case.mark.value,
            "theme": self.case.theme,
            "kind": self.case.kind.value,
            "says": self.case.says,
            "verdict": self.verdict.value,
            "message": self.message,
            "controls": self.controls,
            "denials": self.denials,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Score:
    """How many cases there are of one kind, and what came of them."""

    cases: int
    by_verdict: dict[str, int]

    @property
    def ok(self) -> int:
        """How many hold."""
        return self.by_verdict.get(Verdict.HOLDS.value, 0)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, with a figure for every way to fail."""
        ways = (Verdict.VIOLATED, Verdict.NO_CONTROL, Verdict.UNMET, Verdict.ERROR)
        failed = {way.value.replace(" ", "_"): self.by_verdict.get(way.value, 0) for way in ways}
        return {"cases": self.cases, "hold": self.ok, **failed}


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a run.

    Args:
        backend: where the brains were.
        outcomes: of all cases.
        findings: of the brain in use; empty when none was named.
        seconds: how long it took.
    """

    backend: str
    outcomes: tuple[Outcome, ...]
    findings: tuple[own.Finding, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return all(one.ok for one in self.outcomes) and all(one.ok for one in self.findings)

    @property
    def failed(self) -> list[Outcome]:
        """The cases that do not hold."""
        return [one for one in self.outcomes if not one.ok]

    def score(self, kind: Kind) -> Score:
        """What came of the cases of one kind."""
        verdicts = [one.verdict.value for one in self.outcomes if one.case.kind is kind]
        return Score(len(verdicts), dict(Counter(verdicts)))

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "version": __version__,
            "backend": self.backend,
            "ok": self.ok,
            "obligations": self.score(Kind.OBLIGATION).as_dict(),
            "negatives": self.score(Kind.NEGATIVE).as_dict(),
            "about_the_scores": NULL_MEMORY,
            "cases": [one.as_dict() for one in self.outcomes],
            "brain": [
                {
                    "id": one.id,
                    "says": one.says,
                    "ok": one.ok,
                    "looked_at": one.looked_at,
                    "message": one.message,
                }
                for one in self.findings
            ],
            "seconds": round(self.seconds, 2),
        }


def prove(
    *,
    cases: Sequence[Case] = CATALOGUE,
    backend: Backends = Sqlite,
    brain: Path | None = None,
    brain_id: str = "main",
    progress: Progress | None = None,
) -> Proof:
    """Run cases on temporary brains, and look at a brain in use without changing it.

    Args:
        cases: which ones.
        backend: makes the place where the temporary brains live.
        brain: the file of a brain in use; None is none.
        brain_id: which of the brains in it.
        progress: is told how far it is.

    Raises:
        MnemicError: the brain in use cannot be read; what a case meets is its outcome.
    """
    began = perf_counter()
    with _no_settings_of_this_machine():
        findings = () if brain is None else tuple(own.examine(brain, brain_id))
        with tempfile.TemporaryDirectory(prefix="mnemic-prove-") as folder:
            clock = StillClock()
            made = backend(Path(folder), clock)
            outcomes = tuple(_outcomes(Stage(made, clock), cases, progress))
    seconds = perf_counter() - began
    return Proof(type(made).__name__.lower(), outcomes, findings, seconds)


@contextmanager
def _no_settings_of_this_machine() -> Iterator[None]:
    """The proof is about the library; what is set in the environment is left out meanwhile."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("MNEMIC_")}
    for name in kept:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(kept)


def _outcomes(stage: Stage, cases: Sequence[Case], progress: Progress | None) -> Iterator[Outcome]:
    with stage.opened:
        for number, case in enumerate(cases, 1):
            yield judge(stage, case, number)
            if progress is not None:
                progress(number, len(cases), case.theme)


def judge(stage: Stage, case: Case, number: int) -> Outcome:
    """Run one case; `number` makes the names that it uses its own."""
    world = World(stage, case, number)
    began = perf_counter()
    try:
        case.run(world)
        verdict, message = _end(world, case)
    except Failed as failure:
        verdict, message = failure.verdict, str(failure)
    except MnemicError as error:
        # Before its control is shown, a negative case has shown nothing at all.
        early = case.kind is Kind.NEGATIVE and not world.controls
        verdict = Verdict.NO_CONTROL if early else Verdict.ERROR
        message = f"{type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001  a case that breaks must not end the others
        verdict, message = Verdict.ERROR, f"{type(error).__name__}: {error}"
    finally:
        world.close()
    seconds = perf_counter() - began
    counts = world.controls, world.denials, tuple(world.notes)
    return Outcome(case, verdict, message, *counts, seconds)


def _end(world: World, case: Case) -> tuple[Verdict, str]:
    if case.kind is Kind.COUNT:
        return Verdict.COUNTED, ""
    if case.kind is Kind.NEGATIVE and not world.controls:
        return Verdict.NO_CONTROL, "it never showed its positive control"
    if case.kind is Kind.NEGATIVE and not world.denials:
        return Verdict.ERROR, "it denied nothing"
    return Verdict.HOLDS, ""
