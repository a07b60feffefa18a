"""Writes what the readers read: one bad item never stops the rest.

A source is read twice. The first time nothing is written: what is damaged shows before the first
trace is stored, so nothing of it is half imported, and the total is known. The second time a
batch of items is a transaction: an import that is interrupted goes on where it stopped when it
is begun again, since what is known already is left as it is. Neither time is more than a batch
held in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from mnemic.encode.refusal import denials
from mnemic.encode.resolve import Resolved, resolve
from mnemic.encode.write import Progress, Writer
from mnemic.exchange.common import Item
from mnemic.exchange.home import Homes
from mnemic.exchange.notes.own import settle
from mnemic.model.answer import MOST_TOLD, ImportResult, Receipt, Status
from mnemic.model.errors import InvalidInput, NotAllowed
from mnemic.model.scope import Principal
from mnemic.model.times import to_ms
from mnemic.model.trace import Draft

Items = Callable[[], Iterable[Item]]
"""Begins to read a source."""


@dataclass(slots=True)
class Tally:
    """What has come of the items so far."""

    statuses: Counter[Status] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    errors: list[tuple[str, str]] = field(default_factory=list)
    traces: list[str | None] = field(default_factory=list)

    def error(self, where: str, message: str) -> None:
        """Count an item that failed."""
        self.failed += 1
        if len(self.errors) < MOST_TOLD:
            self.errors.append((where, message))

    def placed(self, trace_id: str | None) -> None:
        """Note the trace of the next item."""
        if len(self.traces) < MOST_TOLD:
            self.traces.append(trace_id)

    def result(self) -> ImportResult:
        """All of it."""
        return ImportResult(
            imported=self.statuses[Status.STORED],
            held=self.statuses[Status.CANDIDATE],
            skipped=self.statuses[Status.REINFORCED],
            refused=self.statuses[Status.REFUSED],
            failed=self.failed,
            errors=tuple(self.errors),
            passed_over=dict(sorted(self.passed_over.items())),
            traces=tuple(self.traces),
        )


@dataclass(frozen=True, slots=True)
class _Place:
    """One item on its way: its number in the batch's receipts, or none."""

    item: Item
    draft: Draft | None
    principal: Principal | None
    resolved: Resolved | None = None


def preview(items: Items, homes: Homes) -> ImportResult:
    """What a source holds, with nothing written: drafts are counted as imported."""
    tally = Tally()
    for item in items():
        place = _placed(item, homes, tally)
        if place.draft is not None:
            tally.statuses[Status.STORED] += 1
    return tally.result()


def import_items(
    writer: Writer, items: Items, homes: Homes, progress: Progress | None = None
) -> ImportResult:
    """Import a source.

    Args:
        writer: writes into the brain.
        items: begins to read the source; called twice.
        homes: in whose memory items are filed.
        progress: is told how many items of how many are done.

    Raises:
        ImportFormatError: the source cannot be read to its end; nothing was imported.
    """
    total = sum(1 for _ in items())
    tally = Tally()
    done = 0
    for batch in _batches(items(), writer.brain.settings.encoding.batch_size):
        _write(writer, batch, homes, tally)
        done += len(batch)
        if progress is not None:
            progress(done, max(total, done), "import")
    return tally.result()


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Items in groups; what is no draft adds little and does not count."""
    batch: list[Item] = []
    drafts = 0
    for item in items:
        batch.append(item)
        drafts += item.draft is not None
        if drafts >= size or len(batch) >= 8 * size:
            yield batch
            batch, drafts = [], 0
    if batch:
        yield batch


def _placed(item: Item, homes: Homes, tally: Tally) -> _Place:
    """Whose memory an item is for; what is no draft, or nobody's, is counted."""
    if item.skipped is not None:
        tally.passed_over[str(item.skipped)] += 1
    elif item.draft is None:
        tally.error(item.where, item.error or "cannot be read")
    else:
        try:
            draft, principal = homes.of(item)
            return _Place(item, draft, principal)
        except InvalidInput as error:
            tally.error(item.where, str(error))
    return _Place(item, None, None)


def _write(writer: Writer, batch: Sequence[Item], homes: Homes, tally: Tally) -> None:
    places = [_checked(writer, _placed(item, homes, tally), tally) for item in batch]
    receipts: dict[int, Receipt] = {}
    for at, place in enumerate(places):
        if place.item.note is not None and place.draft is not None:
            places[at], own = _as_note(writer, place, tally)
            if own is not None:
                receipts[at] = own
    receipts |= _receipts(writer, places)
    for at, place in enumerate(places):
        if place.item.skipped is not None:
            continue
        receipt = receipts.get(at)
        if receipt is not None:
            tally.statuses[_counted(receipt.status)] += 1
        trace = None if receipt is None else receipt.trace
        tally.placed(None if trace is None else trace.id)


def _checked(writer: Writer, place: _Place, tally: Tally) -> _Place:
    """A draft that can be stored, or none."""
    if place.draft is None or place.principal is None:
        return place
    now = to_ms(writer.clock())
    try:
        with denials(writer.brain, place.principal, writer.clock, "remember"):
            found = resolve(place.draft, place.principal, writer.brain.settings, now)
    except (InvalidInput, NotAllowed) as error:
        tally.error(place.item.where, str(error))
        return replace(place, draft=None)
    return replace(place, resolved=found)


def _counted(status: Status) -> Status:
    """What an import calls it: an edit that has reached its trace is something new."""
    return Status.STORED if status is Status.UPDATED else status


def _as_note(writer: Writer, place: _Place, tally: Tally) -> tuple[_Place, Receipt | None]:
    """What comes of the note of a trace; where that is not there, it is stored as any other."""
    note, draft, principal = place.item.note, place.draft, place.principal
    assert note is not None
    assert draft is not None
    assert principal is not None
    try:
        receipt = settle(writer, principal, note, draft)
    except InvalidInput as error:
        tally.error(place.item.where, str(error))
        return replace(place, draft=None), None
    return (place, None) if receipt is None else (replace(place, draft=None), receipt)


def _receipts(writer: Writer, places: Sequence[_Place]) -> dict[int, Receipt]:
    """The receipts of the drafts among some items, each caller's written together."""
    by_caller: dict[Principal, dict[int, Resolved]] = {}
    for at, place in enumerate(places):
        if place.draft is not None and place.principal is not None and place.resolved is not None:
            by_caller.setdefault(place.principal, {})[at] = place.resolved
    found: dict[int, Receipt] = {}
    for principal, own in by_caller.items():
        receipts = writer.write_resolved(list(own.values()), principal)
        found |= dict(zip(own, receipts, strict=True))
    return found
