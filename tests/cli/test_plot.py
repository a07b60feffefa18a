"""`mnemic plot`: a file is made, and what cannot be drawn is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.lived import RIGHT, TRAM, WALNUTS


def test_pictures_are_made(old: Cli, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    told = old.json("plot", "decay", TRAM, WALNUTS, f"--out={out}", "--ahead=10")
    assert told == {"file": str(out), "traces": [TRAM, WALNUTS]}
    said = old("plot", "decay", f"--out={out}", "--limit=4").stdout
    assert said == f"4 memories drawn: {str(out)!r}\n"
    made = old.json("plot", "graph", "Tom", "-o", str(out), "--depth=1")
    assert made["file"] == str(out)
    assert RIGHT in out.read_text("utf-8")
    png = tmp_path / "a.png"
    assert old.json("plot", "timeline", f"--out={png}", "--type=episodic")["traces"] == 4
    assert old.json("plot", "timeline", f"--out={png}", "--recorded")["traces"] == 7
    assert png.read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_told(
    old: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = f"--out={tmp_path}/a.svg"
    for words, code, named in (
        (["decay", f"--out={tmp_path}/a.pdf"], 2, ".svg or .png"),
        (["decay", out, "--ahead=-1"], 2, "--ahead -1"),
        (["decay", out, "--limit=0"], 2, "limit 0"),
        (["decay", TRAM, out, "--limit=3"], 2, "beside IDs"),
        (["decay"], 2, "--out"),
        (["graph", "Nobody", out], 1, "Nobody"),
        (["graph", "Tom", out, "--limit=999"], 2, "at most"),
        (["timeline", f"--out={tmp_path}/no/a.svg"], 3, "cannot be written"),
        (["timeline", out, "--tag=none"], 1, "filter less"),
    ):
        assert named in old.error("plot", *words, code=code)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'mnemic[plot]'" in old.error("plot", "decay", out, code=1)
    assert list(tmp_path.glob("a.*")) == []


def test_without_fading_no_threshold_is_drawn(old: Cli, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    old("plot", "decay", f"--out={out}")
    assert "set aside below" in out.read_text("utf-8")
    old.env = {"MNEMIC_MIND__DECAY__ENABLED": "false"}
    old("plot", "decay", f"--out={out}")
    assert "set aside below" not in out.read_text("utf-8")
