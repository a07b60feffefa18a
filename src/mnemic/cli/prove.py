"""`mnemic prove`: what a memory must do and must never do, tried out on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import progress_bar, show, write_json
from mnemic.errors import StorageError

if TYPE_CHECKING:
    from mnemic.evals.prove.run import Outcome, Proof, Score

_SHOWN = 20
"""Failures that are shown; --json has all."""


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "prove", panel="Govern", brain=False, model=False)(prove)


def prove(
    call: Call,
    brain: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Look at this brain as well, without changing it."),
    ] = None,
    brain_id: Annotated[
        str, typer.Option(metavar="NAME", help="The brain inside that file.")
    ] = "main",
    evidence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write where each mark is earned, as JSON."),
    ] = None,
) -> int:
    """Prove on temporary brains that what was rejected, withheld or foreign stays so.

    Obligations (what must be there is there) and negative invariants (what must not be there is
    not) are scored apart. Exit 1 when anything fails.
    """
    from mnemic.evals.prove.evidence import evidence as evidence_of
    from mnemic.evals.prove.run import prove as run

    with progress_bar("prove") as progress:
        proof = run(brain=brain, brain_id=brain_id, progress=progress)
    if evidence is not None:
        _write(evidence, json.dumps(evidence_of(proof), indent=2) + "\n")
    if call.as_json:
        write_json(proof.as_dict())
    else:
        show(*_told(proof, evidence))
    return Exit.OK if proof.ok else Exit.NO


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{str(file)!r} cannot be written: {error}") from error


def _told(proof: Proof, evidence: Path | None) -> list[RenderableType]:
    from mnemic.evals.prove.case import Kind
    from mnemic.evals.prove.run import NULL_MEMORY

    parts: list[RenderableType] = [_by(proof, "mark"), Text(), _by(proof, "theme"), Text()]
    scores = {
        "obligations": _score(proof.score(Kind.OBLIGATION), "met"),
        "negative invariants": _score(proof.score(Kind.NEGATIVE), "kept, each after its control"),
    }
    if proof.findings:
        well = sum(one.ok for one in proof.findings)
        scores["your brain"] = f"{well} of {len(proof.findings)} checks hold; nothing was written"
    scores["time"] = f"{proof.seconds:.0f} s"
    if evidence is not None:
        scores["evidence"] = str(evidence)
    parts += [views.pairs(scores), Text(), Text(NULL_MEMORY, "quiet")]
    parts += [Text.assemble("counted: ", (note, "quiet")) for note in _notes(proof)]
    return [*parts, Text(), *_failures(proof)]


def _score(score: Score, done: str) -> str:
    failed = {name: n for name, n in score.by_verdict.items() if name != "holds"}
    ways = "".join(f"; {count} {name}" for name, count in sorted(failed.items()))
    return f"{score.ok} of {score.cases} {done}{ways}"


def _notes(proof: Proof) -> list[str]:
    return [printable(note) for one in proof.outcomes for note in one.notes]


def _by(proof: Proof, what: str) -> Table:
    """A line for each mark, or for each theme: how much of each kind holds, how long it took."""
    made = views.table(
        what, "obligations", "negatives", "seconds", right=("obligations", "negatives", "seconds")
    )
    groups: dict[str, list[Outcome]] = {}
    for one in proof.outcomes:
        groups.setdefault(str(getattr(one.case, what)), []).append(one)
    for name, own in groups.items():
        made.add_row(
            Text(name, "good" if all(one.ok for one in own) else "bad"),
            *(_share([one.ok for one in own if one.case.kind == kind]) for kind in _KINDS),
            f"{sum(one.seconds for one in own):.1f}",
        )
    return made


_KINDS = ("obligation", "negative")


def _share(held: list[bool]) -> str:
    return f"{sum(held)}/{len(held)}" if held else ""


def _failures(proof: Proof) -> list[RenderableType]:
    wrong = [(one.case.id, one.verdict.value, one.message) for one in proof.failed]
    wrong += [(one.id, "does not hold", one.message) for one in proof.findings if not one.ok]
    if not wrong:
        return [Text("everything holds", "good")]
    lines: list[RenderableType] = [
        Text.assemble((f"{name}: {how}: ", "bad"), printable(message))
        for name, how, message in wrong[:_SHOWN]
    ]
    if len(wrong) > _SHOWN:
        lines.append(Text(f"... and {len(wrong) - _SHOWN} more (--json lists all)", "quiet"))
    return lines
