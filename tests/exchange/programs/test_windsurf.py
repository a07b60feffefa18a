"""Windsurf's rules are read; what it encrypts is told."""

from __future__ import annotations

from pathlib import Path

from mnemic.exchange.programs import windsurf
from mnemic.exchange.programs.found import Skip
from mnemic.exchange.programs.registry import PROGRAMS
from mnemic.model.origin import SourceType
from tests.exchange.programs.made import drafts, items, reasons, whole


def test_rules_are_read_and_encrypted_files_are_told(tmp_path: Path) -> None:
    own = tmp_path / ".codeium" / "windsurf"
    whole(own / "memories" / "global_rules.md", "Be brief.")
    (own / "memories" / "m1.pb").write_bytes(b"\x91\xff\x00secret")
    (own / "cascade").mkdir()
    (own / "cascade" / "c1.pb").write_bytes(b"\x17\xfe\x00secret")
    found = items("windsurf", own / "memories", own / "cascade")
    (draft,) = drafts(found)
    assert (draft.content, draft.source) == ("Be brief.", SourceType.USER_STATEMENT)
    assert reasons(found) == {Skip.ENCRYPTED: 2}
    assert "encrypted" in str(PROGRAMS["windsurf"].note)


def test_rules_of_a_project(tmp_path: Path) -> None:
    project = tmp_path / "boat"
    whole(project / ".windsurf" / "rules" / "hull.md", "---\ntrigger: always_on\n---\nTar first.")
    whole(project / ".windsurf" / "notes.md", "Not for it.")
    whole(project / ".windsurfrules", "Then paint.")
    found = drafts(items("windsurf", project / ".windsurf", project / ".windsurfrules"))
    assert [draft.content for draft in found] == ["Tar first.", "Then paint."]
    assert {draft.source for draft in found} == {SourceType.RETRIEVED_DOCUMENT}
    assert {draft.metadata["project"] for draft in found} == {"boat"}


def test_places() -> None:
    found = windsurf.places(Path("/h"), Path("/p"), {}, "win32")
    assert Path("/h/.codeium/windsurf/memories") in found
    assert Path("/h/.codeium/windsurf-next/cascade") in found
    assert {Path("/p/.windsurf"), Path("/p/.windsurfrules")} < set(found)
