"""Basic Memory's notes, with notes of our own."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import basic_memory, front_matter
from mnemic.exchange.common import Item
from mnemic.model.origin import SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import contents, drafts, errors, only, skipped, zipped

NOTE = """---
title: The refit
type: note
tags: [boat, winter]
permalink: boats/refit
created: 2025-01-02
---

# The refit

We take the sloop out of the water, see [[Harbour|the port]].

## Observations

- [decision] Three coats of varnish #mast #care (last year it was two)
- [cost] The crane is cheap on [[Monday]]
- [ ] buy brushes
- [x] call the yard
- [a link](https://example.org)

## Relations

- part_of [[The sloop]]
- needs [[Varnish]] (for the mast)
- [[Tomas]]
"""


def note(tmp_path: Path, text: str, name: str = "note.md") -> list[Item]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return list(basic_memory.read(tmp_path / name))


def test_an_observation_is_a_memory(tmp_path: Path) -> None:
    items = note(tmp_path, NOTE)
    first, second = drafts(items)[:2]
    assert first.content == "Three coats of varnish #mast #care"
    assert first.tags == ("decision", "mast", "care", "boat", "winter")
    assert first.metadata == {
        "title": "The refit",
        "permalink": "boats/refit",
        "category": "decision",
        "context": "last year it was two",
    }
    assert (first.type, first.source) == (TraceType.SEMANTIC, SourceType.AGENT_INFERENCE)
    assert first.source_id == "basic_memory:boats/refit"
    assert first.time == "2025-01-02"
    assert second.entities == ("The refit", "Monday")
    assert items[0].where == "note.md:15"


def test_a_relation_is_a_sentence(tmp_path: Path) -> None:
    found = drafts(note(tmp_path, NOTE))[2:5]
    assert [draft.content for draft in found] == [
        "The refit part of The sloop",
        "The refit needs Varnish",
        "The refit relates to Tomas",
    ]
    assert [draft.entities[1] for draft in found] == ["The sloop", "Varnish", "Tomas"]
    assert found[1].metadata["context"] == "for the mast"
    assert found[0].tags == ("relation", "boat", "winter")


def test_the_prose_is_what_remains(tmp_path: Path) -> None:
    prose = drafts(note(tmp_path, NOTE))[-1]
    assert prose.content == (
        "# The refit\n\nWe take the sloop out of the water, see [[Harbour|the port]].\n\n"
        "## Observations\n\n- [ ] buy brushes\n- [x] call the yard\n"
        "- [a link](https://example.org)"
    )
    assert prose.entities == ("The refit", "Harbour")


def test_a_note_of_observations_alone_has_no_prose(tmp_path: Path) -> None:
    items = note(tmp_path, "# Bare\n\n## Observations\n\n- [fact] It floats\n", "bare.md")
    assert contents(items) == ["It floats"]
    assert skipped(items) == {"bare.md": "no text"}
    assert only(items).metadata["title"] == "bare"


def test_within_a_fence_nothing_is_an_observation(tmp_path: Path) -> None:
    line = "- [fact] It floats"
    assert contents(note(tmp_path, line)) == ["It floats"]
    assert contents(note(tmp_path, f"```\n{line}\n```")) == [f"```\n{line}\n```"]


@pytest.mark.parametrize(
    ("line", "said", "context"),
    [
        ("- [a b] x (c)", "x", "c"),
        ("* [ab] x", "x", None),
        ("+ [ab] (all of it)", "(all of it)", None),
        ("  - [ab] f(x) and more", "f(x) and more", None),
        ("- [ab] x (a) (b)", "x (a)", "b"),
        ("- [ab] x (a (b))", "x (a (b))", None),
    ],
)
def test_forms_of_an_observation(tmp_path: Path, line: str, said: str, context: str | None) -> None:
    draft = only(note(tmp_path, line))
    assert (draft.content, draft.metadata.get("context")) == (said, context)
    assert "category" in draft.metadata


def test_a_folder_is_read_with_its_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf- [fact] One\r\n- [fact] Two\r\n")
    (tmp_path / "b" / "c.md").write_text("- [fact] Three")
    (tmp_path / "bad.md").write_bytes(b"\xff")
    (tmp_path / "image.png").write_bytes(b"x")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    items = list(basic_memory.read(tmp_path))
    assert contents(items) == ["One", "Two", "Three"]
    assert "byte 0 is 0xff" in errors(items)["bad.md"]
    assert skipped(items)["image.png"] == "attachment"
    assert skipped(items)["link.md"] == skipped(items)["pipe.md"] == "link or device"
    packed = zipped(tmp_path.parent / f"{tmp_path.name}.zip", {"a/b.md": "- [fact] One"})
    assert contents(basic_memory.read(packed)) == ["One"]


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="holds no note"):
        list(basic_memory.read(tmp_path))


def test_lines_made_to_be_slow_are_not(tmp_path: Path) -> None:
    spaces = " " * 300_000
    lines = [
        f"- {spaces}x",
        f"- a{spaces}x",
        f"- a [[b]]{spaces}x",
        f"- [ab]{spaces}",
        "[[" * 9_999,
    ]
    start = perf_counter()
    assert len(note(tmp_path, "\n".join(lines) + "\n- [fact] It floats")) > 1
    assert perf_counter() - start < 5


def test_front_matter_is_read_as_far_as_notes_use_it() -> None:
    front, body, line = front_matter.split(
        "---\ntitle: \"A: b\"\ntags:\n  - one\n  - 'two'\nempty:\nlist: [a, 'b']\n# note\n---\nBody"
    )
    assert front == {"title": "A: b", "tags": ["one", "two"], "empty": "", "list": ["a", "b"]}
    assert (body, line) == ("Body", 10)
    assert front_matter.split("---\ntitle: x\nBody") == ({}, "---\ntitle: x\nBody", 1)
    assert front_matter.split("Body") == ({}, "Body", 1)


def test_dates_of_the_front_matter(tmp_path: Path) -> None:
    text = "---\ncreated: never\nupdated_at: 2025-01-02T10:00:00+01:00\n---\n- [fact] It floats"
    assert only(note(tmp_path, text)).time == datetime(2025, 1, 2, 9, tzinfo=UTC)
    assert only(note(tmp_path, "- [fact] It floats")).time is None
