"""What the exit code says, and the one line on stderr that goes with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemic.cli.failures import Exit, exit_code
from mnemic.errors import (
    BrainTooNew,
    EmbedderError,
    EmbedderMismatch,
    ImportFormatError,
    InvalidInput,
    MnemicError,
    NotABrain,
    NotAllowed,
    NotFound,
    StorageError,
)
from tests.cli.conftest import Cli, environment, process

WHY = "--reason=y"
OF_A_TRACE = [
    ["verify", "mt_0", "--reason=y"],
    ["quarantine", "mt_0", "--reason=y"],
    ["lift", "mt_0", "--reason=y"],
    ["reject-trace", "mt_0", "--reason=y"],
    ["undo-link", "mt_1", "mt_0", "--reason=y"],
]
DECISIONS = [
    ["list"],
    ["show", "1"],
    ["approve", "1", "--reason=y"],
    ["reject", "1", "--reason=y"],
    ["edit", "1", "x", "--reason=y"],
    ["merge", "1", "mt_0", "--reason=y"],
    ["defer", "1", "--until=2099-01-01", "--reason=y"],
    ["sweep"],
    ["reject-source", "x", "--reason=y"],
    ["readmit", "--reason=y"],
    *OF_A_TRACE,
]
READERS = [
    ["recall", "x"],
    ["context", "x"],
    ["show", "mt_0"],
    ["list"],
    ["why", "mt_0"],
    ["history", "mt_0"],
    ["correct", "mt_0", "x", "--reason=y"],
    ["forget", "mt_0"],
    ["restore", "mt_0", "--reason=y"],
    ["stats"],
    ["doctor"],
    ["audit", "verify"],
    ["audit", "log"],
    ["audit", "head"],
    ["facts"],
    ["ledger"],
    ["ledger", "revert", "1", "--reason=y"],
    ["erase", "mt_0", "--yes"],
    ["freeze"],
    ["thaw"],
    ["rotate-key"],
    ["compact"],
    ["rejections", "export", "new.json"],
    *(["review", *words] for words in DECISIONS),
]


def test_every_error_has_its_code() -> None:
    codes = {
        InvalidInput: Exit.USAGE,
        ImportFormatError: Exit.USAGE,
        NotFound: Exit.NO,
        NotAllowed: Exit.NO,
        MnemicError: Exit.NO,
        StorageError: Exit.STORAGE,
        NotABrain: Exit.STORAGE,
        BrainTooNew: Exit.STORAGE,
        EmbedderError: Exit.STORAGE,
        EmbedderMismatch: Exit.STORAGE,
        KeyError: Exit.BUG,
    }
    assert {error: exit_code(error("x")) for error in codes} == codes


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_brain_that_is_not_there_is_not_made_by_asking(cli: Cli, words: list[str]) -> None:
    line = cli.error(*words, code=1)
    assert str(cli.brain) in line
    assert "mnemic init" in line
    assert not cli.brain.parent.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["show", "mt_0"],
        ["why", "mt_0"],
        ["why", "mt_0", "--query=x"],
        ["history", "mt_0"],
        ["correct", "mt_0", "x", "--reason=y"],
        ["forget", "mt_0"],
        ["restore", "mt_0", "--reason=y"],
        ["erase", "mt_0", "--yes"],
        *(["review", *words] for words in OF_A_TRACE),
    ],
    ids=" ".join,
)
def test_an_unknown_id_and_a_foreign_one_read_the_same(cli: Cli, words: list[str]) -> None:
    foreign = cli.remember("Not yours.", "--user=bob")
    unknown = cli.error(*words, code=1)
    other = cli.error(*(foreign if word == "mt_0" else word for word in words), code=1)
    assert other.replace(foreign, "mt_0") == unknown


@pytest.mark.parametrize("number", ["0", "7", "99999999999999999999999"])
@pytest.mark.parametrize(
    "words",
    [
        ["review", "show"],
        ["review", "approve", WHY],
        ["review", "edit", WHY, "Better words."],
        ["ledger", "revert", WHY],
    ],
    ids=" ".join,
)
def test_a_number_that_is_not_there_is_not_found(cli: Cli, words: list[str], number: str) -> None:
    cli("init")
    group, name, *own = words
    text = own[1:]
    line = cli.error(group, name, *own[:1], "--", number, *text, code=1)
    assert f"{number} within reach" in line


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["recal", "x"], "'recall'"),
        (["recall", "x", "--colour"], "--colour"),
        (["recall"], "QUERY"),
        (["recall", "x", "--limit=many"], "--limit"),
        (["recall", "x", "--limit=0"], "limit 0"),
        (["recall", " "], "query"),
        (["recall", "x", "--type=dream"], "dream"),
        (["recall", "x", "--scope=galaxy"], "galaxy"),
        (["recall", "x", "--as-of=yesterday"], "yesterday"),
        (["recall", "x", "--before="], "before"),
        (["recall", "x", "--known-at=2026-01-01T10:00"], "time zone"),
        (["recall", "x", "--min-strength=7"], "min_strength"),
        (["recall", "x", "--timezone=Moon/Base"], "Moon/Base"),
        (["list", "--offset=-1"], "offset"),
        (["context", "x", "--budget=0"], "budget_tokens"),
        (["remember", "  "], "blank"),
        (["remember", "x", "--strength=2"], "strength"),
        (["remember", "x", "--role=judge"], "judge"),
        (["remember", "x", "--meta=novalue"], "KEY=VALUE"),
        (["remember", "x", "--time=2026-13-01"], "2026-13-01"),
        (["remember", "x", "--valid-from=2026-02-01", "--valid-to=2026-01-01"], "valid_to"),
        (["remember", "x", "--scope=persona"], "persona"),
        (["remember", "x", "--user="], "user"),
        (["correct", "mt_0"], "--reason"),
        (["restore", "mt_0"], "--reason"),
        (["import", "nowhere.jsonl"], "nowhere.jsonl"),
        (["audit", "vrify"], "vrify"),
        (["audit", "log", "--limit=0"], "limit"),
        (["audit", "verify", "--head=7"], "head '7'"),
        (["remember", "x", "--source-id= "], "source_id"),
        (["recall", "x", "--trust=sure"], "sure"),
        (["context", "x", "--trust=candidate"], "--trust"),
        (["list", "--usable-for=fun"], "fun"),
        (["facts", "--as-of=yesterday"], "yesterday"),
        (["facts", "--subject="], "subject"),
        (["facts", "--attribute="], "attribute"),
        (["facts", "--usable-for=fun"], "fun"),
        (["erase"], "--user-data"),
        (["erase", "mt_0"], "--yes"),
        (["erase", "mt_0", "--user-data", "--yes"], "ID and --user-data"),
        (["erase", "--source=", "--yes"], "source"),
        (["rejections", "import", "nowhere.json"], "nowhere.json"),
        (["ledger", "revert", "first", "--reason=y"], "'N'"),
        (["ledger", "--limit=0"], "limit"),
        (["review"], "review list"),
        (["review", "lst"], "'list'"),
        (["review", "--user=ana", "list"], "list"),
        (["review", "list", "--kind=rumour"], "rumour"),
        (["review", "list", "--limit=0"], "limit"),
        (["review", "list", "--as="], "reviewer"),
        (["review", "show", "one"], "'N'"),
        (["review", "approve", "1"], "--reason"),
        (["review", "reject", "1"], "--reason"),
        (["review", "edit", "1", "x"], "--reason"),
        (["review", "edit", "1", " ", "--reason=y"], "blank"),
        (["review", "merge", "1", "mt_0"], "--reason"),
        (["review", "defer", "1", "--reason=y"], "--until"),
        (["review", "verify", "mt_0"], "--reason"),
        (["review", "verify", "mt_0", "--reason= "], "reason"),
        (["review", "reject-trace", "mt_0", "--reason=y", "--until=2020-01-01"], "2020-01-01"),
        (["review", "reject-source", " ", "--reason=y"], "source_id"),
        (["review", "readmit"], "--reason"),
        (["bench", "locomo", "nowhere.json"], "nowhere.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_and_wrong_values_are_one_clear_line(
    cli: Cli, words: list[str], named: str
) -> None:
    cli("init")
    line = cli.error(*words, code=2)
    assert line.startswith("mnemic: ")
    assert named in line
    assert cli.json("list")["count"] == 0


def test_bench_speed_refuses_no_traces(cli: Cli) -> None:
    assert "--size" in cli.error("bench", "speed", "--size=0", code=2, words=False)


def test_an_error_as_json_is_on_stderr(cli: Cli) -> None:
    cli("init")
    for words, code, kind in (
        (["show", "mt_0"], 1, "NotFound"),
        (["recall", "x", "--limit=0"], 2, "InvalidInput"),
        (["recall", "x", "--colour"], 2, "UsageError"),
    ):
        error = json.loads(cli.error(*words, "--json", code=code))["error"]
        assert set(error) == {"type", "message", "exit_code"}
        assert (error["type"], error["exit_code"]) == (kind, code)


def test_a_file_that_is_no_brain_is_left_as_it_is(cli: Cli) -> None:
    cli.brain.parent.mkdir()
    cli.brain.write_text("a letter to nobody, long enough to be one" * 40)
    before = cli.brain.read_bytes()
    assert str(cli.brain) in cli.error("recall", "x", code=3)
    cli.error("remember", "x", code=3)
    assert cli.brain.read_bytes() == before


def test_a_path_that_cannot_be_is_a_storage_failure(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    cli.error("init", f"--brain={file}/brain.db", code=3)
    cli.error("list", f"--brain={tmp_path}", code=3)


def test_debug_shows_the_traceback(cli: Cli) -> None:
    done = process("list", "--debug", env={"MNEMIC_BRAIN": str(cli.brain)})
    assert done.returncode == 1
    assert b"Traceback" in done.stderr
    assert b"NotFound" in done.stderr


def test_a_reader_that_stops_early_is_no_error(cli: Cli) -> None:
    cli.remember("x" * 1000)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "mnemic", "list", "--json"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        env=environment({"MNEMIC_BRAIN": str(cli.brain)}),
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1
