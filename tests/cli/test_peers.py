"""`mnemic bench peers` with the systems that need no environment of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from mnemic.cli import peers
from mnemic.cli.calls import Group
from tests.evals import shapes


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(shapes.locomo()), encoding="utf-8")
    return path


def invoke(*args: object, code: int = 0) -> Result:
    app = typer.Typer(cls=Group)
    app.callback()(lambda: None)
    peers.register(app)
    result = CliRunner().invoke(app, ["peers", *map(str, args)])
    assert result.exit_code == code, result.output
    return result


def test_as_json(file: Path) -> None:
    told = json.loads(invoke(file, "--json", "--peer=fts5", "--machine=a toy").stdout)
    assert [one["peer"] for one in told] == ["mnemic", "fts5"]
    assert {one["machine"] for one in told} == {"a toy"}
    assert told[1]["commands"] == ["mnemic bench peers locomo.json --bound=1800 --peer=fts5"]
    assert told[1]["figures"]["questions"] == 4


def test_as_a_table_with_what_was_kept(file: Path, tmp_path: Path) -> None:
    broken = {"peer": "chroma", "reason": "no wheel for this machine", "figures": {}}
    (tmp_path / "chroma.json").write_text(json.dumps(broken), encoding="utf-8")
    work = tmp_path / "work"
    parts = ("--dialogues=1", "--questions=1", f"--out={tmp_path}", f"--dir={work}")
    text = invoke(file, "--peer=fts5", *parts).stdout
    for part in ("recall@10", "p95 ms", "first answer", "baseline: SQLite", "± "):
        assert part in text
    assert "chroma: no wheel for this machine" in text
    assert max(len(line) for line in text.splitlines()) <= 80
    kept = json.loads((tmp_path / "fts5.json").read_text("utf-8"))
    assert kept["figures"]["questions"] == 1
    assert kept["commands"][0].endswith("--peer=fts5 --dialogues=1 --questions=1")
    assert (work / "stores" / "fts5" / "store" / "fts5.db").is_file()


def test_what_cannot_be_asked(file: Path) -> None:
    assert "is no peer" in invoke(file, "--peer=frob", code=2).stderr
    assert "bound must be above 0" in invoke(file, "--peer=fts5", "--bound=0", code=2).stderr
    assert "questions" in invoke(file, "--peer=fts5", "--questions=0", code=2).stderr
