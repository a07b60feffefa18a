"""What became of what was recalled: used, or ignored. Each word of it counts once.

What was used is strengthened, and tied to what was used with it; what was recalled and ignored
fades sooner (`cognition/decay.py`). The question is kept as a keyed digest only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from sqlalchemy import Connection, func, select, update

from mnemic.cognition import decay
from mnemic.cognition.mechanisms.hebbian import pairs, strengthened
from mnemic.cognition.rules import rules_of
from mnemic.graph.ties import tie
from mnemic.index.text.tokens import stems
from mnemic.model.answer import Hit
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.graph import EdgeKind
from mnemic.model.scope import Reach
from mnemic.model.trace import one_of
from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.engrams import Cause, Sheet, engrams, save
from mnemic.store.mind_schema import retrieval_feedback
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

_b = retrieval_feedback.c

MOST_TRACES = 200
USED_SHARE = 0.3
"""A trace was used when this share of its longer words stands in the reply (AgentOS's rule)."""

_LONG = 5
_WORD = re.compile(r"\w+")


class Signal(StrEnum):
    """What became of a recalled trace."""

    USED = "used"
    IGNORED = "ignored"


def give(
    connection: Connection,
    brain: Brain,
    reach: Reach,
    ids: Sequence[str],
    signal: Signal | str,
    query: str | None,
    now: int,
) -> int:
    """Note what became of some traces, and let it take effect; returns how many there were.

    Raises:
        NotFound: one of them is not within reach; nothing was noted.
    """
    signal = one_of(Signal, "signal", signal)
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MOST_TRACES:
        raise InvalidInput(f"feedback on {len(wanted)} traces at once, at most {MOST_TRACES}")
    seen = visible(brain.id, reach, None, traces.c.id, ids=wanted).run(connection)
    missing = set(wanted) - {row.id for row in seen}
    if missing:
        raise NotFound(f"no trace {min(missing)!r} within reach")
    last = connection.execute(select(func.max(_b.id)).where(_b.brain_id == brain.id)).scalar()
    asked = None if query is None else brain.ring.digests("asked", query.strip())[0]
    rows = [
        {
            "brain_id": brain.id,
            "id": number,
            "trace_id": trace_id,
            "signal": signal.value,
            "asked": asked,
            "created_at": now,
            "consumed_at": None,
        }
        for number, trace_id in enumerate(wanted, (last or 0) + 1)
    ]
    insert_rows(retrieval_feedback, connection, rows)
    consume(connection, brain, now, wanted)
    return len(rows)


def consume(connection: Connection, brain: Brain, now: int, ids: Sequence[str]) -> list[str]:
    """Let the feedback on some traces that has not counted yet take effect, once."""
    query = (
        select(retrieval_feedback)
        .where(_b.brain_id == brain.id, _b.consumed_at.is_(None), _b.trace_id.in_(ids))
        .order_by(_b.id)
    )
    rows = list(connection.execute(query)) if ids else []
    if not rows:
        return []
    numbers = [row.id for row in rows]
    of_rows = (_b.brain_id == brain.id) & _b.id.in_(numbers)
    connection.execute(update(retrieval_feedback).where(of_rows).values(consumed_at=now))
    if brain.settings.mind.works(brain.settings.mind.decay):
        _take_effect(connection, brain, rows, now)
    _tie(connection, brain, rows, now)
    return list(dict.fromkeys(row.trace_id for row in rows))


def _take_effect(connection: Connection, brain: Brain, rows: Sequence[AnyRow], now: int) -> None:
    rules = rules_of(brain.settings.mind)
    sheet = Sheet(engrams(connection, brain.id, [row.trace_id for row in rows]))
    for row in rows:
        if row.trace_id not in sheet:
            continue
        before = sheet.engram(row.trace_id)
        if row.signal == Signal.IGNORED.value:
            sheet.put(row.trace_id, Cause.IGNORED, decay.ignored(before, now, rules.penalty))
        else:
            strength = min(1.0, before.strength + rules.growth.gain)
            sheet.set(row.trace_id, Cause.USED, strength=strength)
    save(connection, brain.id, sheet.changes, now)


def _tie(connection: Connection, brain: Brain, rows: Sequence[AnyRow], now: int) -> None:
    """What answered one question together grows together, within one scope id."""
    mind = brain.settings.mind
    if not mind.works(mind.spreading):
        return
    rules = rules_of(mind)
    found = engrams(connection, brain.id, [row.trace_id for row in rows])
    together: dict[tuple[bytes, str, str], list[str]] = {}
    for row in rows:
        one = found.get(row.trace_id)
        if row.signal == Signal.USED.value and row.asked is not None and one is not None:
            together.setdefault((row.asked, one.scope, one.scope_id), []).append(one.id)
    for (_, scope, scope_id), ids in together.items():
        tie(
            connection,
            brain.id,
            (scope, scope_id),
            pairs(ids),
            EdgeKind.CO_ACTIVATED,
            lambda weight: strengthened(weight, rules.hebbian),
            now,
        )


def judged(hits: Iterable[Hit], reply: str) -> dict[Signal, list[str]]:
    """Which hits a reply has used, by the words that they share.

    Words count by their stems, those of five letters and more; a hit that has none such counts by
    all of its words.
    """
    said = set(stems(reply))
    found: dict[Signal, list[str]] = {Signal.USED: [], Signal.IGNORED: []}
    for hit in hits:
        words = _WORD.findall(hit.why.passage)
        long = [word for word in words if len(word) >= _LONG]
        own = set(stems(" ".join(long or words)))
        share = len(own & said) / len(own) if own else 0.0
        found[Signal.USED if share > USED_SHARE else Signal.IGNORED].append(hit.trace.id)
    return found
