"""What a mind recalls, and what recalling does to the rest, as far as settings change it."""

from __future__ import annotations

from pathlib import Path

from mnemic import BoundMemory
from tests.settings.brains import Open, Parts, stored, wait


def ranked(opened: Open) -> Parts:
    """The scores of texts that differ in what they are to the mind; None for one not found."""
    memory = opened()
    who = memory.bind(user="ana")
    said = {"aside": "The harbour is grey", "weak": "A harbour wall", "strong": "The harbour gate"}
    stored(who, said["aside"], strength=0.01)
    wait(memory, days=200)
    memory.consolidate(steps=["archive"])
    stored(who, said["weak"], strength=0.2)
    stored(who, said["strong"], strength=0.9)
    said["glad"] = stored(who, "I am happy at the harbour").content
    wait(memory, days=3)
    hits = who.recall("harbour", mood="empathetic", touch=False)
    scores = {hit.trace.content: round(hit.score, 6) for hit in hits}
    return {kind: scores.get(text) for kind, text in said.items()}


def lifted(opened: Open) -> Parts:
    """The scores of hits that share a name with the first hit, with the third, or with none."""
    who = opened().bind(user="ana")
    said = {
        "first": ("The harbour, the harbour of the old town", "Marta"),
        "second": ("The harbour of the town", "Ruth"),
        "third": ("The harbour of a town", "Oskar"),
        "of the first": ("Harbour lights", "Marta"),
        "of the third": ("Harbour walls", "Oskar"),
        "of none": ("Harbour mud", "Noor"),
    }
    for at, (text, name) in enumerate(said.values()):
        stored(who, text, entities=[name], strength=0.9 - at / 10)
    found = who.recall("the harbour of the old town", touch=False)
    scores = {hit.trace.content: round(hit.score, 6) for hit in found}
    return {kind: scores[text] for kind, (text, _) in said.items()}


def activated(opened: Open) -> Parts:
    """How active things are that hang together in a row, when the first comes to mind."""
    who = opened().bind(user="ana")
    near = stored(who, "The boat is red", entities=["Marta", "Oskar"]).id
    stored(who, "The kettle whistles", entities=["Marta"])
    far = stored(who, "The violin broke", entities=["Oskar"]).id
    found = who.graph.activate("Marta")
    middle = next(name.id for name in who.graph.names() if name.label == "Oskar")
    things = {"near": near, "middle": middle, "far": far}
    return {kind: round(found.get(one, 0), 6) for kind, one in things.items()}


def tied(opened: Open) -> Parts:
    """How heavily texts are tied that were recalled together, or that followed on each other."""
    memory = opened()
    who = memory.bind(user="ana")
    then = [stored(who, text, thread="monday").id for text in ("The tide rose", "A gull cried")]
    wait(memory, hours=30)
    now = [stored(who, text, thread="friday").id for text in ("The bell rang", "The door shut")]
    memory.consolidate(steps=["strengthen"])
    who.recall("the door and the bell that rang", limit=2)
    return {
        "together": _tie(who, now, "co_activated"),
        "lately": _tie(who, now, "temporal_sequence"),
        "some time ago": _tie(who, then, "temporal_sequence"),
    }


def _tie(who: BoundMemory, ids: list[str], kind: str) -> float | None:
    """The weight of the tie of a kind between two traces."""
    ties = who.graph.neighbours(ids[0])
    return next((tie.weight for tie in ties if (tie.thing.id, tie.kind) == (ids[1], kind)), None)


def held_down(opened: Open) -> Parts:
    """What is left of the stability of texts that came near and were not recalled."""
    who = opened().bind(user="ana")
    said = {
        "recalled": "The violin lesson on Monday in the hall",
        "very like": "The violin lesson on Monday in the yard",
        "like": "The violin lesson on Friday in the garden",
        "unlike": "A violin lesson",
    }
    held = {kind: stored(who, text, strength=0.5) for kind, text in said.items()}
    who.recall(said["recalled"], limit=1)
    rivals = {kind: one for kind, one in held.items() if kind != "recalled"}
    return {kind: who.show(one.id).stability / one.stability for kind, one in rivals.items()}


def in_mind(opened: Open) -> Parts:
    """How active things are after some recalls, and what a program knows that opens it again."""
    memory = opened()
    who = memory.bind(user="ana", thread="monday")
    words = "anchor boat cellar dune eel ferry goose harbour island".split()
    ids = {word: stored(who, f"The {word}").id for word in words}
    for word in (*words, "island"):
        who.recall(word, limit=1, mode="lexical")
    who.mind.rehearse(ids["harbour"])
    slots = _active(who)
    other = opened(file=Path(memory.health().path).name)
    return {
        "how many": len(slots),
        "again": slots.get("The island"),
        "rehearsed": slots.get("The harbour"),
        "left alone": slots.get("The goose"),
        "first": slots.get("The cellar"),
        "elsewhere": len(_active(other.bind(user="ana", thread="monday"))),
    }


def _active(who: BoundMemory) -> dict[str, float]:
    return {one.trace.content: round(one.activation, 6) for one in who.mind.working()}


def unbidden(opened: Open) -> Parts:
    """Whether a shocking memory comes to mind, by what it is, while one talks of else."""
    memory = opened(chance=lambda: 0.0)
    people = {kind: memory.bind(user=kind) for kind in ("old", "weak", "young")}
    for kind, days in (("old", 0), ("weak", 0), ("young", 10)):
        wait(memory, days=days)
        people[kind].remember(SHOCK, strength=0.1 if kind == "weak" else 0.5)
    wait(memory, days=10)
    for who in people.values():
        who.remember("The violin lesson is on Monday")
    packets = {kind: who.context("violin lesson") for kind, who in people.items()}
    return {kind: bool(packet.of("unbidden")) for kind, packet in packets.items()}


SHOCK = "A horrible disaster!!! We were terrified and devastated!!!"


def half_known(opened: Open) -> Parts:
    """Which texts are felt to be there that are not shown, from the one most like the question."""
    who = opened().bind(user="ana")
    said = {
        "shown": "The violin lesson on Monday at noon in the hall",
        "nearest": "The violin lesson on Monday at noon",
        "near": "The violin lesson on Monday, in the yard by the river",
        "fairly near": "The violin, the lantern and the goose",
        "far": "Mud on the road",
    }
    held = {kind: stored(who, text).id for kind, text in said.items()}
    packet = who.context(said["shown"], budget_tokens=4_000)
    felt = {line.trace_id for line in packet.of("partial")}
    return {kind: one in felt for kind, one in held.items()}
