"""memory_search and memory_context: what they find, in which shape, and for whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import Memory
from mnemic.errors import InvalidInput
from mnemic.tools.query import with_signs
from mnemic.tools.shapes import cut
from tests.conftest import Opener
from tests.tools.box import Box, agent

COMPOSE = "We deploy with docker compose on Friday."
STAGING = "Deployment to staging is done by hand."
TYPES = "The user writes TypeScript in dark mode."
SCRIPT = "JavaScript is for the old pages."


@pytest.fixture
def memory(open_brain: Opener) -> Memory:
    """An empty brain, searched by words only: what an operator does is not blurred."""
    return open_brain(embedder=None)


@pytest.fixture
def mine(memory: Memory) -> Box:
    """The tools of ana's agent."""
    return agent(memory, "ana", thread="monday", persona="poet")


def test_operators(mine: Box) -> None:
    ids = {text: mine.add(text) for text in (COMPOSE, STAGING, TYPES, SCRIPT)}
    for query, texts in {
        '"dark mode"': {TYPES},
        '"mode dark"': set(),
        "docker AND compose": {COMPOSE},
        "docker AND staging": set(),
        "typescript OR javascript": {TYPES, SCRIPT},
        "+deploy -staging": {COMPOSE},
        "type*": {TYPES},
    }.items():
        assert set(mine.found(query)) == {ids[text] for text in texts}, query
    for query, first, never in (
        ("deploy NOT staging", COMPOSE, STAGING),
        ("deploy AND NOT staging", COMPOSE, STAGING),
        ('deploy NOT "docker compose"', STAGING, COMPOSE),
    ):
        assert mine.found("deploy")[:2] in ([ids[first], ids[never]], [ids[never], ids[first]])
        found = mine.found(query)
        assert found[0] == ids[first], query
        assert ids[never] not in found, query


def test_what_is_no_operator_query_is_asked_in_plain_words(mine: Box) -> None:
    ids = {text: mine.add(text) for text in (COMPOSE, TYPES)}
    for query in (
        'what about "dark',
        "dark mode AND",
        "NOT dark",
        "AND dark mode",
        "dark OR",
        "mode OR NOT x",
    ):
        assert mine.found(query)[0] == ids[TYPES], query


@pytest.mark.parametrize(
    ("query", "signs"),
    [
        ("a AND b", "+a +b"),
        ("a AND b AND c", "+a +b +c"),
        ("a NOT b", "a -b"),
        ("a AND NOT b", "a -b"),
        ("a AND b NOT c", "+a +b -c"),
        ("a OR b AND c", "a OR b +c"),
        ('"x y" AND -z', '+"x y" -z'),
        ('"a AND b"', '"a AND b"'),
        ("sand and NOTES", "sand and NOTES"),
        ("NOT a", None),
        ("a AND", None),
        ("a AND AND b", None),
        ("a OR NOT b", None),
        ("NOT NOT", None),
        ("", ""),
    ],
)
def test_and_and_not_are_translated(query: str, signs: str | None) -> None:
    assert with_signs(query) == signs


@given(st.lists(st.sampled_from(["a", "b", '"c d"', '"', "AND", "OR", "NOT", "-e", "+f", "g*"])))
def test_a_translation_keeps_the_words_and_drops_the_operators(pieces: list[str]) -> None:
    signs = with_signs(" ".join(pieces))
    if signs is not None and '"' not in pieces:
        assert "AND" not in signs.split()
        assert "NOT" not in signs.split()
        words = [piece for piece in pieces if piece not in ("AND", "NOT")]
        assert [one.lstrip("+-") for one in signs.split()] == [
            one.lstrip("+-") for one in " ".join(words).split()
        ]


def test_a_result_has_all_that_a_model_needs(mine: Box, memory: Memory) -> None:
    person = memory.bind(user="ana", thread="monday")
    trace = person.remember(
        "I met Ruth at the pier.", tags=["people"], speaker="Ana", time="2026-05-02T10:00:00Z"
    ).trace
    assert trace is not None
    assert mine("memory_search", query="Ruth")["results"] == [
        {
            "id": trace.id,
            "content": "I met Ruth at the pier.",
            "cut": False,
            "type": "episodic",
            "scope": "user",
            "strength": pytest.approx(0.5522, abs=0.001),
            "tags": ["people"],
            "time": "2026-05-02T10:00:00+00:00",
            "speaker": "Ana",
        }
    ]


