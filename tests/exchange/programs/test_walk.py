"""Files are found in every layout, and a place leads nowhere else."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.registry import PROGRAMS
from mnemic.exchange.programs.walk import files_in, owner, walk
from tests.exchange.programs.made import contents, errors, items, lines, reasons, whole

HELLO = {"type": "user", "message": {"content": "We sail on Friday."}}


def text_files(path: Path, direct: bool) -> Found | None:
    return Found(path, Kind.SESSION) if path.suffix == ".txt" else None


def test_a_folder_a_deep_folder_and_a_file_itself_are_found(tmp_path: Path) -> None:
    file = whole(tmp_path / "a" / "b" / "one.txt", "x")
    whole(tmp_path / "a" / "two.md", "x")
    for place in (tmp_path, tmp_path / "a" / "b", file):
        assert [one.path for one in walk(place, text_files)] == [file]
    assert list(walk(tmp_path / "nowhere", text_files)) == []
    assert list(walk(file / "below", text_files)) == []
    assert "cannot be looked at" in str(next(walk(Path("a\0b"), text_files)).error)


def test_what_is_no_regular_file_is_told_and_not_opened(tmp_path: Path) -> None:
    lines(tmp_path / "sound.jsonl", HELLO)
    os.mkfifo(tmp_path / "pipe.jsonl")  # opening it would wait for a writer for ever
    # The path of a socket may be short only, so it is made from within the folder.
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("sock.jsonl")
    finally:
        os.chdir(before)
    found = items("claude-code", tmp_path)
    assert contents(found) == ["We sail on Friday."]
    assert reasons(found) == {Skip.SPECIAL: 2}
    assert reasons(items("claude-code", tmp_path / "pipe.jsonl")) == {Skip.SPECIAL: 1}


# pi reads no file of instructions here; its own test has a link to a session.
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "pi"])
def test_no_link_leads_out_of_a_place(name: str, tmp_path: Path) -> None:
    secret = whole(tmp_path / "secret" / "CLAUDE.md", "# Keys\n\nThe key is under the mat.\n")
    place = tmp_path / "place"
    place.mkdir()
    rules = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".windsurfrules", ".cursorrules")
    others = ("CONVENTIONS.md", "copilot-instructions.md")
    for file in (*rules, *others):
        whole(place / file, "# Deck\n\nScrub it daily.\n")
    control = items(name, place)
    assert any("Scrub it daily." in text for text in contents(control))
    for file in (*rules, *others):
        (place / file).unlink()
        (place / file).symlink_to(secret)
    (place / "rules").symlink_to(secret.parent)
    found = items(name, place)
    assert contents(found) == []
    assert reasons(found) == {Skip.LINK: len(rules) + len(others) + 1}


def test_a_place_that_is_a_link_is_followed_within_its_folder_only(tmp_path: Path) -> None:
    project = tmp_path / "project"
    whole(project / "AGENTS.md", "Tar the hull.\n")
    whole(tmp_path / "elsewhere" / "CLAUDE.md", "The key is under the mat.\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    (project / ".claude").symlink_to(tmp_path / "elsewhere")
    (project / "loop").symlink_to("loop")
    # Followed, it is read under the name that the program knows it by.
    inside = list(walk(project / "CLAUDE.md", lambda path, _: Found(path, Kind.OTHER)))
    assert [one.path.name for one in inside] == ["AGENTS.md"]
    outside = items("claude-code", project / ".claude")
    assert (contents(outside), reasons(outside)) == ([], {Skip.LINK: 1})
    assert len(errors(items("claude-code", project / "loop"))) == 1


def test_a_file_that_goes_or_changes_after_it_was_found_is_told(tmp_path: Path) -> None:
    file = lines(tmp_path / "one.jsonl", HELLO)
    program = PROGRAMS["claude-code"]
    found = next(program.find(tmp_path))
    assert contents(program.read(found)) == ["We sail on Friday."]
    file.unlink()
    assert "No such file" in errors(program.read(found))[0]
    os.mkfifo(file)
    assert reasons(program.read(found)) == {Skip.SPECIAL: 1}


@contextmanager
def nobody() -> Iterator[None]:
    """Not as root, to whom nothing is closed."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_may_not_be_read_is_an_error_and_the_rest_goes_on() -> None:
    # The tests' own folders are closed to all but who runs them.
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        lines(place / "sound.jsonl", HELLO).chmod(0o644)
        lines(place / "closed.jsonl", HELLO).chmod(0)
        (place / "folder").mkdir(mode=0)
        with nobody():
            found = items("claude-code", place)
        (place / "folder").chmod(0o700)
    assert contents(found) == ["We sail on Friday."]
    assert len(errors(found)) == 2


def test_a_folder_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines(tmp_path / "sound.jsonl", HELLO)
    (tmp_path / "folder").mkdir()
    listed = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "folder":
            raise PermissionError("closed")
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = items("claude-code", tmp_path)
    assert contents(found) == ["We sail on Friday."]
    assert ["the folder cannot be listed: closed" in one for one in errors(found)] == [True]


def test_who_owns_instructions_is_told_by_the_place(tmp_path: Path) -> None:
    own = (".claude", ".config/opencode")
    (tmp_path / "ship" / ".claude" / "rules").mkdir(parents=True)
    assert owner(tmp_path / ".claude" / "CLAUDE.md", own) is None
    assert owner(tmp_path / ".config" / "opencode" / "AGENTS.md", own) is None
    # A project that is named as the program is.
    assert owner(tmp_path / "opencode" / "AGENTS.md", own) == "opencode"
    assert owner(tmp_path / "not.claude" / "CLAUDE.md", own) == "not.claude"
    assert owner(tmp_path / "ship" / "CLAUDE.md", own) == "ship"
    assert owner(tmp_path / "ship" / ".claude", own) == "ship"
    assert owner(tmp_path / "ship", own) == "ship"


def test_files_in_stays_in_its_folder(tmp_path: Path) -> None:
    whole(tmp_path / "b.json", {})
    whole(tmp_path / "a.json", {})
    whole(tmp_path / "c.txt", "")
    whole(tmp_path / "deep" / "d.json", {})
    assert [one.path.name for one in files_in(tmp_path, ".json")] == ["a.json", "b.json"]
    assert list(files_in(tmp_path / "nowhere", ".json")) == []
