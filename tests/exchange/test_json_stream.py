"""Large JSON read element by element: the same values as `json.loads`, in bounded memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError
from mnemic.exchange.json_stream import elements

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8")),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=4),
    ),
    max_leaves=12,
)
DOCUMENTS = st.one_of(
    st.lists(VALUES, max_size=6),
    st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), VALUES, max_size=5),
)
SPACES = st.sampled_from(["", " ", "\n\t ", "\r\n"])


def streamed(raw: bytes, chunk: int = 1 << 16, **options: int) -> list[tuple[str | None, Any]]:
    return list(elements(io.BytesIO(raw), "the file", chunk=chunk, **options))


def expected(value: Any) -> list[tuple[str | None, Any]]:
    if isinstance(value, list):
        return [(None, element) for element in value]
    found: list[tuple[str | None, Any]] = []
    for key, member in value.items():
        parts = member if isinstance(member, list) else [member]
        found.extend((key, part) for part in parts)
    return found


@given(
    value=DOCUMENTS,
    chunk=st.integers(1, 40),
    indent=st.sampled_from([None, 0, 2]),
    ascii_only=st.booleans(),
    edges=st.tuples(SPACES, SPACES),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_the_elements_are_those_of_json_loads(
    value: Any,
    chunk: int,
    indent: int | None,
    ascii_only: bool,
    edges: tuple[str, str],
    mark: bytes,
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    raw = mark + (edges[0] + text + edges[1]).encode()
    assert streamed(raw, chunk) == expected(json.loads(text))


@given(value=DOCUMENTS, chunk=st.integers(1, 9), data=st.data())
def test_what_is_cut_short_is_never_taken_for_the_whole(
    value: Any, chunk: int, data: st.DataObject
) -> None:
    raw = json.dumps(value, ensure_ascii=False).encode()
    assert streamed(raw, chunk) == expected(value)
    cut = data.draw(st.integers(0, len(raw) - 1))
    with pytest.raises(ImportFormatError, match="the file"):
        streamed(raw[:cut], chunk)


@given(value=DOCUMENTS, chunk=st.integers(1, 9), data=st.data())
def test_a_changed_character_is_read_as_json_reads_it(
    value: Any, chunk: int, data: st.DataObject
) -> None:
    text = json.dumps(value)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from(list('{}[],:"\\0-.e tx\n\x00')))
    changed = text[:place] + other + text[place + 1 :]
    try:
        right = json.loads(changed, parse_constant=pytest.fail)
    except json.JSONDecodeError:
        right = None
    if isinstance(right, dict) and len(changed) > len(json.dumps(right, indent=None)):
        return  # keys may now be equal, and both members are given
    if isinstance(right, list | dict):
        assert streamed(changed.encode(), chunk) == expected(right)
    else:
        with pytest.raises(ImportFormatError, match="is not JSON"):
            streamed(changed.encode(), chunk)


@pytest.mark.parametrize("chunk", [1, 2, 3, 1000])
@pytest.mark.parametrize("number", ["-0", "0.5", "12.25e-3", "1E400", "-1234567890123"])
def test_a_number_is_not_taken_before_it_has_ended(number: str, chunk: int) -> None:
    raw = f'{{"a": {number}, "b": [{number}, {number}]}}'.encode()
    assert [value for _, value in streamed(raw, chunk)] == [json.loads(number)] * 3


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b'"text"', "a JSON array or object is expected"),
        (b"[1, 2", "cut short"),
        (b'["abc', "cut short"),
        (b'{"a": 1', "cut short"),
        (b'{"a"', "cut short"),
        (b"[1] [2]", "text after the end of the JSON value, at character 4"),
        (b'{"a": 1}\n{"a": 2}', "text after the end"),
        (b"[1 2]", "',' or ']' is expected, at character 3"),
        (b'{"a": 1 "b": 2}', "',' or '}' is expected"),
        (b"[1,]", "Expecting value"),
        (b'{"a" 1}', "':' is expected after a key"),
        (b"{a: 1}", "a key in quotes is expected, at character 1"),
        (b'{"a": 1,}', "a key in quotes is expected"),
        (b"[NaN]", "NaN is no JSON number"),
        (b"[[-Infinity]]", "-Infinity is no JSON number"),
        (b"[" + b"9" * 5_000 + b"]", "digits"),
        (b"[tru]", "Expecting value"),
        (b'["a\nb"]', "Invalid control character"),
        (b'["\\x"]', "Invalid"),
        (b'["ok", "\xff"]', "not UTF-8 text: byte 8 is 0xff"),
        (b'\xef\xbb\xbf["\xc3"]', "not UTF-8 text: byte 5 is 0xc3"),
        (b'["\xed\xa0\x80"]', "not UTF-8 text: byte 2 is 0xed"),
        (b'["abc\xe2\x82', "not UTF-8 text: byte 5 is 0xe2"),
        ('["a"]'.encode("utf-16"), "not UTF-8 text: byte 0 is 0xff"),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_what_is_no_json_is_told_with_its_place(raw: bytes, told: str, chunk: int) -> None:
    with pytest.raises(ImportFormatError, match="the file") as caught:
        streamed(raw, chunk)
    assert told in str(caught.value)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
def test_deep_nesting_is_an_error_and_no_crash(opening: bytes) -> None:
    assert streamed(b"[" * 90 + b"]" * 90)
    with pytest.raises(ImportFormatError, match="nested too deeply"):
        streamed(opening * 100_000)


def test_an_element_above_the_limit_is_refused() -> None:
    raw = json.dumps(["a" * 500, "b"]).encode()
    assert len(streamed(raw, 16, limit=502)) == 2
    with pytest.raises(ImportFormatError, match="longer than 400 characters"):
        streamed(raw, 16, limit=400)


class Endless(io.BytesIO):
    """A stream of bytes made on the fly, which counts how many were asked for."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        super().__init__()
        self._parts = parts
        self.given = 0

    def read(self, size: int | None = -1) -> bytes:
        part = next(self._parts, b"")
        self.given += len(part)
        return part


def test_memory_does_not_grow_with_the_file() -> None:
    def parts() -> Iterator[bytes]:
        yield b"[0"
        for _ in range(600):
            yield b', {"text": "' + b"a" * 20_000 + b'"}'
        yield b"]"

    stream = Endless(parts())
    tracemalloc.start()
    count = sum(1 for _ in elements(stream, "the file"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, stream.given > 12_000_000) == (601, True)
    assert peak < 1_000_000


def test_an_error_at_the_beginning_does_not_read_the_whole_file() -> None:
    def parts() -> Iterator[bytes]:
        yield b'[{"a": wrong, "b": "a long text after it"}, '
        while True:
            yield b'"more", ' * 1_000

    stream = Endless(parts())
    with pytest.raises(ImportFormatError, match="Expecting value, at character 7"):
        list(elements(stream, "the file", limit=4_000_000))
    assert stream.given < 1_000_000


def test_a_long_element_is_not_parsed_over_and_over() -> None:
    class Counting(io.BytesIO):
        calls = 0

        def read(self, size: int | None = -1) -> bytes:
            self.calls += 1
            return super().read(size)

    stream = Counting(json.dumps(["x" * 1_000_000]).encode())
    assert len(list(elements(stream, "the file", chunk=64))) == 1
    assert stream.calls < 20
