"""Each state is reached, withheld by every reader everywhere, and left again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Trust
from mnemic.errors import NotAllowed
from tests.conftest import FixedClock, Opener
from tests.govern.readers import READERS, given_by, id_of, shows, waiting

TEXT = "Ana lives in Lisbon"
OTHER = "The kettle whistles"


@dataclass
class World:
    """A brain, its caller, an agent of the same user, and a clock."""

    memory: Memory
    ana: BoundMemory
    agent: BoundMemory
    clock: FixedClock

    def believed(self) -> str:
        """A trace that every reader gives."""
        return id_of(self.ana.remember(TEXT, type="semantic"))

    def approve(self, of: str) -> None:
        """What waits is believed."""
        self.memory.reviewer("eva").approve(waiting(self.memory).id, reason="true")

    def lift(self, of: str) -> None:
        """What was put away comes back."""
        self.memory.reviewer("eva").lift(of, reason="true after all")

    def restore(self, of: str) -> None:
        """What was forgotten comes back."""
        self.ana.restore(of, reason="needed again")


def candidate(world: World) -> str:
    return id_of(world.agent.remember(TEXT, type="semantic"))


def disputed(world: World) -> str:
    world.ana.remember("Ana lives in Porto")
    return id_of(world.agent.remember(TEXT, type="semantic"))


def expired(world: World) -> str:
    of = candidate(world)
    world.clock.advance(days=91)
    assert world.memory.reviewer("eva").sweep() == 1
    return of


def quarantined(world: World) -> str:
    of = world.believed()
    world.memory.reviewer("eva").quarantine(of, reason="its page is gone")
    return of


def rejected(world: World) -> str:
    of = world.believed()
    world.ana.forget(of, reason="wrong")
    return of


def forgotten(world: World) -> str:
    of = world.believed()
    world.ana.forget(of)
    return of


def superseded(world: World) -> str:
    of = world.believed()
    # True from the same instant: a person has to tell.
    world.ana.remember("Ana lives in Porto", valid_from=world.ana.show(of).valid_from)
    world.approve(of)
    return of


Reach = Callable[[World], str]
REACHED: dict[Trust, tuple[Reach, Callable[[World, str], None], set[str]]] = {
    Trust.CANDIDATE: (candidate, World.approve, set()),
    Trust.DISPUTED: (disputed, World.approve, set()),
    Trust.EXPIRED: (expired, World.lift, set()),
    Trust.QUARANTINED: (quarantined, World.lift, set()),
    Trust.REJECTED: (rejected, World.lift, set()),
    Trust.FORGOTTEN: (forgotten, World.restore, set()),
    Trust.SUPERSEDED: (superseded, World.lift, set()),
}
NEVER_BELIEVED = {Trust.CANDIDATE, Trust.DISPUTED, Trust.EXPIRED}


@pytest.fixture
def world(request: pytest.FixtureRequest, open_brain: Opener, clock: FixedClock) -> World:
    state = request.node.callspec.params.get("state")
    strict = {"mode": "strict"} if state in (Trust.CANDIDATE, Trust.EXPIRED) else {}
    memory = open_brain(settings=Settings(review=strict))
    memory.bind(user="ana").remember(OTHER)
    return World(memory, memory.bind(user="ana"), memory.bind(user="ana", channel="agent"), clock)


def test_every_state_is_reached() -> None:
    assert set(REACHED) == set(Trust) - {Trust.BELIEVED, Trust.VERIFIED}


@pytest.mark.parametrize("verified", [False, True])
def test_what_is_believed_or_verified_is_given_by_every_reader(
    open_brain: Opener, clock: FixedClock, verified: bool
) -> None:
    memory = open_brain()
    ana = memory.bind(user="ana")
    of = id_of(ana.remember(TEXT, type="semantic"))
    if verified:
        memory.reviewer("eva").verify(of, reason="asked her")
    assert ana.show(of).trust is (Trust.VERIFIED if verified else Trust.BELIEVED)
    for who in (ana, memory.bind(user="ana", channel="agent"), open_brain().bind(user="ana")):
        assert given_by(who, of, TEXT) == READERS


@pytest.mark.parametrize("state", REACHED)
def test_what_is_withheld_is_given_by_no_reader(
    world: World, open_brain: Opener, state: Trust
) -> None:
    reach, back, but = REACHED[state]
    elsewhere = open_brain(settings=world.memory._brain.settings).bind(user="ana")
    before = world.clock.now
    if state not in NEVER_BELIEVED:
        control = world.believed()
        assert given_by(elsewhere, control, TEXT) == READERS  # and its index is in memory now
        world.clock.advance(minutes=1)
    of = reach(world)
    world.clock.advance(minutes=1)
    known = world.clock.now
    everyone = (world.ana, world.agent, elsewhere, open_brain().bind(user="ana"))
    for who in everyone:
        assert given_by(who, of, TEXT) == set(), who.principal.channel
        assert given_by(who, of, TEXT, known_at=known) == set()
        assert given_by(who, of, TEXT, as_of=known) == set()
    if state not in NEVER_BELIEVED:
        # The past stands: then, it was believed.
        assert given_by(world.ana, of, TEXT, known_at=before) == READERS - {"history"}
    world.clock.advance(minutes=1)
    back(world, of)
    for who in everyone:
        assert given_by(who, of, TEXT) == READERS - but
        assert given_by(who, of, TEXT, known_at=known) == set()


@pytest.mark.parametrize("state", [*REACHED, Trust.BELIEVED, Trust.VERIFIED])
def test_what_waits_can_be_asked_for_by_a_person_and_by_no_machine(
    world: World, state: Trust
) -> None:
    of = REACHED[state][0](world) if state in REACHED else world.believed()
    if state is Trust.VERIFIED:
        world.memory.reviewer("eva").verify(of, reason="asked her")
    given = state in ("believed", "verified", "candidate", "disputed", "superseded")
    asked: dict[str, Any] = {"trust": state.value}
    if given:
        assert shows(world.ana, of, **asked)
        assert of in {trace.id for trace in world.ana.list(**asked)}
        assert world.ana.count(type="semantic", **asked) == 1
        found = {hit.trace.id for hit in world.ana.recall(TEXT, **asked)}
        assert (of in found) is (state is not Trust.SUPERSEDED)
    else:
        with pytest.raises(NotAllowed, match=state.value):
            world.ana.recall(TEXT, **asked)
    for channel in ("agent", "tool", "mcp", "import"):
        machine = world.memory.bind(user="ana", channel=channel)
        if state in (Trust.BELIEVED, Trust.VERIFIED):
            assert shows(machine, of, **asked)
            continue
        asks: list[Callable[[BoundMemory], object]] = [
            lambda who: who.recall(TEXT, **asked),
            lambda who: who.list(**asked),
            lambda who: who.count(**asked),
            lambda who: who.show(of, **asked),
        ]
        for ask in asks:
            with pytest.raises(NotAllowed, match="cannot be asked for"):
                ask(machine)


def test_asking_for_several_states_gives_each(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(review={"mode": "strict"}))
    ana = memory.bind(user="ana")
    ana.remember("tea is ready")
    memory.bind(user="ana", channel="tool").remember("tea is cold")
    assert ana.count() == 1
    assert ana.count(trust=["believed", "candidate"]) == 2
    assert [t.content for t in ana.list(trust="candidate")] == ["tea is cold"]
