"""What a mind makes of what it takes in, and of using it, as far as settings change it."""

from __future__ import annotations

from mnemic.model.mind import Emotion
from tests.settings.brains import Open, Parts, stored, wait

PLAIN = "The ferry came at noon."
HAPPY = "I am happy"
SHOCKING = "It is a horrible disaster!!! I am terrified and devastated!!!"
TEXTS = {
    "plain": PLAIN,
    "ethical": "The data is private and needs consent",
    "emotional": HAPPY,
    "social": "My colleague and my neighbour talked",
    "cooperative": "Let us work together on the shelf",
    "procedural": "First open the lid, then press the button.",
    "new": "A new kind of lamp, for the first time",
    "shocking": SHOCKING,
}


def worth(opened: Open) -> Parts:
    """Of each text, and its strength, stability, importance and feeling of all of them."""
    who = opened().bind(user="ana")
    traces = {kind: stored(who, text) for kind, text in TEXTS.items()}
    seen = {
        kind: (round(one.strength, 6), one.stability, round(one.importance, 6), one.emotion)
        for kind, one in traces.items()
    }
    names = ("strength", "stability", "importance", "feeling")
    return {**seen, **dict(zip(names, zip(*seen.values(), strict=True), strict=True))}


def schemas(opened: Open) -> Parts:
    """How strong a text is that fits what is known, one that does not, and one about little."""
    memory = opened()
    who = memory.bind(user="ana")
    who.remember_many([f"Marta tunes her violin in room {at}" for at in range(6)])
    who.remember_many([f"Oskar paints the boat in dock {at}" for at in range(3)])
    memory.consolidate(steps=["derive"])
    texts = {
        "fits": "Marta tunes her violin in room 9",
        "strange": "Rain fell over the harbour",
        "fits little": "Oskar paints the boat in dock 9",
    }
    return {kind: round(stored(who, text).strength, 6) for kind, text in texts.items()}


def practised(opened: Open) -> Parts:
    """A text that is recalled three times, then left alone for long."""
    memory = opened()
    who = memory.bind(user="ana")
    held = stored(who, HAPPY, strength=0.4)
    for days in (1, 5, 30):
        wait(memory, days=days)
        who.recall("happy")
    after = who.mind.strength(held.id)
    wait(memory, days=100)
    later = who.mind.strength(held.id)
    return {
        "strength": round(after.trace.strength, 6),
        "stability": after.trace.stability,
        "due": after.due_at,
        "later": round(later.now, 6),
        "uses": later.trace.retrieval_count,
    }


def ignored(opened: Open) -> Parts:
    """A text that was recalled, and of no use."""
    memory = opened()
    who = memory.bind(user="ana")
    held = stored(who, PLAIN, strength=0.4)
    wait(memory, days=10)
    who.recall("ferry")
    who.mind.feedback([held.id], "ignored")
    left = who.show(held.id)
    return {"strength": round(left.strength, 6), "stability": left.stability}


def resembling(opened: Open) -> Parts:
    """How strong a text is after ones like it came in, and how strong those are."""
    memory = opened()
    who = memory.bind(user="ana")
    old = stored(who, "Marta tunes her violin in the old hall")
    wait(memory, days=1)
    memory.consolidate(steps=["interfere"])
    new = stored(who, "Marta tunes her violin in the new hall")
    memory.consolidate(steps=["interfere"])
    return {"old": who.show(old.id).strength, "new": who.show(new.id).strength}


def coloured(opened: Open) -> Parts:
    """How far texts have moved in feeling that were recalled in a mood."""
    who = opened().bind(user="ana")
    held = {
        "once": stored(who, "The ferry came", strength=0.5),
        "often": stored(who, "The violin broke", strength=0.5),
        "strong": stored(who, "The kettle whistles", strength=0.95),
        "in no mood": stored(who, "I am glad of the lantern", strength=0.5),
    }
    for word, mood in (("ferry", "frustrated"), ("kettle", "frustrated"), ("lantern", None)):
        who.recall(word, limit=1, mood=mood)
    for _ in range(12):
        who.recall("violin", limit=1, mood="frustrated")
    return {kind: _moved(one.emotion, who.show(one.id).emotion) for kind, one in held.items()}


def _moved(before: Emotion, after: Emotion) -> tuple[float, float, float]:
    return (
        round(after.valence - before.valence, 6),
        round(after.arousal - before.arousal, 6),
        round(after.dominance - before.dominance, 6),
    )
