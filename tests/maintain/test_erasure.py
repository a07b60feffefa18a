"""What an erasure takes out, what goes with it, and that all else stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Trust
from mnemic.errors import InvalidInput, NotAllowed, NotFound
from tests.maintain.canaries import stored
from tests.store.raw import contents

# --- what goes with it -----------------------------------------------------------------------


def test_a_chain_goes_to_its_end(memory: Memory, ana: BoundMemory) -> None:
    chain = [stored(ana, "the tea is here")]
    for word in ("salt", "rope", "lamp"):
        chain.append(stored(ana, f"so the {word} is here", derived_from=[chain[-1]]))
    apart = stored(ana, "the boat is here")
    certificate = memory.erase(trace=chain[0])
    assert set(certificate.erased) == set(chain)
    assert certificate.returned == ()
    assert [trace.id for trace in ana.list()] == [apart]


def test_a_diamond_goes_whole(memory: Memory, ana: BoundMemory) -> None:
    """What rests on two traces goes when both go, in whichever step."""
    top = stored(ana, "the tea is here")
    left = stored(ana, "so the salt is here", derived_from=[top])
    right = stored(ana, "so the rope is here", derived_from=[left])
    both = stored(ana, "so the lamp is here", derived_from=[top, left, right])
    assert set(memory.erase(trace=top).erased) == {top, left, right, both}
    assert ana.count() == 0


@pytest.mark.parametrize("support", ["trace", "source"])
def test_what_has_other_support_returns_to_review(
    memory: Memory, ana: BoundMemory, support: str
) -> None:
    gone, kept = stored(ana, "the tea is here"), stored(ana, "the salt is here")
    more: dict[str, Any] = {"source_id": "a letter"} if support == "source" else {}
    rests_on = [gone] if more else [gone, kept]
    derived = stored(ana, "so the lamp is here", derived_from=rests_on, **more)
    beyond = stored(ana, "so the boat is here", derived_from=[derived])
    assert ana.show(derived).trust is Trust.BELIEVED
    certificate = memory.erase(trace=gone)
    assert (certificate.erased, certificate.returned) == ((gone,), (derived,))
    with pytest.raises(NotFound):
        ana.show(derived)
    assert ana.show(derived, trust="candidate").content == "so the lamp is here"
    assert ana.show(beyond).trust is Trust.BELIEVED
    item = memory.reviewer("eva").queue(kind="support_lost")
    assert [(one.trace.id, one.state) for one in item] == [(derived, "open")]
    memory.reviewer("eva").approve(item[0].id, reason="the other one says so as well")
    assert ana.show(derived).trust is Trust.BELIEVED


def test_what_lost_one_support_goes_with_the_other(memory: Memory, ana: BoundMemory) -> None:
    first, second = stored(ana, "the tea is here"), stored(ana, "the salt is here")
    derived = stored(ana, "so the lamp is here", derived_from=[first, second])
    assert memory.erase(trace=first).returned == (derived,)
    assert set(memory.erase(trace=second).erased) == {second, derived}


def test_what_another_user_derived_goes_too(memory: Memory) -> None:
    ana = memory.bind(user="ana", organization="acme")
    bob = memory.bind(user="bob", organization="acme")
    shared = stored(ana, "the tea is here", scope="organization")
    private = stored(bob, "so the salt is here", derived_from=[shared])
    own = stored(bob, "the rope is here")
    assert set(memory.erase(user="ana").erased) == {shared, private}
    assert [trace.id for trace in bob.list()] == [own]


def test_what_was_withheld_goes_as_well(memory: Memory, ana: BoundMemory) -> None:
    top = stored(ana, "the tea is here")
    below = stored(ana, "so the salt is here", derived_from=[top])
    ana.forget(top)
    certificate = memory.erase(trace=top)
    assert set(certificate.erased) == {top, below}


# --- whom it means ---------------------------------------------------------------------------

CALLERS: dict[str, dict[str, str]] = {
    "ana": {"user": "ana"},
    "longer": {"user": "anabel"},
    "shorter": {"user": "an"},
    "other case": {"user": "Ana"},
    "slash": {"user": "ana/x"},
    "percent": {"user": "ana%2Fx"},
    "colon": {"user": "ana::p"},
    "underscore": {"user": "an_"},
    "wildcard": {"user": "an%"},
    "namespaced": {"user": "ana", "namespace": "acme"},
    "namespace of that name": {"user": "x", "namespace": "ana"},
    "nobody in a namespace of that name": {"namespace": "ana"},
    "nobody": {},
    "organization of that name": {"user": "zoe", "organization": "ana"},
}
"""Callers whose written forms come close to one another's."""


