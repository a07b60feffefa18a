"""Environments: made once, weighed without byte code, and a reason where they cannot be made."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import mnemic
from mnemic.evals.peers import venvs
from mnemic.evals.peers.reasons import PeerFailed
from mnemic.evals.peers.venvs import Needs, find_python, make, own_megabytes


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the one package that pip can find: frob 1.0, half a megabyte."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "frob-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("frob.py", f"'''{'x' * 500_000}'''\n")
        wheel.writestr("frob-1.0.dist-info/METADATA", "Name: frob\nVersion: 1.0\n")
        wheel.writestr("frob-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("frob-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_an_environment_is_made_once_and_weighed(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "env"
    made = make(folder, Needs(), ["frob==1.0"], (), 60)
    assert 0.5 < made.megabytes < 0.51
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    subprocess.run([made.python, "-c", "import frob; print(frob.__doc__[:1])"], check=True)
    assert list(folder.rglob("frob*.pyc"))
    for wheel in wheels.iterdir():
        wheel.unlink()
    assert make(folder, Needs(), ["frob==1.0"], (), 60) == made
    with pytest.raises(PeerFailed, match=r"frob==1\.0"):
        make(folder, Needs(), ["frob==1.0", "more==2"], (), 60)


def test_a_requirement_that_is_not_there(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PeerFailed, match=r"could not be made: ERROR: .*frob==2\.0"):
        make(tmp_path / "env", Needs(), ["frob==2.0"], (), 60)
    with pytest.raises(PeerFailed, match="more than the bound"):
        make(tmp_path / "env", Needs(), ["frob==1.0"], (), 0.001)
    monkeypatch.setattr(venvs.sys, "executable", "/no/python")  # type: ignore[attr-defined]
    with pytest.raises(PeerFailed, match="could not be made"):
        make(tmp_path / "env", Needs(), ["frob==1.0"], (Path("/no/other"),), 60)


def test_the_python_that_has_what_is_needed(tmp_path: Path) -> None:
    this = Path(sys.executable)
    assert find_python(Needs()) == this
    assert find_python(Needs(), [tmp_path / "none"]) == this
    with pytest.raises(PeerFailed, match=r"from 9\.1, and none"):
        find_python(Needs(version=(9, 1)))


def test_a_python_whose_sqlite_loads_extensions(tmp_path: Path) -> None:
    pythons = {}
    for name in ("without", "with"):
        pythons[name] = tmp_path / name
        loads = "true" if name == "with" else "false"
        pythons[name].write_text(f"#!/bin/sh\necho '[[9, 1], {loads}]'\n", encoding="utf-8")
        pythons[name].chmod(0o755)
    both = [pythons["without"], pythons["with"]]
    assert find_python(Needs((9, 0)), both) == pythons["without"]
    assert find_python(Needs((9, 0), extensions=True), both) == pythons["with"]
    with pytest.raises(PeerFailed, match="sqlite3 loads extensions, and none"):
        find_python(Needs((9, 0), extensions=True), both[:1])


def test_ours_is_weighed_with_what_it_requires() -> None:
    whole = own_megabytes()
    package = Path(str(mnemic.__file__)).parent
    alone = sum(
        file.stat().st_size
        for file in package.rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    )
    assert whole > alone / 1e6 + 50  # onnxruntime and numpy are among them
