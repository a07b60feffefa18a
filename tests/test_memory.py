"""The front door: what a brain keeps, gives back, filters, counts and says of itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Draft, Memory, Receipt, Role, Scope, Settings, Trace, TraceType
from mnemic.errors import InvalidInput, NotFound, StorageError
from tests.conftest import START, FixedClock, Opener
from tests.store.raw import contents

FULL: dict[str, Any] = {
    "type": "semantic",
    "tags": ["home", "sea", "home"],
    "entities": ["Ana", "Lisbon"],
    "metadata": {"n": 1, "deep": {"list": [1.5, None, True, "é"]}},
    "speaker": "Ana",
    "role": "user",
    "thread": "tuesday",
    "time": "2026-05-01T10:00:00+02:00",
    "valid_from": "2026-04-01",
    "valid_to": "2027-04-01",
    "source": "observation",
    "strength": 0.8,
}


def trace_of(receipt: Receipt) -> Trace:
    assert receipt.trace is not None
    return receipt.trace


def test_what_is_remembered_is_shown_with_all_that_was_given(ana: BoundMemory) -> None:
    trace = trace_of(ana.remember("I live by the sea", **FULL))
    assert ana.show(trace.id) == trace
    assert ana.list() == [trace]
    assert [hit.trace for hit in ana.recall("sea", touch=False)] == [trace]
    assert (trace.content, trace.type, trace.scope) == (
        "I live by the sea", TraceType.SEMANTIC, Scope.USER
    )  # fmt: skip
    assert (trace.tags, trace.entities) == (("home", "sea"), ("Ana", "Lisbon"))
    assert trace.metadata == FULL["metadata"]
    assert (trace.speaker, trace.role, trace.thread) == ("Ana", Role.USER, "tuesday")
    assert trace.time == datetime(2026, 5, 1, 8, tzinfo=UTC)
    assert trace.valid_from == datetime(2026, 4, 1, tzinfo=UTC)
    assert trace.valid_to == datetime(2027, 4, 1, tzinfo=UTC)
    assert (trace.strength, trace.source.value, trace.version) == (0.8, "observation", 1)
    assert (trace.recorded_at, trace.created_at, trace.retired_at) == (START, START, None)


def test_one_many_and_mappings_are_the_same_road(ana: BoundMemory, bob: BoundMemory) -> None:
    one = trace_of(ana.remember("I live by the sea", **FULL))
    for item in (Draft("I live by the sea", **FULL), {"content": "I live by the sea", **FULL}):
        other = trace_of(bob.remember_many([item])[0])
        for name in Trace.__slots__:
            if name not in ("id", "scope_id", "strength"):
                assert getattr(one, name) == getattr(other, name), name


def test_it_is_all_there_after_a_restart(open_brain: Opener) -> None:
    memory = open_brain()
    trace = trace_of(memory.bind(user="ana").remember("I live by the sea", **FULL))
    memory.close()
    assert open_brain().bind(user="ana").show(trace.id) == trace


@pytest.fixture
def year(ana: BoundMemory, clock: FixedClock) -> dict[str, Trace]:
    """Six traces over a year, each of its own kind."""
    drafts = {
        "jan": Draft("boat one", time="2026-01-10", tags=("red", "fast"), strength=0.2),
        "feb": Draft("boat two", time="2026-02-10", tags=("red",), entities=("Ana",)),
        "mar": Draft("boat three", time="2026-03-10", type="semantic", thread="tuesday"),
        "apr": Draft("boat four", time="2026-04-10", type="procedural", strength=0.9),
        "may": Draft("boat five", time="2026-05-10", scope="thread", tags=("re_d",)),
        "jun": Draft("boat six", entities=("Ana", "Eva"), tags=('"quoted"', "日本")),
    }
    receipts = ana.remember_many(drafts.values())
    return {name: trace_of(receipt) for name, receipt in zip(drafts, receipts, strict=True)}


FILTERS: list[tuple[dict[str, Any], str]] = [
    ({}, "jan feb mar apr may jun"),
    ({"type": "semantic"}, "mar"),
    ({"type": ["semantic", TraceType.PROCEDURAL]}, "mar apr"),
    ({"scope": "thread"}, "may"),
    ({"scope": Scope.USER}, "jan feb mar apr jun"),
    ({"tags": "red"}, "jan feb"),
    ({"tags": ["red", "fast"]}, "jan"),
    ({"tags": ["fast", "slow"]}, ""),
    ({"tags": "re"}, ""),
    ({"tags": "%"}, ""),
    ({"tags": "re_d"}, "may"),
    ({"tags": '"quoted"'}, "jun"),
    ({"tags": "日本"}, "jun"),
    ({"entities": "Ana"}, "feb jun"),
    ({"entities": ("Ana", "Eva")}, "jun"),
    ({"before": "2026-03-10"}, "jan feb"),
    ({"after": "2026-03-10"}, "mar apr may jun"),
    ({"after": "2026-02-01", "before": "2026-04-01"}, "feb mar"),
    ({"min_strength": 0.5}, "feb mar apr may jun"),
    ({"min_strength": 0.9}, "apr"),
    ({"thread": "monday"}, "jan feb apr may jun"),
    ({"thread": "tuesday"}, "mar"),
    ({"thread": "mon%"}, ""),
    ({"type": "episodic", "tags": "red", "after": "2026-02-01"}, "feb"),
]


@pytest.mark.parametrize("embedder", ["vectors", "words"])
def test_filters_hold_for_every_reader(
    open_brain: Opener, ana: BoundMemory, year: dict[str, Trace], embedder: str
) -> None:
    if embedder == "words":
        ana = open_brain(embedder=None).bind(user="ana", thread="monday")
    for given, expected in FILTERS:
        ids = {year[name].id for name in expected.split()}
        assert {t.id for t in ana.list(**given)} == ids, given
        assert {h.trace.id for h in ana.recall("boat", touch=False, **given)} == ids, given
        assert set(ana.context("boat", touch=False, **given).ids) == ids, given
        assert ana.count(**given) == len(ids), given


def test_lists_are_newest_first_in_pages(ana: BoundMemory, year: dict[str, Trace]) -> None:
    newest_first = [year[name].id for name in "jun may apr mar feb jan".split()]
    assert [t.id for t in ana.list()] == newest_first
    pages = [t.id for at in (0, 2, 4, 6) for t in ana.list(limit=2, offset=at)]
    assert pages == newest_first


def test_ties_have_a_fixed_order(ana: BoundMemory) -> None:
    ana.remember_many(f"boat {n}" for n in range(20))
    once, twice = ana.list(), ana.list()
    assert [t.id for t in once] == [t.id for t in twice]
    hits = [[h.trace.id for h in ana.recall("boat", limit=20, touch=False)] for _ in range(2)]
    assert hits[0] == hits[1]
    assert [h.trace.id for h in ana.recall("boat", limit=5)] == hits[0][:5]


def test_a_limit_is_an_upper_bound(ana: BoundMemory, year: dict[str, Trace]) -> None:
    for limit in (1, 3, 6, 5_000):
        assert len(ana.recall("boat", limit=limit)) == min(limit, 6)
        assert len(ana.list(limit=limit)) == min(limit, 6)
    # A filter is applied before the cut, not after.
    assert [h.trace.id for h in ana.recall("boat", limit=1, tags="fast")] == [year["jan"].id]


def test_every_hit_says_why(ana: BoundMemory, year: dict[str, Trace]) -> None:
    hits = ana.recall("boat three")
    assert hits[0].trace.id == year["mar"].id
    for hit in hits:
        assert sum(hit.why.breakdown.values()) == pytest.approx(hit.score)
        assert hit.why.passage == hit.trace.content
        assert "boat" in hit.why.terms
        assert "\n" not in str(hit.why)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_stats_count_what_the_caller_reads(
    ana: BoundMemory, bob: BoundMemory, year: dict[str, Trace], memory: Memory
) -> None:
    stats = ana.stats()
    assert (stats.traces, stats.threads) == (6, 2)
    assert stats.by_type == {"episodic": 4, "semantic": 1, "procedural": 1}
    assert stats.by_scope == {"thread": 1, "user": 5}
    assert stats.oldest == year["jan"].time
    assert stats.newest == year["jun"].time == START
    assert stats.as_dict()["newest"] == "2026-06-01T12:00:00+00:00"
    ana.forget(year["jan"].id)
    assert ana.stats().traces == 5
    assert (bob.stats().traces, bob.stats().oldest) == (0, None)
    whole = memory.stats()
    assert (whole.traces, whole.versions, whole.partitions) == (6, 7, 2)
    assert whole.by_trust == {"believed": 5, "forgotten": 1}
    assert (whole.passages, whole.audit_entries, whole.tombstones) == (6, 7, 0)


READERS: dict[str, Callable[[BoundMemory, str], object]] = {
    "recall": lambda who, of: who.recall("the boat"),
    "context": lambda who, of: str(who.context("the boat")),
    "list": lambda who, of: who.list(),
    "count": lambda who, of: who.count(),
    "stats": lambda who, of: who.stats().traces,
    "show": lambda who, of: who.show(of),
    "history": lambda who, of: who.history(of),
}


@pytest.mark.parametrize("reader", READERS)
def test_two_brains_in_one_file_do_not_know_each_other(open_brain: Opener, reader: str) -> None:
    one, other = (open_brain(brain=name).bind(user="ana") for name in ("one", "other_"))
    trace = trace_of(one.remember("the boat is red"))
    assert READERS[reader](one, trace.id)
    if reader in ("show", "history"):
        with pytest.raises(NotFound, match=rf"^no trace '{trace.id}' within reach$"):
            READERS[reader](other, trace.id)
    else:
        assert not READERS[reader](other, trace.id)
    with pytest.raises(NotFound):
        other.forget(trace.id)
    assert trace_of(other.remember("the boat is red")).strength == 0.5
    one.forget(trace.id, reason="wrong")
    assert other.remember("The Boat is red").status.value == "stored"
    assert open_brain(brain="one").stats().traces == 1


def test_health_names_the_file_and_its_tables(open_brain: Opener, tmp_path: Any) -> None:
    health = open_brain().health(thorough=True)
    assert (health.ok, health.degraded, health.embedder) == (True, False, "test-words")
    assert health.path == str(tmp_path / "brain.db")
    assert health.schema.isdigit()


def test_uses_are_counted_after_the_answer(ana: BoundMemory, clock: FixedClock) -> None:
    trace = trace_of(ana.remember("the boat is red"))
    clock.advance(hours=1)
    assert ana.recall("boat")[0].trace.retrieval_count == 0
    shown = ana.show(trace.id)
    assert (shown.retrieval_count, shown.last_accessed_at) == (1, START + timedelta(hours=1))


def test_closing_twice_does_no_harm(open_brain: Opener) -> None:
    memory = open_brain()
    memory.bind(user="ana").remember("the boat is red")
    memory.close()
    memory.close()
    assert open_brain().bind(user="ana").count() == 1


def test_progress_is_told(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(encoding={"batch_size": 4}))
    told: list[tuple[int, int, str]] = []
    memory.bind(user="ana").remember_many(
        [f"boat {n}" for n in range(10)], progress=lambda *step: told.append(step)
    )
    assert told == [(4, 10, "remember"), (8, 10, "remember"), (10, 10, "remember")]
    assert memory.bind(user="ana").remember_many([]) == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"colour": "red"}, "setting 'colour' with value 'red'"),
        ({"retrieval": {"k2": 1}}, "setting 'retrieval.k2' with value 1"),
        ({"retrieval": {"b": 2}}, "setting 'retrieval.b' with value 2: .*less than or equal to 1"),
        ({"encoding": {"batch_size": 0}}, "setting 'encoding.batch_size' with value 0"),
        ({"encoding": 5}, "setting 'encoding' with value 5"),
        ({"timezone": "Mars/Olympus"}, "timezone 'Mars/Olympus' is unknown"),
    ],
)
def test_a_setting_that_is_none_is_refused(given: dict[str, Any], says: str) -> None:
    assert Settings(timezone="UTC").timezone == "UTC"
    with pytest.raises(InvalidInput, match=says):
        Settings(**given)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("MNEMIC_COLOUR", "red", "'MNEMIC_COLOUR' is no setting; known are: MNEMIC_TIMEZONE"),
        ("mnemic_colour", "red", "'mnemic_colour' is no setting"),
        ("MNEMIC_RETRIEVAL__K2", "1", "setting 'retrieval.k2' with value '1'"),
        ("MNEMIC_RETRIEVAL__B", "2", "setting 'retrieval.b' with value '2'"),
        ("MNEMIC_RETRIEVAL", "{not json", "retrieval"),
        ("MNEMIC_TIMEZONE", "Mars/Olympus", "timezone 'Mars/Olympus' is unknown"),
    ],
)
def test_a_variable_that_is_no_setting_is_refused_before_a_file_is_made(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv("MNEMIC_RETRIEVAL__K1", "1.5")
    monkeypatch.setenv("MNEMIC_BRAIN", "the command line's own")
    assert Settings().retrieval.k1 == 1.5
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput, match=says):
        Memory.open(tmp_path / "brain.db", embedder=None)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_binding_leaves_no_row(memory: Memory) -> None:
    assert memory.bind(user="ana").count() == 0
    before = contents(memory)
    for given in ({}, {"user": ""}, {"user": "a", "thread": "\0"}):
        with pytest.raises(InvalidInput):
            memory.bind(**given)
    with pytest.raises(TypeError, match="group"):
        memory.bind(group="acme")  # type: ignore[call-arg]
    assert contents(memory) == before


def test_a_brain_that_was_closed_says_so(open_brain: Opener) -> None:
    memory = open_brain()
    ana = memory.bind(user="ana")
    ana.remember("The kettle whistles at five")
    assert ana.count() == 1
    memory.close()
    memory.close()
    for use in (
        ana.count,
        lambda: ana.recall("kettle"),
        lambda: ana.remember("More tea"),
    ):
        with pytest.raises(StorageError, match="closed"):
            use()
    assert open_brain().bind(user="ana").count() == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.reviewer("dana", bind="ana"),
        lambda memory: memory.freeze(bind=3),
        lambda memory: memory.import_from("x.jsonl", bind="ana"),
        lambda memory: memory.export_rejections(3),
        lambda memory: memory.import_rejections(None),
    ],
)
def test_what_is_of_the_wrong_type_is_named(
    memory: Memory, call: Callable[[Memory], object]
) -> None:
    with pytest.raises(InvalidInput, match=r"(bind '?(ana|3)'? must be|path (3|None) must be)"):
        call(memory)
