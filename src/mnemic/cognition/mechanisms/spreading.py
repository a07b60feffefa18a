"""Spreading activation: what comes to mind brings to mind what is tied to it.

Anderson 1983: memories are nodes, activation flows along their ties and falls with each step.
A memory that several ways lead to gets the sum of them. What is given comes from the seeds;
a node passes on what it had when it was first reached, once, and never straight back to a node
that it has it from. Left out: the rest state to which ACT's network settles (its activation
flows until nothing changes; here it goes a few steps), and its decay over time.

AgentOS divides nothing by the number of ties. In Anderson's account they share a node's
activation, which is why a person about whom one knows much brings each fact to mind more slowly
(the fan effect, Anderson 1974). `fan` is the power of that number which divides: 1 is his
account, 0 is AgentOS. It is 0 unless asked for, because the threshold is a constant: under 1, a
seed with more than five ties of weight 1 would bring nothing to mind.

The work is linear in the ties of the nodes that are expanded, each of them once, and their
number is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Neighbours = Callable[[str], Iterable[tuple[str, float]]]
"""The ties of a node: the other end of each, and its weight from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Spreading:
    """How far activation goes.

    Args:
        decay: what is left of it after a step, 0 to 1. AgentOS: .5.
        threshold: a contribution below this is dropped, 0 to 1. AgentOS: .1.
        depth: steps from a seed. AgentOS: 3.
        most: nodes that are given back. AgentOS: 20.
        fan: the power of the number of its ties by which a node's activation is divided.
            AgentOS: 0; Anderson: 1.
        most_expanded: nodes whose ties are looked at, the seeds included; the strongest go
            first. Ours: 500. AgentOS has no bound.
    """

    decay: float = 0.5
    threshold: float = 0.1
    depth: int = 3
    most: int = 20
    fan: float = 0.0
    most_expanded: int = 500


def spread(seeds: Iterable[str], neighbours: Neighbours, rules: Spreading) -> dict[str, float]:
    """What the seeds bring to mind, from 0 to 1, the most active first.

    Args:
        seeds: what came to mind; each has an activation of 1 and is not given back.
        neighbours: asked at most once for each node. A tie named twice counts twice.
        rules: the constants.
    """
    wave = _Wave(neighbours, rules)
    frontier = dict.fromkeys(seeds, 1.0)
    wave.seen.update(frontier)
    wave.seeds.update(frontier)
    for _ in range(rules.depth):
        frontier = wave.step(frontier)
    ranked = sorted(wave.activation.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[: rules.most])


@dataclass(slots=True)
class _Wave:
    """Activation on its way.

    Args:
        neighbours: the ties.
        rules: the constants.
        activation: of each node that was reached, the seeds left out.
        givers: from which nodes each has it.
        seeds: where it came from.
        seen: nodes that were expanded or wait for it.
        expanded: how many were.
    """

    neighbours: Neighbours
    rules: Spreading
    activation: dict[str, float] = field(default_factory=dict)
    givers: dict[str, set[str]] = field(default_factory=dict)
    seeds: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    expanded: int = 0

    def step(self, frontier: dict[str, float]) -> dict[str, float]:
        """Passes on what the nodes of a frontier have; gives those reached for the first time."""
        left = self.rules.most_expanded - self.expanded
        order = sorted(frontier, key=lambda node: (-frontier[node], node))[:left]
        self.expanded += len(order)
        flows = [
            (giver, node, part)
            for giver in order
            for node, part in self._parts(giver, frontier[giver])
        ]
        # Only now: what two neighbours send each other at once is no echo.
        for giver, node, part in flows:
            self.activation[node] = min(1.0, self.activation.get(node, 0.0) + part)
            self.givers.setdefault(node, set()).add(giver)
        reached = {node: self.activation[node] for _, node, _ in flows if node not in self.seen}
        self.seen.update(reached)
        return reached

    def _parts(self, giver: str, activation: float) -> Iterable[tuple[str, float]]:
        ties = [(node, weight) for node, weight in self.neighbours(giver) if node != giver]
        if not ties:
            return
        shared = activation * self.rules.decay / len(ties) ** self.rules.fan
        back = self.givers.get(giver, ())
        for node, weight in ties:
            part = shared * weight
            if part >= self.rules.threshold and node not in self.seeds and node not in back:
                yield node, part
