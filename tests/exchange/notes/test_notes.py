"""Traces as notes: written safely, read back as what they are, and an edit reaches the trace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Memory, Trace, Unexported
from mnemic.errors import ImportFormatError, StorageError
from mnemic.exchange.notes.files import folded, is_safe
from mnemic.exchange.notes.note import below, hash_of, links_in, tags_in, taken_apart
from tests.conftest import Opener

FORMATS = ["markdown", "obsidian"]


def told(who: BoundMemory, text: str, **fields: Any) -> Trace:
    trace = who.remember(text, **fields).trace
    assert trace is not None
    return trace


def note_of(folder: Path, trace: Trace) -> Path:
    return folder / trace.scope.value / trace.type.value / f"{trace.id}.md"


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=20)
@given(
    texts=st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=4),
    tags=st.lists(st.text(min_size=1, max_size=8), max_size=3),
    entities=st.lists(st.text(min_size=1, max_size=8), max_size=3),
)
def test_ones_own_export_adds_nothing(
    open_brain: Opener,
    tmp_path_factory: pytest.TempPathFactory,
    format: str,
    texts: list[str],
    tags: list[str],
    entities: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    memory = open_brain(f"{folder.name}.db")
    ana = memory.bind(user="ana", thread="monday")
    for text in [*texts, "ends in tags\n\n#one #two", "**Related:**\n- [[x]]", "--- not a head"]:
        for scope in ("user", "thread"):
            try:
                ana.remember(text, tags=tags, entities=entities, scope=scope)
            except Exception:  # noqa: BLE001 - what cannot be remembered is not exported either
                continue
    assume(ana.count())
    exported = memory.export(folder, format=format, bind=ana)
    assert (exported.traces, exported.refused) == (ana.count(), ())
    head, before = memory.audit.head(), ana.list(limit=99)
    result = memory.import_from(folder, bind=ana, format=format)
    assert (result.imported, result.refused, result.failed) == (0, 0, 0), result.errors
    assert result.skipped == exported.traces
    assert memory.audit.head() == head
    assert ana.list(limit=99) == before
    memory.close()


@pytest.mark.parametrize("format", FORMATS)
def test_an_edit_reaches_the_trace(
    memory: Memory, ana: BoundMemory, tmp_path: Path, format: str
) -> None:
    one = told(ana, "The ferry leaves at nine", type="semantic", tags=["sea"], entities=["Ferry"])
    two = told(ana, "The pier is green", tags=["sea"])
    memory.export(tmp_path / "notes", format=format, bind=ana)
    note = note_of(tmp_path / "notes", one)
    note.write_text(note.read_text().replace("at nine", "at ten\r\nand at noon"), newline="")
    result = memory.import_from(tmp_path / "notes", bind=ana, format=format)
    assert (result.imported, result.skipped, result.failed) == (1, 1, 0)
    after = ana.show(one.id)
    assert (after.content, after.version) == ("The ferry leaves at ten\nand at noon", 2)
    assert (after.tags, after.entities) == (("sea",), ("Ferry",))
    assert ana.show(two.id).version == 1
    assert ana.history(one.id).versions[0].content == "The ferry leaves at nine"
    again = memory.import_from(tmp_path / "notes", bind=ana, format=format)
    assert (again.imported, again.skipped) == (0, 2)


def test_tags_and_links_added_in_a_vault_reach_the_trace(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    one = told(ana, "The ferry leaves at nine", tags=["sea wind"], entities=["Ferry"])
    memory.export(tmp_path, format="obsidian", bind=ana)
    note = note_of(tmp_path, one)
    text = note.read_text()
    assert "#sea-wind" in text
    assert "- [[Ferry]]" in text
    note.write_text(text.replace("#sea-wind", "#sea-wind #boat") + "- [[Harbour|the port]]\n")
    result = memory.import_from(tmp_path, bind=ana, format="obsidian")
    assert result.imported == 1
    after = ana.show(one.id)
    assert after.content == "The ferry leaves at nine"
    assert (after.tags, after.entities) == (("sea wind", "boat"), ("Ferry", "Harbour"))


def test_an_old_note_does_not_undo_a_change(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    one, two = told(ana, "The ferry leaves at nine"), told(ana, "The pier is green")
    memory.export(tmp_path, bind=ana, format="markdown")
    for trace in (one, two):
        ana.update(trace.id, content=f"changed: {trace.content}")
    note = note_of(tmp_path, two)
    note.write_text(note.read_text().replace("green", "red"))
    result = memory.import_from(tmp_path, bind=ana, format="markdown")
    assert (result.imported, result.skipped) == (0, 1)
    [(where, message)] = result.errors
    assert two.id in where
    assert "has changed since this note was exported" in message
    assert {trace.content for trace in ana.list()} == {
        "changed: The ferry leaves at nine",
        "changed: The pier is green",
    }


def test_what_was_forgotten_or_is_anothers_is_not_reached_by_a_note(
    memory: Memory, ana: BoundMemory, bob: BoundMemory, tmp_path: Path
) -> None:
    gone, kept = told(ana, "The ferry leaves at nine"), told(ana, "The pier is green")
    memory.export(tmp_path, bind=ana, format="markdown")
    ana.forget(gone.id)
    result = memory.import_from(tmp_path, bind=ana, format="markdown")
    assert (result.imported, result.skipped, result.refused) == (0, 1, 1)
    note = note_of(tmp_path, kept)
    note.write_text(note.read_text().replace("green", "red").replace('"ana"', '"bob"'))
    result = memory.import_from(tmp_path, bind=bob, format="markdown")
    assert ana.show(kept.id).content == "The pier is green"
    assert [trace.content for trace in bob.list()] == ["The pier is red"]
    memory.reviewer("rita").verify(kept.id, reason="seen")
    note.write_text(note.read_text().replace('"bob"', '"ana"'))
    assert memory.import_from(tmp_path, bind=ana, format="markdown").refused >= 1
    assert ana.show(kept.id).content == "The pier is green"


def test_notes_of_a_vault(memory: Memory, ana: BoundMemory, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".trash").mkdir()
    (vault / ".trash" / "old.md").write_text("thrown away")
    (vault / "Days").mkdir()
    (vault / "Days" / "Ébène.md").write_text(
        "---\ntype: book\ntags: [reading, 'two words']\ncreated: 2024-05-06\nx: &a [1]\ny: *a\n"
        "---\nMet [[Ines Prat|Ines]] about `#code` #work/plans, see [[Plan#Part]] ![[map.png]]\n"
    )
    (vault / "plain.md").write_text("no head, #tag1 and # heading\n# Heading\n#123")
    (vault / "blank.md").write_text("---\ntitle: x\n---\n  \n")
    (vault / "bad.md").write_bytes(b"caf\xe9")
    (vault / "picture.png").write_bytes(b"\x89PNG")
    result = memory.import_from(vault, bind=ana)
    assert (result.imported, result.failed, result.passed_over) == (2, 1, {"no text": 1})
    held = {trace.metadata["note"]: trace for trace in ana.list()}
    assert set(held) == {"Days/Ébène.md", "plain.md"}
    day = held["Days/Ébène.md"]
    assert day.entities == ("Ines Prat", "Plan")
    assert day.tags == ("work/plans",)  # its head has an anchor, and so is not read
    assert "map.png" not in day.content
    assert held["plain.md"].tags == ("tag1",)


def test_front_matter_is_data(tmp_path: Path) -> None:
    assert taken_apart("---\ntags: [a, b]\n---\nbody").head == {"tags": ["a", "b"]}
    for head in (
        "!!python/object/apply:os.system ['touch pwned']",
        "tags: [a",
        "- a\n- b",
        "a: " + "[" * 10_000,
        "a: &x [1, 2]\nb: *x",
    ):
        note = taken_apart(f"---\n{head}\n---\nbody")
        assert (note.head, note.body) == ({}, "body")
    assert taken_apart("---js\nprocess.exit()\n---\nbody").head == {}
    assert taken_apart("--- never closed\nbody").body == "--- never closed\nbody"


def test_a_long_head_is_told_in_time() -> None:
    text = "---\n" + "a: 'x\n" * 20_000 + "---\nbody"
    assert taken_apart(text).head == {}
    assert len(below("#a " * 50_000)) == 2
    assert tags_in("#" * 50_000) == []
    assert links_in("[[" * 50_000) == []


@pytest.mark.parametrize("kind", ["link", "hard link", "pipe", "folder", "linked folder"])
def test_what_stands_in_a_notes_place_is_not_written_through(
    memory: Memory, ana: BoundMemory, tmp_path: Path, kind: str
) -> None:
    one, two = told(ana, "The ferry leaves at nine"), told(ana, "The pier", type="semantic")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "target.md").write_text("precious")
    folder = tmp_path / "notes"
    place = note_of(folder, one)
    if kind == "linked folder":
        (folder / "user").mkdir(parents=True)
        (folder / "user" / "episodic").symlink_to(outside)
    else:
        place.parent.mkdir(parents=True)
        match kind:
            case "link":
                place.symlink_to(outside / "target.md")
            case "hard link":
                os.link(outside / "target.md", place)
            case "pipe":
                os.mkfifo(place)
            case _:
                place.mkdir()
    exported = memory.export(folder, format="markdown", bind=ana)
    problem = "special" if kind in ("pipe", "folder") else "link"
    assert exported.refused == (Unexported(one.id, "file", problem),)
    assert exported.traces == 1
    assert note_of(folder, two).read_text().endswith("The pier\n")
    assert (outside / "target.md").read_text() == "precious"
    assert [path.name for path in outside.iterdir()] == ["target.md"]
    if kind in ("link", "pipe"):
        result = memory.import_from(folder, bind=ana, format="markdown")
        reason = "link" if kind == "link" else "no regular file"
        assert result.passed_over == {reason: 1}


def test_ids_that_are_no_names_are_left_out(open_brain: Opener, tmp_path: Path) -> None:
    names = iter(["../up", "MT_Case", "mt_case", "fine", "ſ", "s", "ß", "ss", "dot."])
    memory = open_brain(ids=lambda: next(names))
    ana = memory.bind(user="ana")
    for number in range(9):
        told(ana, f"note {number}")
    exported = memory.export(tmp_path / "notes", format="markdown", bind=ana)
    assert sorted((one.id, one.problem) for one in exported.refused) == sorted(
        [("../up", "name"), ("dot.", "name"), ("mt_case", "collision"), ("ſ", "collision")]
    )
    assert sorted(path.stem for path in (tmp_path / "notes").rglob("*.md")) == sorted(
        ["MT_Case", "fine", "s", "ß", "ss"]
    )


@given(st.text(max_size=12))
def test_folding_is_what_case_and_forms_make_of_a_name(name: str) -> None:
    assert folded(folded(name)) == folded(name)
    for c in name:
        if len(c.upper()) == 1 and len(c.upper().lower()) == 1 and c.upper().lower() == c.lower():
            assert folded(c.upper()) == folded(c.lower())
    assert not is_safe(f"a/{name}")


def test_an_export_that_cannot_be_written_says_so(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    told(ana, "The pier")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be written"):
        memory.export(tmp_path / "file", format="markdown", bind=ana)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImportFormatError, match="holds no Markdown notes"):
        memory.import_from(tmp_path / "empty", bind=ana, format="markdown")


def test_the_hash_is_of_the_text_whatever_its_line_ends() -> None:
    assert hash_of("a\nb") == hash_of(" a\r\nb \n")
    assert hash_of("a\nb") != hash_of("a b")