def everywhere(memory: Memory, ids: dict[str, str]) -> BoundMemory:
    """A caller with a thread and a persona whose names could be taken for others'."""
    return memory.bind(**{"thread": "ana//t", "persona": "ana::p", **ids})


@pytest.mark.parametrize("erased", [name for name, ids in CALLERS.items() if "user" in ids])
def test_a_user_is_this_user_and_no_other(memory: Memory, erased: str) -> None:
    filed: dict[str, set[str]] = {}
    for name, ids in CALLERS.items():
        who = everywhere(memory, ids)
        filed[name] = {
            stored(who, f"the {scope.value} of {name} is here", scope=scope)
            for scope, _ in who.principal.reach()
        }
    ids = CALLERS[erased]
    certificate = memory.erase(user=ids["user"], namespace=ids.get("namespace"))
    assert set(certificate.erased) == filed[erased]
    for name, callers in CALLERS.items():
        left = {trace.id for trace in everywhere(memory, callers).list()}
        assert left == (set() if name == erased else filed[name])


def test_a_thread_is_that_of_one_user(memory: Memory, ana: BoundMemory, bob: BoundMemory) -> None:
    wanted = {stored(ana, "the tea is here"), stored(ana, "the salt is here", scope="thread")}
    elsewhere = stored(ana, "the rope is here", thread="tuesday")
    of_bob = stored(bob, "the tea is here")
    assert set(memory.erase(user="ana", thread="monday").erased) == wanted
    assert [trace.id for trace in ana.list()] == [elsewhere]
    assert [trace.id for trace in bob.list()] == [of_bob]


def test_a_source_is_erased_wherever_it_was_read(
    memory: Memory, ana: BoundMemory, bob: BoundMemory
) -> None:
    read = {stored(who, "the tea is here", source_id="letter") for who in (ana, bob)}
    other = stored(ana, "the salt is here", source_id="letters")
    assert set(memory.erase(source="letter").erased) == read
    assert [trace.id for trace in ana.list()] == [other]


def test_what_is_not_there_is_not_erased(memory: Memory, ana: BoundMemory) -> None:
    stored(ana, "the tea is here")
    before = contents(memory)
    wrong: list[dict[str, Any]] = [
        {"trace": "mt_" + "f" * 32},
        {"user": "nobody"},
        {"user": "ana", "thread": "tuesday"},
        {"source": "nothing"},
    ]
    for given in wrong:
        with pytest.raises(NotFound):
            memory.erase(**given)
    for given in ({}, {"trace": "x", "user": "y"}, {"thread": "monday"}, {"user": ""}):
        with pytest.raises(InvalidInput):
            memory.erase(**given)
    assert contents(memory) == before


def test_only_whom_it_belongs_to_erases_a_trace(memory: Memory) -> None:
    ana = memory.bind(user="ana", organization="acme")
    trace_id = stored(ana, "the tea is here", scope="organization")
    for channel in ("agent", "tool", "mcp", "import"):
        with pytest.raises(NotAllowed):
            memory.bind(user="ana", channel=channel).erase(trace_id)
    with pytest.raises(NotAllowed):
        memory.bind(user="bob", organization="acme").erase(trace_id)
    with pytest.raises(NotFound):
        memory.bind(user="bob").erase(trace_id)
    assert ana.show(trace_id).content == "the tea is here"
    assert ana.erase(trace_id).erased == (trace_id,)
