"""`mnemic bench year`: a year of an assistant's life, with the mind on and with it off.

Some 20,000 texts arrive over 365 days: facts about the people, places and things of a made-up
person, said again and again in other words; corrections, by which a newer value ends an older
one; and small talk, most of it all. Every day a few of the facts are asked for, some of them
often and most of them never. On the last day, a sample of all facts is asked for, those that were
asked before and those that were not. What counts is whether the value that holds on that day is
in the context packet, and how many tokens the packet takes up to it and as a whole.

Each day is a conversation of its own. The clock is moved, nothing waits; the world is made from a
seed.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

from mnemic import BoundMemory, Draft, Embedder, Memory, Settings
from mnemic.evals import lines_of_a_year as said
from mnemic.index.embed.count import count_tokens

Progress = Callable[[int, int, str], None]

DAYS = 365
_START = datetime(2030, 1, 1, 8, tzinfo=UTC)
_ASKED_A_DAY = 6
_AT_THE_END = 300
_EVERY = 7
"""Days from one consolidation to the next."""

BUDGET = 2_000
"""Tokens of a packet: more than what is worth saying takes."""


@dataclass(slots=True)
class _Fact:
    """Something that can be asked for: its question, and the value that holds at present."""

    subject: str
    attribute: said.Attribute
    value: str
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Lived:
    """What was found on the last day.

    Args:
        found: share of the facts asked for whose present value is in the packet.
        asked_before: the same of those that were asked for during the year.
        never_asked: the same of those that were not.
        tokens: of a packet, on average.
        tokens_to_it: up to the end of the line that has the value, on average of those found.
        archived: traces that were set aside.
        traces: how many there are.
    """

    found: float
    asked_before: float
    never_asked: float
    tokens: float
    tokens_to_it: float
    archived: int
    traces: int


@dataclass(frozen=True, slots=True)
class YearResult:
    """A year with the mind on, and the same year with it off."""

    on: Lived
    off: Lived

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return asdict(self)


class _Clock:
    """A clock that is moved."""

    def __init__(self) -> None:
        self.now = _START

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class _World:
    """What happens, from a seed."""

    chance: random.Random
    facts: list[_Fact] = field(default_factory=list)

    @classmethod
    def made(cls, seed: int) -> _World:
        """A world of people with what can be said of them."""
        chance = random.Random(seed)
        world = cls(chance)
        for name in said.NAMES:
            for attribute in chance.sample(said.ATTRIBUTES, 6):
                value = chance.choice(attribute.values)
                world.facts.append(_Fact(name, attribute, value))
        chance.shuffle(world.facts)
        return world

    def day(self, texts: int) -> Iterator[str]:
        """What is said on one day: repetition, corrections, and a lot of noise."""
        for _ in range(texts):
            roll = self.chance.random()
            if roll < 0.16:
                yield self._told(self.chance.choice(self.facts))
            elif roll < 0.18:
                yield self._changed(self.chance.choice(self.facts))
            else:
                yield said.small_talk(self.chance)

    def _told(self, fact: _Fact) -> str:
        return said.told(self.chance, fact.attribute, fact.subject, fact.value)

    def _changed(self, fact: _Fact) -> str:
        others = [value for value in fact.attribute.values if value != fact.value]
        fact.value = self.chance.choice(others)
        return said.changed(self.chance, fact.attribute, fact.subject, fact.value)

    def needed(self, count: int) -> list[_Fact]:
        """Facts that are asked for: the first ones often, the last ones never."""
        often = self.facts[: len(self.facts) // 3]
        weights = [1 / (rank + 1) for rank in range(len(often))]
        return self.chance.choices(often, weights, k=count)


def bench_year(
    texts: int = 20_000,
    *,
    seed: int = 1,
    embedder: Embedder | str | None = "auto",
    progress: Progress | None = None,
) -> YearResult:
    """Live the year twice; takes some minutes, most of them for vectors.

    Args:
        texts: that arrive in all.
        seed: of the world.
        embedder: as `Memory.open` takes it; one that keeps its vectors halves the time.
        progress: is told how many days of both years are done.
    """
    lived = []
    for number, enabled in enumerate((True, False)):

        def told(day: int, done: int = number * DAYS) -> None:
            if progress is not None:
                progress(done + day, 2 * DAYS, "days")

        settings = Settings(mind={"enabled": enabled})
        lived.append(_live(texts, seed, settings, embedder, told))
    return YearResult(*lived)


def _live(
    texts: int,
    seed: int,
    settings: Settings,
    embedder: Embedder | str | None,
    told: Callable[[int], None],
) -> Lived:
    world, clock = _World.made(seed), _Clock()
    with (
        tempfile.TemporaryDirectory(prefix="mnemic-year-") as folder,
        Memory.open(
            Path(folder) / "brain.db",
            embedder=embedder,
            settings=settings,
            clock=clock,
            chance=random.Random(seed).random,
        ) as memory,
    ):
        # Each is said once at least, some time in the first month.
        first = {id(fact): world.chance.randrange(30) for fact in world.facts}
        for day in range(DAYS):
            clock.now = _START + timedelta(days=day)
            ana = memory.bind(user="ana", thread=f"day {day}")
            new = [world._told(fact) for fact in world.facts if first[id(fact)] == day]
            _say(ana, clock, [*new, *world.day(texts // DAYS)])
            for fact in world.needed(_ASKED_A_DAY):
                fact.asked += 1
                ana.context(fact.attribute.question.format(name=fact.subject))
            if day % _EVERY == _EVERY - 1:
                memory.consolidate()
            told(day + 1)
        return _asked(memory, memory.bind(user="ana", thread="the last day"), world)


def _say(ana: BoundMemory, clock: _Clock, texts: Sequence[str]) -> None:
    ana.remember_many(Draft(text, role="user", time=clock.now) for text in texts)


def _asked(memory: Memory, ana: BoundMemory, world: _World) -> Lived:
    """Ask for a sample of all facts, half of them such as were asked for before."""
    before = [fact for fact in world.facts if fact.asked][: _AT_THE_END // 2]
    never = [fact for fact in world.facts if not fact.asked][: _AT_THE_END // 2]
    found: dict[bool, list[bool]] = {True: [], False: []}
    tokens: list[int] = []
    to_it: list[int] = []
    for fact in (*before, *never):
        question = fact.attribute.question.format(name=fact.subject)
        packet = ana.context(question, budget_tokens=BUDGET, touch=False)
        tokens.append(packet.tokens)
        so_far, hit = 0, False
        for line in packet.lines:
            so_far += count_tokens(line.text)
            if fact.subject in line.text and fact.value in line.text:
                hit = True
                to_it.append(so_far)
                break
        found[fact.asked > 0].append(hit)
    archived = ana.count(archived=True)
    return Lived(
        found=mean([*found[True], *found[False]]),
        asked_before=mean(found[True]),
        never_asked=mean(found[False]),
        tokens=mean(tokens),
        tokens_to_it=mean(to_it),
        archived=archived,
        traces=memory.stats().traces,
    )
