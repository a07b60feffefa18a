"""A pseudo-terminal: runs a command as a person does, who waits for a question and answers it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence

import pytest

from tests.cli.conftest import environment

_PATIENCE_SECONDS = 60.0


def on_terminal(
    *args: str, env: Mapping[str, str], answers: Sequence[tuple[str, str]] = (), code: int = 0
) -> str:
    """What a command writes on a terminal that is its stdin, stdout and stderr.

    Args:
        args: of the command.
        env: its environment, besides ours.
        answers: pairs of a piece of a question and what is typed when that has come.
        code: with which it must end.
    """
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    usual = {"TERM": "xterm-256color", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-m", "mnemic", *args],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment({**usual, **env}),
    ) as child:
        os.close(slave)
        try:
            seen, heard = "", 0
            for question, answer in answers:
                while question not in seen[heard:]:
                    part = _part(master)
                    assert part is not None, f"{question!r} was never asked:\n{seen}"
                    seen += part
                heard = len(seen)
                os.write(master, answer.encode())
            while (part := _part(master)) is not None:
                seen += part
        finally:
            os.close(master)
    assert child.returncode == code, seen
    return seen


def _part(master: int) -> str | None:
    """The next piece of output; None when the command has closed its end."""
    ready, _, _ = select.select([master], [], [], _PATIENCE_SECONDS)
    if not ready:
        return None
    try:
        data = os.read(master, 65536)
    except OSError:  # Linux: the other end is closed
        return None
    return data.decode(errors="replace") if data else None
