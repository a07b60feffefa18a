"""Whether now is the time to do what was to be done, and what becomes of it once it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemic.cognition.prospect import (
    Intention,
    Trigger,
    Waiting,
    after_firing,
    by_importance,
    is_due,
)
from mnemic.errors import InvalidInput
from mnemic.model.times import from_ms, to_ms

HOUR = 3_600_000
LISBON = ZoneInfo("Europe/Lisbon")
AT = to_ms(datetime(2026, 11, 30, 9, tzinfo=LISBON))


def at_time(**changes: Any) -> Intention:
    return replace(Intention("a", "call Marta", Trigger.TIME, at=AT), **changes)


def at_event(event: str, **changes: Any) -> Intention:
    return Intention("b", "ask about the invoice", Trigger.EVENT, event=event, **changes)


def at_talk(cue: str, **changes: Any) -> Intention:
    return Intention("c", "mention the hotel", Trigger.CONTEXT, cue=cue, **changes)


def weekly(**changes: Any) -> Intention:
    return at_time(rule="FREQ=WEEKLY;BYDAY=MO", zone="Europe/Lisbon", **changes)


def test_a_time_is_due_from_its_instant_on() -> None:
    assert not is_due(at_time(), AT - 1)
    assert is_due(at_time(), AT)
    assert is_due(at_time(), AT + 1_000 * HOUR)


def test_what_is_done_once_is_done() -> None:
    done = after_firing(at_time(), AT + 5)
    assert (done.fired, done.last_fired, done.next_at) == (1, AT + 5, None)
    assert done.is_done
    assert not is_due(done, AT + HOUR)


def test_what_comes_again_moves_on_and_is_due_once_for_all_that_was_missed() -> None:
    ten_weeks_later = AT + to_ms(datetime(1970, 3, 12, tzinfo=UTC))
    assert is_due(weekly(), ten_weeks_later)
    moved = after_firing(weekly(), ten_weeks_later)
    assert not is_due(moved, ten_weeks_later)
    assert moved.next_at is not None
    assert from_ms(moved.next_at).astimezone(LISBON) == datetime(2027, 2, 15, 9, tzinfo=LISBON)
    assert is_due(moved, moved.next_at)
    assert not moved.is_done


def test_what_comes_again_keeps_the_hour_of_its_zone() -> None:
    moved = after_firing(weekly(), to_ms(datetime(2027, 3, 27, 12, tzinfo=LISBON)))
    assert moved.next_at == to_ms(datetime(2027, 3, 29, 9, tzinfo=LISBON))
    in_utc = after_firing(replace(weekly(), zone="UTC"), from_then := moved.next_at - HOUR // 2)
    assert in_utc.next_at == from_then + HOUR + HOUR // 2


def test_a_rule_that_is_over_is_done() -> None:
    twice = at_time(rule="FREQ=DAILY;COUNT=2")
    once = after_firing(twice, AT)
    assert once.next_at == AT + 24 * HOUR
    assert not once.is_done
    assert after_firing(once, AT + 24 * HOUR).is_done


@pytest.mark.parametrize(
    ("event", "happened", "due"),
    [
        ("invoice_paid", "invoice_paid", True),
        ("Marta calls", "MARTA CALLS", True),
        ("Marta calls", "Marta calls from the station", True),
        ("straße frei", "STRASSE FREI", True),
        ("Marta calls", "Marta", False),
        ("art", "party", False),
        ("Marta calls", "Ines calls", False),
    ],
)
def test_an_event_is_due_when_its_words_are_told(event: str, happened: str, due: bool) -> None:
    assert is_due(at_event(event), AT, ["something else", happened]) is due
    assert not is_due(at_event(event), AT, ["something else"])
    assert not is_due(at_event(event), AT)


def test_an_event_is_not_due_by_time_or_by_talk() -> None:
    assert not is_due(at_event("Marta calls"), AT, similarity=1.0, query="Marta calls")
    assert not is_due(at_time(), AT - 1, ["call Marta"], similarity=1.0, query="call Marta")


def test_talk_is_due_from_its_threshold_on() -> None:
    assert is_due(at_talk("Rome"), AT, similarity=0.7)
    assert not is_due(at_talk("Rome"), AT, similarity=0.69)
    assert is_due(at_talk("Rome", threshold=0.5), AT, similarity=0.69)


def test_without_vectors_talk_is_due_when_it_has_all_words_of_the_cue() -> None:
    cue = at_talk("trip to Rome")
    assert is_due(cue, AT, query="Let us plan the trip to Rome.")
    assert not is_due(cue, AT, query="Let us plan the trip.")
    assert not is_due(cue, AT)


def test_an_event_and_talk_are_done_once_unless_they_last() -> None:
    for once, lasting in (
        (at_event("Marta calls"), at_event("Marta calls", lasting=True)),
        (at_talk("Rome"), at_talk("Rome", lasting=True)),
    ):
        told = {"events": ["Marta calls"], "query": "Rome"}
        later = AT + 2 * HOUR
        assert is_due(once, AT, **told)  # type: ignore[arg-type]
        assert not is_due(after_firing(once, AT), later, **told)  # type: ignore[arg-type]
        assert is_due(after_firing(lasting, AT), later, **told)  # type: ignore[arg-type]


def test_talk_that_goes_on_does_not_bring_it_up_again_at_once() -> None:
    fired = after_firing(at_talk("Rome", lasting=True), AT)
    assert not is_due(fired, AT + HOUR - 1, query="Rome")
    assert is_due(fired, AT + HOUR, query="Rome")
    assert is_due(fired, AT + 10, query="Rome", waiting=Waiting(rest=10))


def test_what_is_above_the_readers_tier_is_held_back_and_not_used_up() -> None:
    secret = at_time(tier=2)
    assert not is_due(secret, AT, most_tier=1)
    assert is_due(secret, AT, most_tier=2)
    assert is_due(secret, AT)
    assert is_due(at_time(), AT, most_tier=0)


def test_the_most_important_comes_first_then_what_was_due_first() -> None:
    late = at_time(id="late", at=AT + HOUR)
    late = replace(late, next_at=AT + HOUR)
    several = [at_event("x"), late, at_time(id="soon"), at_talk("y", importance=0.9)]
    assert [each.id for each in by_importance(several)] == ["c", "soon", "late", "b"]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"trigger": Trigger.TIME}, "needs 'at'"),
        ({"trigger": Trigger.EVENT}, "needs 'event'"),
        ({"trigger": Trigger.EVENT, "event": " ! "}, "needs 'event'"),
        ({"trigger": Trigger.CONTEXT, "cue": ""}, "needs 'cue'"),
        ({"trigger": Trigger.TIME, "at": 0, "content": " "}, "needs content"),
        ({"trigger": Trigger.TIME, "at": 0, "rule": "FREQ=SECONDLY"}, "FREQ must be"),
        ({"trigger": Trigger.EVENT, "event": "x", "rule": "FREQ=DAILY"}, "needs the trigger"),
        ({"trigger": Trigger.TIME, "at": 0, "zone": "Rome"}, "timezone 'Rome'"),
        ({"trigger": Trigger.TIME, "at": 0, "importance": 1.1}, "importance 1.1"),
        ({"trigger": Trigger.CONTEXT, "cue": "x", "threshold": -0.1}, "threshold -0.1"),
    ],
)
def test_an_intention_that_could_never_be_due_is_refused(
    given: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Intention(**{"id": "a", "content": "call Marta", **given})


def test_the_names_of_the_triggers_are_those_that_are_stored() -> None:
    assert [str(trigger) for trigger in Trigger] == ["time_based", "event_based", "context_based"]


def test_a_rule_fires_each_week_when_it_is_watched() -> None:
    intention, fired = weekly(), []
    for day in range(22):
        now = AT + day * 24 * HOUR
        if is_due(intention, now):
            fired.append(day)
            intention = after_firing(intention, now)
    assert fired == [0, 7, 14, 21]
    assert intention.fired == 4
    assert from_ms(AT) + timedelta(days=28) == from_ms(intention.next_at or 0)
