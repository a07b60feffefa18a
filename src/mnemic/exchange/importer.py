"""Writes what the readers read: one bad item never stops the rest."""

from __future__ import annotations

from pathlib import Path

from mnemic.encode.resolve import resolve
from mnemic.encode.write import Progress, Writer
from mnemic.exchange.detect import read
from mnemic.model.answer import ImportResult, Receipt, Status
from mnemic.model.errors import InvalidInput
from mnemic.model.scope import Principal
from mnemic.model.times import to_ms, zone
from mnemic.model.trace import Draft


def import_file(
    writer: Writer,
    principal: Principal,
    path: Path,
    format: str,
    timezone: str | None,
    progress: Progress | None,
) -> ImportResult:
    """Import a file for a principal; see `Memory.import_from`."""
    if timezone is not None:
        zone(timezone)
    now = to_ms(writer.clock())
    places: list[Draft | None] = []
    errors: list[tuple[str, str]] = []
    for item in read(path, format, timezone):
        draft = item.draft
        if draft is None:
            errors.append((item.where, item.error or "cannot be read"))
        else:
            try:
                resolve(draft, principal, writer.brain.settings, now)
            except InvalidInput as error:
                errors.append((item.where, str(error)))
                draft = None
        places.append(draft)
    good = [draft for draft in places if draft is not None]
    receipts = iter(writer.write(good, principal, progress))
    answers = [None if draft is None else next(receipts) for draft in places]
    return _result(answers, errors)


def _result(answers: list[Receipt | None], errors: list[tuple[str, str]]) -> ImportResult:
    def count(status: Status) -> int:
        return sum(answer is not None and answer.status is status for answer in answers)

    return ImportResult(
        imported=count(Status.STORED),
        held=count(Status.CANDIDATE),
        skipped=count(Status.REINFORCED),
        refused=count(Status.REFUSED),
        errors=tuple(errors),
        traces=tuple(
            answer.trace.id if answer is not None and answer.trace is not None else None
            for answer in answers
        ),
    )
