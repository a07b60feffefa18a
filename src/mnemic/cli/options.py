"""The options that commands share, each declared once.

`BASE` is on every command, `WHOSE` on those that open a brain, `MODEL` on those that may search by
vectors, `FILTERS`, `STATES` and `CLOCKS` on those that read, `REVIEWER` on those that judge, and
`WHOLE` on those that may reach beyond the caller.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import typer

from mnemic.model.policy import Capability
from mnemic.model.scope import Scope
from mnemic.model.trace import TraceType
from mnemic.model.trust import ASKABLE, Trust


def listed(choices: Iterable[StrEnum]) -> str:
    """The values of an enumeration, or some of them, for a help text."""
    return ", ".join(choices)


def _option(
    name: str,
    kind: Any,
    default: Any,
    text: str,
    *,
    flag: str | None = None,
    metavar: str | None = None,
    envvar: str | None = None,
    panel: str | None = None,
) -> inspect.Parameter:
    declared = typer.Option(
        default,
        flag or f"--{name.replace('_', '-')}",
        help=text,
        metavar=metavar,
        envvar=envvar,
        rich_help_panel=panel,
    )
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=declared, annotation=kind
    )


_WHO: dict[str, str] = {"panel": "Which brain, and who asks"}
_WHICH: dict[str, str] = {"panel": "Filters"}
_WHEN: dict[str, str] = {"panel": "Clocks"}

WHOSE = (
    _option(
        "brain",
        str | None,
        None,
        "The file of the brain; else one in your data folder.",
        metavar="PATH",
        envvar="MNEMIC_BRAIN",
        **_WHO,
    ),
    _option("brain_id", str, "main", "The brain inside the file.", metavar="NAME", **_WHO),
    _option(
        "user",
        str,
        "me",
        "The person whose memory it is.",
        metavar="ID",
        envvar="MNEMIC_USER",
        **_WHO,
    ),
    _option("thread", str | None, None, "The conversation under way.", metavar="ID", **_WHO),
    _option("persona", str | None, None, "The character the agent plays.", metavar="ID", **_WHO),
    _option("organization", str | None, None, "The team or company.", metavar="ID", **_WHO),
    _option("namespace", str | None, None, "The tenant they belong to.", metavar="ID", **_WHO),
    _option(
        "timezone",
        str | None,
        None,
        "The zone of times written without one, such as Europe/Lisbon.",
        metavar="ZONE",
    ),
)

MODEL = (_option("no_embedder", bool, False, "Search by words only; load no model."),)

BASE = (
    _option("as_json", bool, False, "Write JSON to stdout, for programs.", flag="--json"),
    _option("debug", bool, False, "Show the traceback of an error."),
)

FILTERS = (
    _option(
        "type",
        list[TraceType] | None,
        None,
        f"Of this type (repeatable): {listed(TraceType)}.",
        metavar="TYPE",
        **_WHICH,
    ),
    _option(
        "scope",
        Scope | None,
        None,
        f"Filed under this axis: {listed(Scope)}.",
        metavar="AXIS",
        **_WHICH,
    ),
    _option(
        "tags",
        list[str] | None,
        None,
        "With this tag (repeatable).",
        flag="--tag",
        metavar="TAG",
        **_WHICH,
    ),
    _option(
        "entities",
        list[str] | None,
        None,
        "About this person, place or thing (repeatable).",
        flag="--entity",
        metavar="NAME",
        **_WHICH,
    ),
    _option("before", str | None, None, "Said or done before.", metavar="TIME", **_WHICH),
    _option("after", str | None, None, "Said or done since.", metavar="TIME", **_WHICH),
    _option("min_strength", float | None, None, "At least this strong.", metavar="0..1", **_WHICH),
    _option("in_thread", str | None, None, "In this conversation.", metavar="ID", **_WHICH),
    _option(
        "usable_for",
        list[Capability] | None,
        None,
        f"That may be used for this (repeatable): {listed(Capability)}.",
        metavar="USE",
        **_WHICH,
    ),
)
"""`in_thread` is the readers' ``thread=``; ``--thread`` names the one who asks."""

STATES = (
    _option(
        "trust",
        list[Trust] | None,
        None,
        f"In this state (repeatable), in place of what is believed or verified: {listed(ASKABLE)}.",
        metavar="STATE",
        **_WHICH,
    ),
)

CLOCKS = (
    _option(
        "as_of",
        str | None,
        None,
        "What was true in the world then, not now.",
        metavar="TIME",
        **_WHEN,
    ),
    _option(
        "known_at",
        str | None,
        None,
        "What the brain held then, not now.",
        metavar="TIME",
        **_WHEN,
    ),
)

WHOLE = (
    _option("whole", bool, False, "The whole brain, not only what the caller's ids reach.", **_WHO),
)

REVIEWER = (
    _option(
        "reviewer",
        str | None,
        None,
        "Who judges, for the audit log; else your login name.",
        flag="--as",
        metavar="NAME",
        **_WHO,
    ),
    *WHOLE,
)
