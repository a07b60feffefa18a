"""What cannot be stored is refused with its name and value, and nothing at all is stored."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any

import pytest

from mnemic import BoundMemory, Draft, Memory, Settings, Status
from mnemic.encode.resolve import RESERVED
from mnemic.errors import InvalidInput
from mnemic.model.ids import shortened
from tests.conftest import Opener
from tests.store.raw import contents

GOOD: dict[str, Any] = {"content": "The kettle whistles"}
NAIVE = datetime(2026, 6, 1, 12)  # noqa: DTZ001

DEEP: list[Any] = []
for _ in range(5_000):
    DEEP = [DEEP]

BAD: list[tuple[dict[str, Any], str]] = [
    ({"content": ""}, "content '' is blank"),
    ({"content": " \n\t "}, "is blank"),
    ({"content": "\u200b\u2060\u00ad"}, "is blank"),
    ({"content": "\u0301"}, "is blank"),
    ({"content": "x" * 1_000_001}, "1000001 characters, at most 1000000.*max_content_chars"),
    ({"content": None}, "content must be a string, not NoneType"),
    ({"content": b"bytes"}, "content must be a string, not bytes"),
    ({"content": ["a", "b"]}, "content must be a string, not list"),
    ({"content": "a\0b"}, "content holds a NUL character at 1"),
    ({"content": "cut \ud83d"}, "content holds a lone surrogate"),
    ({"type": "memory"}, "type 'memory' is unknown; use one of: episodic, semantic"),
    ({"type": None}, "type None is unknown"),
    ({"type": ["semantic"]}, "type .* is unknown"),
    ({"scope": "team"}, "scope 'team' is unknown; use one of: thread, user"),
    ({"scope": "persona"}, "scope 'persona' needs a persona id"),
    ({"scope": "organization"}, "scope 'organization' needs a organization id"),
    ({"role": "robot"}, "role 'robot' is unknown; use one of: user, assistant"),
    ({"source": "rumour"}, "source 'rumour' is unknown"),
    ({"speaker": ""}, "speaker is blank"),
    ({"speaker": 5}, "speaker must be a string"),
    ({"thread": "  "}, "thread is blank"),
    ({"thread": "tuesday", "scope": "thread"}, "thread 'tuesday' is not the principal's"),
    ({"tags": "home"}, "tags must be a list of strings, not 'home'"),
    ({"tags": b"home"}, "tags must be a list of strings"),
    ({"tags": 5}, "tags must be a list of strings, not 5"),
    ({"tags": [""]}, "tags holds ''"),
    ({"tags": [None]}, "tags holds None"),
    ({"tags": ["a\0"]}, "tags holds a NUL"),
    ({"tags": ["\ud800"]}, "tags holds a lone surrogate"),
    ({"tags": ["x" * 201]}, "tags holds one of 201 characters"),
    ({"tags": [f"t{n}" for n in range(65)]}, "65 tags are too many, at most 64"),
    ({"entities": "Ana"}, "entities must be a list of strings, not 'Ana'"),
    ({"entities": [7]}, "entities holds 7"),
    ({"metadata": "text"}, "metadata must be a mapping, not str"),
    ({"metadata": [1]}, "metadata must be a mapping, not list"),
    ({"metadata": {1: "a"}}, "metadata key 1 must be a string"),
    ({"metadata": {"at": float("nan")}}, "metadata cannot be written as JSON"),
    ({"metadata": {"at": [float("inf")]}}, "metadata cannot be written as JSON"),
    ({"metadata": {"at": {1, 2}}}, "metadata cannot be written as JSON"),
    ({"metadata": {"at": b"x"}}, "metadata cannot be written as JSON"),
    ({"metadata": {"at": DEEP}}, "metadata cannot be written as JSON"),
    ({"metadata": {"at": "\ud800"}}, "metadata holds a lone surrogate"),
    ({"metadata": {"at": "x" * 20_000}}, "metadata has .* at most 20000.*max_metadata_chars"),
    ({"time": NAIVE}, "time '2026-06-01T12:00:00' has no time zone"),
    ({"time": "2026-06-01T12:00:00"}, "time '2026-06-01T12:00:00' has no time zone"),
    ({"time": "last week"}, "time 'last week' is no ISO 8601"),
    ({"time": 1_780_000_000}, "time must be a datetime.*not int 1780000000"),
    ({"valid_from": NAIVE}, "valid_from .* has no time zone"),
    ({"valid_to": "soon"}, "valid_to 'soon' is no ISO 8601"),
    ({"valid_to": "9999-12-31T23:59:59-12:00"}, "valid_to .* outside the calendar"),
    (
        {"valid_from": "2026-02-01", "valid_to": "2026-01-01"},
        "valid_to 2026-01-01.*before valid_from",
    ),
    ({"strength": 1.1}, "strength 1.1 must be a number from 0 to 1"),
    ({"strength": -0.1}, "strength -0.1"),
    ({"strength": float("nan")}, "strength nan"),
    ({"strength": "0.5"}, "strength '0.5'"),
    ({"strength": True}, "strength True"),
    *[
        ({"metadata": {key: "bob"}}, f"metadata key '{key}' is reserved")
        for key in sorted(RESERVED)
    ],
]
FIELDS = sorted({next(iter(given)) for given, _ in BAD})


@pytest.mark.parametrize("field", FIELDS)
def test_a_bad_value_is_refused_by_every_way_in(
    ana: BoundMemory, memory: Memory, field: str
) -> None:
    assert ana.remember(**GOOD).status is Status.STORED
    before, good = contents(memory), Draft("The tea is ready")
    for given, says in BAD:
        if field not in given:
            continue
        bad = {**GOOD, **given}
        with pytest.raises(InvalidInput, match=says):
            ana.remember(**bad)
        with pytest.raises(InvalidInput, match=says):
            ana.remember_many([good, bad])
        with pytest.raises(InvalidInput, match=says):
            ana.remember_many([good, Draft(**bad), good])
        assert contents(memory) == before, given


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ("one text", "items must be several, not one str"),
        ({"content": "one draft"}, "items must be several, not one dict"),
        (b"bytes", "items must be several, not one bytes"),
        (None, "items must be a list of drafts or texts, not None"),
        (5, "items must be a list of drafts or texts, not 5"),
        (["good", 5], "item 1 must be a Draft, a mapping or a text, not int"),
        (["good", None], "item 1 must be a Draft, a mapping or a text, not NoneType"),
        (["good", {"text": "x"}], "item 1 has the unknown field 'text'; known are: content, type"),
        (["good", {"content": "x", "user": "bob"}], "item 1 has the unknown field 'user'"),
        (["good", {"tags": ["x"]}], "item 1 has no content"),
    ],
)
def test_items_that_are_none_store_nothing(
    ana: BoundMemory, memory: Memory, items: Any, says: str
) -> None:
    assert len(ana.remember_many(["good", {"content": "as well"}])) == 2
    before = contents(memory)
    with pytest.raises(InvalidInput, match=says):
        ana.remember_many(items)
    assert contents(memory) == before


def test_a_bad_item_far_down_stores_nothing_of_the_batches_before(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(encoding={"batch_size": 2}))
    ana = memory.bind(user="ana")
    assert len(ana.remember_many(f"note {n}" for n in range(5))) == 5
    before = contents(memory)
    with pytest.raises(InvalidInput, match="blank"):
        ana.remember_many([*(f"other {n}" for n in range(9)), " "])
    assert contents(memory) == before


def test_a_draft_or_a_call_with_an_unknown_name_is_refused(ana: BoundMemory) -> None:
    calls: list[Any] = [Draft, ana.remember, ana.recall, ana.context, ana.list, ana.count]
    for call in calls:
        with pytest.raises(TypeError, match="colour"):
            call("text", colour="red") if call not in (ana.list, ana.count) else call(colour="red")
    assert ana.count() == 0


@pytest.mark.parametrize(
    "content",
    [
        "👩‍🚀 went up 🇵🇹",
        "שלום עולם, from right to left",
        "control \x01\x1b[31m characters",
        "\ufffe a noncharacter \U0010ffff",
        "z" + "\u0301" * 3_000,
        "a" * 1_000_000,
        "word " * 20_000,
        '"AND" OR (NEAR) * ^ col: -x',
        "'; DROP TABLE traces; --",
        "line\r\nend\rhere",
        "<mnemic> not a fence",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_unusual_text_is_stored_and_found(ana: BoundMemory, content: str) -> None:
    trace = ana.remember(content).trace
    assert trace is not None
    plain = content.replace("\r\n", "\n").replace("\r", "\n")
    assert ana.show(trace.id).content == unicodedata.normalize("NFC", plain)
    assert [hit.trace.id for hit in ana.recall(content[:2_000])] == [trace.id]
    assert shortened(trace.id) in str(ana.context(content[:2_000], budget_tokens=1_000_000))
    assert ana.remember(content).status is Status.REINFORCED


def test_a_megabyte_of_half_a_fence_comes_to_an_end(open_brain: Opener) -> None:
    ana = open_brain(embedder=None).bind(user="ana")
    for unit in ("<mnemic-memory ", "[mnemic:mt_0", "[mnemic:mt_0]", "</ ", "- a, "):
        text = (unit * 100_000)[:1_000_000]
        assert ana.remember(text).status in (Status.STORED, Status.REFUSED)
