"""The words of the graph: what a node can be, and how two things can stand to each other.

A node is a name within one scope id; traces mention it. Edges lead between traces, nodes, or one
and the other, and never cross from one scope id to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What a name is the name of."""

    PERSON = "person"
    PLACE = "place"
    ORGANIZATION = "organization"
    EVENT = "event"
    WORK = "work"
    """A book, a film, a song: what has a title."""
    TOPIC = "topic"
    THING = "thing"
    """A product, or a name of which nothing tells what it names."""


class EdgeKind(StrEnum):
    """How two things are joined. What a fact says is its own kind: "lives_in"."""

    MENTIONS = "mentions"
    """A trace and a name in it."""
    CO_ACTIVATED = "co_activated"
    """Two traces that were recalled together; grows with each time."""
    SHARED_ENTITY = "shared_entity"
    TEMPORAL_SEQUENCE = "temporal_sequence"
    SAME_TOPIC = "same_topic"
    CAUSED_BY = "caused_by"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SCHEMA_INSTANCE = "schema_instance"


UNDIRECTED = frozenset(
    {
        EdgeKind.CO_ACTIVATED,
        EdgeKind.SHARED_ENTITY,
        EdgeKind.SAME_TOPIC,
        EdgeKind.CONTRADICTS,
    }
)
"""Kinds of which a pair has one edge, whichever of the two is named first."""

WEIGHTS: Mapping[EdgeKind, float] = {
    EdgeKind.MENTIONS: 1.0,
    EdgeKind.CO_ACTIVATED: 0.1,
    EdgeKind.SHARED_ENTITY: 0.5,
    EdgeKind.TEMPORAL_SEQUENCE: 0.3,
    EdgeKind.SAME_TOPIC: 0.4,
    EdgeKind.CAUSED_BY: 0.5,
    EdgeKind.SUPERSEDES: 0.5,
    EdgeKind.CONTRADICTS: 0.5,
    EdgeKind.DERIVED_FROM: 0.6,
    EdgeKind.SCHEMA_INSTANCE: 0.6,
}
"""The weight of a new edge, 0 to 1.

AgentOS's for co-activated, shared entity, temporal sequence and schema instance; the rest are ours.
A mention has 1: from a trace over a name to another trace are two steps, and a walk that halves
what it carries at each then gives the .25 of AgentOS's single step of weight .5.
"""

FACT_WEIGHT = 0.5
"""The weight of an edge that a fact makes between two names."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A trace or a name in the graph.

    Args:
        id: of the trace, or of the name's node.
        label: the name as it is written, or the text of the trace.
        kind: of the name, such as "person"; "trace" for a trace.
    """

    id: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Tied:
    """What something is tied to.

    Args:
        thing: the other end.
        kind: of the tie: of an `EdgeKind`, or the attribute of a fact, such as "lives_in".
        weight: 0 to 1.
        forward: the tie leads to it and not from it.
    """

    thing: Thing
    kind: str
    weight: float
    forward: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A tie that is gone along, from one thing to the next."""

    start: Thing
    kind: str
    end: Thing
    forward: bool


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that seems to be short for another one, such as "Marta" for "Marta Ruiz"."""

    name: Thing
    stands_for: Thing


@dataclass(frozen=True, slots=True)
class Region:
    """What lies around something: how many ties each thing is away, and the ties between them.

    Args:
        things: each with its distance, the nearest first.
        ties: ids of both ends, kind and weight.
    """

    things: tuple[tuple[Thing, int], ...]
    ties: tuple[tuple[str, str, str, float], ...]
