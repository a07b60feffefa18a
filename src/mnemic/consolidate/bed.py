"""What the steps of a consolidation work with: a transaction a batch, and notes of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, select

from mnemic.cognition.rules import Rules
from mnemic.consolidate import log
from mnemic.consolidate.lease import Lease
from mnemic.consolidate.summarize import Summarizer
from mnemic.encode.deed import Deed, begin
from mnemic.encode.write import Progress, Writer
from mnemic.index.cache import IndexCache
from mnemic.mind_settings import Mind
from mnemic.model.consolidation import Changed
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal, Reach, Scope, principal_of
from mnemic.model.times import to_ms
from mnemic.store.brain import Brain
from mnemic.store.engrams import FIRST, Cursor, Sheet, save, sweep
from mnemic.store.schema import partitions
from mnemic.store.types import AnyRow

ACTOR = "consolidate"


class Stopped(Exception):
    """The run was told to stop; what it has done so far is kept."""


class _Undone(Exception):
    """Takes back a batch of a dry run."""


@dataclass(frozen=True, slots=True)
class Sleeper:
    """What a consolidation is made with.

    Args:
        writer: of the brain.
        cache: its index.
        summarizer: puts texts in fewer words; None does without.
    """

    writer: Writer
    cache: IndexCache
    summarizer: Summarizer | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """One scope id, which a consolidation never looks beyond."""

    scope: Scope
    scope_id: str

    def as_dict(self) -> dict[str, str]:
        """The same as plain text."""
        return {"scope": self.scope.value, "scope_id": self.scope_id}

    @property
    def reach(self) -> Reach:
        """This scope id and nothing else."""
        return Reach.of([(self.scope, self.scope_id)])

    @property
    def principal(self) -> Principal:
        """In whose name the brain tidies up here."""
        owner = principal_of(self.scope, self.scope_id)
        return replace(owner, channel=Channel.HOST, actor=ACTOR)


@dataclass(slots=True)
class Bed:
    """One run.

    Args:
        sleeper: what it is made with.
        rules: the constants of the mechanisms.
        now: the instant of the run, in milliseconds.
        run: its number.
        dry: whether every batch is taken back.
        lease: keeps other runs out; None for a dry run.
        stop: tells whether to stop before the next batch.
        progress: is told how many of how many scope ids are done, and the step.
        changed: what has been changed so far.
        counts: by step, how much.
        deeds: what is not undone by putting numbers back: merges, what was written, what was cut.
    """

    sleeper: Sleeper
    rules: Rules
    now: int
    run: int
    dry: bool
    lease: Lease | None
    stop: Callable[[], bool]
    progress: Progress | None = None
    changed: list[Changed] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    deeds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def writer(self) -> Writer:
        """Writes what is new."""
        return self.sleeper.writer

    @property
    def cache(self) -> IndexCache:
        """The index, for vectors."""
        return self.sleeper.cache

    @property
    def brain(self) -> Brain:
        """The brain that sleeps."""
        return self.writer.brain

    @property
    def mind(self) -> Mind:
        """Its settings."""
        return self.brain.settings.mind

    def note(self, step: str, trace_id: str, what: str) -> None:
        """A trace was changed."""
        self.changed.append(Changed(step, trace_id, what))
        self.count(step)

    def count(self, step: str, by: int = 1) -> None:
        """Something was changed, by a step."""
        self.counts[step] = self.counts.get(step, 0) + by

    def check(self) -> None:
        """Stop here if the run was told to."""
        if self.stop():
            raise Stopped

    @contextmanager
    def batch(self) -> Iterator[Connection]:
        """One short transaction, taken back in a dry run."""
        self.check()
        try:
            with self.brain.write() as connection:
                if self.lease is not None:
                    log.note_deeds(connection, self.brain, self.run, self.deeds)
                    self.lease.renew(connection, self.brain, to_ms(self.writer.clock()))
                yield connection
                if self.dry:
                    raise _Undone
        except _Undone:
            pass

    @contextmanager
    def deed(self, place: Place) -> Iterator[Deed]:
        """The same, to change what is said there."""
        with self.batch() as connection:
            deed = begin(connection, self.brain, place.principal, self.now)
            yield deed
            deed.flush()

    def mark(self, connection: Connection, place: Place, step: str) -> int:
        """The number that a step has left for a place; 0 for none."""
        return int(self.brain.meta(connection, self._key(connection, place, step)) or 0)

    def set_mark(self, connection: Connection, place: Place, step: str, value: int) -> None:
        """Leave a number for the next time that a step comes to a place."""
        self.brain.set_meta(connection, self._key(connection, place, step), str(value))

    def _key(self, connection: Connection, place: Place, step: str) -> str:
        """By the partition's number: no name of anybody stands in `brain_meta`."""
        columns = partitions.c
        query = select(columns.id).where(
            columns.brain_id == self.brain.id,
            columns.scope == place.scope.value,
            columns.scope_id == place.scope_id,
        )
        return f"{step}:{connection.execute(query).scalar_one()}"

    def sheets(self, place: Place) -> Iterator[tuple[Connection, Sheet]]:
        """The traces of a place that are believed, a batch at a time, to be changed.

        What is put on a sheet is written when the next one is asked for.
        """
        after = FIRST
        while True:
            with self.batch() as connection:
                rows = self._rows(connection, place, after)
                if rows:
                    sheet = Sheet({row.id: row for row in rows})
                    yield connection, sheet
                    save(connection, self.brain.id, sheet.changes, self.now, self.run)
            if not rows:
                return
            after = (rows[-1].time, rows[-1].id)

    def _rows(self, connection: Connection, place: Place, after: Cursor) -> Sequence[AnyRow]:
        size = self.mind.consolidation.batch
        pair = (place.scope.value, place.scope_id)
        return sweep(connection, self.brain.id, pair, after, size)
