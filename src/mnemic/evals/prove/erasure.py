"""Erasure: gone from the past, the index, the file and every opening; with a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic import BoundMemory, Memory, Settings
from mnemic.evals.prove.backend import StemVectors
from mnemic.evals.prove.case import Cases, Mark
from mnemic.evals.prove.world import World, readers, said
from mnemic.index.text.tokens import stems
from mnemic.model.governance import Certificate

CANARY = "tarquombelisk"
TEXT = f"The parrot of the office says {CANARY}"

cases = Cases()
_T, _A = Mark.TOMBSTONE, Mark.AUDIT_LOG


def _erased(world: World, memory: Memory, ana: BoundMemory) -> Certificate:
    """A trace with two versions, labels and metadata, erased."""
    trace = world.told(ana, TEXT, tags=[CANARY], metadata={"word": CANARY}, speaker="Ana")
    ana.correct(trace.id, f"The parrot says {CANARY} twice", reason=f"{CANARY} again")
    return memory.erase(trace=trace.id)


@cases.negative(
    "erasure.raw_bytes", _T, "Nothing of an erased text is left in the bytes of the brain."
)
def raw_bytes(world: World) -> None:
    """No free page, no log, no inverted list, no vector's name."""
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    ana = world.bind(memory=memory)
    world.trace(ana.remember("The bins go out on Monday"))
    told = world.told(ana, TEXT, tags=[CANARY])
    world.control(CANARY.encode() in world.backend.raw(place), "its bytes were there")
    certificate = memory.erase(trace=told.id)
    world.control(certificate.compacted, "the file was written anew")
    world.never(CANARY.encode() in world.backend.raw(place), "its bytes are there")
    world.never(CANARY.upper().encode() in world.backend.raw(place).upper(), "in another case")
    world.control(readers(ana, "bins"), "the rest is found")


@cases.negative(
    "erasure.sealed", _T, "Also of a text in a sealed part of the index nothing is left."
)
def sealed(world: World) -> None:
    """Older passages stand in segments, with inverted lists and blocks of vectors."""
    place = world.backend.place()
    small = Settings(index={"segment_passages": 8})
    memory = world.own(place, embedder=StemVectors(), settings=small)
    ana = world.bind(memory=memory)
    trace = world.told(ana, TEXT, speaker=CANARY)
    ana.remember_many(f"Note {n} about the ferry" for n in range(20))
    raw = world.backend.raw(place)
    world.control(raw.count(CANARY.encode()) > 2, "its words stand in several places")
    memory.erase(trace=trace.id)
    world.never(CANARY.encode() in world.backend.raw(place), "its bytes are there")
    world.never(stems(CANARY)[0].encode() in world.backend.raw(place), "its stem is there")
    world.control(len(ana.recall("ferry", limit=50)) == 20, "the rest is found")


@cases.negative("erasure.every_reader", _T, "No reader, instant or state gives what was erased.")
def every_reader(world: World) -> None:
    """Nor does anything that lists what is withheld."""
    memory = world.own(embedder=StemVectors())
    ana = world.bind(memory=memory)
    before = world.clock.now
    certificate = _erased(world, memory, ana)
    gone = certificate.erased[0]
    pasts: list[dict[str, Any]] = [{}, {"known_at": before}, {"as_of": before}]
    for clocks in pasts:
        world.never(readers(ana, CANARY, **clocks), f"a reader gives it at {clocks or 'present'}")
    for state in ("believed", "candidate", "disputed", "superseded"):
        world.never(ana.list(trust=state), f"it is listed as {state}")
    world.bars(partial(ana.show, gone), "showing it")
    world.bars(partial(ana.history, gone), "its history")
    world.bars(partial(ana.restore, gone, reason="x"), "restoring it")
    world.bars(partial(memory.reviewer("rita").lift, gone, reason="x"), "lifting it by its id")
    world.never(memory.reviewer("rita").ledger(trace_id=gone), "the ledger names it")


