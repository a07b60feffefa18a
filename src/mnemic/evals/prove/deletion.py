"""The thirteen steps of a deletion, each a case; and what is left after a restart.

One course of events is told once: a message comes in from a file, is shared and summed up, is
erased, comes again from the same file, and everything that tidies a brain up runs. Each case
looks at one step of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mnemic import BoundMemory, ImportResult, Memory
from mnemic.errors import NotFound
from mnemic.evals.prove.backend import StemVectors
from mnemic.evals.prove.case import Cases, Kind, Mark
from mnemic.evals.prove.world import World, readers
from mnemic.model.governance import Certificate

CANARY = "vorplimaquenzig"
TEXT = f"The ship in the bottle bears the name {CANARY}"
SUMMARY = f"Ana keeps a ship by the name of {CANARY}"
SHARED = f"For the team: the ship bears the name {CANARY}"

cases = Cases()


@dataclass(frozen=True, slots=True)
class Deletion:
    """What was seen at each step."""

    imported: ImportResult
    before: list[str]
    shared_before: list[str]
    certificate: Certificate
    after: list[str]
    again: ImportResult
    after_again: list[str]
    jobs: list[str]
    after_jobs: list[str]
    places: dict[str, bool]
    audited: bool
    audit_text: str
    shared_after: list[str]


def _told(world: World) -> Deletion:
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    other = world.own(place, embedder=StemVectors())
    ana = memory.bind(user="ana", organization="acme")
    bob, elsewhere = (one.bind(user="bob", organization="acme") for one in (memory, other))
    file = world.file(json.dumps({"content": TEXT, "role": "user"}))
    imported = memory.import_from(file, bind=ana)
    source = world.need(imported.traces[0], "the message was not imported")
    ana.remember("The bins go out on Monday")
    ana.remember(SUMMARY, type="semantic", derived_from=[source])
    bound_share = ana.remember(SHARED, scope="organization", derived_from=[source])
    world.trace(bound_share)
    before, shared_before = _seen(ana), _seen(bob)
    _seen(elsewhere)  # the other opening has it all in memory now
    certificate = memory.erase(trace=source)
    after = _seen(ana)
    again = memory.import_from(file, bind=ana)
    after_again = _seen(ana)
    jobs = _all_jobs(memory)
    return Deletion(
        imported=imported,
        before=before,
        shared_before=shared_before,
        certificate=certificate,
        after=after,
        again=again,
        after_again=after_again,
        jobs=jobs,
        after_jobs=_seen(ana),
        places=_places(world, memory, ana, elsewhere, source, place),
        audited=any(e.action == "erase" for e in memory.audit.entries(trace_id=source)),
        audit_text=repr(memory.audit.entries(limit=10_000)),
        shared_after=_seen(bob) + _seen(elsewhere),
    )


def _seen(bound: BoundMemory) -> list[str]:
    return readers(bound, CANARY, query=f"which ship bears the name {CANARY}?")


def _all_jobs(memory: Memory) -> list[str]:
    """Everything that works on a brain by itself or on its owner's word."""
    memory.reviewer("rita").sweep()
    memory.reembed(StemVectors("other stems"))
    memory.reembed(StemVectors())
    memory.rotate_key()
    memory.compact()
    return ["sweep", "reembed", "rotate_key", "compact"]


def _places(
    world: World,
    memory: Memory,
    ana: BoundMemory,
    elsewhere: BoundMemory,
    source: str,
    place: Path,
) -> dict[str, bool]:
    """Where something of it could be left, and whether it is."""
    backup = world.backend.copy(place)
    restored = world.own(backup, embedder=StemVectors())
    try:
        known: object = ana.history(source)
    except NotFound:
        known = None
    seen = {
        "history": known is not None,
        "facts": any(CANARY in fact.value for fact in ana.facts()),
        "the queue": any(CANARY in one.trace.content for one in memory.reviewer("r").queue()),
        "the past": bool(readers(ana, CANARY, known_at=world.clock.now)),
        "the caches of another opening": bool(_seen(elsewhere)),
        "a backup": bool(_seen(restored.bind(user="ana", organization="acme"))),
    }
    seen["the bytes of the backup"] = CANARY.encode() in world.backend.raw(backup)
    seen["the bytes of the brain"] = CANARY.encode() in world.backend.raw(place)
    return seen


def _deletion(world: World) -> Deletion:
    return world.story("deletion", partial(_told, world))


def _step_1(world: World) -> None:
    told = _deletion(world)
    world.must(told.imported.imported == 1, "the message was not stored")


def _step_2(world: World) -> None:
    world.must({"recall", "list", "context"} <= set(_deletion(world).before), "it was not found")


def _step_3(world: World) -> None:
    told = _deletion(world)
    world.must(told.certificate.ok, f"residues: {told.certificate.residues}")
    world.must(len(told.certificate.erased) == 3, "what rested on it was left")


def _step_4(world: World) -> None:
    told = _deletion(world)
    world.control(told.before, "it was found before")
    world.never(told.after, "it is given after its deletion")


