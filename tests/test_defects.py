"""The twenty-three places where AgentOS's code and its documents part, each as it should be here.

The numbers are those of the list; what has a room of its own is tested there in depth.
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Trace
from tests.conftest import FixedClock, Opener

STORY = "On Friday Ines took the ferry with Hugo to the island. " + "It rained all day there. " * 16
GRIM = {"valence": -1.0, "arousal": 1.0, "dominance": 0.0}


def told(who: BoundMemory, text: str, **more: Any) -> Trace:
    receipt = who.remember(text, **more)
    assert receipt.trace is not None, receipt
    return receipt.trace


def found(who: BoundMemory, question: str, **more: Any) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, touch=False, **more)]


def test_1_filters_hold_for_what_vectors_alone_find(ana: BoundMemory) -> None:
    told(ana, "violins and cellos", type="semantic")
    told(ana, "violins and drums")
    assert len(found(ana, "violins", mode="vector")) == 2
    assert found(ana, "violins", mode="vector", type="semantic") == ["violins and cellos"]


def test_2_no_read_crosses_brains_or_users(open_brain: Opener) -> None:
    one, other = open_brain(brain="one"), open_brain(brain="two")
    told(one.bind(user="ana"), "the violin is in Rome")
    assert found(one.bind(user="ana"), "violin")
    for who in (other.bind(user="ana"), one.bind(user="bob")):
        assert found(who, "violin") == []
        assert who.list() == []
        assert who.graph.names() == []


def test_3_stability_survives_a_restart(open_brain: Opener, ana: BoundMemory) -> None:
    trace = told(ana, "the violin is in Rome")
    ana.recall("violin")
    grown = ana.show(trace.id).stability
    assert grown > trace.stability
    again = open_brain().bind(user="ana", thread="monday")
    assert again.show(trace.id).stability == grown


def test_4_what_a_mechanism_changes_is_saved_and_indexed(
    open_brain: Opener, clock: FixedClock
) -> None:
    settings = Settings(mind={"gist": {"enabled": True}})
    ana = open_brain(settings=settings).bind(user="ana")
    sad = told(ana, "the dog died and I cried", strength=0.5)
    story = told(ana, STORY)
    ana.recall("dog died", limit=1, mood="creative")
    clock.advance(days=70)
    open_brain(settings=settings).consolidate()
    again = open_brain(settings=settings).bind(user="ana")
    assert again.show(sad.id).emotion != sad.emotion
    short = again.show(story.id)
    assert short.is_gist
    assert found(again, "ferry island Hugo", limit=1) == [short.content]


def test_5_the_words_of_a_gist_are_always_kept(open_brain: Opener, clock: FixedClock) -> None:
    memory = open_brain(settings=Settings(mind={"gist": {"enabled": True}}))
    ana = memory.bind(user="ana")
    story = told(ana, STORY)
    clock.advance(days=70)
    memory.consolidate()
    assert ana.show(story.id).content != STORY
    words = ana.mind.rehydrate(story.id)
    assert words is not None
    assert words.content == story.content


def test_6_what_comes_unbidden_or_is_half_known_reaches_the_prompt(
    open_brain: Opener, clock: FixedClock
) -> None:
    settings = Settings(context={"candidates": 2, "standing": 0})
    memory = open_brain(settings=settings, chance=lambda: 0.0)
    ana = memory.bind(user="ana")
    told(ana, "I was terrified when the boat sank!!")
    clock.advance(days=20)
    for number in range(6):
        told(ana, f"the violin of Marta, number {number}")
    packet = ana.context("the violin of Marta, number 1", budget_tokens=800)
    assert [line.text for line in packet.of("unbidden") if "boat" in line.text]
    assert packet.of("partial")
    assert not any("violin of" in line.text for line in packet.of("partial"))


def test_7_only_what_is_alike_is_held_down_and_that_is_saved(open_brain: Opener) -> None:
    memory = open_brain()
    ana = memory.bind(user="ana")
    chosen = told(ana, "the red violin of Marta is in the loft of the house")
    rival = told(ana, "the red violin of Marta is in the loft of the barn")
    other = told(ana, "tin and zinc")
    assert ana.recall("red violin Marta loft house", limit=1)[0].trace.id == chosen.id
    again = open_brain().bind(user="ana")
    assert again.show(rival.id).stability < rival.stability
    assert again.show(other.id).stability == other.stability
    causes = {change.cause for change in again.history(rival.id).changes}
    assert causes == {"competed"}


def test_8_what_is_strong_enough_is_immune_to_moods(ana: BoundMemory) -> None:
    weak = told(ana, "the dog barked", strength=0.5)
    strong = told(ana, "the dog slept", strength=0.95)
    ana.recall("dog", mood="frustrated")
    assert ana.show(weak.id).emotion != weak.emotion
    assert ana.show(strong.id).emotion == strong.emotion


def test_9_schemas_are_brought_up_to_date_and_read(memory: Memory, ana: BoundMemory) -> None:
    before = told(ana, "Marta rows her boat on the lake, so they say").strength
    for number in range(6):
        told(ana, f"Marta rows her boat on the lake, day {number}", entities=["Marta"])
    memory.consolidate()
    assert told(ana, "Marta rows her boat on the lake, it is true").strength < before


def test_10_contradictions_are_found(memory: Memory, ana: BoundMemory) -> None:
    one = told(ana, "I live in Lisbon.", type="semantic", time="2026-05-01")
    two = told(ana, "I live in Porto.", type="semantic", time="2026-05-20")
    assert ana.show(one.id).valid_to == two.valid_from
    assert [fact.value for fact in ana.facts(attribute="lives_in")] == ["Porto"]


def test_11_nothing_is_merged_or_derived_across_scope_ids(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(mind={"consolidation": {"derive": True}}))
    ana, bob = memory.bind(user="ana"), memory.bind(user="bob")
    for number in range(3):
        for who in (ana, bob):
            told(who, f"Rome was hot on day {number}", entities=["Rome"])
    told(ana, "the ferry leaves at noon")
    told(bob, "The ferry leaves at noon.")
    memory.consolidate()
    assert ana.count() == bob.count() == 4  # three each are too few for an insight
    told(ana, "The ferry leaves at noon.")
    assert memory.consolidate().counts["merge"] == 1
    assert bob.count() == 4


def test_12_reminders_are_kept_read_and_come_again(open_brain: Opener, clock: FixedClock) -> None:
    ana = open_brain().bind(user="ana")
    ana.reminders.add("call Marta tomorrow at 5pm", timezone="UTC")
    ana.reminders.add("water the plants every Monday at 9", timezone="UTC")
    again = open_brain().bind(user="ana")
    assert again.reminders.due() == []
    clock.advance(days=8)
    assert len(again.reminders.due()) == 2
    assert again.reminders.due() == []
    [weekly] = again.reminders.list()
    assert weekly.at is not None
    assert weekly.at - clock.now <= timedelta(days=7)


def test_13_a_value_that_was_rejected_does_not_come_back(ana: BoundMemory) -> None:
    wrong = told(ana, "Ana is allergic to nuts")
    ana.forget(wrong.id, reason="wrong")
    assert ana.remember("Ana is allergic to nuts").status == "refused"


def test_14_before_tags_and_entities_are_honoured(ana: BoundMemory) -> None:
    told(ana, "the old ferry", time="2026-01-01", tags=["boat"], entities=["Marta"])
    told(ana, "the new ferry", time="2026-05-01")
    assert len(found(ana, "ferry")) == 2
    for given in ({"before": "2026-03-01"}, {"tags": "boat"}, {"entities": "Marta"}):
        assert found(ana, "ferry", **given) == ["the old ferry"]


def test_15_what_tools_and_files_bring_has_vectors(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    [add] = [tool for tool in memory.tools(ana) if tool.name == "memory_add"]
    add(content="the violin is in Rome")
    file = tmp_path / "chat.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "the drum is in Ghent"}) + "\n")
    memory.import_from(file, bind=ana)
    assert memory.health().unembedded == 0
    assert len(found(ana, "drum violin", mode="vector")) == 2


def test_16_feedback_counts_once(memory: Memory, ana: BoundMemory) -> None:
    trace = told(ana, "the violin is in Rome")
    ana.mind.feedback([trace.id], "used", query="violin")
    once = ana.show(trace.id).strength
    assert once > trace.strength
    for _ in range(3):
        memory.consolidate()
    assert ana.show(trace.id).strength == once


def test_17_the_scheduler_consolidates(memory: Memory, ana: BoundMemory) -> None:
    from mnemic.consolidate.scheduler import Scheduler

    told(ana, "the ferry leaves at noon")
    told(ana, "The ferry leaves at noon.")
    ticks = iter([False, True])
    Scheduler(lambda stop: memory.consolidate(stop=stop), 60, lambda _: next(ticks)).loop()
    assert ana.count() == 1


def test_18_a_brain_that_is_carried_loses_nothing(
    memory: Memory, ana: BoundMemory, open_brain: Opener, tmp_path: Path
) -> None:
    trace = told(ana, "the violin of Marta is in Rome", mood="curious")
    told(ana, "Tom plays with Marta")
    ana.recall("violin", mood="curious")
    ana.reminders.add("call Marta", event="Tom writes")
    memory.export(tmp_path / "whole.json")
    other = open_brain("other.db")
    other.import_from(tmp_path / "whole.json")
    again = other.bind(user="ana", thread="monday")
    assert again.show(trace.id) == ana.show(trace.id)
    assert again.history(trace.id).changes == ana.history(trace.id).changes
    assert again.graph.neighbours("Marta") == ana.graph.neighbours("Marta")
    assert again.reminders.list() == ana.reminders.list()


class Broken:
    """A summarizer that fails."""

    name = "broken"

    def summarize(self, texts: Any, about: str, most_words: int) -> str:
        raise RuntimeError("no answer")


def test_19_nothing_is_lost_when_a_model_fails(open_brain: Opener, clock: FixedClock) -> None:
    mind = {"gist": {"enabled": True}, "consolidation": {"derive": True}}
    memory = open_brain(settings=Settings(mind=mind), summarizer=Broken())
    ana = memory.bind(user="ana")
    texts = [told(ana, f"Rome was hot on day {n}", entities=["Rome"]) for n in range(6)]
    story = told(ana, STORY)
    clock.advance(days=70)
    memory.consolidate()
    assert all(ana.show(trace.id).content == trace.content for trace in texts)
    words = ana.mind.rehydrate(story.id)
    assert words is not None
    assert words.content == story.content
    assert ana.list(tags="insight")


def test_20_working_memory_shows_what_is_in_mind(ana: BoundMemory) -> None:
    told(ana, "the violin is in Rome")
    ana.recall("violin")
    assert [one.trace.content for one in ana.mind.working()] == ["the violin is in Rome"]
    lines = ana.context("what now", budget_tokens=400).of("working")
    assert "the violin is in Rome" in lines[0].text


def test_21_consolidation_covers_every_scope_id(memory: Memory) -> None:
    callers = [
        memory.bind(user="ana"),
        memory.bind(user="bob", thread="t"),
        memory.bind(user="eve", persona="p"),
        memory.bind(organization="acme"),
    ]
    scopes = ("user", "thread", "persona", "organization")
    for who, scope in zip(callers, scopes, strict=True):
        told(who, "the ferry leaves at noon", scope=scope)
        told(who, "The ferry leaves at noon.", scope=scope)
    assert memory.consolidate().counts["merge"] == 4
    assert [who.count() for who in callers] == [1, 1, 1, 1]


def test_22_proposals_reach_a_person_and_take_effect_when_accepted(open_brain: Opener) -> None:
    settings = Settings(mind={"drift": {"enabled": True}})
    memory = open_brain(settings=settings)
    ana = memory.bind(user="ana")
    for number in range(40):
        told(ana, f"a horrible quarrel, number {number}, I hated it", mood=GRIM)
    text = "We should help each other and share the work, don't you think"
    before = told(ana, text).strength
    memory.consolidate(steps=["drift"])
    dana = memory.reviewer("dana")
    proposal = next(one for one in dana.drift() if one.trait == "agreeableness")
    assert proposal.delta < 0
    assert told(ana, f"{text} so").strength == pytest.approx(before, abs=1e-9)
    dana.accept_drift(proposal.number)
    assert told(ana, f"{text} now").strength < before
    assert told(memory.bind(user="bob"), text).strength == pytest.approx(before, abs=1e-9)


def test_23_documents_and_facts_are_not_pruned_by_default(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    chunk = told(ana, "chapter one of the manual", type="semantic", source_id="manual.pdf")
    chatter = told(ana, "nice weather today")
    clock.advance(days=500)
    memory.consolidate()
    assert ana.show(chatter.id).archived_at is not None
    assert ana.show(chunk.id).archived_at is None
