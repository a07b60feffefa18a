"""Every case of the proof, theme by theme."""

from __future__ import annotations

from mnemic.evals.prove import (
    audit,
    authority,
    carried,
    clocks,
    contradiction,
    deletion,
    disguise,
    erasure,
    leaks,
    ledger,
    machines,
    poison,
    policy,
    portable,
    review,
    roads,
    scope,
    states,
    tombstones,
)
from mnemic.evals.prove.case import Case

THEMES = (
    tombstones,
    roads,
    disguise,
    deletion,
    erasure,
    contradiction,
    clocks,
    scope,
    leaks,
    poison,
    authority,
    machines,
    states,
    review,
    ledger,
    policy,
    audit,
    carried,
    portable,
)

CATALOGUE: tuple[Case, ...] = tuple(case for theme in THEMES for case in theme.cases.all)
"""All of them, in the order of their files."""
