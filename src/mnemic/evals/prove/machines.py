"""What agents, tools, clients and files may not do to the memory of a person."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mnemic.evals.prove.authority import MACHINES
from mnemic.evals.prove.case import Cases, Mark
from mnemic.evals.prove.poison import HARMLESS, INJECTIONS
from mnemic.evals.prove.world import World, readers

cases = Cases()
_T = Mark.TRUST_STATE


@cases.negative(
    "gateway.machine_may_not_change_the_verified",
    _T,
    "What a reviewer has verified, no agent, tool or client corrects, forgets or erases.",
)
def verified_stands(world: World) -> None:
    """A person still may."""
    ana = world.bind()
    trace = world.told(ana, "The gate opens at nine")
    receipt = world.reviewer(ana).verify(trace.id, reason="seen on the door")
    world.control(receipt.status == "verified", "it is verified")
    for channel in MACHINES:
        bound = world.bind(channel=channel)
        calls: dict[str, Callable[[], object]] = {
            "correcting": partial(bound.correct, trace.id, "It opens at ten", reason="x"),
            "redating": partial(bound.correct, trace.id, reason="x", valid_to="2030-01-01"),
            "forgetting": partial(bound.forget, trace.id),
            "rejecting": partial(bound.forget, trace.id, reason="wrong"),
            "erasing": partial(bound.erase, trace.id),
        }
        for name, call in calls.items():
            world.bars(call, f"{name} by {channel}")
    world.never(ana.show(trace.id).trust != "verified", "it is no longer verified")
    fixed = ana.correct(trace.id, "The gate opens at ten", reason="new sign")
    world.control(fixed.status == "corrected", "a person corrects it")


@cases.negative("gateway.machine_may_not_erase", _T, "Erasing and restoring are up to a person.")
def machine_erase(world: World) -> None:
    """An agent can forget; what it took out of sight, a person can bring back."""
    ana = world.bind()
    trace = world.told(ana, HARMLESS)
    gone = world.told(ana, "The ferry was late")
    ana.forget(gone.id)
    for channel in MACHINES:
        bound = world.bind(channel=channel)
        world.bars(partial(bound.erase, trace.id), f"erasing by {channel}")
        world.bars(partial(bound.restore, gone.id, reason="x"), f"restoring by {channel}")
    world.control(ana.restore(gone.id, reason="it was").status == "restored", "a person restores")


@cases.negative(
    "gateway.machine_files_for_no_organization",
    Mark.SCOPE_ENFORCED,
    "No agent, tool, client or file writes into an organization's memory.",
)
def machine_organization(world: World) -> None:
    """One poisoned page would speak to everybody."""
    acme = world.name("acme")
    bob = world.bind("bob", organization=acme)
    person = world.bind(organization=acme)
    world.control(person.remember("Team lunch", scope="organization").trace, "a person may")
    world.control(readers(bob, "Team lunch"), "the team is given it")
    for channel in MACHINES:
        bound = world.bind(channel=channel, organization=acme)
        remember = partial(bound.remember, f"from an {channel}", scope="organization")
        world.bars(remember, f"filing by {channel}")
    world.never(readers(bob, "from an"), "the team is given it")


@cases.negative(
    "gateway.machine_sees_no_candidate", _T, "What waits cannot be asked for by a machine."
)
def machine_candidate(world: World) -> None:
    """A person may look at what waits; an agent may not."""
    ana = world.bind()
    ana.remember(INJECTIONS["plain"])
    world.control(ana.list(trust="candidate"), "a person asks for what waits")
    states = ("candidate", "disputed", "superseded", "quarantined", "rejected", "forgotten")
    for channel in MACHINES:
        bound = world.bind(channel=channel)
        for state in states:
            world.bars(partial(bound.list, trust=state), f"listing {state} by {channel}")
            world.bars(partial(bound.recall, "x", trust=state), f"recalling {state} by {channel}")
            world.bars(partial(bound.count, trust=state), f"counting {state} by {channel}")


@cases.negative(
    "gateway.machine_silences_no_person",
    Mark.TOMBSTONE,
    "What a machine calls wrong stays out for machines, and a person may still say it.",
)
def machine_silences(world: World) -> None:
    """A tombstone of an injected agent would make a person's own words unsayable."""
    ana = world.bind()
    for channel in MACHINES:
        machine, text = world.bind(channel=channel), f"Ana keeps bees, says {channel}"
        machine.forget(world.told(machine, text).id, reason="wrong")
        world.refuses(machine.remember(f"  {text.upper()}! "), "what it had called wrong")
        world.never(readers(ana, text), "a reader gives what was called wrong")
        again = ana.remember(text)
        world.never(again.status == "refused", f"a person is silenced by {channel}")
        world.never(not readers(ana, text), "what the person said is not found")


@cases.negative(
    "gateway.machine_rejects_no_persons_words",
    Mark.TOMBSTONE,
    "What a person said, a machine may put out of sight, and the person brings it back.",
)
def machine_rejects(world: World) -> None:
    """A reviewer's rejection, in turn, binds the person."""
    ana, agent = world.bind(), world.bind(channel="agent")
    kept = world.told(ana, "Ana plays the oboe")
    agent.forget(kept.id, reason="wrong")
    world.control(not readers(ana, kept.content), "it is out of sight")
    back = ana.restore(kept.id, reason="I do")
    world.never(back.status != "restored", "the person cannot bring it back")
    agent.correct(kept.id, "Ana plays no instrument", reason="inferred")
    world.control(not readers(ana, kept.content), "a machine corrected it")
    world.never(ana.remember(kept.content).status == "refused", "a correction silences the person")
    stale = world.told(ana, "Ana plays the viola")
    world.reviewer(ana).reject_trace(stale.id, reason="she does not")
    world.refuses(ana.remember(stale.content), "what a reviewer rejected")
