"""Memories in a CSV file, with rows of our own."""

from __future__ import annotations

import csv
import gzip
import io
import os
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.exchange.common import Item
from mnemic.exchange.plain import csv_rows
from mnemic.model.scope import Scope
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import contents, drafts, errors, only, skipped, taken, zipped

HEADER = "id,type,scope,content,strength,created_at,tags,metadata,deleted,scope_id"


def read(tmp_path: Path, text: str | bytes, **options: str) -> list[Item]:
    path = tmp_path / "rows.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(csv_rows.read(path, **options))


def test_a_row_becomes_a_draft(tmp_path: Path) -> None:
    row = 'mt_1,semantic,user,Ines sails.,0.5,1711234567890,"[""a"",""b""]","{""k"": 1}",0,'
    items = read(tmp_path, f"{HEADER}\n{row}\n")
    draft = only(items)
    assert items[0].where == "line 2"
    assert (draft.content, draft.type) == ("Ines sails.", TraceType.SEMANTIC)
    assert items[0].home == (Scope.USER, "")
    assert (draft.strength, draft.tags) == (0.5, ("a", "b"))
    assert draft.time == datetime(2024, 3, 23, 22, 56, 7, 890000, tzinfo=UTC)
    assert draft.metadata == {"k": 1, "imported_id": "mt_1"}
    assert draft.source_id == "csv:mt_1"
    assert taken(draft).time == 1_711_234_567_890


def test_content_alone_is_enough(tmp_path: Path) -> None:
    draft = only(read(tmp_path, "content\nInes sails.\n"))
    assert (draft.type, draft.scope, draft.strength, draft.time) == (
        TraceType.EPISODIC,
        None,
        None,
        None,
    )
    assert draft.metadata == {}


@pytest.mark.parametrize(
    "text",
    [
        "content,type\nInes; sails.,semantic\n",
        "content;type\nInes; sails.;semantic\n".replace("Ines; sails.", '"Ines; sails."'),
        "content\ttype\nInes; sails.\tsemantic\n",
        "\ufeffcontent,type\r\nInes; sails.,semantic\r\n",
        "\n Content , TYPE \nInes; sails.,Semantic",
        '"content","type"\n"Ines; sails.","semantic"\n\n',
    ],
)
def test_delimiters_ends_and_marks(tmp_path: Path, text: str) -> None:
    draft = only(read(tmp_path, text))
    assert (draft.content, draft.type) == ("Ines; sails.", TraceType.SEMANTIC)


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    assert contents(read(tmp_path, gzip.compress(b"content\nInes sails.\n"))) == ["Ines sails."]


CELL = st.text(st.sampled_from('ab ,;\t"\n'), min_size=1, max_size=12)


@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL), max_size=6),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_writer_of_csv_writes_is_read_back(
    tmp_path: Path, rows: list[tuple[str, str, str]], delimiter: str, end: str
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerow(["content", "one", "two"])
    writer.writerows((f"x{first}", second, third) for first, second, third in rows)
    found = drafts(read(tmp_path, text.getvalue()))
    assert [draft.content for draft in found] == [f"x{row[0]}" for row in rows]
    assert [(draft.metadata["one"], draft.metadata["two"]) for draft in found] == [
        row[1:] for row in rows
    ]


def test_a_quote_that_is_never_closed_does_not_swallow_the_rest(tmp_path: Path) -> None:
    closed = read(tmp_path, 'content,type\na,\n"b\nc",\nd,\n')
    assert contents(closed) == ["a", "b\nc", "d"]
    items = read(tmp_path, 'content,type\na,\n"b,\nc,\nd,\n')
    assert contents(items) == ["a", "c", "d"]
    assert list(errors(items)) == ["line 3"]
    assert "never closed" in errors(items)["line 3"]


def test_a_quoted_field_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MAX_FIELD_BYTES", 1_000)
    rows = "".join(f"row {n}\n" for n in range(500))
    items = read(tmp_path, f'content\n"open\n{rows}"\n')
    assert len(drafts(items)) == 500
    assert list(errors(items)) == ["line 2", "line 503"]
    long = read(tmp_path, "content\n" + "x" * 1_001 + "\nlast\n")
    assert contents(long) == ["last"]
    assert "longer than 1,000 bytes" in errors(long)["line 2"]


def test_many_open_quotes_are_not_slow(tmp_path: Path) -> None:
    start = perf_counter()
    rows = '"open ""\n' * 20_000
    items = read(tmp_path, f"content\n{rows}last\n")
    assert contents(items)[-1] == "last"
    assert perf_counter() - start < 5


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("a", "has 1 fields and the header 3"),
        ("a,b,c,d", "has 4 fields and the header 3"),
        ('"a"b,,', "text after the closing quote: 'b,,'"),
        (" ,,", "content is blank"),
        (",,", "content is blank"),
        ("a,episodical,", "type 'episodical' is unknown"),
        ("a,,{", "metadata '{' is not JSON"),
        ("a,,[1]", "must be a JSON object"),
        ('a,,"{""x"": NaN}"', "NaN is no JSON number"),
        ("a,," + "[" * 20_000, "metadata"),
    ],
)
def test_a_broken_row_is_told_and_the_rest_is_read(tmp_path: Path, row: str, told: str) -> None:
    items = read(tmp_path, f"content,type,metadata\nbefore,,\n{row}\nafter,,\n")
    assert contents(items) == ["before", "after"]
    assert told in errors(items)["line 3"]


