"""The command line as a user has it: a brain of their own, words only unless asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mnemic.cli.app import app
from tests.lived import live

GROUPS = ("audit", "bench", "graph", "ledger", "plot", "rejections", "reminders", "review")
SOURCE = Path(__file__).parents[2] / "src"


@dataclass
class Cli:
    """Runs commands on one brain, in this process."""

    brain: Path
    env: dict[str, str | None] = field(default_factory=dict)

    def __call__(
        self,
        *args: str,
        code: int = 0,
        stdin: str | bytes | None = None,
        words: bool = True,
    ) -> Result:
        """Run one command and check its exit code; `words` adds ``--no-embedder``."""
        name = 2 if args and args[0] in GROUPS else 1
        given = [*args[:name], *(["--no-embedder"] if words else []), *args[name:]]
        env = {"MNEMIC_BRAIN": str(self.brain), **self.env}
        result = CliRunner().invoke(app, given, input=stdin, env=env)
        assert result.exit_code == code, f"{given}: {result.exit_code}\n{result.output}"
        return result

    def json(self, *args: str, **options: Any) -> Any:
        """What a command says with ``--json``: one JSON value, and nothing on stderr."""
        name = 2 if args and args[0] in GROUPS else 1
        result = self(*args[:name], "--json", *args[name:], **options)
        assert result.stderr == ""
        return json.loads(result.stdout)

    def error(self, *args: str, code: int, **options: Any) -> str:
        """The one line on stderr of a command that fails; stdout stays empty."""
        result = self(*args, code=code, **options)
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert "Traceback" not in result.stderr
        return result.stderr

    def remember(self, text: str, *args: str) -> str:
        """Remember a text; its trace id."""
        return str(self.json("remember", *args, "--", text)["trace"]["id"])

    def items(self, *args: str) -> list[dict[str, Any]]:
        """What waits for a reviewer."""
        return list(self.json("review", "list", *args)["items"])


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own machine shows through."""
    for name in (*os.environ,):
        if name.startswith("MNEMIC_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TZ", "UTC")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line on a brain that is not there yet."""
    return Cli(tmp_path / "folder" / "brain.db")


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain that has lived for a year, to be copied."""
    path = tmp_path_factory.mktemp("lived") / "brain.db"
    live(path, datetime.now(UTC))
    return path


@pytest.fixture
def old(cli: Cli, lived: Path) -> Cli:
    """The command line on a brain that has lived for a year."""
    cli.brain.parent.mkdir()
    shutil.copy(lived, cli.brain)
    return cli


def process(
    *args: str | bytes,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m mnemic`` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "mnemic", *args],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(env),
    )


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process of its own."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), **(extra or {})}
