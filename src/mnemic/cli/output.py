"""What goes to stdout and to the terminal: JSON, consoles, progress bars."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import IO, Any

from rich.console import Console, RenderableType
from rich.text import Text
from rich.theme import Theme

from mnemic.cli.failures import printable

_THEME = Theme(
    {
        "id": "cyan",
        "quiet": "dim",
        "head": "bold",
        "match": "bold underline",
        "good": "green",
        "bad": "bold red",
        "new": "green",
        "old": "yellow",
    },
    inherit=True,
)

Progress = Callable[[int, int, str], None]


def plain(value: object) -> Any:
    """`value` as JSON types: dataclasses become objects, times ISO 8601, durations seconds."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def write_json(value: object) -> None:
    """Write one JSON value, and nothing else, to stdout."""
    # ASCII only: it passes through every encoding that a pipe or a console may have.
    sys.stdout.write(json.dumps(plain(value), indent=2, allow_nan=False) + "\n")


def write_raw(text: str) -> None:
    """Write text to stdout as it is, without wrapping or colour, with a line end after it."""
    text = printable(text) if sys.stdout.isatty() else text
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def console(file: IO[str] | None = None) -> Console:
    """A console on stdout, or on `file`; plain where that is no terminal or NO_COLOR is set."""
    return Console(theme=_THEME, highlight=False, markup=False, emoji=False, file=file)


def show(*parts: RenderableType) -> None:
    """Print these to stdout, one under the other."""
    out = console()
    if out.is_terminal:
        for part in parts:
            out.print(part)
        return
    with out.capture() as captured:
        for part in parts:
            out.print(part)
    # The padding that fills a terminal's lines is noise in a file.
    lines = captured.get().splitlines()
    sys.stdout.write("".join(f"{text.rstrip()}\n" for text in lines))


def line(text: Text) -> None:
    """Print one line to stdout, however long: what is meant to be copied is not wrapped."""
    console().print(text, soft_wrap=True)


@contextmanager
def progress_bar(label: str) -> Iterator[Progress | None]:
    """A bar on stderr, drawn from the callback that is given; None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console(sys.stderr), transient=True, expand=True) as bars:
        task = bars.add_task(label, total=None)

        def progress(done: int, total: int, stage: str) -> None:
            words = f"{label}: {stage}" if stage and stage != label else label
            bars.update(task, completed=done, total=total or None, description=words)

        yield progress
