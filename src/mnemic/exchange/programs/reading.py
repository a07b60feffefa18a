"""Read what was found: whatever goes wrong with one file is told as an item and ends there."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import tzinfo

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import Item, open_text, zone_of
from mnemic.exchange.programs import instructions
from mnemic.exchange.programs.fields import changed
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.turns import SUMMARY, Seen, Session, said
from mnemic.model.origin import Role


@dataclass(frozen=True, slots=True)
class Run:
    """One reading of several files of a program.

    Args:
        zone: of times that name none.
        seen: what came up before.
    """

    zone: tzinfo | None
    seen: Seen


UNFORESEEN = "the rest is in a shape that was not foreseen"

KindReader = Callable[[Found, Run], Iterator[Item]]
"""Reads a file of one kind; raises ImportFormatError when it cannot be read on."""


def read_found(
    program: str,
    found: Found,
    readers: Mapping[Kind, KindReader],
    timezone: str | None,
    seen: Seen | None,
) -> Iterator[Item]:
    """The items of one file. Raises InvalidInput for an unknown zone, and nothing else."""
    run = Run(zone_of(timezone), set() if seen is None else seen)
    if found.skipped is not None:
        yield Item(str(found.path), skipped=found.skipped)
        return
    if found.error is not None:
        yield Item(str(found.path), error=found.error)
        return
    try:
        if not stat.S_ISREG(found.path.lstat().st_mode):  # exchanged since it was found
            yield Item(str(found.path), skipped=Skip.SPECIAL)
        elif found.kind in (Kind.INSTRUCTIONS, Kind.MEMORY):
            yield from instructions.read(program, found)
        elif found.kind is Kind.SUMMARY:
            yield _summary(program, found)
        else:
            yield from readers[found.kind](found, run)
    except (ImportFormatError, OSError) as exc:
        yield Item(str(found.path), error=str(exc))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as exc:
        # Nobody promised these shapes: one that a reader did not foresee costs this file only.
        yield Item(str(found.path), error=f"{UNFORESEEN}: {type(exc).__name__}: {exc}")


def _summary(program: str, found: Found) -> Item:
    """A whole file that an assistant keeps to sum up the session it lies with."""
    text = open_text(found.path, limit=instructions.MAX_BYTES)
    name = found.path.parents[1].name
    session = Session(program, name, project=found.project, time=changed(found.path))
    return said(str(found.path), session, Role.ASSISTANT, text, tags=SUMMARY)
