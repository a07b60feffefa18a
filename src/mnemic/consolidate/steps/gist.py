"""Old episodes that are hardly used keep their gist (Reyna & Brainerd 1995).

The words stay in the history; `rehydrate` puts them back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, func

from mnemic.cognition.mechanisms.gist import gist_of, gisted_strength, wants_gist
from mnemic.consolidate.bed import Bed, Place
from mnemic.consolidate.summarize import summarized
from mnemic.encode.deed import begin
from mnemic.encode.revise.case import find
from mnemic.encode.revise.change import draft_of, validity_of
from mnemic.encode.revise.shorten import shorten
from mnemic.encode.rows import analysed
from mnemic.index.write import Packed
from mnemic.model.errors import NotFound
from mnemic.model.trace import TraceType
from mnemic.model.trust import READABLE
from mnemic.store.engrams import Cause, Sheet, engrams, save
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import visible

NAME = "gist"

_SHORTEST_WORD = 3
"""Characters of a word with the space after it, on average of the tersest text."""


@dataclass(frozen=True, slots=True)
class _Gist:
    """What is left of a version of a trace."""

    version: int
    text: str
    vectors: Packed | None


def run(bed: Bed, place: Place) -> None:
    """Shorten the oldest of those that may be, at most so many a run."""
    rules = bed.rules.gist
    wanting: list[tuple[int, str]] = []
    for connection, sheet in bed.sheets(place):
        some = [
            trace_id
            for trace_id, row in sheet.rows.items()
            if wants_gist(
                TraceType(row.type),
                bed.now - row.created_at,
                row.retrieval_count,
                row.strength,
                rules,
                gisted=row.verbatim_version is not None,
            )
        ]
        long = _long(bed, connection, place, some)
        wanting += [(sheet.rows[one].created_at, one) for one in some if one in long]
    done = 0
    for _, trace_id in sorted(wanting):
        if done >= bed.mind.gist.most:
            return
        found = _gist(bed, place, trace_id)
        if found is not None:
            done += _shorten(bed, place, trace_id, found)


def _long(bed: Bed, connection: Connection, place: Place, ids: list[str]) -> set[str]:
    """Those that may have more words than a gist, by their characters."""
    if not ids:
        return set()
    query = visible(bed.brain.id, place.reach, None, traces.c.id, ids=ids)
    least = _SHORTEST_WORD * bed.rules.gist.most_words
    query = query.where(func.length(trace_versions.c.content) > least)
    return {row.id for row in query.run(connection)}


def _gist(bed: Bed, place: Place, trace_id: str) -> _Gist | None:
    """The gist of a trace, made before anything is locked; None where it is short already."""
    with bed.brain.read() as connection:
        deed = begin(connection, bed.brain, place.principal, bed.now)
        try:
            case = find(deed, place.reach, trace_id, READABLE)
        except NotFound:
            return None
        text = gist_of(case.row.content, case.trace().entities, bed.rules.gist.most_words)
        if text == case.row.content:
            return None
        whole, about = case.row.content, " ".join(case.trace().entities)
        draft = draft_of(case.row, text, validity_of(case.row, {}), deed.principal)
    words = bed.rules.gist.most_words
    if not bed.dry:
        text = summarized(bed.sleeper.summarizer, [whole], about, words, text)
        draft = replace(draft, content=text)
    vectors = None
    if not bed.dry:
        vectors = bed.writer.vectors.make([analysed(draft, bed.brain.settings)])[0]
    return _Gist(case.row.version, text, vectors)


def _shorten(bed: Bed, place: Place, trace_id: str, gist: _Gist) -> bool:
    with bed.deed(place) as deed:
        try:
            case = find(deed, place.reach, trace_id, READABLE)
        except NotFound:
            return False
        if case.row.version != gist.version:
            return False  # somebody changed it meanwhile
        sheet = Sheet(engrams(deed.connection, bed.brain.id, [trace_id]))
        shorten(bed.writer, case, gist.text, gist.vectors)
        strength = gisted_strength(case.row.strength, bed.rules.gist)
        sheet.set(trace_id, Cause.GIST, strength=strength)
        save(deed.connection, bed.brain.id, sheet.changes, bed.now, bed.run)
    bed.deeds.append({"kind": NAME, **place.as_dict(), "id": trace_id})
    bed.note(NAME, trace_id, "cut down to its gist")
    return True
