"""What cannot be asked or changed is refused with its name and value, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings
from mnemic.errors import InvalidInput
from tests.conftest import Opener
from tests.store.raw import contents

NAIVE = datetime(2026, 6, 1, 12)  # noqa: DTZ001

FILTERS: list[tuple[dict[str, Any], str]] = [
    ({"type": "memory"}, "type 'memory' is unknown; use one of"),
    ({"type": ["semantic", "memory"]}, "type 'memory' is unknown"),
    ({"type": 5}, "type 5 must be a string or a list"),
    ({"scope": "team"}, "scope 'team' is unknown"),
    ({"tags": 5}, "tags 5 must be a string or a list"),
    ({"tags": ["a", 5]}, "tags holds 5"),
    ({"tags": "\ud800"}, "tags holds a lone surrogate"),
    ({"entities": [None]}, "entities holds None"),
    ({"entities": ["a\0"]}, "entities holds a NUL"),
    ({"before": NAIVE}, "before .* has no time zone"),
    ({"after": "soon"}, "after 'soon' is no ISO 8601"),
    ({"as_of": NAIVE}, "as_of .* has no time zone"),
    ({"as_of": 5}, "as_of must be a datetime.*not int 5"),
    ({"known_at": "2026-13-01"}, "known_at '2026-13-01' is no ISO 8601"),
    ({"min_strength": 2}, "min_strength 2 must be a number from 0 to 1"),
    ({"min_strength": float("nan")}, "min_strength nan"),
    ({"min_strength": "high"}, "min_strength 'high'"),
    ({"thread": ""}, "thread is blank"),
    ({"thread": "\ud800"}, "thread .* lone surrogate"),
]
CLOCKS = [(given, says) for given, says in FILTERS if next(iter(given)) in ("as_of", "known_at")]

Call = Callable[[BoundMemory, str, dict[str, Any]], object]

READERS: dict[str, tuple[Call, list[tuple[dict[str, Any], str]]]] = {
    "recall": (lambda who, of, given: who.recall("kettle", **given), FILTERS),
    "context": (lambda who, of, given: who.context("kettle", **given), FILTERS),
    "list": (lambda who, of, given: who.list(**given), FILTERS),
    "count": (lambda who, of, given: who.count(**given), FILTERS),
    "show": (lambda who, of, given: who.show(of, **given), CLOCKS),
    "stats": (lambda who, of, given: who.stats(**given), CLOCKS),
}


@pytest.fixture
def kettle(ana: BoundMemory) -> str:
    """The id of a trace that is there."""
    trace = ana.remember("The kettle whistles").trace
    assert trace is not None
    return trace.id


@pytest.mark.parametrize("reader", READERS)
def test_a_bad_filter_is_refused_by_every_reader(
    ana: BoundMemory, kettle: str, reader: str
) -> None:
    call, bad = READERS[reader]
    assert call(ana, kettle, {})
    for given, says in bad:
        with pytest.raises(InvalidInput, match=says):
            call(ana, kettle, given)


@pytest.mark.parametrize("limit", [0, -1, 1.0, "5", None, True])
def test_a_limit_below_one_is_refused(
    ana: BoundMemory, memory: Memory, kettle: str, limit: Any
) -> None:
    calls: list[Callable[[Any], object]] = [
        lambda most: ana.recall("kettle", limit=most),
        lambda most: ana.context("kettle", budget_tokens=most),
        lambda most: ana.list(limit=most),
        lambda most: memory.audit.entries(limit=most),
    ]
    for call in calls:
        assert call(1) is not None
        with pytest.raises(InvalidInput, match=f"{limit!r} must be a whole number of at least 1"):
            call(limit)
    assert ana.list(offset=0)
    with pytest.raises(InvalidInput, match="offset -1 must be a whole number of at least 0"):
        ana.list(offset=-1)


@pytest.mark.parametrize("query", ["", "  \n", None, 5, b"kettle", ["kettle"]])
def test_a_question_that_is_none_is_refused(ana: BoundMemory, kettle: str, query: Any) -> None:
    for ask in (ana.recall, ana.context):
        assert ask("kettle")
        with pytest.raises(InvalidInput, match=r"query .* must be a text that is not blank"):
            ask(query)


@pytest.mark.parametrize(
    "query",
    [
        '"kettle',
        "kettle AND",
        "kettle* OR NEAR(",
        "content:kettle",
        "^kettle -x",
        "kettle); DROP TABLE traces",
        "kettle\0whistles",
        "kettle \ud800",
        "kettle %_",
        "?!... kettle",
        "kettle " * 5_000,
    ],
)
def test_search_syntax_and_odd_bytes_in_a_question_are_text(
    ana: BoundMemory, kettle: str, query: str
) -> None:
    assert [hit.trace.id for hit in ana.recall(query)] == [kettle]


@pytest.mark.parametrize(
    "query", ["?!...", "*", '"', "()", "%", "\0", "\ud800", "\u200b", "🙂", "'"]
)
def test_a_question_without_words_gives_no_error(
    open_brain: Opener, ana: BoundMemory, kettle: str, query: str
) -> None:
    assert ana.recall(query) is not None
    words_only = open_brain("words.db", embedder=None).bind(user="ana")
    words_only.remember("The kettle whistles")
    assert len(words_only.recall("kettle")) == 1
    assert words_only.recall(query) == []


CHANGES: list[tuple[str, Call, list[tuple[Any, str]]]] = [
    (
        "reason",
        lambda who, of, given: who.correct(of, "The kettle sings", **given),
        [(None, "reason None"), ("", "reason ''"), (" ", "reason ' '"), (5, "reason 5")],
    ),
    ("reason", lambda who, of, given: who.restore(of, **given), [("", "reason ''")]),
    (
        "reason",
        lambda who, of, given: who.forget(of, **given),
        [
            ("", "reason ''"),
            ("x" * 1_001, "reason has 1001 characters, at most 1000"),
            ("a\0", "reason holds a NUL"),
            ("\ud800", "reason holds a lone surrogate"),
        ],
    ),
    (
        "content",
        lambda who, of, given: who.correct(of, reason="r", **given),
        [
            (" ", "is blank"),
            (5, "content must be a string"),
            ("a\0", "NUL"),
            ("x" * 1_000_001, "at most 1000000"),
            (None, "nothing to correct: give new content, valid_from or valid_to"),
        ],
    ),
    (
        "valid_to",
        lambda who, of, given: who.correct(of, reason="r", **given),
        [
            (NAIVE, "valid_to .* has no time zone"),
            ("1999-01-01", "valid_to 1999-01-01.*before valid_from 2026"),
            ("9999-12-31T23:00:00-05:00", "outside the calendar"),
        ],
    ),
    (
        "valid_from",
        lambda who, of, given: who.correct(of, reason="r", valid_to="2027-01-01", **given),
        [("2028-01-01", "valid_to 2027-01-01.*before valid_from 2028"), (5, "not int 5")],
    ),
]


@pytest.mark.parametrize(("field", "call", "bad"), CHANGES)
def test_a_bad_change_changes_nothing(
    ana: BoundMemory,
    memory: Memory,
    kettle: str,
    field: str,
    call: Call,
    bad: list[tuple[Any, str]],
) -> None:
    before = contents(memory)
    for value, says in bad:
        with pytest.raises(InvalidInput, match=says):
            call(ana, kettle, {field: value})
        assert contents(memory) == before, value


@pytest.mark.parametrize("wrong", [None, 5, ["mt_1"], "mt_\ud800", "mt_\0"])
def test_a_trace_id_that_is_none_is_refused(
    ana: BoundMemory, memory: Memory, kettle: str, wrong: Any
) -> None:
    calls: list[Callable[[Any], object]] = [
        ana.show,
        ana.history,
        lambda of: ana.correct(of, "x", reason="r"),
        ana.forget,
        lambda of: ana.restore(of, reason="r"),
    ]
    assert calls[0](kettle)
    for call in calls:
        with pytest.raises(InvalidInput, match="a trace id"):
            call(wrong)
    if wrong is not None:
        with pytest.raises(InvalidInput, match="a trace id"):
            memory.audit.entries(trace_id=wrong)


def test_a_zone_setting_says_what_naive_times_mean(open_brain: Opener) -> None:
    lisbon = open_brain(settings=Settings(timezone="Europe/Lisbon")).bind(user="ana")
    receipt = lisbon.remember("noon in June", time=NAIVE)
    assert receipt.trace is not None
    assert receipt.trace.time.isoformat() == "2026-06-01T11:00:00+00:00"
    assert lisbon.count(before=NAIVE) == 0
    assert lisbon.count(after=NAIVE) == 1
