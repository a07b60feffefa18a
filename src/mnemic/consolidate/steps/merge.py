"""Merges what was said twice in the same words, within one scope id.

Two texts are doubles when the same words stand in them in the same order, whatever their case and
marks, said by the same speaker; episodes only within one conversation, since the same words on
another day are another event. Where there are vectors, they must agree as well. Each text is
looked up by its words: no pair is compared that does not share them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from mnemic.consolidate.bed import Bed, Place
from mnemic.consolidate.vectors import Floats, vectors_of
from mnemic.encode.revise import update as renewal
from mnemic.model.errors import NotAllowed, NotFound
from mnemic.model.normal_form import normal_form
from mnemic.model.trace import TraceType
from mnemic.store.engrams import Cause, Sheet, engrams, save
from mnemic.store.schema import trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

NAME = "merge"

_WORD = re.compile(r"\w+")
_t, _v = traces.c, trace_versions.c


def run(bed: Bed, place: Place) -> None:
    """Merge the doubles of a place."""
    groups: dict[bytes, list[tuple[int, str]]] = {}
    for connection, sheet in bed.sheets(place):
        columns = (_t.id, _t.type, _t.thread, _t.speaker, _t.role, _t.filed_by, _v.content)
        ids = list(sheet.rows)
        query = visible(bed.brain.id, place.reach, None, *columns, _v.origin, ids=ids)
        for row in query.run(connection):
            at = sheet.rows[row.id].created_at
            groups.setdefault(_key(row), []).append((at, row.id))
    for doubles in groups.values():
        if len(doubles) > 1:
            _merge(bed, place, [trace_id for _, trace_id in sorted(doubles)])


def _key(row: AnyRow) -> bytes:
    """What doubles have in common, in few bytes."""
    episode = row.type == TraceType.EPISODIC.value
    words = " ".join(_WORD.findall(normal_form(row.content).casefold())) or row.content
    who = (row.speaker, row.role, row.filed_by, row.origin)
    parts = (row.type, row.thread if episode else None, *who, words)
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _merge(bed: Bed, place: Place, ids: Sequence[str]) -> None:
    with bed.brain.read() as connection:
        same = _near(bed, vectors_of(bed, connection, place, ids), ids)
        before = Sheet(engrams(connection, bed.brain.id, same))
    if len(before.rows) < 2:
        return
    bed.check()
    if bed.dry:
        survivor = max(same, key=lambda one: int(before.rows[one].retrieval_count))
        _told(bed, survivor, [one for one in same if one != survivor])
        return
    try:
        merged = renewal.merge(
            bed.writer, place.principal, same, content=_text(bed, place, same), reason="doubles"
        )
    except (NotFound, NotAllowed):
        return  # changed meanwhile, or a user's own, which only that user may merge
    if merged.survivor is None:
        return
    with bed.batch() as connection:
        after = engrams(connection, bed.brain.id, [merged.survivor.id])[merged.survivor.id]
        names = ("retrieval_count", "strength", "last_accessed_at")
        before.set(after.id, Cause.MERGED, **{name: after._mapping[name] for name in names})
        save(connection, bed.brain.id, before.changes, bed.now, bed.run)
    _told(bed, merged.survivor.id, merged.forgotten)
    bed.deeds.append(
        {
            "kind": NAME,
            **place.as_dict(),
            "id": merged.survivor.id,
            "others": list(merged.forgotten),
        }
    )


def _text(bed: Bed, place: Place, ids: Sequence[str]) -> str:
    """What the one that was used most often says: it stays as it is."""
    with bed.brain.read() as connection:
        columns = (_t.id, _t.retrieval_count, _v.content)
        rows = {
            row.id: row
            for row in visible(bed.brain.id, place.reach, None, *columns, ids=ids).run(connection)
        }
    best = max((rows[one] for one in ids if one in rows), key=lambda row: row.retrieval_count)
    text: str = best.content
    return text


def _near(bed: Bed, vectors: Mapping[str, Floats], ids: Sequence[str]) -> list[str]:
    """Those whose vectors agree with the first one's; without vectors the words are enough."""
    first = vectors.get(ids[0])
    if first is None:
        return list(ids)
    least = bed.mind.consolidation.merge_similarity
    return [one for one in ids if one not in vectors or float(vectors[one] @ first) >= least]


def _told(bed: Bed, survivor: str, others: Iterable[str]) -> None:
    for trace_id in others:
        bed.note(NAME, trace_id, f"the same words as {survivor}")
