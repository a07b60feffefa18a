"""What a recall does to what was recalled, and to what was not.

Practice makes a trace last (`cognition/decay.py`), a mood colours it (`reconsolidation.py`), what
competed and was not chosen loses a little (`forgetting.py`), and what is recalled together grows
together (`hebbian.py`). All of it is written with its cause, within the scopes it concerns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from mnemic.cognition import decay
from mnemic.cognition.mechanisms.forgetting import Competitor, suppressed
from mnemic.cognition.mechanisms.hebbian import pairs, strengthened
from mnemic.cognition.mechanisms.reconsolidation import reconsolidated
from mnemic.cognition.rules import Rules, rules_of
from mnemic.govern.ledger import Mode, mode_of
from mnemic.graph.ties import tie
from mnemic.mind_settings import Mind
from mnemic.model.graph import EdgeKind
from mnemic.model.mind import NEUTRAL, Emotion, Mood
from mnemic.model.scope import Reach, Scope
from mnemic.store.brain import Brain
from mnemic.store.engrams import Cause, Sheet, engrams, moves, save


@dataclass(frozen=True, slots=True)
class Use:
    """One recall.

    Args:
        ids: of the traces recalled, best first.
        at: when, in milliseconds.
        mood: of the agent that recalled them.
        rivals: id of each trace that came near, with its cosine to the nearest one recalled.
    """

    ids: tuple[str, ...]
    at: int
    mood: Mood = NEUTRAL
    rivals: tuple[tuple[str, float], ...] = ()


def take_effect(connection: Connection, brain: Brain, uses: Sequence[Use]) -> None:
    """Write what some recalls do, in their order."""
    mind = brain.settings.mind
    rules = rules_of(mind)
    ids = dict.fromkeys(one for use in uses for one in use.ids)
    rivals = dict.fromkeys(one for use in uses for one, _ in use.rivals)
    sheet = Sheet(engrams(connection, brain.id, [*ids, *rivals]))
    drifted = _drifted(connection, brain, uses, sheet, mind)
    learns = _learning(connection, brain, sheet)
    for use in uses:
        present = [one for one in use.ids if one in sheet]
        grows = mind.works(mind.decay)
        _practise(sheet, [one for one in present if one in learns], use.at, rules, grows=grows)
        _practise(sheet, [one for one in present if one not in learns], use.at, rules, grows=False)
        present = [one for one in present if one in learns]
        if mind.works(mind.reconsolidation):
            _colour(sheet, present, use.mood, drifted, rules)
        if mind.works(mind.forgetting):
            rivals_here = [pair for pair in use.rivals if pair[0] in learns]
            _hold_down(sheet, present, rivals_here, rules)
    save(connection, brain.id, sheet.changes, max(use.at for use in uses))
    if mind.works(mind.spreading) and mind.spreading.co_activation:
        for use in uses:
            _tie(connection, brain, sheet, [one for one in use.ids if one in learns], use.at, rules)


def _practise(sheet: Sheet, ids: Iterable[str], now: int, rules: Rules, *, grows: bool) -> None:
    for trace_id in ids:
        sheet.set(trace_id, Cause.RECALL, archived_at=None)  # it is needed after all
        before = sheet.engram(trace_id)
        after = decay.used(before, now, rules.growth)
        if grows:
            sheet.put(trace_id, Cause.RECALL, after)
        else:
            columns = {"retrieval_count": after.uses, "last_accessed_at": after.used_at}
            sheet.set(trace_id, Cause.RECALL, **columns)


def _colour(
    sheet: Sheet, ids: Iterable[str], mood: Mood, drifted: dict[str, float], rules: Rules
) -> None:
    for trace_id in ids:
        before = sheet.engram(trace_id)
        so_far = drifted.get(trace_id, 0.0)
        found = reconsolidated(before.emotion, mood, so_far, before.strength, rules.reconsolidation)
        if found is not None:
            emotion, drifted[trace_id] = found
            _feel(sheet, trace_id, Cause.RECONSOLIDATED, emotion)


def _feel(sheet: Sheet, trace_id: str, cause: Cause, emotion: Emotion) -> None:
    columns = {name: getattr(emotion, name) for name in ("valence", "arousal", "dominance")}
    sheet.set(trace_id, cause, **columns)


def _hold_down(
    sheet: Sheet, ids: Sequence[str], rivals: Iterable[tuple[str, float]], rules: Rules
) -> None:
    competitors = [
        Competitor(one, similarity, sheet.rows[one].strength)
        for one, similarity in rivals
        if one in sheet
    ]
    for trace_id, factor in suppressed(ids, competitors, rules.forgetting):
        stability = sheet.engram(trace_id).stability * factor
        sheet.set(trace_id, Cause.COMPETED, stability=stability)


def _learning(connection: Connection, brain: Brain, sheet: Sheet) -> set[str]:
    """Traces of scopes that learn: what is frozen or suspended only counts its uses."""
    modes: dict[tuple[str, str], bool] = {}
    for row in sheet.rows.values():
        pair = (row.scope, row.scope_id)
        if pair not in modes:
            reach = Reach.of([(Scope(row.scope), row.scope_id)])
            mode = mode_of(connection, brain, reach)
            modes[pair] = mode not in (Mode.FROZEN, Mode.SUSPENDED)
    return {one for one, row in sheet.rows.items() if modes[row.scope, row.scope_id]}


def _tie(
    connection: Connection,
    brain: Brain,
    sheet: Sheet,
    ids: Sequence[str],
    at: int,
    rules: Rules,
) -> None:
    """Traces of one scope id that are recalled together; those of two are never tied."""
    by_place: dict[tuple[str, str], list[str]] = {}
    for trace_id in ids[:_TIED]:
        if trace_id in sheet:
            row = sheet.rows[trace_id]
            by_place.setdefault((row.scope, row.scope_id), []).append(trace_id)
    for place, several in by_place.items():
        tie(
            connection,
            brain.id,
            place,
            pairs(several, _TIED),
            EdgeKind.CO_ACTIVATED,
            lambda weight: strengthened(weight, rules.hebbian),
            at,
        )


_TIED = 5
"""The first hits of a recall, which are tied to each other."""


def _drifted(
    connection: Connection, brain: Brain, uses: Sequence[Use], sheet: Sheet, mind: Mind
) -> dict[str, float]:
    """How far moods have moved the feeling of each trace so far."""
    still = all(use.mood.is_neutral for use in uses) and not mind.reconsolidation.in_neutral_mood
    if still or not mind.works(mind.reconsolidation):
        return {}
    found: dict[str, float] = {}
    ids = [one for use in uses for one in use.ids if one in sheet]
    for row in moves(connection, brain.id, ids, Cause.RECONSOLIDATED):
        before, after = json.loads(row.before), json.loads(row.after)
        found[row.trace_id] = found.get(row.trace_id, 0.0) + _way(before, after)
    return found


def _way(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    return sum(abs(after[name] - before[name]) for name in after)
