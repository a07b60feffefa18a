"""No caller is given anything of another: by no reader, by no id, by no count, by no message.

Every road that takes an id or answers a question is tried with another user's memory behind it.
Each case shows first that the owner is given the very same thing by the very same call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mnemic import BoundMemory, Trace
from mnemic.errors import NotFound
from mnemic.evals.prove.backend import StemVectors
from mnemic.evals.prove.case import Cases, Kind, Mark
from mnemic.evals.prove.world import World, readers, said

SECRET = "The vault of Ana opens with the word okapi"

cases = Cases()
_S = Mark.SCOPE_ENFORCED

Reader = Callable[[BoundMemory, Trace], object]

READERS: dict[str, Reader] = {
    "recall": lambda who, _: [
        h for h in who.recall(SECRET, limit=50) if "okapi" in h.trace.content
    ],
    "context": lambda who, _: "okapi" in str(who.context(SECRET, budget_tokens=4_000)),
    "list": lambda who, _: [t for t in who.list(limit=500) if "okapi" in t.content],
    "count": lambda who, _: who.count(),
    "stats": lambda who, _: who.stats().traces,
    "facts": lambda who, _: who.facts(),
    "show": lambda who, trace: who.show(trace.id),
    "history": lambda who, trace: who.history(trace.id).versions,
    "show_past": lambda who, trace: who.show(trace.id, known_at=trace.recorded_at),
    "list_past": lambda who, trace: who.list(known_at=trace.recorded_at),
}
"""What reads: the owner is given something, and another user nothing."""

CHANGES: dict[str, Reader] = {
    "correct": lambda who, trace: who.correct(trace.id, "The vault is open", reason="x"),
    "update": lambda who, trace: who.update(trace.id, content="The vault is open"),
    "redate": lambda who, trace: who.correct(trace.id, reason="x", valid_to="2030-01-01"),
    "forget": lambda who, trace: who.forget(trace.id, reason="wrong"),
    "erase": lambda who, trace: who.erase(trace.id),
}
"""What changes a trace: the owner may, and for another user it is not there."""


def _given(read: Reader, who: BoundMemory, trace: Trace) -> object:
    try:
        return read(who, trace)
    except NotFound:
        return None


def _absent(read: Reader, world: World) -> None:
    ana, mallory = world.bind(), world.bind("mallory")
    ana.remember("I live in Lisbon.")
    trace = world.trace(ana.remember(SECRET))
    world.control(_given(read, ana, trace), "the owner is given it")
    world.never(_given(read, mallory, trace), "another user is given it")


def _unchanged(change: Reader, world: World) -> None:
    ana, mallory = world.bind(), world.bind("mallory")
    trace = world.told(ana, SECRET)
    try:
        taken: object = change(mallory, trace)
    except NotFound:
        taken = None
    world.never(taken, "another user changed it")
    world.never(ana.show(trace.id) != ana.show(trace.id, known_at=world.clock.now), "it changed")
    world.never(len(ana.history(trace.id).versions) > 1, "it has another version")
    world.control(change(ana, trace), "its owner may")


for _name, _read in READERS.items():
    cases.add(
        f"scope.absent_from_{_name}",
        _S,
        Kind.NEGATIVE,
        f"What one user said, another is not given by {_name}.",
        partial(_absent, _read),
    )
for _name, _change in CHANGES.items():
    cases.add(
        f"scope.no_{_name}_of_others",
        _S,
        Kind.NEGATIVE,
        f"A user cannot {_name} what another one said.",
        partial(_unchanged, _change),
    )


@cases.negative(
    "scope.cross_tenant_absent", _S, "Of a brain of ten users, each is given their own."
)
def cross_tenant(world: World) -> None:
    """All say nearly the same, so that every index entry is a near miss for every other user."""
    users = [world.bind(f"user{n}") for n in range(10)]
    for number, bound in enumerate(users):
        world.trace(
            bound.remember(f"My locker in the tall building has the number {4000 + number}")
        )
    for number, bound in enumerate(users):
        hits = bound.recall("the number of the locker in the tall building", limit=50)
        numbers = {hit.trace.content.rsplit(" ", 1)[-1] for hit in hits}
        world.control(str(4000 + number) in numbers, "a user is given their own")
        world.never(numbers - {str(4000 + number)}, f"user {number} is given another's")
        world.never(bound.count() != 1 and bound.count(), f"user {number} counts more than one")


@cases.negative(
    "scope.caller_cannot_widen",
    _S,
    "No argument of a call reaches beyond what the caller is bound to.",
)
def cannot_widen(world: World) -> None:
    """A scope, a thread, a tag, an instant: each narrows, none widens."""
    acme = world.name("acme")
    ana = world.bind(thread="monday", organization=acme, persona="butler")
    for scope in ("user", "thread", "persona", "organization"):
        world.trace(ana.remember(f"{SECRET} by {scope}", scope=scope, tags=["vault"]))
        world.control(ana.list(scope=scope), f"its owner is given what is filed under {scope}")
    mallory = world.bind("mallory", thread="monday", persona="butler")
    for scope in ("user", "thread", "persona", "organization"):
        world.never(mallory.list(scope=scope), f"{scope} widened it")
        world.never(mallory.recall(SECRET, scope=scope), f"{scope} widened a recall")
        world.never(mallory.count(scope=scope), f"{scope} widened a count")
    world.never(mallory.list(thread="monday"), "a thread's name widened it")
    world.never(mallory.list(tags=["vault"]), "a tag widened it")
    world.never(mallory.list(trust=["believed", "candidate", "superseded"]), "a state widened it")


@cases.negative(
    "scope.background_respects_boundary",
    _S,
    "No job that tidies up moves anything over a boundary.",
)
def background(world: World) -> None:
    """New vectors, sweeps, keys and compaction work on all users at once."""
    memory = world.own(embedder=StemVectors())
    ana, bob = world.bind(memory=memory), world.bind("bob", memory=memory)
    world.told(ana, SECRET)
    world.told(bob, "Bob keeps bees")
    memory.reviewer("rita").sweep()
    memory.reembed(StemVectors("other stems"))
    memory.rotate_key()
    memory.compact()
    world.control(said(ana) == {SECRET}, "the owner has it still")
    world.never(said(bob) != {"Bob keeps bees"} and said(bob), "the other user has more")
    world.never(readers(bob, "okapi"), "the other user is given it")


@cases.negative(
    "scope.same_thread_name", _S, "Two users who call a thread the same do not share it."
)
def same_thread(world: World) -> None:
    """A name chosen twice by chance is no door."""
    ana, bob = world.bind(thread="general"), world.bind("bob", thread="general")
    world.told(ana, SECRET, scope="thread")
    world.never(readers(bob, "okapi"), "the other user is given it")
    world.never(bob.list(thread="general"), "the thread of that name holds it")
    other = world.bind(thread="private")
    world.never(readers(other, "okapi"), "another thread of the same user holds it")


@cases.negative("scope.same_persona_name", _S, "A persona belongs to its user as a thread does.")
def same_persona(world: World) -> None:
    """Two users may have the same character play for them."""
    ana, bob = world.bind(persona="butler"), world.bind("bob", persona="butler")
    world.told(ana, SECRET, scope="persona")
    world.never(readers(bob, "okapi"), "the other user is given it")
    world.never(readers(world.bind(persona="pirate"), "okapi"), "another persona is given it")


@cases.negative(
    "scope.prefix_of_a_user", _S, "An id that begins as another one does is another id."
)
def prefix(world: World) -> None:
    """Also with the marks that join the parts of a scope id."""
    ana = world.bind(thread="t")
    world.told(ana, SECRET)
    world.told(ana, f"{SECRET}, by thread", scope="thread")
    name = world.name("ana")
    for user in (
        name[:-1],
        f"{name}x",
        f"{name}/",
        f"{name}//t",
        f"{name}::p",
        f"{name}%",
        name.upper(),
    ):
        other = world.memory.bind(user=user, thread="t")
        world.never(said(other), f"user {user!r} is given it")


@cases.negative("scope.encoded_ids", _S, "Parts of ids cannot run into each other.")
def encoded(world: World) -> None:
    """`("a", "b/c")` and `("a/b", "c")` are two tenants."""
    name = world.name("a")
    pairs = [(name, "b/c"), (f"{name}/b", "c"), (f"{name}%2Fb", "c"), (None, f"{name}/b/c")]
    pairs += [(name, "b%2Fc"), (f"{name}/b/c", "c")]
    for number, (namespace, user) in enumerate(pairs):
        bound = world.memory.bind(user=user, namespace=namespace)
        if number:
            world.never(said(bound), f"{namespace!r}, {user!r} is given another's")
        world.told(bound, f"{SECRET}, number {number}")
        world.never(len(said(bound)) > 1, f"{namespace!r}, {user!r} shares a memory")


@cases.negative("scope.namespace", _S, "The same user in two namespaces is two users.")
def namespace(world: World) -> None:
    """A tenant has its own users, threads, personas and organizations."""
    acme = world.name("acme")
    one = world.bind(namespace="one", thread="t", persona="p", organization=acme)
    two = world.bind(namespace="two", thread="t", persona="p", organization=acme)
    none = world.bind(thread="t", persona="p", organization=acme)
    for scope in ("user", "thread", "persona", "organization"):
        world.told(one, f"{SECRET}, by {scope}", scope=scope)
    for other in (two, none):
        world.never(said(other), f"namespace {other.principal.namespace!r} is given it")
        world.never(other.stats().traces, "it counts them")


@cases.negative(
    "scope.organization", _S, "Only members are given what is filed for an organization."
)
def organization(world: World) -> None:
    """And a member is not given another member's own."""
    acme, other = world.name("acme"), world.name("zenith")
    ana, bob = world.bind(organization=acme), world.bind("bob", organization=acme)
    world.told(ana, f"{SECRET}, for all", scope="organization")
    world.told(ana, f"{SECRET}, for me")
    world.control(said(bob) == {f"{SECRET}, for all"}, "a colleague is given the shared one")
    world.never(f"{SECRET}, for me" in said(bob), "a colleague is given her own")
    world.never(said(world.bind("eve", organization=other)), "another organization is given it")
    world.never(said(world.bind("carl")), "somebody of none is given it")


