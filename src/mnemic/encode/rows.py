"""What a resolved draft becomes: rows for the tables, a trace for the receipt."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from typing import Any

from mnemic.encode.appraise import Appraised
from mnemic.encode.resolve import Resolved
from mnemic.index.analysis import Analysis, analyse
from mnemic.model.times import from_ms, maybe_from_ms, zone
from mnemic.model.trace import Trace
from mnemic.model.trust import Trust
from mnemic.settings import Settings

_JSON = json.JSONEncoder(ensure_ascii=False)
"""Made once: `json.dumps` makes one for each call that asks for more than it does by itself."""


def _list(labels: tuple[str, ...]) -> str:
    return _JSON.encode(labels) if labels else "[]"


def analysed(draft: Resolved, settings: Settings) -> Analysis:
    """The draft's text taken apart for the index."""
    return analyse(
        draft.content,
        time=from_ms(draft.time),
        speaker=draft.speaker,
        role=draft.role,
        tags=draft.tags,
        entities=draft.entities,
        settings=settings.index,
        zone=zone(settings.timezone) if settings.timezone else UTC,
    )


def trace_row(
    brain_id: str, trace_id: str, draft: Resolved, appraised: Appraised, now: int
) -> dict[str, Any]:
    """The row of `traces`: what never changes, and how often it was used."""
    return {
        "brain_id": brain_id,
        "id": trace_id,
        "scope": draft.scope.value,
        "scope_id": draft.scope_id,
        "filed_by": draft.filed_by,
        "type": draft.type.value,
        "source": draft.source.value,
        "speaker": draft.speaker,
        "role": draft.role.value if draft.role else None,
        "thread": draft.thread,
        "time": draft.time,
        "created_at": now,
        "retrieval_count": 0,
        "last_accessed_at": None,
        "next_reinforcement_at": None,
        "archived_at": None,
        "verbatim_version": None,
        **mind_columns(appraised),
    }


def mind_columns(appraised: Appraised) -> dict[str, Any]:
    """The columns of `traces` that say what a text is worth."""
    encoded = appraised.encoded
    return {
        "strength": encoded.strength,
        "stability": encoded.stability,
        "importance": encoded.importance,
        "valence": encoded.emotion.valence,
        "arousal": encoded.emotion.arousal,
        "dominance": encoded.emotion.dominance,
        "reinforcement_interval": appraised.interval,
    }


def source_rows(brain_id: str, trace_id: str, draft: Resolved) -> list[dict[str, Any]]:
    """The rows of `trace_sources`: what the trace rests on."""
    sources = [("trace", one) for one in draft.derived_from]
    if draft.source_id is not None:
        sources.append(("source", draft.source_id))
    return [
        {"brain_id": brain_id, "trace_id": trace_id, "kind": kind, "source": source}
        for kind, source in sources
    ]


def version_row(
    brain_id: str, trace_id: str, draft: Resolved, trust: Trust, digest: bytes, now: int
) -> dict[str, Any]:
    """The row of a trace's first version."""
    return {
        "brain_id": brain_id,
        "trace_id": trace_id,
        "version": 1,
        "content": draft.content,
        "content_version": 1,
        "digest": digest,
        "tags": _list(draft.tags),
        "entities": _list(draft.entities),
        "metadata": draft.metadata,
        "valid_from": draft.validity.start,
        "valid_to": draft.validity.end,
        "trust": trust.value,
        "channel": draft.channel.value,
        "origin": draft.origin.value,
        "verified_at": None,
        "recorded_at": now,
        "retired_at": None,
        "cause": "remember",
        "reason": None,
    }


def trace_of(trace_id: str, draft: Resolved, appraised: Appraised, trust: Trust, now: int) -> Trace:
    """The trace that a reader will see."""
    return Trace(
        id=trace_id,
        content=draft.content,
        type=draft.type,
        scope=draft.scope,
        scope_id=draft.scope_id,
        tags=draft.tags,
        entities=draft.entities,
        metadata=json.loads(draft.metadata),
        speaker=draft.speaker,
        role=draft.role,
        thread=draft.thread,
        time=from_ms(draft.time),
        valid_from=maybe_from_ms(draft.validity.start),
        valid_to=maybe_from_ms(draft.validity.end),
        recorded_at=from_ms(now),
        retired_at=None,
        trust=trust,
        source=draft.source,
        channel=draft.channel,
        origin=draft.origin,
        verified_at=None,
        strength=appraised.encoded.strength,
        created_at=from_ms(now),
        last_accessed_at=None,
        retrieval_count=0,
        version=1,
        stability=timedelta(milliseconds=appraised.encoded.stability),
        importance=appraised.encoded.importance,
        emotion=appraised.encoded.emotion,
        archived_at=None,
        is_gist=False,
    )
