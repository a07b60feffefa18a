"""What a consolidation does to memories, as far as settings change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import event

from mnemic.model.consolidation import Consolidated
from tests.settings.brains import Open, Parts, stored, wait

SENTENCES = (
    "Marta keeps her violin under the stairs of the old house by the harbour. "
    "Nobody knows when the late ferry will come to the pier in the winter months. "
    "On 3 May Oskar sold four hundred lanterns to a merchant from Bergen. "
    "The road to the village was closed for weeks because of mud and fallen trees. "
    "Later that year the harbour was dredged, and larger boats could moor there again."
)


def gists(opened: Open) -> Parts:
    """How long old texts are by now, and how strong; of which kind each is."""
    memory = opened()
    who = memory.bind(user="ana")
    held = {"idle": stored(who, SENTENCES, strength=0.5).id}
    held["used once"] = stored(who, f"Lanterns! {SENTENCES}", strength=0.5).id
    held["strong"] = stored(who, f"A storm. {SENTENCES}", strength=0.95).id
    who.recall("lanterns lanterns", limit=1)
    wait(memory, days=50)
    held["young"] = stored(who, f"And so on: {SENTENCES}", strength=0.5).id
    wait(memory, days=20)
    memory.consolidate(steps=["gist"])
    traces = {kind: who.show(one) for kind, one in held.items()}
    kept = [trace for trace in traces.values() if trace.is_gist]
    return {
        **{kind: trace.is_gist for kind, trace in traces.items()},
        "words": {len(trace.content.split()) for trace in kept},
        "strength": {round(trace.strength, 6) for trace in kept},
    }


def inferred(opened: Open) -> Parts:
    """What is left of the stability of a guess, and of what a person said, after forty days."""
    memory = opened()
    who = memory.bind(user="ana")
    told = stored(who, "The ferry came")
    guess = stored(who, "Ruth likes boats", source="agent_inference")
    wait(memory, days=40)
    memory.consolidate(steps=["source_decay"])
    left = {"told": told, "guessed": guess}
    return {kind: who.show(one.id).stability / one.stability for kind, one in left.items()}


def calmed(opened: Open) -> Parts:
    """What texts have lost of their valence, from the most upsetting on."""
    memory = opened()
    who = memory.bind(user="ana")
    held = {
        "gravest": stored(who, f"{SHOCK} A fire!", mood=GRIM, strength=0.5),
        "grave": stored(who, "A cruel, hateful war! We are miserable", mood=GRIM, strength=0.5),
        "sad": stored(who, "She is sad and lonely", mood=GRIM, strength=0.5),
    }
    memory.consolidate(steps=["regulate"])
    now = {kind: who.show(one.id).emotion.valence for kind, one in held.items()}
    return {kind: round(now[kind] - one.emotion.valence, 6) for kind, one in held.items()}


SHOCK = "It is a horrible disaster!!! I am terrified and devastated!!!"
GRIM = "frustrated"


def drifting(opened: Open) -> Parts:
    """The changes of personality that are proposed at the first sleep, and after the second."""
    memory = opened()
    who, dana = memory.bind(user="ana"), memory.reviewer("dana")
    seen = []
    for night in range(2):
        texts = [f"{SHOCK} {night} {at}" for at in range(12)]
        who.remember_many([{"content": text, "mood": GRIM} for text in texts])
        memory.consolidate(steps=["drift"])
        seen.append([(one.trait, one.delta) for one in dana.drift()])
        for one in dana.drift():
            dana.decline_drift(one.number)
        wait(memory, days=1)
    first, second = seen
    return {
        "first": [trait for trait, _ in first],
        "how far": {round(delta, 6) for _, delta in first},
        "second": [trait for trait, _ in second],
    }


def set_aside(opened: Open) -> Parts:
    """Which texts are archived after half a year."""
    memory = opened()
    who = memory.bind(user="ana")
    held = {
        "weak": stored(who, "The ferry came", strength=0.04).id,
        "middling": stored(who, "The kettle whistles", strength=0.5).id,
        "moving": stored(who, SHOCK, strength=0.04).id,
        "fact": stored(who, "The boat is red", type="semantic", strength=0.04).id,
    }
    wait(memory, days=90)
    held["used lately"] = stored(who, "The violin broke", strength=0.04).id
    wait(memory, days=100)
    memory.consolidate(steps=["archive"])
    return {kind: who.show(one).archived_at is not None for kind, one in held.items()}


class Shouts:
    """An embedder to which a shout is a little off what was said quietly."""

    name, dimension = "shouts", 2

    def embed(self, texts: Sequence[str]) -> Any:
        angles = [0.2 if "!" in text else 0.0 for text in texts]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles])


def merged(opened: Open) -> Parts:
    """How many are left of two texts of the same words, with vectors that are not quite alike."""
    memory = opened(embedder=Shouts())
    who = memory.bind(user="ana")
    who.remember_many(["The ferry came", "The ferry came!"])
    memory.consolidate(steps=["merge"])
    return {"left": who.count()}


def derived(opened: Open) -> Parts:
    """What is said in so many words of things that many memories mention."""
    memory = opened()
    who = memory.bind(user="ana")
    who.remember_many([f"Marta tunes violin number {at}" for at in range(7)])
    who.remember_many([f"Oskar paints boat number {at}" for at in range(6)])
    who.remember_many([f"Ruth feeds goose number {at}" for at in range(3)])
    memory.consolidate(steps=["derive"])
    said = [trace.content for trace in who.list(tags="insight")]
    names = ("Marta", "Oskar", "Ruth")
    return {name: any(text.startswith(name) for text in said) for name in names}


def compacted(opened: Open) -> Parts:
    """Which episodes have become knowledge."""
    memory = opened()
    who = memory.bind(user="ana")
    held = {"often": stored(who, "The ferry came").id, "twice": stored(who, "A violin broke").id}
    for word in ("ferry", "ferry", "ferry", "violin", "violin"):
        who.recall(word, limit=1, mode="lexical")
    wait(memory, days=6)
    held["young"] = stored(who, "The kettle whistles").id
    for _ in range(3):
        who.recall("kettle", limit=1, mode="lexical")
    wait(memory, days=3)
    memory.consolidate(steps=["compact"])
    return {kind: str(who.show(one).type) for kind, one in held.items()}


def batches(opened: Open) -> Parts:
    """How many transactions it takes to look at five texts."""
    memory = opened()
    memory.bind(user="ana").remember_many([f"note {at}" for at in range(5)])
    commits: list[object] = []
    event.listen(memory._brain.engine, "commit", lambda *about: commits.append(about))
    memory.consolidate(steps=["compact"])
    return {"transactions": len(commits)}


def abandoned(opened: Open) -> Parts:
    """What a second run does while the first has given no sign for a quarter of an hour."""
    memory = opened()
    memory.bind(user="ana").remember("The ferry came")
    second: list[Consolidated] = []

    def meanwhile(_done: int, _of: int, _step: str) -> None:
        if not second:
            wait(memory, minutes=15)
            second.append(memory.consolidate())

    first = memory.consolidate(progress=meanwhile)
    return {"first": str(first.state), "second": second[0].note}
