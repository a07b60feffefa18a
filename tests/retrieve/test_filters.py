"""Filters hold whichever arm found a trace, in every combination, and never cost an answer."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Draft, Memory, Role, Settings, Trace
from tests.conftest import START, Opener, WordVectors

WORDS = "violin harbour lantern copper bread ferry quince saddle letter garden".split()
QUESTION = "the violin by the harbour lantern"
ALL = 1_000


@pytest.fixture(params=["words", "vectors", "by bits", "sealed"])
def memory(request: pytest.FixtureRequest, open_brain: Opener) -> Memory:
    """Brains that find by each arm."""
    index: dict[str, Any] = {"by bits": {"exact_vectors": 0}, "sealed": {"segment_passages": 16}}
    return open_brain(
        embedder=None if request.param == "words" else WordVectors(),
        settings=Settings(index=index.get(request.param, {})),
    )


@pytest.fixture
def who(memory: Memory) -> BoundMemory:
    """A caller with 300 traces of every kind."""
    rng = random.Random(5)
    ana = memory.bind(user="ana", thread="t0", persona="coach", organization="acme")
    drafts = []
    for at in range(300):
        scope = rng.choice(["user", "user", "thread", "persona", "organization"])
        drafts.append(
            Draft(
                f"{at}: " + " ".join(rng.choices(WORDS, k=6)),
                type=rng.choice(["episodic", "semantic", "procedural"]),
                scope=scope,
                tags=tuple(
                    rng.sample(["home", "work", "ho", "HOME", "a%b", 'q"t'], rng.randint(0, 3))
                ),
                entities=tuple(
                    rng.sample(["Ruth", "Ruth Okafor", "Elm_Street"], rng.randint(0, 2))
                ),
                thread="t0" if scope == "thread" else rng.choice(["t0", "t1", "t2"]),
                role=rng.choice([None, Role.USER, Role.ASSISTANT]),
                time=START + timedelta(hours=rng.randint(-100, 0)),
                strength=rng.choice([0.0, 0.3, 0.5, 0.7, 1.0]),
            )
        )
    ana.remember_many(drafts)
    return ana


Condition = Callable[[Trace], bool]
NOON = START - timedelta(hours=50)
FILTERS: list[tuple[str, Any, Condition]] = [
    ("type", "semantic", lambda t: t.type == "semantic"),
    ("type", ["semantic", "procedural"], lambda t: t.type in ("semantic", "procedural")),
    ("type", "prospective", lambda t: False),
    ("tags", "home", lambda t: "home" in t.tags),
    ("tags", ["home", "work"], lambda t: {"home", "work"} <= set(t.tags)),
    ("tags", "a%b", lambda t: "a%b" in t.tags),
    ("tags", 'q"t', lambda t: 'q"t' in t.tags),
    ("tags", "%", lambda t: False),
    ("entities", "Ruth", lambda t: "Ruth" in t.entities),
    ("entities", ["Elm_Street", "Ruth Okafor"], lambda t: len(t.entities) == 2
     and "Ruth" not in t.entities),
    ("entities", "Elm%", lambda t: False),
    ("before", NOON, lambda t: t.time < NOON),
    ("after", NOON, lambda t: t.time >= NOON),
    ("min_strength", 0.5, lambda t: t.strength >= 0.5),
    ("min_strength", 1, lambda t: t.strength == 1),
    ("thread", "t1", lambda t: t.thread == "t1"),
    ("thread", "t", lambda t: False),
]  # fmt: skip
SCOPES: list[tuple[str, Any, Condition]] = [
    ("scope", name, lambda t, name=name: t.scope == name)  # type: ignore[misc]
    for name in ("user", "thread", "persona", "organization")
]


def told(who: BoundMemory, limit: int = ALL, **filters: Any) -> list[tuple[str, float]]:
    hits = who.recall(QUESTION, limit=limit, touch=False, **filters)
    return [(hit.trace.id, hit.score) for hit in hits]


def of_the_unfiltered(who: BoundMemory, meets: Condition) -> list[tuple[str, float]]:
    hits = who.recall(QUESTION, limit=ALL, touch=False)
    return [(hit.trace.id, hit.score) for hit in hits if meets(hit.trace)]


@pytest.mark.parametrize(
    ("name", "value", "meets"), FILTERS, ids=[f"{name} {value}" for name, value, _ in FILTERS]
)
def test_a_filter_gives_what_meets_it_with_the_same_scores(
    who: BoundMemory, name: str, value: Any, meets: Condition
) -> None:
    expected = of_the_unfiltered(who, meets)
    assert told(who, **{name: value}) == expected
    some_meet = value not in ("prospective", "%", "Elm%", "t")
    assert bool(expected) is some_meet
    assert len(expected) < len(of_the_unfiltered(who, lambda trace: True))


def test_every_combination_holds(who: BoundMemory) -> None:
    rng = random.Random(11)
    not_empty = 0
    for _ in range(40):
        chosen = {name: (value, meets) for name, value, meets in rng.sample(FILTERS, 3)}
        filters = {name: value for name, (value, _) in chosen.items()}
        conditions = [meets for _, meets in chosen.values()]
        expected = of_the_unfiltered(who, lambda t: all(meets(t) for meets in conditions))  # noqa: B023
        assert told(who, **filters) == expected
        for limit in (1, 3):
            assert told(who, limit, **filters) == expected[:limit]
        not_empty += bool(expected)
    assert not_empty > 10


@pytest.mark.parametrize(("name", "value", "meets"), SCOPES, ids=[name for _, name, _ in SCOPES])
def test_a_scope_gives_that_scope_only(
    who: BoundMemory, name: str, value: str, meets: Condition
) -> None:
    """Scores are another matter: they are counted over the scope alone."""
    hits = who.recall(QUESTION, limit=ALL, scope=value)
    assert {hit.trace.id for hit in hits} == {of for of, _ in of_the_unfiltered(who, meets)}
    assert hits
    older = who.recall(QUESTION, limit=ALL, scope=value, before=NOON, tags="home")
    expected = of_the_unfiltered(who, lambda t: meets(t) and t.time < NOON and "home" in t.tags)
    assert {hit.trace.id for hit in older} == {of for of, _ in expected}


def test_a_scope_that_the_caller_does_not_have_is_empty(memory: Memory, who: BoundMemory) -> None:
    assert told(who, scope="persona")
    assert told(memory.bind(user="ana"), scope="persona") == []


def test_listing_and_counting_use_the_same_filters(who: BoundMemory) -> None:
    everything = who.list(limit=ALL)
    for name, value, meets in FILTERS + SCOPES:
        expected = {trace.id for trace in everything if meets(trace)}
        assert {trace.id for trace in who.list(limit=ALL, **{name: value})} == expected
        assert who.count(**{name: value}) == len(expected)


def test_the_context_uses_the_same_filters(who: BoundMemory) -> None:
    packet = who.context(QUESTION, budget_tokens=2_000, tags="home", thread="t1")
    hits = who.recall(QUESTION, limit=40, touch=False, tags="home", thread="t1")
    assert len({hit.trace.type for hit in hits}) > 1
    hits.sort(key=lambda hit: hit.trace.type == "episodic")  # facts stand first
    assert [*packet.ids] == [hit.trace.id for hit in hits]


@pytest.mark.parametrize("embedder", [None, WordVectors()], ids=["words", "vectors"])
@pytest.mark.parametrize("index", [{}, {"exact_vectors": 0}], ids=["exact", "by bits"])
def test_a_rare_filter_among_many_candidates_still_fills_the_limit(
    open_brain: Opener, embedder: WordVectors | None, index: dict[str, Any]
) -> None:
    """Fifteen of 3,000, and the worst at that: thousands are better, and none of those will do."""
    who = open_brain(embedder=embedder, settings=Settings(index=index)).bind(user="ana")
    rare = {"tags": ("rare",), "strength": 0.0, "role": "assistant"}
    items: list[dict[str, Any]] = [{"content": f"violin number {at}"} for at in range(2_985)]
    for at in range(15):
        filler = " ".join(["saddle quince"] * 20)
        items.insert(at * 190, {"content": f"{filler} {at} and a violin", **rare})
    who.remember_many([{**item, "thread": str(at)} for at, item in enumerate(items)])

    def found(**filters: Any) -> list[str]:
        return [hit.trace.content for hit in who.recall("violin", limit=10, **filters)]

    assert all(content.startswith("violin number") for content in found())
    hits = found(tags="rare")
    assert len(hits) == 10
    assert all(content.endswith("and a violin") for content in hits)
    assert len(who.recall("violin", limit=100, tags="rare")) == 15


def test_a_rare_filter_fills_the_limit_when_no_word_matches(open_brain: Opener) -> None:
    """The scan by bits lets a few through, and none of them carries the tag."""
    settings = Settings(index={"exact_vectors": 0, "rescored_vectors": 50})
    ana = open_brain(embedder=WordVectors(), settings=settings).bind(user="ana")
    ana.remember_many(
        Draft(f"saddle number {at}", tags=("rare",) if at % 100 == 0 else ()) for at in range(1_500)
    )
    assert len(ana.recall("violin", limit=10)) == 10
    hits = ana.recall("violin", limit=10, tags="rare")
    assert len(hits) == 10
    assert all(hit.trace.tags == ("rare",) for hit in hits)