def test_filters_by_type_and_scope(mine: Box) -> None:
    fact = mine.add("The lamp is brass.", type="semantic")
    noted = mine.add("The lamp fell down.", scope="thread")
    assert set(mine.found("lamp")) == {fact, noted}
    assert mine.found("lamp", type="semantic") == [fact]
    assert mine.found("lamp", scope="thread") == [noted]
    assert mine.found("lamp", scope="persona") == []


def test_the_limit(mine: Box) -> None:
    for number in range(12):
        mine.add(f"The bell rang at {number} o'clock.")
    assert len(mine.found("bell")) == 10
    assert len(mine.found("bell", limit=1)) == 1
    assert len(mine.found("bell", limit=100)) == 12
    for limit in (0, 101):
        with pytest.raises(InvalidInput, match="limit"):
            mine("memory_search", query="bell", limit=limit)


def test_a_search_is_a_use(mine: Box) -> None:
    trace_id = mine.add(TYPES)
    mine.found("dark mode")
    assert mine.bound.show(trace_id).retrieval_count == 1


def test_nobody_finds_what_another_stored(memory: Memory, mine: Box) -> None:
    trace_id = mine.add(TYPES)
    theirs = agent(memory, "bob", thread="monday", persona="poet")
    assert mine.found("dark mode") == [trace_id]
    for scope in ({}, {"scope": "user"}, {"scope": "thread"}, {"scope": "persona"}):
        assert theirs.found("dark mode", **scope) == []
    assert mine("memory_context", query="dark mode")["lines"] == [trace_id]
    assert theirs("memory_context", query="dark mode")["lines"] == []


def test_a_long_text_is_cut_to_the_part_that_answers(mine: Box) -> None:
    filler = " ".join(f"Line {number} is about nothing at all." for number in range(100))
    mine.add(f"{filler} The spare key hangs behind the clock. {filler}")
    (found,) = mine("memory_search", query="spare key behind the clock")["results"]
    assert found["cut"] is True
    assert "The spare key hangs behind the clock." in found["content"]
    assert found["content"].startswith("[...] ")
    assert found["content"].endswith(" [...]")
    assert len(found["content"]) < 1_100


@given(st.text("ab ", min_size=1, max_size=3_000), st.integers(0, 2_999), st.integers(1, 900))
def test_a_cut_text_is_marked_where_it_was_cut(content: str, at: int, length: int) -> None:
    passage = content[at : at + length] or "zzz"
    shown = cut(content, passage)
    if len(content) <= 1_000:
        assert shown == content
        return
    kept = shown.removeprefix("[...] ").removesuffix(" [...]")
    assert kept in content
    assert len(kept) <= 1_000
    assert passage in kept or passage == "zzz"
    assert shown.startswith("[...] ") == (not content.startswith(kept))
    assert shown.endswith(" [...]") == (not content.endswith(kept))


def test_the_context_is_fenced_cited_and_within_its_budget(mine: Box) -> None:
    for number in range(40):
        mine.add(f"The ferry number {number} leaves the harbour at {number} past the hour.")
    packet = mine("memory_context", query="ferry from the harbour", budget_tokens=200)
    assert packet["text"].startswith("<mnemic-memory>")
    assert 0 < packet["tokens"] <= 200
    assert packet["lines"]
    assert packet["omitted"] > 0
    assert all(trace_id[:13] in packet["text"] for trace_id in packet["lines"])
    wide = mine("memory_context", query="ferry from the harbour")
    assert packet["tokens"] < wide["tokens"] <= 800


@pytest.mark.parametrize("budget", [99, 8_001])
def test_the_budget_has_bounds(mine: Box, budget: int) -> None:
    with pytest.raises(InvalidInput, match="budget_tokens"):
        mine("memory_context", query="ferry", budget_tokens=budget)
    assert mine("memory_context", query="ferry", budget_tokens=100)["text"] == ""
