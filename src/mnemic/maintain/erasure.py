"""Erasure as its owner asks for it: the transaction, the file, the search afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from sqlalchemy import Connection

from mnemic.encode.deed import Deed, begin
from mnemic.encode.refusal import denials
from mnemic.encode.revise import erase
from mnemic.encode.revise.case import find
from mnemic.encode.revise.erase import Condition, Gone, chunks
from mnemic.govern import audit
from mnemic.index.cache import IndexCache
from mnemic.maintain.kept import rightful
from mnemic.maintain.residue import Needles, accounted, in_file, pieces_of
from mnemic.model.errors import NotAllowed, NotFound, StorageError
from mnemic.model.governance import Certificate, Residue
from mnemic.model.ids import checked_trace_id
from mnemic.model.scope import Caller, Principal, Reach
from mnemic.model.times import Clock, Clocks, from_ms, to_ms
from mnemic.model.trust import SEARCHED, Authority, Trust
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.recall import Asked, search
from mnemic.store import sqlite
from mnemic.store.brain import Brain
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, visible

_OPEN = "erasure_open"
"""The key of `brain_meta` that stands while the file still has to be written anew."""

_ASKED = 50
"""Erased texts that the readers are asked for, about; all are looked for in the files."""


def carry_out(
    brain: Brain,
    cache: IndexCache,
    clock: Clock,
    caller: Caller,
    target: str,
    condition: Condition,
    bar: str | None = None,
) -> Certificate:
    """Erase what a condition finds, write the file anew, and look for what is left.

    Args:
        brain: from where.
        cache: what this process holds of its index; let go of.
        clock: tells the present.
        caller: in whose name.
        target: what was asked for, for the certificate.
        condition: finds the traces.
        bar: the owner of whom nothing more is taken; None for nobody.
    """
    with brain.write() as connection:
        deed = begin(connection, brain, caller, to_ms(clock()))
        gone = erase.erase(deed, target, _found(deed, condition, bar))
        if bar is not None:
            erase.bar_user(deed, bar)
        brain.set_meta(connection, _OPEN, str(gone.seq))
        deed.flush()
    cache.clear()
    compacted = _compacted(brain)
    searched, residues = _sweep(brain, cache, gone, to_ms(clock()))
    with brain.read() as connection:
        entry = audit.entry(connection, brain.id, gone.seq)
    return Certificate(
        target=target,
        at=from_ms(deed.now),
        erased=tuple(gone.erased),
        returned=tuple(gone.returned),
        counts=dict(sorted(gone.counts.items())),
        audit_seq=gone.seq,
        audit_hash=entry.hash,
        compacted=compacted,
        searched=searched,
        residues=tuple(residues),
        ok=compacted and all(residue.shared for residue in residues),
    )


def _found(deed: Deed, condition: Condition, bar: str | None) -> Sequence[AnyRow]:
    try:
        return condition(deed)
    except NotFound:
        if bar is None:
            raise
        return []  # who has left nothing can be barred all the same


def erase_own(
    brain: Brain, cache: IndexCache, clock: Clock, principal: Principal, trace_id: str
) -> Certificate:
    """Erase one trace that a caller has filed."""

    def find_own(deed: Deed) -> list[AnyRow]:
        if principal.authority is Authority.MACHINE:
            raise NotAllowed(
                f"erasing is up to a person, not to the channel {principal.channel.value!r}; "
                "an agent or a tool can forget"
            )
        case = find(deed, principal.reach(), trace_id)
        if case.is_others:
            raise NotAllowed(f"trace {trace_id!r} was filed by another user")
        return erase.targets(deed, erase.of_trace(trace_id))

    with denials(brain, principal, clock, "erase", checked_trace_id(trace_id)):
        return carry_out(brain, cache, clock, principal, "trace", find_own)


def compact(brain: Brain) -> bool:
    """Write the file anew; tells whether nothing kept it from being done wholly."""
    with brain.read() as connection:
        before = brain.meta(connection, _OPEN)
    done = brain.compact()
    if done and before:
        with brain.write() as connection:
            # Another process may have erased something since.
            if brain.meta(connection, _OPEN) == before:
                brain.set_meta(connection, _OPEN, "")
    return done


def _compacted(brain: Brain) -> bool:
    """The same for what is erased already: whatever fails now is to be made up for later."""
    try:
        return compact(brain)
    except StorageError:
        return False


def is_open(connection: Connection, brain: Brain) -> bool:
    """Whether an erasure has been committed whose bytes may still be in the file or its log."""
    return bool(brain.meta(connection, _OPEN))


def _sweep(
    brain: Brain, cache: IndexCache, gone: Gone, now: int
) -> tuple[dict[str, int], list[Residue]]:
    """Look for the erased texts in the raw bytes of the files, and ask every reader."""
    pieces = pieces_of(gone.texts)
    found: dict[str, str] = {}
    residues: list[Residue] = []
    size = 0
    for file in sqlite.files(brain.path):
        size += file.stat().st_size
        try:
            for piece, offset in in_file(Needles(pieces), file).items():
                found.setdefault(piece, f"{file.name} at {offset}")
        except OSError as error:
            residues.append(Residue(str(error), False))
    others = accounted(found, rightful(brain)) if found else set()
    residues += [Residue(where, piece in others) for piece, where in found.items()]
    asked, read = _readers(brain, cache, gone, now)
    return {"pieces": len(pieces), "bytes": size, "questions": asked}, residues + read


def _readers(brain: Brain, cache: IndexCache, gone: Gone, now: int) -> tuple[int, list[Residue]]:
    """Ask for the erased traces by id, and for what they said, at present and a moment ago."""
    residues: list[Residue] = []
    asked = 0
    for ids, scopes in product(chunks(gone.erased), chunks(gone.scopes)):
        reach = Reach.of(scopes)
        with brain.read() as connection:
            query = visible(brain.id, reach, None, *TRACE_COLUMNS, states=tuple(Trust), ids=ids)
            residues += [Residue(f"trace {row.id}", False) for row in query.run(connection)]
        asked += 1
    erased = set(gone.erased)
    step = max(1, len(gone.said) // _ASKED)
    for place, text in gone.said[::step]:
        for clocks in (Clocks(now), Clocks(now, now - 1)):
            filters = Filters(Reach.of([place]), clocks, states=SEARCHED)
            hits = search(brain, cache, None, Asked(text), filters, 10).hits
            residues += [
                Residue(f"recall of {hit.trace.id}", False)
                for hit in hits
                if hit.trace.id in erased
            ]
            asked += 1
    return asked, residues