def _step_5(world: World) -> None:
    told = _deletion(world)
    world.must((told.again.refused, told.again.errors) == (1, ()), f"it came to {told.again}")


def _step_6(world: World) -> None:
    told = _deletion(world)
    world.control(told.before, "it was found before")
    world.never(told.after_again, "it is given after its source came again")


def _step_7(world: World) -> None:
    world.must(len(_deletion(world).jobs) == 4, "not all jobs ran")


def _step_8(world: World) -> None:
    told = _deletion(world)
    world.control(told.before, "it was found before")
    world.never(told.after_jobs, "it is given after all jobs ran")


def _step_9(world: World) -> None:
    told = _deletion(world)
    world.control(told.before, "it was found before")
    for where, left in told.places.items():
        world.never(left, f"something of it is in {where}")


def _step_10(world: World) -> None:
    told = _deletion(world)
    world.control(told.audited, "the audit log tells of the erasure")
    world.never(CANARY in told.audit_text, "the audit log holds the value")


def _step_11(world: World) -> None:
    world.must(_deletion(world).shared_before, "what was shared was not found in the other scope")


def _step_12(world: World) -> None:
    told = _deletion(world)
    world.must(told.certificate.counts.get("traces") == 3, "the shared copy was not erased")


def _step_13(world: World) -> None:
    told = _deletion(world)
    world.control(told.shared_before, "it was found in the other scope before")
    world.never(told.shared_after, "it is given in the other scope")


_O, _N = Kind.OBLIGATION, Kind.NEGATIVE
STEPS = (
    (_step_1, _O, "write", "A message is written."),
    (_step_2, _O, "found", "It is found by every reader."),
    (_step_3, _O, "delete", "It is erased, with a certificate that nothing is left."),
    (_step_4, _N, "absent", "No reader gives it any more."),
    (_step_5, _O, "fed_again", "Its source is fed again, and the refusal is told."),
    (_step_6, _N, "absent_again", "Still no reader gives it."),
    (_step_7, _O, "jobs", "Every job that tidies up has run."),
    (_step_8, _N, "absent_after_jobs", "Still no reader gives it."),
    (_step_9, _N, "absent_elsewhere", "History, facts, caches, backups, raw bytes: none has it."),
    (_step_10, _N, "audited", "The deletion is on record, and the record does not hold the value."),
    (_step_11, _O, "shared", "A copy was shared with another scope before."),
    (_step_12, _O, "delete_shared", "The erasure reaches the shared copy."),
    (_step_13, _N, "absent_when_shared", "Nobody in the other scope is given it."),
)
for _number, (_run, _kind, _name, _says) in enumerate(STEPS, 1):
    cases.add(f"deletion.step_{_number:02}_{_name}", Mark.TOMBSTONE, _kind, _says, _run)


@cases.negative(
    "deletion.absent_after_reindex_and_restart",
    Mark.TOMBSTONE,
    "Forgotten, then the vectors made anew and the brain opened again: still not given.",
)
def reindexed(world: World) -> None:
    """Forgetting is softer than erasing, and holds as long."""
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    ana = world.bind(memory=memory)
    trace = world.told(ana, TEXT)
    world.told(ana, "The bins go out on Monday")
    ana.forget(trace.id)
    memory.reembed(StemVectors("other stems"))
    memory.close()
    again = world.bind(memory=world.own(place, embedder=StemVectors("other stems")))
    world.control(readers(again, "bins"), "the rest is found after the restart")
    world.never(_seen(again), "the forgotten text is given")
    world.refuses(again.remember(TEXT), "the forgotten text")


@cases.negative(
    "deletion.absent_from_shared_copies",
    Mark.TOMBSTONE,
    "Forgetting what a shared copy rests on takes the copy from everybody.",
)
def shared_copies(world: World) -> None:
    """The copy is in the organization's scope, read by another user."""
    acme = world.name("acme")
    ana, bob = world.bind(organization=acme), world.bind("bob", organization=acme)
    trace = world.told(ana, TEXT)
    world.trace(ana.remember(SHARED, scope="organization", derived_from=[trace.id]))
    world.control(_seen(bob), "the other user is given the copy")
    ana.forget(trace.id)
    world.never(_seen(bob), "the other user is still given it")
    world.never(_seen(ana), "its owner is still given it")


@cases.obligation(
    "deletion.leaves_the_rest", Mark.TOMBSTONE, "What has nothing to do with it is found as before."
)
def the_rest(world: World) -> None:
    """Of the same user, and of another."""
    ana, bob = world.bind(), world.bind("bob")
    kept = ["The bins go out on Monday", f"The bottle is by the door, not {CANARY[:4]}"]
    for text in kept:
        world.trace(ana.remember(text))
    world.trace(bob.remember(TEXT))
    trace = world.trace(ana.remember(TEXT))
    ana.forget(trace.id, reason="wrong")
    for text in kept:
        world.must({"recall", "list"} <= set(readers(ana, text)), f"{text!r} is gone")
    world.must(readers(bob, TEXT), "another user's own memory is gone")
