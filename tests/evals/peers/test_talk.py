"""A worker that is left is gone, and so is all that it started."""

from __future__ import annotations

import json
import os
import select
from pathlib import Path

import pytest

from mnemic.evals.peers.reasons import PeerFailed, reason
from mnemic.evals.peers.talk import Talk, environment, interpreter, names, number
from tests.evals.peers.conftest import MakePeer

WITH_A_CHILD = """
    import subprocess, sys, threading
    child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    Store.ask = lambda self, *_: [str(os.getpid()), str(child.pid)]
    Store.close = lambda self: threading.Event().wait()
"""


def running(pid: str) -> bool:
    stat = Path("/proc", pid, "stat")
    try:
        return stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ended(pid: str) -> bool:
    """Whether a process ends within ten seconds; a signal takes its time to arrive."""
    try:
        process = os.pidfd_open(int(pid))
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], 10)[0])
    finally:
        os.close(process)


def test_a_hanging_worker_and_its_child_are_ended(make_peer: MakePeer, tmp_path: Path) -> None:
    peer = make_peer("parent", WITH_A_CHILD)
    pids: list[str | None] = []

    def converse() -> None:
        with Talk(interpreter(), peer.adapter, tmp_path / "it", "", bound=2.0) as talk:
            talk.ask("open")
            pids.extend(names(talk.ask("ask", user="a", question="b", limit=1)))
            assert all(running(str(pid)) for pid in pids)
            talk.ask("close")

    with pytest.raises(PeerFailed, match="close was not done within the bound of 2 s"):
        converse()
    assert len(pids) == 2
    assert all(ended(str(pid)) for pid in pids)


def test_a_program_that_is_no_worker(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nread request\necho hello\n", encoding="utf-8")
    program.chmod(0o755)
    with (
        pytest.raises(PeerFailed, match="'hello', which is no answer"),
        Talk(program, tmp_path, tmp_path / "it", "", bound=5.0) as talk,
    ):
        talk.ask("open")


def test_a_request_that_is_not_known(make_peer: MakePeer, tmp_path: Path) -> None:
    with (
        pytest.raises(PeerFailed, match="nothing is known of 'dance'"),
        Talk(interpreter(), make_peer("good").adapter, tmp_path / "it", "", 5.0) as talk,
    ):
        talk.ask("dance")


def test_a_peer_sees_none_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    seen = environment(tmp_path)
    assert not {"OPENAI_API_KEY", "PYTHONPATH"} & seen.keys()
    assert seen["LANG"] == "C.UTF-8"
    assert seen["HOME"].startswith(str(tmp_path))
    assert seen["https_proxy"] == seen["HTTPS_PROXY"] == "http://127.0.0.1:9"
    assert seen["HF_HUB_OFFLINE"] == "1"


def test_answers_are_checked() -> None:
    assert names({"names": ["a", None]}, count=2) == ["a", None]
    assert number({"seconds": 1}, "seconds") == 1.0
    for bad in ({}, {"names": "ab"}, {"names": [1]}):
        with pytest.raises(PeerFailed, match="where names should be"):
            names(bad)
    with pytest.raises(PeerFailed, match="names 2 items of 3"):
        names({"names": ["a", "b"]}, count=3)
    for worse in ({}, {"seconds": "1"}, {"seconds": True}):
        with pytest.raises(PeerFailed, match="seconds should be a number"):
            number(worse, "seconds")


def test_a_reason_names_no_place_of_this_machine() -> None:
    told = reason(
        "\x1b[31mError\x1b[0m in /home/me/env/lib/a.py:\n see https://index.example/simple, "
        "(/tmp/x-1/y) but http://127.0.0.1:80/v1 and 1/2 and a/b stay"
    )
    assert told == (
        "Error in a.py: see (an address) (y) but http://127.0.0.1:80/v1 and 1/2 and a/b stay"
    )
    assert len(reason("long " * 500)) <= 300
    assert json.dumps(str(PeerFailed("/a/b/c"))) == '"c"'
