"""What a trace may be used for, as conditions of the one SELECT: before the cut, not after it.

The table of policies is `model/policy.py`, tightened by the settings; windows are counted at the
instant of the read.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, case, false, func, or_

from mnemic.model.origin import SourceType
from mnemic.model.policy import ORIGINS, Capability
from mnemic.model.trust import READABLE
from mnemic.settings import Settings
from mnemic.store.schema import trace_versions, traces

_t, _v = traces.c, trace_versions.c

_SAID_AT = case((_t.time < _t.created_at, _t.time), else_=_t.created_at)
"""A time that a writer names keeps nothing fresh beyond the instant at which it was written."""


def usable(
    settings: Settings, uses: Sequence[Capability], now: int
) -> tuple[ColumnElement[bool], ...]:
    """Conditions under which a trace may be used for all of these; none for no use.

    Args:
        settings: of the brain.
        uses: what it is to be used for.
        now: the instant at which re-verification windows are counted, in milliseconds.
    """
    if not uses:
        return ()
    return (
        _v.trust.in_([state.value for state in READABLE]),
        *(_usable_for(settings, use, now) for use in uses),
    )


def _usable_for(settings: Settings, use: Capability, now: int) -> ColumnElement[bool]:
    sources = []
    for source in SourceType:
        policy = settings.trust.policy(source)
        if use not in policy.usable_for:
            continue
        condition = _t.source == source.value
        if policy.reverify_after_ms is not None:
            checked_at = func.coalesce(_v.verified_at, _SAID_AT)
            condition = and_(condition, checked_at >= now - policy.reverify_after_ms)
        sources.append(condition)
    origins = _v.origin.in_([origin.value for origin in ORIGINS[use]])
    return and_(origins, or_(false(), *sources))
