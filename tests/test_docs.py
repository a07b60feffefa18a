"""The documentation is true: its examples run, its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from mnemic.cli.app import app

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    return [text for kind, text in _BLOCK.findall(page.read_text("utf-8")) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(blocks(page, "python")):
        exec(compile(text, f"{page.name}, example {number}", "exec"), {"__name__": "__main__"})
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err


def test_the_first_example_says_what_it_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(blocks(ROOT / "README.md", "python")[0], {})
    said = capsys.readouterr().out
    assert "I moved to Lisbon in May." in said
    assert "<mnemic-memory>" in said
    assert said.rstrip().endswith("True")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    command = get_command(app)
    known = set(command.commands)  # type: ignore[attr-defined]
    text = page.read_text("utf-8")
    named = {
        word for block in blocks(page, "sh") for word in re.findall(r"^mnemic (\w+)", block, re.M)
    }
    named |= set(re.findall(r"`mnemic (\w+)", text))
    assert named <= known, f"{page.name} names {named - known}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))
    missing = [
        link
        for link in links
        if not link.startswith(("http://", "https://")) and not (page.parent / link).exists()
    ]
    assert not missing


def test_tests_and_modules_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(
        r"`((?:tests|model|store|govern|index|encode|retrieve|maintain)/[\w/.]*)`", text
    )
    assert named
    missing = [
        name
        for name in named
        if not (ROOT / name).exists() and not (ROOT / "src" / "mnemic" / name).exists()
    ]
    assert not missing