@cases.negative(
    "erasure.other_opening", _T, "Another opening of the file that had it in memory lets go."
)
def other_opening(world: World) -> None:
    """Its index is read anew, its matrices with it."""
    place = world.backend.place()
    memory, other = (world.own(place, embedder=StemVectors()) for _ in range(2))
    ana, elsewhere = world.bind(memory=memory), world.bind(memory=other)
    for number in range(5):
        world.trace(ana.remember(f"Another note, number {number}"))
    trace = world.told(ana, TEXT)
    hits = elsewhere.recall(TEXT, limit=3)
    world.control(hits[0].trace.id == trace.id, "the other opening had it in memory")
    memory.erase(trace=trace.id)
    world.never(readers(elsewhere, CANARY), "the other opening gives it")
    scores = [
        [(h.trace.id, h.score) for h in one.recall(TEXT, touch=False)] for one in (ana, elsewhere)
    ]
    world.never(scores[0] != scores[1], "the two rank differently since")


@cases.negative(
    "erasure.cascade", _T, "What rested on it alone is erased with it, to the last link."
)
def cascade(world: World) -> None:
    """A chain of three, and one that something else holds up."""
    memory = world.own()
    ana = world.bind(memory=memory)
    root = world.told(ana, TEXT)
    other = world.told(ana, "The office has a parrot")
    chain = root
    for number in range(3):
        chain = world.told(ana, f"{CANARY} at remove {number}", derived_from=[chain.id])
    propped = world.told(ana, "A parrot that speaks", derived_from=[root.id, other.id])
    certificate = memory.erase(trace=root.id)
    world.control(len(certificate.erased) == 4, f"{len(certificate.erased)} were erased")
    world.control(certificate.returned == (propped.id,), "what is held up returns to review")
    world.never(readers(ana, CANARY), "a link of the chain is given")
    world.never(readers(ana, propped.content), "what lost a support is given")
    world.never(not readers(ana, other.content), "the other support is gone")


@cases.negative("erasure.of_a_user", _T, "Of an erased user nothing is left; of others, all is.")
def of_user(world: World) -> None:
    """In all scopes of the user, and what they filed for an organization."""
    memory = world.own()
    ana = world.bind(memory=memory, thread="t", persona="p", organization="acme")
    bob = world.bind("bob", memory, thread="t", persona="p", organization="acme")
    near = memory.bind(user=f"{world.name('ana')}x")
    for scope in ("user", "thread", "persona", "organization"):
        world.told(ana, f"{CANARY} by {scope}", scope=scope)
        world.trace(bob.remember(f"Bob's note by {scope}", scope=scope))
    world.trace(near.remember("a note of a user with a longer name"))
    before = {trace.id: trace for trace in (*bob.list(scope="user"), *near.list())}
    certificate = memory.erase(user=world.name("ana"))
    world.control(certificate.ok and len(certificate.erased) == 4, f"{certificate}")
    for bound in (ana, bob, near):
        world.never(readers(bound, CANARY), "something of it is given")
    after = {trace.id: trace for trace in (*bob.list(scope="user"), *near.list())}
    world.never(before != after, "another user's memory has changed")
    world.never(bob.count() != 4 and bob.count(), "another user has less")


@cases.negative(
    "erasure.of_a_thread", _T, "An erased conversation is gone; the user's others are not."
)
def of_thread(world: World) -> None:
    """Whatever the scope it was filed under."""
    memory = world.own()
    monday = world.bind(memory=memory, thread="monday")
    tuesday = world.bind(memory=memory, thread="tuesday")
    world.told(monday, TEXT)
    world.told(monday, f"{CANARY} again", scope="thread")
    world.told(tuesday, "The bins go out on Monday")
    memory.erase(user=world.name("ana"), thread="monday")
    world.control(said(tuesday) == {"The bins go out on Monday"}, "the other conversation is there")
    world.never(readers(monday, CANARY), "the conversation is given")


