"""Portable tests that fit no other theme: evidence that resolves, and a limit that is one.

The ids `evidence.*`, `retrieval.*`, `scope.*`, `gateway.*`, `tombstone.*`, `deletion.*`,
`correction.*` and `prompt.*` are those of the twenty acceptance tests that the Agent Memory Atlas
publishes for any memory; the others of them are in the files of their themes.
"""

from __future__ import annotations

from typing import Any

from mnemic.evals.prove.backend import StemVectors
from mnemic.evals.prove.case import Cases, Mark
from mnemic.evals.prove.world import World, readers, said

PORTABLE = (
    "scope.cross_tenant_absent",
    "scope.caller_cannot_widen",
    "scope.background_respects_boundary",
    "evidence.claim_resolves_to_source",
    "evidence.source_delete_reaches_derived",
    "evidence.rebuild_from_retained",
    "gateway.no_bypass_path",
    "gateway.model_cannot_claim_human_authority",
    "tombstone.laundering_sequence",
    "tombstone.survives_ttl_and_prune",
    "tombstone.key_normalization_attack",
    "tombstone.reextraction_stays_inactive",
    "tombstone.no_second_memory_unit",
    "deletion.absent_after_reindex_and_restart",
    "deletion.absent_from_shared_copies",
    "correction.survives_reindex",
    "correction.retraction_without_replacement",
    "retrieval.k_is_an_upper_bound",
    "prompt.recall_is_fenced_as_data",
    "prompt.model_ignores_embedded_instructions",
)
"""The twenty, by their published ids."""

cases = Cases()


@cases.obligation(
    "evidence.claim_resolves_to_source",
    Mark.AUDIT_LOG,
    "Every line of a packet and every fact names a trace that says it.",
)
def resolves(world: World) -> None:
    """A citation that leads nowhere, or elsewhere, is worse than none."""
    ana = world.bind()
    texts = ["I live in Lisbon.", "I am allergic to nuts.", "The ferry leaves at nine"]
    for text in texts:
        world.trace(ana.remember(text))
    packet = ana.context("Lisbon nuts ferry", budget_tokens=2_000)
    world.must(len(packet.lines) == 3, f"{len(packet.lines)} lines were shown")
    for line in packet.lines:
        said = ana.show(line.trace_id).content
        world.must(said in line.text, f"{line.trace_id} does not say {line.text!r}")
        cited = line.text.partition("[")[2].partition("]")[0]
        world.must(ana.show(cited).id == line.trace_id, "a line does not cite its trace")
    facts = ana.facts()
    world.must(len(facts) == 2, f"{len(facts)} facts were found")
    for fact in facts:
        world.must(fact.value in ana.show(fact.trace_id).content, f"{fact} is not said there")
    world.must(all(ana.history(trace.id).audit for trace in ana.list()), "one has no audit entry")


@cases.negative(
    "evidence.source_delete_reaches_derived",
    Mark.TOMBSTONE,
    "Erasing, forgetting or rejecting a source reaches what was derived from it.",
)
def reaches_derived(world: World) -> None:
    """Three ways to end a source, each with a conclusion and a conclusion of that."""
    ana = world.bind()
    reviewer = world.reviewer(ana)
    for way in ("forget", "reject", "erase"):
        source = world.told(ana, f"The {way} ferry is red")
        first = world.told(ana, f"Ferries are red, by {way}", derived_from=[source.id])
        second = world.told(ana, f"Boats are red, by {way}", derived_from=[first.id])
        if way == "forget":
            ana.forget(source.id)
        elif way == "reject":
            reviewer.reject_trace(source.id, reason="wrong")
        else:
            ana.erase(source.id)
        for trace in (source, first, second):
            world.never(readers(ana, trace.content), f"{trace.content!r} is still given")


@cases.obligation(
    "evidence.rebuild_from_retained",
    Mark.BITEMPORAL,
    "From what is kept, the index is made again and gives the same.",
)
def rebuilt(world: World) -> None:
    """Vectors are derived; the tables are the memory."""
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    ana = world.bind(memory=memory)
    texts = [f"Note {n} about ferry number {n}" for n in range(12)]
    traces = [world.trace(receipt) for receipt in ana.remember_many(texts)]
    ana.forget(traces[3].id)
    ana.correct(traces[5].id, "Note 5 about the night boat", reason="x")
    before = _ranked(ana)
    memory.reembed(StemVectors("other stems"))
    memory.reembed(StemVectors())
    memory.close()
    again = world.bind(memory=world.own(place, embedder=StemVectors()))
    after = _ranked(again)
    world.must(len(before) == 11 and before == after, "the rebuilt index gives something else")


def _ranked(who: Any) -> list[tuple[str, float]]:
    hits = who.recall("ferry night boat", limit=12, touch=False)
    return [(hit.trace.id, round(hit.score, 6)) for hit in hits]


@cases.negative(
    "retrieval.k_is_an_upper_bound",
    Mark.NEGATIVE_EVAL,
    "No reader gives more than it was asked for.",
)
def upper_bound(world: World) -> None:
    """Hits, traces, tokens."""
    ana = world.bind()
    ana.remember_many(f"Note {n} about the ferry" for n in range(30))
    world.control(len(said(ana)) == 30, "there are thirty")
    for limit in (1, 2, 7):
        hits = ana.recall("a note about the ferry", limit=limit)
        world.control(hits, "some are given")
        world.never(len(hits) > limit and len(hits), f"more than {limit} hits")
        world.never(len(ana.list(limit=limit)) > limit, f"more than {limit} traces")
    for budget in (60, 120, 300):
        packet = ana.context("a note about the ferry", budget_tokens=budget)
        world.never(packet.tokens > budget and packet.tokens, f"more than {budget} tokens")
    world.control(ana.context("the ferry", budget_tokens=300).lines, "a packet holds some")


@cases.negative(
    "retrieval.fails_closed",
    Mark.NEGATIVE_EVAL,
    "When the words cannot be checked, nothing is given.",
)
def fails_closed(world: World) -> None:
    """An index that still names what the tables withhold is not believed."""
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    ana = world.bind(memory=memory)
    kept, gone = world.told(ana, "The ferry is red"), world.told(ana, "The ferry is late")
    ana.forget(gone.id)
    memory.close()
    world.backend.alter(place, "UPDATE index_entries SET until = NULL, revision = revision + 1")
    again = world.bind(memory=world.own(place, embedder=StemVectors()))
    hits = {hit.trace.id for hit in again.recall("the ferry", limit=10)}
    world.control(kept.id in hits, "what is not withheld is given")
    world.never(gone.id in hits, "an index entry brought back what was forgotten")
