"""Runs the catalogue, and keeps its two scores apart."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from mnemic import __version__
from mnemic.errors import MnemicError
from mnemic.evals.prove import (
    audit,
    clocks,
    contradiction,
    deletion,
    disguise,
    ledger,
    poison,
    review,
    scope,
    tombstones,
)
from mnemic.evals.prove.backend import Backend, Sqlite, StillClock
from mnemic.evals.prove.case import Case, Failed, Kind, Mark, Verdict
from mnemic.evals.prove.world import Stage, World

THEMES = (disguise, tombstones, deletion, contradiction, clocks, poison, scope, audit, review, ledger)

CATALOGUE: tuple[Case, ...] = tuple(case for theme in THEMES for case in theme.cases.all)
"""Every case, in the order of its file."""

Progress = Callable[[int, int, str], None]
Backends = Callable[[Path, StillClock], Backend]


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


def judge(stage: Stage, case: Case, number: int) -> Outcome:
    """Run one case."""
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
