"""Every command says what it does, and says it without loading anything heavy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from mnemic import __version__
from mnemic.cli.app import app
from mnemic.cli.failures import EXIT_HELP
from tests.cli.conftest import environment, process

HEAVY = (
    "numpy onnxruntime tokenizers sqlalchemy alembic pydantic pydantic_settings matplotlib networkx"
).split()

NAMES = (
    "demo init remember recall context show list why history facts correct forget restore import "
    "stats doctor reembed erase freeze thaw rotate-key compact prove sources export migrate mcp "
    "consolidate mind remind due"
).split()
REVIEW = (
    "session list show approve reject edit merge defer sweep verify quarantine lift reject-trace "
    "reject-source readmit undo-link drift"
).split()
GROUPED = {
    "audit": ["verify", "head", "log"],
    "bench": [
        "locomo",
        "longmemeval",
        "beam",
        "speed",
        "import",
        "mind",
        "year",
        "consolidate",
        "peers",
    ],
    "graph": ["show", "merge", "unmerge", "aliases"],
    "ledger": ["list", "revert"],
    "plot": ["decay", "graph", "timeline"],
    "rejections": ["export", "import"],
    "reminders": ["list", "done"],
    "review": REVIEW,
}


def _commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that there is, with the words that call it."""
    top: Any = typer.main.get_command(app)
    for name, command in top.commands.items():
        yield (name,), command
        for part, inner in getattr(command, "commands", {}).items():
            yield (name, part), inner


def test_all_commands_are_there() -> None:
    names = {words for words, _ in _commands()}
    wanted: set[tuple[str, ...]] = {(name,) for name in [*NAMES, *GROUPED]}
    wanted |= {(group, part) for group, parts in GROUPED.items() for part in parts}
    assert names == wanted


@pytest.mark.parametrize("words", [words for words, _ in _commands()], ids=" ".join)
def test_every_command_and_option_has_a_help_text(words: tuple[str, ...]) -> None:
    command = dict(_commands())[words]
    assert command.help
    assert command.help.strip().split("\n")[0].endswith((".", ".)"))
    for parameter in command.params:
        assert parameter.help, f"{words} {parameter.name}"
    result = CliRunner().invoke(app, [*words, "--help"])
    assert result.exit_code == 0
    assert command.help.split()[0] in result.stdout


@pytest.mark.parametrize("words", [words for words, _ in _commands()], ids=" ".join)
def test_every_command_takes_json_and_debug(words: tuple[str, ...]) -> None:
    command = dict(_commands())[words]
    if hasattr(command, "commands"):
        return
    options = {option for parameter in command.params for option in parameter.opts}
    assert {"--json", "--debug"} <= options
    own = {"--brain", "--brain-id", "--user", "--thread", "--persona", "--organization"}
    own |= {"--namespace"}
    # Some work on brains of their own, or on none. The proof may look at another one as a whole,
    # for nobody, and a migration is of one.
    named = {"prove": {"--brain", "--brain-id"}, "migrate": {"--brain-id"}}
    if words[0] in {"demo", "bench", "sources", *named}:
        assert own & options == named.get(words[0], set())
    else:
        assert own <= options
    assert ({"--as", "--whole"} <= options) == (words[0] in {"review", "ledger"})


def test_help_tells_the_exit_codes() -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert EXIT_HELP in text


def test_no_arguments_shows_the_help() -> None:
    bare = CliRunner().invoke(app, [])
    assert bare.exit_code == 0
    assert bare.stdout == CliRunner().invoke(app, ["--help"]).stdout


@pytest.mark.parametrize("group", ["audit", "bench", "plot", "rejections", "review"])
def test_a_group_alone_is_wrong_usage(group: str) -> None:
    # `mnemic audit && deploy` must not pass for a verification.
    assert CliRunner().invoke(app, [group]).exit_code == 2


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"{__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("recall", "--help"),
        ("demo", "--help"),
        ("bench", "speed", "--help"),
        ("erase", "--help"),
        ("review", "--help"),
        ("review", "approve", "--help"),
        ("mind", "--help"),
        ("graph", "--help"),
        ("plot", "graph", "--help"),
    ],
)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    script = (
        "import sys\n"
        f"sys.argv = ['mnemic', *{words!r}]\n"
        "from mnemic.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, env=environment()
    )
    assert done.stderr.decode() == "[]\n"
    assert b"Usage" in done.stdout


def test_every_command_module_is_light() -> None:
    script = (
        "import sys\nfrom mnemic.cli.app import app\nimport typer\ntyper.main.get_command(app)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, env=environment()
    )
    assert done.stdout.decode() == "[]\n"


def test_the_module_is_the_command() -> None:
    done = process("--version")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"{__version__}\n", b"")
