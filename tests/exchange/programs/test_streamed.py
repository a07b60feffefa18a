"""A list within a JSON file, element by element, is what the whole file holds."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError
from mnemic.exchange.programs import streamed
from mnemic.exchange.programs.streamed import elements, scalars

SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    head=st.dictionaries(st.text(), VALUES),
    tail=st.dictionaries(st.text(), VALUES),
    held=st.lists(VALUES),
    indent=st.sampled_from([None, 2]),
    chunk=st.integers(1, 7),
)
def test_it_reads_what_json_reads(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    head: dict[str, Any],
    tail: dict[str, Any],
    held: list[Any],
    indent: int | None,
    chunk: int,
) -> None:
    monkeypatch.setattr(streamed, "_CHUNK", chunk)  # so that values are cut in every way
    head.pop("held", None)
    tail.pop("held", None)
    whole = head | {"held": held} | tail
    file = tmp_path / "one.json"
    file.write_text(json.dumps(whole, indent=indent, ensure_ascii=False), "utf-8", "surrogatepass")
    if any("\ud800" <= c <= "\udfff" for c in json.dumps(whole, ensure_ascii=False)):
        return
    assert [value for _, value in elements(file, "held")] == held
    known = {k: v for k, v in whole.items() if isinstance(v, str | int | float)}
    assert scalars(file, "held") == {k: v for k, v in known.items() if k != "held"}
    file.write_text(json.dumps(held, indent=indent), "utf-8")
    assert [value for _, value in elements(file)] == held


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected '{'"),
        ("[1]", "expected '{'"),
        ('{"a": [1, 2', "expected ','"),
        ('{"a": [1,, 2]}', "Expecting value"),
        ('{"a": [1] "b": 2}', "expected ','"),
        ('{"a": [1]} more', "goes on after its end"),
        ("{1: [1]}", "no name"),
        ('{"a": [' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(text, "utf-8")
    with pytest.raises(ImportFormatError, match="is not JSON") as caught:
        list(elements(file, "a"))
    assert told in str(caught.value)


def test_what_stands_before_the_fault_is_read(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('{"a": [1, 2, oops', "utf-8")
    seen = []
    with pytest.raises(ImportFormatError):
        seen += [value for _, value in elements(file, "a")] or []
    read = elements(file, "a")
    assert [next(read), next(read)] == [(1, 1), (2, 2)]


def test_a_value_without_an_end_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamed, "MAX_VALUE_CHARS", 1 << 20)
    file = tmp_path / "one.json"
    file.write_text('{"a": ["' + "x" * (8 << 20), "utf-8")
    with pytest.raises(ImportFormatError, match="a value does not end"):
        list(elements(file, "a"))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(b'{"a": ["\xff"]}')
    with pytest.raises(ImportFormatError, match="not UTF-8"):
        list(elements(file, "a"))


def test_a_long_list_needs_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    with file.open("w", encoding="utf-8") as out:
        out.write('{"a": [')
        out.writelines(f'{{"n": {n}, "text": "{"word " * 400}"}},' for n in range(8_000))
        out.write('{"n": 0}]}')
    assert file.stat().st_size > 16_000_000
    tracemalloc.start()
    assert sum(1 for _ in elements(file, "a")) == 8_001
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000
