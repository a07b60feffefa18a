"""What each step of a consolidation does, to which traces, and to which it does not."""

from __future__ import annotations

from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Trace
from tests.conftest import FixedClock, Opener


def told(who: BoundMemory, text: str, **more: Any) -> Trace:
    receipt = who.remember(text, **more)
    assert receipt.trace is not None, receipt
    return receipt.trace


def sleepy(open_brain: Opener, **mind: Any) -> Memory:
    return open_brain("sleepy.db", settings=Settings(mind=mind))


# --- archive ---------------------------------------------------------------------------------


def test_what_is_weak_old_unmoving_and_unreferenced_is_set_aside(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    gone = told(ana, "the soup was lukewarm")
    kept = {
        "used": told(ana, "the bread was fresh"),
        "moving": told(ana, "I was terrified and heartbroken, it was horrible!!"),
        "fact": told(ana, "I live in Lisbon."),
        "semantic": told(ana, "the office closes at six", type="semantic"),
        "source": told(ana, "the lift was stuck"),
    }
    told(ana, "the lift is old", derived_from=[kept["source"].id], type="semantic")
    clock.advance(days=200)
    ana.recall("bread", limit=1)
    assert memory.consolidate(steps=["archive"]).counts["archive"] == 0  # not weak yet
    clock.advance(days=200)
    told(ana, "the tea was strong")
    report = memory.consolidate(steps=["archive"])
    assert [one.trace_id for one in report.changes] == [gone.id]
    assert ana.show(gone.id).archived_at == clock.now
    assert not [name for name, trace in kept.items() if ana.show(trace.id).archived_at]


def test_what_is_archived_stands_behind_and_is_still_found(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    gone = told(ana, "the soup was lukewarm")
    clock.advance(days=400)
    for number in range(12):
        told(ana, f"the soup of day {number} was fine")
    memory.consolidate(steps=["archive"])
    assert ana.show(gone.id).archived_at is not None
    assert ana.recall("lukewarm", touch=False)[0].trace.id == gone.id
    [hit] = [h for h in ana.recall("soup", limit=20, touch=False) if h.trace.id == gone.id]
    assert hit.why.breakdown["archived"] < 0
    assert [t.id for t in ana.list(archived=True)] == [gone.id]
    assert gone.id not in {t.id for t in ana.list(archived=False, limit=99)}


def test_hidden_archives_are_found_when_asked_for(open_brain: Opener, clock: FixedClock) -> None:
    memory = sleepy(open_brain, consolidation={"archived": "hidden"})
    ana = memory.bind(user="ana")
    gone = told(ana, "the soup was lukewarm")
    clock.advance(days=400)
    assert [h.trace.id for h in ana.recall("lukewarm", touch=False)] == [gone.id]
    memory.consolidate(steps=["archive"])
    assert ana.recall("lukewarm", touch=False) == []
    assert [h.trace.id for h in ana.recall("lukewarm", archived=True)] == [gone.id]


def test_no_fact_becomes_unfindable_by_age_alone(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    texts = [f"Person{n} keeps the key number {n} under pot {n}" for n in range(40)]
    ids = [told(ana, text).id for text in texts]
    for _ in range(20):
        clock.advance(days=365)
        memory.consolidate()
    for text, trace_id in zip(texts, ids, strict=True):
        assert ana.recall(text, limit=1, touch=False)[0].trace.id == trace_id


def test_what_is_archived_comes_back_when_it_is_recalled(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    gone = told(ana, "the soup was lukewarm")
    clock.advance(days=400)
    memory.consolidate(steps=["archive"])
    assert ana.show(gone.id).archived_at is not None
    ana.recall("lukewarm soup")
    assert ana.show(gone.id).archived_at is None


# --- merge -----------------------------------------------------------------------------------


def test_doubles_become_one_and_others_do_not(memory: Memory, ana: BoundMemory) -> None:
    bob = memory.bind(user="bob")
    first = told(ana, "The ferry leaves at noon.", tags=["boat"])
    second = told(ana, "the ferry leaves at noon", tags=["time"])
    others = [
        told(ana, "The ferry leaves at nine."),
        told(ana, "the ferry leaves at noon!", thread="another day"),
        told(ana, "the ferry leaves at noon", role="assistant"),
    ]
    of_bob = told(bob, "the ferry leaves at noon")
    ana.recall("ferry noon", limit=1)
    report = memory.consolidate(steps=["merge"])
    assert report.counts["merge"] == 1
    left = {trace.id: trace for trace in ana.list(limit=99)}
    assert len({first.id, second.id} & left.keys()) == 1
    [survivor] = [left[one] for one in (first.id, second.id) if one in left]
    assert set(survivor.tags) == {"boat", "time"}
    assert {one.id for one in others} <= left.keys()
    assert of_bob.id in {trace.id for trace in bob.list()}


# --- strengthen, reinforce, interfere ----------------------------------------------------------


def test_what_followed_on_each_other_is_tied(memory: Memory, ana: BoundMemory) -> None:
    at = "2026-06-01T10:0{}:00Z"
    one, two = (told(ana, f"turn {n} of the talk", time=at.format(n)) for n in (0, 3))
    late = told(ana, "an hour later", time="2026-06-01T11:30:00Z")
    memory.consolidate(steps=["strengthen"])
    ties = {(t.kind, t.thing.id) for t in ana.graph.neighbours(one.id)}
    assert ("temporal_sequence", two.id) in ties
    assert ("temporal_sequence", late.id) not in ties


def test_what_is_due_is_reinforced_and_not_counted_as_a_recall(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    used, unused = told(ana, "the violin is old"), told(ana, "the drum is new")
    ana.recall("violin", limit=1)
    before = ana.show(used.id)
    clock.advance(days=30)
    report = memory.consolidate(steps=["reinforce"])
    assert [one.trace_id for one in report.changes] == [used.id]
    after = ana.show(used.id)
    assert after.stability > before.stability
    assert after.retrieval_count == before.retrieval_count
    assert ana.show(unused.id).stability == unused.stability


def test_like_memories_weaken_each_other_once(memory: Memory, ana: BoundMemory) -> None:
    old = told(ana, "Marta keeps her bike in the red shed", entities=["Marta"])
    memory.consolidate()
    new = told(ana, "Marta keeps her bike in the red barn", entities=["Marta"])
    apart = told(ana, "the price of tin fell again", entities=["Marta"])
    before = {one: ana.show(one).strength for one in (old.id, new.id, apart.id)}
    memory.consolidate(steps=["interfere"])
    after = {one: ana.show(one).strength for one in before}
    assert after[old.id] < before[old.id]
    assert after[new.id] < before[new.id]
    assert after[apart.id] == before[apart.id]
    memory.consolidate(steps=["interfere"])
    assert {one: ana.show(one).strength for one in before} == after


# --- source decay, regulation ------------------------------------------------------------------


def test_what_was_inferred_fades_sooner_than_what_was_told(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    said = told(ana, "the shop opens at eight")
    inferred = told(ana, "the shop may close early", source="agent_inference")
    clock.advance(days=10)
    assert memory.consolidate(steps=["source_decay"]).counts["source_decay"] == 0
    clock.advance(days=25)
    memory.consolidate(steps=["source_decay"])
    assert ana.show(said.id).stability == said.stability
    assert ana.show(inferred.id).stability < inferred.stability


def test_the_most_upsetting_is_reappraised_at_most_once_a_day(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    mood = {"valence": -1.0, "arousal": 1.0, "dominance": 0.0}
    upset = told(ana, "horrible, terrifying, disgusting, I hated it!!", mood=mood, strength=0.5)
    calm = told(ana, "we walked by the river", strength=0.5)
    assert abs(upset.emotion.valence) > 0.8
    assert upset.emotion.arousal > 0.6
    memory.consolidate(steps=["regulate"])
    after = ana.show(upset.id)
    assert abs(after.emotion.valence) < abs(upset.emotion.valence)
    assert after.emotion.arousal < upset.emotion.arousal
    assert ana.show(calm.id).emotion == calm.emotion
    memory.consolidate(steps=["regulate"])
    assert ana.show(upset.id).emotion == after.emotion
    [change] = [c for c in ana.history(upset.id).changes if c.cause == "regulated"]
    assert change.run == 1


# --- gist --------------------------------------------------------------------------------------

STORY = (
    "On Friday Ines and Hugo took the ferry to the island and stayed for two nights. "
    "It rained a little. We ate at the harbour, and the soup was fine. "
    "The room cost 140 euros a night and had a view of the lighthouse. "
    "On Sunday the ferry was late, and everybody read the paper and waited on the pier. "
    "Nothing much happened after that, and people went home and slept for a long while."
)


def test_an_old_story_keeps_its_gist_and_the_words_can_be_had(
    open_brain: Opener, clock: FixedClock
) -> None:
    memory = sleepy(open_brain, gist={"enabled": True})
    ana = memory.bind(user="ana")
    story, short = told(ana, STORY), told(ana, "the bell rang")
    clock.advance(days=59)
    assert memory.consolidate(steps=["gist"]).counts["gist"] == 0
    clock.advance(days=2)
    memory.consolidate(steps=["gist"])
    after = ana.show(story.id)
    assert after.is_gist
    assert len(after.content.split()) < len(STORY.split())
    assert "140" in after.content
    assert after.strength < story.strength
    assert not ana.show(short.id).is_gist
    assert ana.recall("140 euros a night", limit=1, touch=False)[0].trace.id == story.id
    found = ana.mind.rehydrate(story.id)
    assert found is not None
    assert found.content == STORY
    assert ana.show(story.id).is_gist
    ana.mind.rehydrate(story.id, restore=True)
    assert ana.show(story.id).content == STORY
    assert ana.mind.rehydrate(story.id) is None
    assert [v.cause for v in ana.history(story.id).versions] == ["remember", "gist", "verbatim"]


def test_a_rejected_gist_rejects_the_words_as_well(open_brain: Opener, clock: FixedClock) -> None:
    memory = sleepy(open_brain, gist={"enabled": True})
    ana = memory.bind(user="ana")
    story = told(ana, STORY)
    clock.advance(days=70)
    memory.consolidate(steps=["gist"])
    assert ana.show(story.id).is_gist
    ana.forget(story.id, reason="wrong")
    assert ana.remember(STORY).status == "refused"


class Curt:
    """A summarizer that says one thing, or fails."""

    name = "curt"

    def __init__(self, *said: object) -> None:
        self.said = list(said)

    def summarize(self, texts: Any, about: str, most_words: int) -> str:
        one = self.said.pop(0)
        if isinstance(one, Exception):
            raise one
        return one  # type: ignore[return-value]


@pytest.mark.parametrize("said", [" ", "word " * 500, ValueError("no model")])
def test_a_bad_summary_changes_nothing(open_brain: Opener, clock: FixedClock, said: object) -> None:
    settings = Settings(mind={"gist": {"enabled": True}})
    plain = open_brain("plain.db", settings=settings)
    clever = open_brain("clever.db", settings=settings, summarizer=Curt(said, "Two nights out."))
    stories = [told(one.bind(user="ana"), STORY) for one in (plain, clever, clever)]
    other = told(clever.bind(user="ana"), STORY.replace("Ines", "Rita"))
    clock.advance(days=70)
    for one in (plain, clever):
        one.consolidate(steps=["gist"])
    shown = [
        one.bind(user="ana").show(t.id) for one, t in zip((plain, clever), stories, strict=False)
    ]
    assert shown[0].content == shown[1].content
    assert clever.bind(user="ana").show(other.id).content == "Two nights out."


# --- compact, derive, conflicts, drift ---------------------------------------------------------


def test_episodes_recalled_often_become_knowledge(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    often, once = told(ana, "the violin is in the loft"), told(ana, "the drum is in the cellar")
    for _ in range(3):
        ana.recall("violin", limit=1)
    ana.recall("drum", limit=1)
    assert memory.consolidate(steps=["compact"]).counts["compact"] == 0
    clock.advance(days=8)
    memory.consolidate(steps=["compact"])
    assert ana.show(often.id).type == "semantic"
    assert ana.show(once.id).type == "episodic"


def about_rome(who: BoundMemory) -> list[Trace]:
    texts = ("the pasta was superb", "the hotel was loud", "the bus was full", "the art was old")
    return [told(who, f"In Rome {text}.", entities=["Rome"]) for text in (*texts, "it was hot")]


def test_insights_are_written_once_and_rest_on_their_sources(
    open_brain: Opener, clock: FixedClock
) -> None:
    memory = sleepy(open_brain, consolidation={"derive": True})
    ana, bob = memory.bind(user="ana"), memory.bind(user="bob")
    traces = about_rome(ana)
    for text in ("dry", "wet", "hot", "old"):  # four are too few
        told(bob, f"In Rome it was {text}.", entities=["Rome"])
    report = memory.consolidate(steps=["derive"])
    [insight] = ana.list(tags="insight")
    assert bob.list(tags="insight") == []
    assert report.counts["derive"] >= 1
    assert insight.content.startswith("Rome, 5 memories")
    assert memory.consolidate(steps=["derive"]).changes == ()
    told(ana, "In Rome the trams were late.", entities=["Rome"])
    memory.consolidate(steps=["derive"])
    [grown] = ana.list(tags="insight")
    assert grown.id == insight.id
    assert grown.content.startswith("Rome, 6 memories")
    for trace in [*traces, *ana.list(tags="insight")][: len(traces)]:
        ana.forget(trace.id)


def test_new_memories_are_encoded_by_the_schemas_there_are(
    memory: Memory, ana: BoundMemory
) -> None:
    plain = told(ana, "quarterly tin prices")
    for number in range(6):
        told(ana, f"Marta rows her boat on the lake, morning {number}", entities=["Marta"])
    memory.consolidate(steps=["derive"])
    fits = told(ana, "Marta rows her boat on the lake, morning again")
    strange = told(ana, "weekly zinc prices")
    assert fits.strength < plain.strength < strange.strength


def test_machines_settle_by_time_if_honest_and_people_are_asked(
    open_brain: Opener, clock: FixedClock
) -> None:
    for honesty, winner in ((0.9, True), (0.5, False)):
        memory = open_brain(
            f"{honesty}.db", settings=Settings(mind={"personality": {"honesty": honesty}})
        )
        agent = memory.bind(user="ana", channel="agent")
        old = told(agent, "Ana drinks tea in the morning.", time="2026-05-01")
        new = told(agent, "Ana drinks no tea in the morning.", time="2026-05-20")
        memory.consolidate(steps=["conflicts"])
        ended = memory.bind(user="ana").show(old.id).valid_to is not None
        assert ended in (winner, False), (honesty, new.id)


def test_drift_is_proposed_and_changes_nothing(open_brain: Opener) -> None:
    memory = sleepy(open_brain, drift={"enabled": True, "every": 1})
    ana = memory.bind(user="ana")
    mood = {"valence": -0.9, "arousal": 0.9, "dominance": 0.0}
    for number in range(30):
        told(ana, f"a horrible quarrel number {number}, I hated it", mood=mood)
    before = told(ana, "plain words").strength
    report = memory.consolidate(steps=["drift"])
    assert report.counts["drift"] >= 1
    assert told(ana, "other plain words").strength == before
    assert memory.consolidate(steps=["drift"]).counts["drift"] == 0  # they wait for a person


def test_a_run_of_other_steps_or_scopes_does_not_hide_what_is_new(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    told(ana, "Marta keeps her bike in the red shed", entities=["Marta"])
    memory.consolidate()
    clock.advance(hours=1)
    new = told(ana, "Marta keeps her bike in the red barn", entities=["Marta"])
    clock.advance(hours=1)
    memory.consolidate(steps=["gist"])
    memory.bind(user="bob").mind.reflect()
    clock.advance(hours=1)
    assert new.id in {one.trace_id for one in memory.consolidate(steps=["interfere"]).changes}
