"""What a caller has, awaited: memories, mind, graph and reminders."""

from __future__ import annotations

from mnemic.aio.awaited import Wrapped, awaited
from mnemic.bound import BoundMemory
from mnemic.bound.graph import BoundGraph
from mnemic.bound.mind import BoundMind
from mnemic.bound.reminders import BoundReminders
from mnemic.model.scope import Principal


class AsyncBoundMind(Wrapped[BoundMind]):
    """`BoundMind`, awaited. It is the `mind` of an `AsyncBoundMemory`."""

    strengths = awaited(BoundMind.strengths)
    strength = awaited(BoundMind.strength)
    feedback = awaited(BoundMind.feedback)
    feedback_from_reply = awaited(BoundMind.feedback_from_reply)
    working = awaited(BoundMind.working)
    rehearse = awaited(BoundMind.rehearse)
    let_go = awaited(BoundMind.let_go)
    reflect = awaited(BoundMind.reflect)
    rehydrate = awaited(BoundMind.rehydrate)


class AsyncBoundGraph(Wrapped[BoundGraph]):
    """`BoundGraph`, awaited. It is the `graph` of an `AsyncBoundMemory`."""

    names = awaited(BoundGraph.names)
    neighbours = awaited(BoundGraph.neighbours)
    around = awaited(BoundGraph.around)
    path = awaited(BoundGraph.path)
    clusters = awaited(BoundGraph.clusters)
    activate = awaited(BoundGraph.activate)
    aliases = awaited(BoundGraph.aliases)
    merge = awaited(BoundGraph.merge)
    unmerge = awaited(BoundGraph.unmerge)


class AsyncBoundReminders(Wrapped[BoundReminders]):
    """`BoundReminders`, awaited. They are the `reminders` of an `AsyncBoundMemory`."""

    add = awaited(BoundReminders.add)
    due = awaited(BoundReminders.due)
    list = awaited(BoundReminders.list)
    done = awaited(BoundReminders.done)


class AsyncBoundMemory(Wrapped[BoundMemory]):
    """`BoundMemory`, awaited. Made by `AsyncMemory.bind`."""

    @property
    def principal(self) -> Principal:
        """Whose memory it is."""
        return self._sync.principal

    @property
    def mind(self) -> AsyncBoundMind:
        """`BoundMemory.mind`, awaited."""
        return AsyncBoundMind(self._sync.mind)

    @property
    def graph(self) -> AsyncBoundGraph:
        """`BoundMemory.graph`, awaited."""
        return AsyncBoundGraph(self._sync.graph)

    @property
    def reminders(self) -> AsyncBoundReminders:
        """`BoundMemory.reminders`, awaited."""
        return AsyncBoundReminders(self._sync.reminders)

    remember = awaited(BoundMemory.remember)
    remember_many = awaited(BoundMemory.remember_many)
    recall = awaited(BoundMemory.recall)
    context = awaited(BoundMemory.context)
    show = awaited(BoundMemory.show)
    list = awaited(BoundMemory.list)
    count = awaited(BoundMemory.count)
    correct = awaited(BoundMemory.correct)
    update = awaited(BoundMemory.update)
    merge = awaited(BoundMemory.merge)
    forget = awaited(BoundMemory.forget)
    restore = awaited(BoundMemory.restore)
    erase = awaited(BoundMemory.erase)
    history = awaited(BoundMemory.history)
    facts = awaited(BoundMemory.facts)
    stats = awaited(BoundMemory.stats)