@pytest.mark.parametrize(
    ("column", "cell", "told"),
    [
        ("strength", "2", "from 0 to 1"),
        ("strength", "nan", "from 0 to 1"),
        ("strength", "much", "from 0 to 1"),
        ("created_at", "soon", "no ISO 8601"),
        ("created_at", "9" * 40, "outside the calendar"),
        ("deleted", "maybe", "neither true nor false"),
        ("tags", "[1]", "a list of texts"),
        ("tags", "[", "is not JSON"),
    ],
)
def test_a_broken_cell_is_told(tmp_path: Path, column: str, cell: str, told: str) -> None:
    items = read(tmp_path, f"content,{column}\nbefore,\nx,{cell}\n")
    assert contents(items) == ["before"]
    assert told in errors(items)["line 3"]


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a|b c| ", ("a", "b c")),
        ('"a,b,a"', ("a", "b")),
        ('"[""a,b"", ""c|d""]"', ("a,b", "c|d")),
    ],
)
def test_tags_in_every_spelling(tmp_path: Path, cell: str, tags: tuple[str, ...]) -> None:
    assert only(read(tmp_path, f"content,tags\nx,{cell}\n")).tags == tags


@pytest.mark.parametrize(
    ("column", "cell", "time"),
    [
        ("created_at", "1711234567890", datetime(2024, 3, 23, 22, 56, 7, 890000, tzinfo=UTC)),
        ("createdAt", "1711234567", datetime(2024, 3, 23, 22, 56, 7, tzinfo=UTC)),
        ("CREATED_AT", "2024-03-23T22:56:07+01:00", datetime(2024, 3, 23, 21, 56, 7, tzinfo=UTC)),
        ("created_at", "2024-03-23", datetime(2024, 3, 22, 23, tzinfo=UTC)),
        ("created_at", "20240323", datetime(2024, 3, 22, 23, tzinfo=UTC)),
    ],
)
def test_times_in_every_spelling(tmp_path: Path, column: str, cell: str, time: datetime) -> None:
    draft = only(read(tmp_path, f"content,{column}\nx,{cell}\n", timezone="Europe/Berlin"))
    assert draft.time == time


def test_what_was_forgotten_there_is_not_brought_back(tmp_path: Path) -> None:
    items = read(tmp_path, "content,deleted\na,0\nb,1\nc,TRUE\nd,\ne,false\n")
    assert contents(items) == ["a", "d", "e"]
    assert skipped(items) == {"line 3": "forgotten there", "line 4": "forgotten there"}


def test_a_row_names_whose_it_is(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        "content,scope,scope_id,metadata\n"
        "a,USER,,\n"
        "b,user,team/mallory,\n"
        "c,galaxy,,\n"
        "d,,mallory,\n"
        'e,thread,x,"{""scopeId"": ""ana//monday"", ""k"": 1}"\n'
        "f,,,\n",
    )
    assert [item.home for item in items] == [
        (Scope.USER, ""),
        (Scope.USER, "team%2Fmallory"),
        None,
        (Scope.USER, "mallory"),
        (Scope.THREAD, "ana//monday"),
        None,
    ]
    assert "galaxy" in str(items[2].error)
    assert drafts(items)[3].metadata == {"k": 1}


def test_columns_that_are_not_known_are_kept(tmp_path: Path) -> None:
    text = "content,mood,user_id,last_accessed,\nx,calm,mallory,1711234567,\n"
    assert only(read(tmp_path, text)).metadata == {
        "mood": "calm",
        "their_user_id": "mallory",
        "agentos": {"last_accessed": "1711234567"},
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no header row"),
        ("a,b\nx,y\n", "no header row"),
        ('"content\nx\n', "no header row"),
        ("content,id,ID\n", "the column 'id' twice"),
        ("content,created_at,createdAt\n", "the column 'created_at' twice"),
        (b"content\nok\nb\xffd\n", "byte 12 is 0xff"),
        (b"\xef\xbb\xbfcontent\nb\xffd\n", "byte 12 is 0xff"),
        (b"\xffcontent\n", "byte 0 is 0xff"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, text: str | bytes, told: str
) -> None:
    with pytest.raises(ImportFormatError, match=told):
        read(tmp_path, text)


def test_an_archive_and_a_folder_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.tsv").write_text("content\ttype\nx\t\n")
    (folder / "b.csv").write_text("no header\n")
    zipped(folder / "c.zip", {"d.csv": "content\ny\n", "e.txt": "z"})
    items = list(csv_rows.read(folder))
    assert [item.where for item in items] == ["a.tsv:line 2", "b.csv", "d.csv:line 2", "e.txt"]
    assert contents(items) == ["x", "y"]


def test_a_pipe_is_refused_and_a_zone_is_checked(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ImportFormatError, match="a pipe or a device"):
        list(csv_rows.read(tmp_path / "pipe"))
    with pytest.raises(ImportFormatError, match="holds no table"):
        list(csv_rows.read(tmp_path))
    with pytest.raises(InvalidInput, match="Nowhere"):
        read(tmp_path, "content\n", timezone="Nowhere")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("content\n" + ("x" * 20_000 + "\n") * 600)
    tracemalloc.start()
    assert sum(1 for _ in csv_rows.read(path)) == 600
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_how_it_was_used_there_is_kept(tmp_path: Path) -> None:
    text = "content,last_accessed,retrieval_count\na,1711234567890,3\nb,,\n"
    used, not_used = drafts(read(tmp_path, text))
    assert used.metadata == {"agentos": {"last_accessed": "1711234567890", "retrieval_count": "3"}}
    assert not_used.metadata == {}
