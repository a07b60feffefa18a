"""A run as a whole: one at a time, interruptible, idempotent, to be undone, within its scopes."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Trace
from mnemic.consolidate.scheduler import Scheduler
from mnemic.errors import InvalidInput, NotFound
from mnemic.model.consolidation import Consolidated, RunState
from tests.conftest import FixedClock, Opener

EVERYTHING = {
    "gist": {"enabled": True},
    "drift": {"enabled": True, "every": 1},
    "consolidation": {"derive": True},
}
STORY = "On day {} Ines took the ferry with Hugo. " + "It rained and nothing happened then. " * 12


def told(who: BoundMemory, text: str, **more: Any) -> Trace:
    receipt = who.remember(text, **more)
    assert receipt.trace is not None, receipt
    return receipt.trace


def lived(memory: Memory, clock: FixedClock, user: str = "ana") -> BoundMemory:
    """Something for every step to do, a quarter of a year later."""
    who = memory.bind(user=user, thread="monday")
    for number in range(6):
        told(who, f"In Rome Marta saw gate {number}.", entities=["Rome"])
        told(who, STORY.format(number))
    told(who, "The ferry leaves at noon.")
    told(who, "the ferry leaves at noon")
    told(who, "The inferred thing", source="agent_inference")
    mood = {"valence": -1.0, "arousal": 1.0, "dominance": 0.0}
    told(who, "horrible, terrifying, disgusting, I hated it!!", mood=mood, strength=0.5)
    for _ in range(3):
        who.recall("ferry noon", limit=2)
    clock.advance(days=90)
    return who


def state(who: BoundMemory) -> list[object]:
    """What can be told of every memory of a caller, without its history."""
    return [
        (t.id, t.content, t.type, t.strength, t.stability, t.emotion, t.archived_at, t.is_gist)
        for t in sorted(who.list(limit=999), key=lambda one: one.id)
    ]


@pytest.fixture
def sleepy(open_brain: Opener) -> Memory:
    """A brain in which every step works."""
    return open_brain(settings=Settings(mind=EVERYTHING))


def test_every_step_finds_something_to_do_and_the_second_run_nothing(
    sleepy: Memory, clock: FixedClock
) -> None:
    ana = lived(sleepy, clock)
    report = sleepy.consolidate()
    assert report.state is RunState.DONE
    assert {"merge", "reinforce", "source_decay", "regulate", "gist", "compact", "derive"} <= {
        name for name, count in report.counts.items() if count
    }
    after = state(ana)
    again = sleepy.consolidate()
    assert again.changes == ()
    assert not any(again.counts.values())
    assert state(ana) == after


def test_a_dry_run_tells_and_changes_nothing(sleepy: Memory, clock: FixedClock) -> None:
    ana = lived(sleepy, clock)
    before, head = state(ana), sleepy.audit.head()
    dry = sleepy.consolidate(dry_run=True)
    assert dry.run is None
    assert state(ana) == before
    assert sleepy.audit.head() == head
    assert sleepy.consolidations() == []
    wet = sleepy.consolidate()
    for step in ("merge", "source_decay", "regulate", "gist"):
        assert dry.counts[step] == wet.counts[step] > 0, step


def test_undone_is_as_it_was(sleepy: Memory, clock: FixedClock) -> None:
    ana = lived(sleepy, clock)
    before = state(ana)
    run = sleepy.consolidate().run
    assert run is not None
    assert state(ana) != before
    undone = sleepy.undo_consolidation(run)
    assert undone.state is RunState.UNDONE
    assert not [one for one in undone.changes if "left" in one.what]
    assert state(ana) == before
    assert [one.state for one in sleepy.consolidations()] == [RunState.UNDONE]
    assert sleepy.audit.verify().ok
    with pytest.raises(InvalidInput, match="undone"):
        sleepy.undo_consolidation(run)
    with pytest.raises(NotFound):
        sleepy.undo_consolidation(99)


def test_what_has_changed_since_stays_when_a_run_is_undone(
    sleepy: Memory, clock: FixedClock
) -> None:
    ana = lived(sleepy, clock)
    run = sleepy.consolidate(steps=["reinforce"]).run
    assert run is not None
    clock.advance(hours=2)
    [hit] = ana.recall("ferry noon", limit=1)
    used = ana.show(hit.trace.id)
    undone = sleepy.undo_consolidation(run)
    assert used.id in {one.trace_id for one in undone.changes if "left" in one.what}
    assert ana.show(used.id) == used


def test_scopes_are_looked_at_one_by_one(sleepy: Memory, clock: FixedClock) -> None:
    """Two users with the same words: nothing of one is in anything of the other."""
    ana, bob = lived(sleepy, clock), lived(sleepy, clock, "bob")
    sleepy.consolidate()
    for who, other in ((ana, bob), (bob, ana)):
        mine = {trace.id for trace in who.list(limit=999)}
        theirs = {trace.id for trace in other.list(limit=999)}
        assert mine.isdisjoint(theirs)
        [insight] = [t for t in who.list(tags="insight", limit=9) if t.content.startswith("Rome,")]
        ties = who.graph.neighbours(insight.id)
        assert any(tie.kind == "derived_from" for tie in ties)
        assert not theirs & {tie.thing.id for tie in ties}


def test_a_caller_tidies_up_its_own_scopes_only(sleepy: Memory, clock: FixedClock) -> None:
    ana, bob = lived(sleepy, clock), lived(sleepy, clock, "bob")
    before = state(bob)
    assert ana.mind.reflect().counts["merge"] == 1
    assert state(bob) == before


def test_one_run_at_a_time_in_two_openings_of_a_file(open_brain: Opener, clock: FixedClock) -> None:
    one, other = open_brain(), open_brain()
    ana = lived(one, clock)
    seen: list[Consolidated] = []

    def meanwhile() -> bool:
        if not seen:
            seen.append(other.consolidate())
        return False

    assert one.consolidate(stop=meanwhile).state is RunState.DONE
    assert seen[0].run is None
    assert "another consolidation" in (seen[0].note or "")
    assert seen[0].changes == ()
    assert other.consolidate().note is None  # afterwards it may
    assert len(ana.list(limit=99)) > 10


def test_a_run_that_died_holds_nobody_up_for_ever(open_brain: Opener, clock: FixedClock) -> None:
    memory, other = open_brain(), open_brain()
    lived(memory, clock)

    class Died(Exception):
        """The machine went down."""

    def dies(done: int, total: int, stage: str) -> None:
        raise Died

    with pytest.raises(Died):
        memory.consolidate(progress=dies)
    assert [one.state for one in other.consolidations()] == [RunState.INTERRUPTED]
    assert other.consolidate().note is None


def test_a_lease_that_is_not_renewed_runs_out(open_brain: Opener, clock: FixedClock) -> None:
    memory = open_brain()
    lived(memory, clock)
    with memory._brain.write() as connection:
        stamp = int(clock.now.timestamp() * 1000)
        memory._brain.set_meta(connection, "consolidating", json.dumps(["somebody", stamp]))
    assert "another" in (memory.consolidate().note or "")
    clock.advance(minutes=11)
    assert memory.consolidate().note is None


def test_it_can_be_stopped_and_goes_on_next_time(sleepy: Memory, clock: FixedClock) -> None:
    ana = lived(sleepy, clock)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    report = sleepy.consolidate(stop=stop)
    assert report.state is RunState.INTERRUPTED
    assert [one.state for one in sleepy.consolidations()] == [RunState.INTERRUPTED]
    whole = sleepy.consolidate()
    assert whole.state is RunState.DONE
    assert sleepy.consolidate().changes == ()
    assert ana.recall("ferry", touch=False)


def test_recall_during_a_run_misses_no_fact(sleepy: Memory, clock: FixedClock) -> None:
    ana = lived(sleepy, clock)
    for number in range(30):
        told(ana, f"Locker {number} belongs to person{number}")
    missing: list[int] = []

    def ask() -> bool:
        for number in range(0, 30, 7):
            hits = ana.recall(f"locker {number} person{number}", limit=3, touch=False)
            if not any(f"person{number}" in hit.trace.content for hit in hits):
                missing.append(number)
        return False

    assert sleepy.consolidate(stop=ask).changes
    assert missing == []


def test_what_is_frozen_is_left_alone(sleepy: Memory, clock: FixedClock) -> None:
    ana, bob = lived(sleepy, clock), lived(sleepy, clock, "bob")
    sleepy.freeze(bind=bob)
    before = state(bob)
    sleepy.consolidate()
    assert state(bob) == before
    assert not [t for t in ana.list(limit=99) if t.content == "the ferry leaves at noon"]


def test_steps_that_are_off_are_said_to_be_skipped(memory: Memory) -> None:
    report = memory.consolidate()
    skipped = {one.step: one.skipped for one in report.steps if one.skipped}
    assert "drift" in skipped["drift"]
    with pytest.raises(InvalidInput, match="unknown"):
        memory.consolidate(steps=["dream"])
    only = memory.consolidate(steps=["merge"])
    assert list(only.counts) == ["merge"]


def test_every_run_is_in_the_audit_log(memory: Memory, ana: BoundMemory) -> None:
    told(ana, "one")
    memory.consolidate()
    assert memory.audit.entries()[-1].action == "consolidate"
    assert memory.audit.verify().ok


def test_changes_survive_a_restart_with_their_cause(open_brain: Opener, clock: FixedClock) -> None:
    memory = open_brain(settings=Settings(mind=EVERYTHING))
    ana = lived(memory, clock)
    memory.consolidate()
    before = state(ana)
    memory.close()
    again = open_brain(settings=Settings(mind=EVERYTHING)).bind(user="ana", thread="monday")
    assert state(again) == before
    causes = {c.cause for t in again.list(limit=99) for c in again.history(t.id).changes}
    assert {"recall", "reinforced", "source_decay", "regulated", "gist", "compacted"} <= causes


def test_the_scheduler_runs_at_intervals_until_it_is_stopped(memory: Memory) -> None:
    waited: list[float] = []
    ran: list[Consolidated] = []

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        return len(waited) > 3

    scheduler = Scheduler(lambda stop: memory.consolidate(stop=stop), 60.0, wait)
    scheduler.loop(ran.append)
    assert waited == [60.0] * 4
    assert [one.run for one in ran] == [1, 2, 3]


def test_the_scheduler_survives_a_run_that_fails_and_stops_when_told(memory: Memory) -> None:
    calls = threading.Event()
    ran: list[int] = []

    def fails(stop: Any) -> Consolidated:
        ran.append(1)
        calls.set()
        raise NotFound("no brain")

    with Scheduler(fails, 0.001):
        assert calls.wait(10)
    assert ran
