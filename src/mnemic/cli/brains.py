"""Commands about a whole brain: init, import, stats, doctor, reembed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import line, progress_bar, show, write_json
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic import AuditReport, Health

_PANEL = "Brain"


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "init", panel=_PANEL)(init)
    command(app, "stats", panel=_PANEL, clocks=True)(stats)
    command(app, "doctor", panel=_PANEL)(doctor)
    command(app, "reembed", panel=_PANEL)(reembed)


def init(call: Call) -> None:
    """Make a brain and say where it is.

    One that is there already is left as it is.
    """
    existed = Path(call.path()).expanduser().exists()
    with opened(call, create=True) as memory:
        health = memory.health()
    if call.as_json:
        write_json({"created": not existed, "brain": call.brain_id, **_health_data(health)})
        return
    done = "there already" if existed else "made"
    line(Text.assemble((f"brain {done}: ", "good"), (printable(health.path), "head")))
    line(Text(f"search: {_search(health)}", "quiet"))


def stats(call: Call) -> None:
    """Count what you may read, and what the whole brain holds."""
    with opened(call, words_only=True) as memory:
        mine, whole = call.bind(memory).stats(**call.clocks), memory.stats()
    if call.as_json:
        write_json({"reach": mine.as_dict(), "brain": whole.as_dict()})
        return
    show(
        Text("Within reach", "head"),
        views.pairs(
            {
                "traces": f"{mine.traces:,} in {mine.threads:,} threads",
                "by type": _counts(mine.by_type),
                "by scope": _counts(mine.by_scope),
                "from": views.minute(mine.oldest),
                "to": views.minute(mine.newest),
            }
        ),
        Text(),
        Text("Whole brain", "head"),
        views.pairs(
            {
                "traces": f"{whole.traces:,} in {whole.versions:,} versions",
                "by trust": _counts(whole.by_trust),
                "scopes": f"{whole.partitions:,}",
                "passages": f"{whole.passages:,}",
                "texts with vectors": f"{whole.embedded:,}",
                "rejected values": f"{whole.tombstones:,}",
                "audit entries": f"{whole.audit_entries:,}",
                "size": f"{whole.bytes / 1e6:,.1f} MB",
            }
        ),
    )


def _counts(values: object) -> str:
    items = dict(values).items()  # type: ignore[call-overload]
    return ", ".join(f"{name} {count:,}" for name, count in items)


def doctor(call: Call) -> int:
    """Examine a brain: the file, the audit chain, the model, what waits for review.

    Exit 1 when something is wrong; that something waits is not.
    """
    with opened(call) as memory:
        health, chain = memory.health(thorough=True), memory.audit.verify()
        waiting = memory.reviewer("doctor").waiting()
    well = health.ok and chain.ok
    if call.as_json:
        write_json({"ok": well, **_health_data(health), "waiting": waiting, "audit": chain})
    else:
        show(*_examined(call, health, chain, waiting))
    return Exit.OK if well else Exit.NO


def _examined(call: Call, health: Health, chain: AuditReport, waiting: int) -> list[RenderableType]:
    problems = list(dict.fromkeys([*health.problems, *chain.problems]))
    parts: list[RenderableType] = [
        views.pairs(
            {
                "brain": f"{call.brain_id} in {health.path}",
                "tables": f"revision {health.schema}",
                "search": _search(health),
                "audit": f"{chain.entries:,} entries, "
                + ("the chain holds" if chain.ok else "the chain is broken"),
                "head": chain.head,
                "review": _waiting(waiting),
            }
        ),
        Text(),
    ]
    if not problems:
        return [*parts, Text("all is well", "good")]
    return parts + [Text.assemble(("problem: ", "bad"), printable(one)) for one in problems]


def _waiting(count: int) -> str:
    if not count:
        return "nothing waits"
    return f"{count:,} waiting for a person (mnemic review --whole)"


def _search(health: Health) -> str:
    if health.embedder is None:
        return "words only, no vectors"
    waiting = f"; {health.unembedded:,} texts wait for vectors" if health.unembedded else ""
    return f"words and vectors by {health.embedder}{waiting}"


def _health_data(health: Health) -> dict[str, object]:
    return {
        "path": health.path,
        "schema": health.schema,
        "embedder": health.embedder,
        "degraded": health.degraded,
        "unembedded": health.unembedded,
        "problems": health.problems,
    }


def reembed(call: Call) -> None:
    """Make the vectors that are missing, or all for another model."""
    if call.no_embedder:
        raise InvalidInput("reembed makes vectors: leave out --no-embedder")
    # Opened without a model: a brain of another model's vectors would refuse this one's.
    with opened(call, words_only=True) as memory, progress_bar("reembed") as progress:
        made = memory.reembed("auto", progress=progress)
        health = memory.health()
    if call.as_json:
        write_json({"reembedded": made, **_health_data(health)})
    else:
        show(Text(f"{made:,} texts given vectors", "good"), Text(_search(health), "quiet"))