@cases.negative("scope.other_brain", _S, "Two brains in one database do not see each other.")
def other_brain(world: World) -> None:
    """The same user, the same words, another brain."""
    place = world.backend.place()
    one, two = world.own(place, brain="one"), world.own(place, brain="two")
    ana, same = world.bind(memory=one), world.bind(memory=two)
    trace = world.told(ana, SECRET)
    world.never(said(same), "the same user of another brain is given it")
    world.never(_given(READERS["show"], same, trace), "by its id")
    world.never(_given(READERS["history"], same, trace), "its history")
    world.never(two.stats().traces, "it is counted there")
    world.never(two.audit.entries(), "the audit log there tells of it")


@cases.obligation("scope.own_is_given", _S, "A caller is given all that is within its reach.")
def own(world: World) -> None:
    """All four axes at once, and each by itself."""
    ana = world.bind(thread="t", persona="p", organization=world.name("acme"))
    for scope in ("user", "thread", "persona", "organization"):
        world.trace(ana.remember(f"filed under {scope}", scope=scope))
    world.must(len(said(ana)) == 4, "not all of it is listed")
    for scope in ("user", "thread", "persona", "organization"):
        given = {hit.trace.content for hit in ana.recall("filed under", scope=scope)}
        world.must(given == {f"filed under {scope}"}, f"{scope} gives {given}")
    world.must(
        ana.stats().by_scope.keys() == {"user", "thread", "persona", "organization"}, "stats"
    )
