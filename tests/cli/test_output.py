"""What reaches the terminal, and what a pipe."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemic import Scope
from mnemic.cli.failures import printable
from mnemic.cli.output import plain, progress_bar
from mnemic.model.answer import ArmScore
from tests.cli.conftest import Cli, process
from tests.cli.terminal import on_terminal

COLOUR = r"\x1b\[(?:\d+;)*3\d"
ESCAPE = "\x1b[31mred\x1b]0;title\x07"


def test_plain_makes_json_types() -> None:
    moment = datetime(2026, 5, 1, 12, tzinfo=UTC)
    value = {Scope.USER: (ArmScore(1, 0.5), [moment, None, Scope.THREAD])}
    assert plain(value) == {
        "user": [{"rank": 1, "score": 0.5}, ["2026-05-01T12:00:00+00:00", None, "thread"]]
    }


def test_printable_shows_what_would_drive_a_terminal() -> None:
    assert printable("a\x1b[2J\x07\x7f\x9b\ud800\tb\n") == "a␛[2J␇␡\ufffd\ufffd\tb\n"
    assert printable("naïve 人 👩‍🚀 مرحبا") == "naïve 人 👩‍🚀 مرحبا"


def test_a_pipe_gets_no_colours_and_no_padding(cli: Cli) -> None:
    cli.remember("The well is behind the barn.", "--tag=farm")
    brain = {"MNEMIC_BRAIN": str(cli.brain)}
    for words in (["recall", "where is the well?"], ["list"], ["stats"], ["doctor"], ["--help"]):
        done = process(*words, *(["--no-embedder"] if words != ["--help"] else []), env=brain)
        text = done.stdout.decode()
        assert done.returncode == 0
        assert "\x1b" not in text
        assert max(len(line) for line in text.splitlines()) <= 80
        if words != ["--help"]:
            assert not [line for line in text.splitlines() if line != line.rstrip()]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colours_unless_no_color_is_set(cli: Cli) -> None:
    trace = cli.remember("The well is behind the barn.")
    brain = {"MNEMIC_BRAIN": str(cli.brain)}
    coloured = on_terminal("list", env=brain)
    assert re.search(COLOUR, coloured)
    assert trace in coloured
    # NO_COLOR takes the colours; bold and dim are none.
    bare = on_terminal("list", env={**brain, "NO_COLOR": "1"})
    assert not re.search(COLOUR, bare)
    assert trace in bare
    assert "\x1b" not in on_terminal("list", env={**brain, "TERM": "dumb"})


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_bar_and_json_stays_pure(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text("".join(f'{{"content": "line {n}"}}\n' for n in range(300)))
    brain = {"MNEMIC_BRAIN": str(cli.brain)}
    drawn = on_terminal("import", "--no-embedder", str(file), env=brain)
    assert "import" in drawn
    assert "━" in drawn


def test_no_bar_without_a_terminal() -> None:
    with progress_bar("work") as progress:
        assert progress is None


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_stored_text_cannot_drive_the_terminal(cli: Cli) -> None:
    told = cli.json("remember", f"well {ESCAPE}", f"--tag={ESCAPE}", code=0)
    trace, brain = told["trace"]["id"], {"MNEMIC_BRAIN": str(cli.brain)}
    for words in (
        ["show", trace],
        ["list"],
        ["why", trace],
        ["history", trace],
        ["recall", "well", "--no-embedder"],
        ["why", trace, "--query=well", "--no-embedder"],
        ["context", "well", "--no-embedder"],
    ):
        text = on_terminal(*words, env=brain)
        assert "\x1b[31mred" not in text
        assert "\x1b]0" not in text
        assert "\x07" not in text


def test_stored_text_is_not_markup(cli: Cli) -> None:
    trace = cli.remember("[red]alarm[/red] :fire: [/]")
    for words in (["show", trace], ["list"], ["recall", "alarm"], ["why", trace]):
        assert "[red]alarm[/red] :fire: [/]" in cli(*words).stdout


def test_a_console_that_cannot_write_a_character_gets_its_number(cli: Cli) -> None:
    cli.remember("café 人")
    brain = {"MNEMIC_BRAIN": str(cli.brain), "PYTHONIOENCODING": "ascii"}
    done = process("list", env=brain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"caf\\xe9 \\u4eba" in done.stdout


def test_long_texts_are_shown_by_their_passage(cli: Cli) -> None:
    padding = "The orchard was quiet and nothing much went on there at all. " * 30
    trace = cli.remember(f"{padding}The ladder broke. {padding}")
    text = cli("recall", "which ladder broke?").stdout
    assert "The ladder broke." in " ".join(text.split())
    assert len(text) < 1500
    assert len(cli("list").stdout) < 1000
    assert cli("show", trace).stdout.count("orchard") == 60