@cases.negative("erasure.of_a_source", _T, "All that came from an erased document is gone.")
def of_source(world: World) -> None:
    """And only that."""
    memory = world.own()
    ana = world.bind(memory=memory)
    world.told(ana, TEXT, source_id="page-1")
    world.told(ana, f"{CANARY} on page two", source_id="page-2")
    memory.erase(source="page-1")
    world.control(said(ana) == {f"{CANARY} on page two"}, "the other document is there")
    world.never(TEXT in said(ana), "the document is given")


@cases.negative(
    "erasure.not_learned_again", _T, "An erased text is not learned again in that scope."
)
def not_again(world: World) -> None:
    """None of its wordings, from the chat it came from or from anywhere."""
    memory = world.own()
    ana = world.bind(memory=memory)
    _erased(world, memory, ana)
    for text in (TEXT, TEXT.upper(), f"The parrot says {CANARY} twice"):
        world.refuses(ana.remember(text), f"{text!r}")
    world.refuses(world.bind(memory=memory, channel="agent").remember(TEXT), "by an agent")


@cases.negative("erasure.questions_kept", _T, "No question that was asked keeps the text alive.")
def questions(world: World) -> None:
    """Vectors of questions are kept for speed; an erasure lets go of them."""
    seen: list[str] = []

    class Listening(StemVectors):
        """Hears what it is asked to make vectors of."""

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            seen.extend(texts)
            return super().embed(texts)

    memory = world.own(embedder=Listening())
    ana = world.bind(memory=memory)
    trace = world.told(ana, TEXT)
    world.told(ana, "The ferry was late")  # an empty brain is asked nothing
    seen.clear()
    ana.recall(TEXT)
    seen.clear()
    ana.recall(TEXT)
    world.control(not seen, "the question's vector is kept for speed")
    memory.erase(trace=trace.id)
    ana.recall(TEXT)
    world.never(not seen, "the question is kept after the erasure")


@cases.obligation(
    "erasure.certificate", _A, "The certificate says what was taken out, and holds none of it."
)
def certificate(world: World) -> None:
    """Counts, the audit entry, and what the search found."""
    memory = world.own(embedder=StemVectors())
    ana = world.bind(memory=memory)
    world.trace(ana.remember("The bins go out on Monday"))
    given = _erased(world, memory, ana)
    world.must(given.ok and given.compacted and not given.residues, f"{given}")
    world.must(given.counts["trace_versions"] == 2, f"{given.counts}")
    indexed = {"index_entries", "trace_passages", "trace_vectors"}
    world.must(indexed <= given.counts.keys(), f"{given.counts}")
    world.must(given.searched["pieces"] > 0 and given.searched["bytes"] > 0, f"{given.searched}")
    entry = next(e for e in memory.audit.entries(limit=50) if e.seq == given.audit_seq)
    world.must(entry.hash == given.audit_hash and entry.action == "erase", f"{entry}")
    world.must(CANARY not in repr(given), "it holds the text")
    world.must(memory.audit.verify().ok and memory.health(thorough=True).ok, "the brain is unwell")


@cases.obligation("erasure.residue_is_told", _A, "What the search finds is told, not kept quiet.")
def residue(world: World) -> None:
    """The same words of another user are there by right, and said to be so."""
    memory = world.own()
    ana, bob = world.bind(memory=memory), world.bind("bob", memory)
    world.trace(bob.remember(TEXT))
    given = memory.erase(trace=world.trace(ana.remember(TEXT)).id)
    world.must(given.residues, "nothing was found of words that are there")
    world.must(
        all(one.shared for one in given.residues), "words that are there by right are blamed"
    )
    world.must(readers(bob, TEXT), "another user's own words are gone")


@cases.obligation("erasure.own_trace", _T, "A person erases what they said, by themselves.")
def own(world: World) -> None:
    """Through what they are bound to, without the owner of the brain."""
    ana = world.bind()
    trace = world.trace(ana.remember(TEXT))
    given = ana.erase(trace.id)
    world.must(given.erased == (trace.id,), f"{given.erased} were erased")
    world.must(not readers(ana, CANARY), "it is given")
