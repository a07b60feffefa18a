"""Commands about whole brains, and the audit log."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from mnemic import Memory
from tests.cli.conftest import Cli
from tests.conftest import WordVectors

CHAT = [
    {"role": "user", "speaker": "Ana", "content": "I moved to Porto.", "thread": "a"},
    {"role": "assistant", "content": "Noted.", "thread": "a", "time": "2026-05-01T10:00:00Z"},
    {"role": "user", "content": "The flat has a balcony.", "time": "2026-05-02"},
]


def _chat(folder: Path, *lines: object) -> str:
    file = folder / "chat.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def _break_chain(brain: Path) -> None:
    with sqlite3.connect(brain) as connection:
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_log'"
        )
        for (name,) in rows.fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE audit_log SET actor = 'nobody' WHERE seq = 1")
    connection.close()


def test_init_makes_the_folder_and_says_where(cli: Cli) -> None:
    made = cli.json("init")
    assert (made["created"], made["brain"], made["path"]) == (True, "main", str(cli.brain))
    assert cli.brain.is_file()
    assert cli.json("init")["created"] is False
    text = cli("init").stdout
    assert f"brain there already: {cli.brain}\n" in text


def test_import_counts_what_it_did(cli: Cli, tmp_path: Path) -> None:
    file = _chat(tmp_path, *CHAT, {"content": "  "}, "no object")
    first = cli.json("import", file)
    counts = {"imported", "held", "skipped", "refused", "failed", "passed_over"}
    assert set(first) == {"file", "from", "errors", "traces", *counts}
    assert (first["imported"], first["skipped"], first["refused"]) == (3, 0, 0)
    assert [error["where"] for error in first["errors"]] == ["line 4", "line 5"]
    assert [trace is None for trace in first["traces"]] == [False, False, False, True, True]
    cli("forget", first["traces"][0])
    again = cli.json("import", file, "--format=jsonl")
    assert (again["imported"], again["skipped"], again["refused"]) == (0, 2, 1)
    text = cli("import", file).stdout
    for part in ("known already", "forgotten or rejected before", "line 4: "):
        assert part in text


def test_import_lists_at_most_ten_errors(cli: Cli, tmp_path: Path) -> None:
    text = cli("import", _chat(tmp_path, *CHAT, *[{"content": ""}] * 14)).stdout
    assert "line 13: " in text
    assert "line 14: " not in text
    assert "and 4 more" in text


def test_import_of_nothing_readable_fails(cli: Cli, tmp_path: Path) -> None:
    answer = cli.json("import", _chat(tmp_path, {"content": ""}), "--format=jsonl", code=1)
    assert answer["imported"] == 0


def test_import_takes_a_timezone(cli: Cli, tmp_path: Path) -> None:
    line = {"content": "At noon.", "time": "2026-07-01T12:00:00"}
    without = cli.json("import", _chat(tmp_path, line), code=1)
    assert "time zone" in without["errors"][0]["message"]
    cli("import", _chat(tmp_path, line), "--timezone=Europe/Lisbon")
    assert cli.json("list")["traces"][0]["time"] == "2026-07-01T11:00:00+00:00"


def test_import_refuses_an_unknown_format(cli: Cli, tmp_path: Path) -> None:
    assert "chat.jsonl" in cli.error("import", str(tmp_path / "chat.jsonl"), code=2)
    cli.error("import", _chat(tmp_path, *CHAT), "--format=papyrus", code=2)
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert "picture.png" in cli.error("import", str(picture), code=2)


def test_stats_count_the_reach_and_the_brain(cli: Cli) -> None:
    cli.remember("one", "--thread=a", "--type=semantic")
    cli.remember("two", "--user=somebody else")
    told = cli.json("stats")
    assert set(told) == {"reach", "brain"}
    assert told["reach"]["traces"] == 1
    assert told["reach"]["by_type"] == {"semantic": 1}
    assert told["brain"]["traces"] == 2
    text = cli("stats").stdout
    for part in ("Within reach", "1 in 1 threads", "Whole brain", "2 in 2 versions"):
        assert part in text


def test_doctor_finds_a_sound_brain_sound(cli: Cli) -> None:
    cli.remember("A fact.")
    told = cli.json("doctor")
    assert told["ok"] is True
    assert told["problems"] == []
    assert told["audit"]["ok"] is True
    assert "all is well" in cli("doctor").stdout


def test_doctor_and_verify_find_a_broken_chain(cli: Cli) -> None:
    cli.remember("A fact.")
    _break_chain(cli.brain)
    told = cli.json("doctor", code=1)
    assert told["ok"] is False
    assert told["problems"]
    assert "problem: " in cli("doctor", code=1).stdout
    verdict = cli.json("audit", "verify", code=1)
    assert verdict["ok"] is False
    assert verdict["problems"]
    assert "chain broken" in cli("audit", "verify", code=1).stdout


def test_audit_verify_prints_the_head(cli: Cli) -> None:
    cli.remember("A fact.")
    report = cli.json("audit", "verify")
    assert set(report) == {"ok", "entries", "head", "problems"}
    assert len(report["head"]) == 64
    text = cli("audit", "verify").stdout
    assert "the chain holds" in text
    assert report["head"] in text


def test_audit_log_holds_no_content(cli: Cli) -> None:
    first = cli.remember("A secret about turnips.")
    cli.remember("Another one.")
    cli("forget", first)
    entries = cli.json("audit", "log", "--limit=2")["entries"]
    assert [entry["action"] for entry in entries] == ["remember", "forget"]
    of_one = cli.json("audit", "log", f"--trace={first}")["entries"]
    assert {entry["trace_id"] for entry in of_one} == {first}
    text = cli("audit", "log").stdout
    assert first in text
    assert "cli" in text
    assert "turnips" not in text
    assert "no entries" in cli("audit", "log", "--trace=mt_0").stdout


def test_reembed_gives_vectors_to_what_has_none(cli: Cli) -> None:
    trace = cli.remember("Swifts sleep on the wing.")
    assert "leave out --no-embedder" in cli.error("reembed", code=2)
    told = cli.json("reembed", words=False)
    assert (told["reembedded"], told["unembedded"]) == (1, 0)
    assert told["embedder"]
    assert "0 texts given vectors" in cli("reembed", words=False).stdout
    [hit] = cli.json("recall", "do birds rest while flying?", words=False)["hits"]
    assert hit["trace"]["id"] == trace
    assert "vector" in hit["why"]["arms"]


def test_doctor_says_what_waits_for_vectors(cli: Cli) -> None:
    cli.remember("Swifts sleep on the wing.")
    told = cli.json("doctor", words=False, code=1)
    assert told["unembedded"] == 1
    assert "mnemic reembed" in told["problems"][0]


def test_a_brain_of_another_model_asks_for_reembed(cli: Cli) -> None:
    cli.brain.parent.mkdir()
    with Memory.open(cli.brain, embedder=WordVectors()) as memory:
        memory.bind(user="me").remember("Swifts sleep on the wing.")
    line = cli.error("recall", "swifts", words=False, code=3)
    assert "mnemic reembed" in line
    assert cli.json("reembed", words=False)["reembedded"] == 1
    assert len(cli.json("recall", "swifts", words=False)["hits"]) == 1
    assert cli.json("doctor", words=False)["ok"] is True
