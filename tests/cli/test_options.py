"""Which brain, who asks, and texts and ids of every kind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mnemic.cli import calls
from tests.cli.conftest import Cli, process

ODD = ["_", "%", "a/b", "a:b", "*", "a%2Fb", "under_score", "übung", "人", "a b", "--", "'\""]


def test_the_brain_is_the_option_then_the_variable_then_the_data_folder(
    cli: Cli, tmp_path: Path
) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path), "MNEMIC_BRAIN": ""}
    cli.env = {**home, "LOCALAPPDATA": str(tmp_path / "data")}
    default = calls.default_brain
    cli.env["MNEMIC_BRAIN"] = str(tmp_path / "named.db")
    assert cli.json("init")["path"] == str(tmp_path / "named.db")
    assert cli.json("init", f"--brain={tmp_path}/other.db")["path"] == str(tmp_path / "other.db")
    cli.env["MNEMIC_BRAIN"] = None
    made = Path(cli.json("init")["path"])
    assert made.is_file()
    assert made.name == "brain.db"
    assert made.is_relative_to(tmp_path)
    assert default().name == "brain.db"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/mnemic/brain.db"),
        ("linux", {}, "/home/ana/.local/share/mnemic/brain.db"),
        ("darwin", {}, "/home/ana/Library/Application Support/mnemic/brain.db"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/mnemic/brain.db"),
        ("win32", {}, "/home/ana/AppData/Local/mnemic/brain.db"),
    ],
)
def test_the_data_folder_is_the_platform_s(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("HOME", "/home/ana")
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert calls.default_brain() == Path(expected)


def test_a_tilde_is_the_home_folder(cli: Cli, tmp_path: Path) -> None:
    cli.env = {"HOME": str(tmp_path)}
    assert cli.json("init", "--brain=~/deep/er/brain.db")["path"] == f"{tmp_path}/deep/er/brain.db"


def test_the_user_is_the_option_then_the_variable_then_me(cli: Cli) -> None:
    cli.remember("mine")
    cli.remember("ana's", "--user=ana")
    assert [one["content"] for one in cli.json("list")["traces"]] == ["mine"]
    cli.env["MNEMIC_USER"] = "ana"
    assert [one["content"] for one in cli.json("list")["traces"]] == ["ana's"]
    assert [one["content"] for one in cli.json("list", "--user=me")["traces"]] == ["mine"]


def test_brains_in_one_file_do_not_see_each_other(cli: Cli) -> None:
    cli.remember("at work", "--brain-id=work")
    assert cli.json("list")["count"] == 0
    assert cli.json("list", "--brain-id=work")["count"] == 1
    assert cli.json("init", "--brain-id=work")["brain"] == "work"


def test_threads_personas_and_organizations_are_axes(cli: Cli) -> None:
    for axis in ("thread", "persona", "organization"):
        told = cli.json("remember", f"for the {axis}", f"--{axis}=x", f"--scope={axis}")
        assert told["trace"]["scope"] == axis
        assert cli.json("list")["count"] == 0
        assert cli.json("list", f"--{axis}=x")["count"] == 1
        assert cli.json("list", f"--{axis}=y")["count"] == 0


@pytest.mark.parametrize("name", ODD)
def test_odd_ids_are_letters(cli: Cli, name: str) -> None:
    cli.remember("wanted", f"--user={name}", f"--thread={name}", "--scope=thread")
    cli.remember("other", f"--user={name}x", f"--thread={name}x", "--scope=thread")
    cli.remember("plain", "--user=a", "--thread=b", "--scope=thread")
    listed = cli.json("list", f"--user={name}", f"--thread={name}")
    assert [one["content"] for one in listed["traces"]] == ["wanted"]
    found = cli.json("recall", "wanted", f"--user={name}", f"--thread={name}")
    assert [hit["trace"]["content"] for hit in found["hits"]] == ["wanted"]


@pytest.mark.parametrize("odd", ["_", "%", "mt_%", "*", "a/b", "mt_0:1", "'", "人"])
def test_odd_trace_ids_are_not_patterns(cli: Cli, odd: str) -> None:
    cli.remember("something")
    cli.error("show", "--", odd, code=1)
    cli.error("history", "--", odd, code=1)
    cli.error("forget", "--", odd, code=1)
    assert cli.json("audit", "log", f"--trace={odd}")["entries"] == []


@pytest.mark.parametrize(
    "text",
    [
        "私は東京に住んでいます。",
        "أعيش في بيروت",
        "👩‍🚀🧪 ok",
        "naïve café",
        '"quoted" AND NOT near*',
        "--starts-with-dashes",
        "[bold]not markup[/bold] :smile:",
        "a\ttab and a\nline",
    ],
)
def test_texts_of_every_kind_come_back_as_they_went_in(cli: Cli, text: str) -> None:
    trace = cli.remember(text)
    assert cli.json("show", trace)["trace"]["content"] == text
    shown = cli("show", trace).stdout
    assert all(part in shown for part in text.replace("\t", " ").split())
    by_stdin = cli.json("remember", stdin=text + "\n")
    assert by_stdin["trace"]["id"] == trace
    found = cli.json("recall", "--", text)["hits"]
    assert [hit["trace"]["id"] for hit in found] == [trace]


def test_bytes_that_are_no_text_are_refused(cli: Cli) -> None:
    brain = {"MNEMIC_BRAIN": str(cli.brain), "PYTHONUTF8": "1"}
    for done in (
        process("remember", "--no-embedder", b"caf\xe9", env=brain),
        process(
            "remember",
            "--no-embedder",
            env={**brain, "PYTHONIOENCODING": "utf-8:strict"},
            stdin=b"caf\xe9",
        ),
    ):
        assert done.stdout == b""
        assert done.stderr.count(b"\n") == 1
        assert done.returncode == 2
    cli("init")
    assert cli.json("list")["count"] == 0


def test_a_process_reads_stdin_and_writes_json(cli: Cli) -> None:
    brain = {"MNEMIC_BRAIN": str(cli.brain)}
    done = process("remember", "--no-embedder", env=brain, stdin="Käse ist da.\n".encode())
    assert done.returncode == 0
    assert done.stdout.startswith(b"stored mt_")
    done = process("list", "--json", env={**brain, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert b"K\\u00e4se ist da." in done.stdout


def test_an_unknown_setting_in_the_environment_is_refused(cli: Cli) -> None:
    cli.env["MNEMIC_COLOUR"] = "red"
    assert "MNEMIC_COLOUR" in cli.error("init", code=2)


def test_timezone_is_for_times_that_name_none(cli: Cli) -> None:
    zone = "--timezone=America/New_York"
    cli.remember("lunch", zone, "--time=2026-07-01T12:00")
    assert cli.json("list")["traces"][0]["time"] == "2026-07-01T16:00:00+00:00"
    assert cli.json("list", zone, "--before=2026-07-01T12:01")["count"] == 1
    assert cli.json("list", zone, "--before=2026-07-01T11:59")["count"] == 0
