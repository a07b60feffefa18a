"""What a case of the proof is, and what can come of it.

A case is an *obligation* (what must be there is there) or a *negative* (what must not be there is
not). The two are scored apart, since a memory that stores nothing keeps every negative. So a
negative case has to show its positive control first: what must not be found was found before, or
the call that must fail succeeds for whoever may make it. One without a control counts as failed.
A *count* is neither: it says how many, where only a model could say whether that is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.evals.prove.world import World

Run = Callable[["World"], None]


class Mark(StrEnum):
    """What outside reviewers rate a memory by."""

    TOMBSTONE = "tombstone"
    TRUST_STATE = "trust_state"
    BITEMPORAL = "bitemporal"
    SCOPE_ENFORCED = "scope_enforced"
    AUDIT_LOG = "audit_log"
    HUMAN_REVIEW = "human_review"
    NEGATIVE_EVAL = "negative_eval"


class Kind(StrEnum):
    """What a case asks for."""

    OBLIGATION = "obligation"
    NEGATIVE = "negative"
    COUNT = "count"


class Verdict(StrEnum):
    """What came of a case."""

    HOLDS = "holds"
    VIOLATED = "violated"
    """What must not be was seen."""
    NO_CONTROL = "no control"
    """Nothing was seen that must not be, and nothing that must be either."""
    UNMET = "unmet"
    """What must be was not there."""
    ERROR = "error"
    COUNTED = "counted"


class Failed(Exception):
    """A case ends here. `verdict` says how."""

    verdict = Verdict.ERROR


class NoControl(Failed):
    """The positive control of a negative case did not hold."""

    verdict = Verdict.NO_CONTROL


class Violated(Failed):
    """What must not be was seen."""

    verdict = Verdict.VIOLATED


class Unmet(Failed):
    """What must be was not there."""

    verdict = Verdict.UNMET


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Args:
        id: theme and name, such as ``tombstone.laundering_sequence``.
        mark: which of the seven it bears on.
        kind: what it asks for.
        says: its claim, in one line.
        run: carries it out; raises `Failed` where the claim does not hold.
    """

    id: str
    mark: Mark
    kind: Kind
    says: str
    run: Run

    @property
    def theme(self) -> str:
        """The first part of its id."""
        return self.id.partition(".")[0]


class Cases:
    """Gathers the cases of one file."""

    def __init__(self) -> None:
        self.all: list[Case] = []

    def add(self, id: str, mark: Mark, kind: Kind, says: str, run: Run) -> None:
        """Add a case that is made of parts, as one of a table is."""
        self.all.append(Case(id, mark, kind, says, run))

    def negative(self, id: str, mark: Mark, says: str) -> Callable[[Run], Run]:
        """Make a case of the function below: something that must not be."""
        return self._taken(id, mark, Kind.NEGATIVE, says)

    def obligation(self, id: str, mark: Mark, says: str) -> Callable[[Run], Run]:
        """Make a case of the function below: something that must be."""
        return self._taken(id, mark, Kind.OBLIGATION, says)

    def count(self, id: str, mark: Mark, says: str) -> Callable[[Run], Run]:
        """Make a case of the function below: a number, without a verdict."""
        return self._taken(id, mark, Kind.COUNT, says)

    def _taken(self, id: str, mark: Mark, kind: Kind, says: str) -> Callable[[Run], Run]:
        def take(run: Run) -> Run:
            self.add(id, mark, kind, says, run)
            return run

        return take
