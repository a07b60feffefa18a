"""`mnemic consolidate`: tidies up the whole brain, once or at intervals, and takes it back."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import line, progress_bar, show, write_json
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic import Memory
    from mnemic.model.consolidation import Consolidated

_PANEL = "Brain"
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_YEAR = 366 * _UNITS["d"]
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd])")
_SHOWN = 20
"""Changes that are listed for a person; --json lists all."""


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "consolidate", panel=_PANEL)(consolidate)


def consolidate(
    call: Call,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Change nothing; show what each step would do.")
    ] = False,
    step: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this step; may be given several times."),
    ] = None,
    every: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Again and again, such as 30m or 6h, until Ctrl-C."),
    ] = None,
    undo: Annotated[
        int | None, typer.Option(metavar="N", help="Take back what run N has done.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Show the last runs.")] = False,
) -> int:
    """Tidy up the whole brain: merge doubles, link, reinforce, let fade, set aside.

    Every scope id is looked at by itself. Nothing is erased, and --undo takes a run back. Exit 1
    when another run is at work.
    """
    if sum((dry_run, every is not None, undo is not None, log)) > 1:
        raise InvalidInput("--dry-run, --every, --undo and --log exclude each other; give one")
    if step and (log or undo is not None):
        raise InvalidInput("--step is for a run to come; leave it out beside --undo and --log")
    seconds = None if every is None else duration(every)
    with opened(call) as memory:
        if log:
            return _log(call, memory)
        if undo is not None:
            return _tell(call, memory.undo_consolidation(undo))
        if seconds is None:
            with progress_bar("consolidate") as bar:
                report = memory.consolidate(steps=step, dry_run=dry_run, progress=bar)
            return _tell(call, report)
        return _forever(call, memory, step, seconds)


def duration(text: str) -> float:
    """Seconds of a duration such as "90s", "30m", "6h" or "1d".

    Raises:
        InvalidInput: it is none, shorter than a second, or longer than a year.
    """
    match = _DURATION.fullmatch(text.strip())
    seconds = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if not 1 <= seconds <= _YEAR:
        raise InvalidInput(f"{text!r} is no duration; write such as 90s, 30m, 6h or 1d")
    return seconds


def _forever(call: Call, memory: Memory, steps: Sequence[str] | None, seconds: float) -> int:
    """Consolidate at once, and then at intervals, until somebody stops it."""
    from mnemic.consolidate.scheduler import Scheduler

    def once(stop: Callable[[], bool]) -> Consolidated:
        return memory.consolidate(steps=steps, stop=stop)

    def told(report: Consolidated) -> None:
        _tell(call, report)
        sys.stdout.flush()  # who reads a pipe of this is not to wait for the last run

    stopped = threading.Event()
    scheduler = Scheduler(once, seconds)

    def stop(*_: object) -> None:
        stopped.set()
        scheduler.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    told(once(stopped.is_set))
    scheduler.loop(told)
    return Exit.OK


def _tell(call: Call, report: Consolidated) -> int:
    if call.as_json:
        write_json(report)
        return Exit.NO if report.note is not None else Exit.OK
    if report.note is not None:
        line(Text(report.note, "old"))
        return Exit.NO
    head = "would change" if report.dry_run else f"run {report.run}: {report.state.value}"
    line(Text(head, "head"))
    made = views.table("step", "changed", "", right=("changed",))
    for one in report.steps:
        made.add_row(one.step, f"{one.changed:,}", views.said(one.skipped or "", "quiet"))
    show(made)
    for change in report.changes[:_SHOWN]:
        said = Text.assemble((printable(change.trace_id), "id"), f" {change.step}: {change.what}")
        line(said)
    if len(report.changes) > _SHOWN:
        line(Text(f"and {len(report.changes) - _SHOWN:,} more; --json lists all", "quiet"))
    return Exit.OK


def _log(call: Call, memory: Memory) -> int:
    runs = memory.consolidations()
    if call.as_json:
        write_json({"runs": runs})
        return Exit.OK
    if not runs:
        line(Text("no consolidation yet", "quiet"))
        return Exit.OK
    made = views.table("run", "at", "state", "changed", right=("run",))
    for one in runs:
        counts = ", ".join(f"{name} {count}" for name, count in one.counts.items() if count)
        made.add_row(str(one.run), views.second(one.started_at), one.state.value, counts)
    show(made)
    return Exit.OK
