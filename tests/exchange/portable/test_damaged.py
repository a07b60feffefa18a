"""Exports that were damaged or forged: refused with the reason, and nothing of them is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory
from mnemic.errors import BrainTooNew, ImportFormatError
from tests.conftest import Opener

Document = dict[str, Any]
Damage = Callable[[Document], object]


def _version(document: Document, **changes: Any) -> None:
    document["mnemic_trace_versions"][0].update(changes)


DAMAGES: dict[str, tuple[Damage, str]] = {
    "another text": (lambda d: _version(d, content="I owe Bob money"), "does not fit its digest"),
    "another's text": (
        lambda d: d["mnemic_traces"][0].update(speaker="the boss"),
        "does not fit its digest",
    ),
    "trust that is none": (lambda d: _version(d, trust="gospel"), "trust 'gospel' is unknown"),
    "no standing version": (lambda d: _version(d, retired_at=1), "exactly one version"),
    "no version": (lambda d: d["mnemic_trace_versions"].pop(), "exactly one version"),
    "a number as text": (lambda d: _version(d, recorded_at="now"), "no whole number"),
    "a huge number": (lambda d: _version(d, recorded_at=1 << 70), "no whole number"),
    "no content": (lambda d: _version(d, content=None), "content is missing"),
    "tags that are none": (lambda d: _version(d, tags='{"a": 1}'), "no JSON list"),
    "a column more": (lambda d: _version(d, rank=1), "no column 'rank'"),
    "a digest that is none": (lambda d: _version(d, digest="xyz"), "not hexadecimal"),
    "no keys": (lambda d: d.update(mnemic_key_ring=[]), "no key ring"),
    "a short key": (lambda d: d["mnemic_key_ring"][0].update(key="00ff"), "32 bytes"),
    "an audit entry changed": (
        lambda d: d["mnemic_audit_log"][0].update(actor="nobody"),
        "audit log is broken",
    ),
    "an audit entry taken out": (lambda d: d["mnemic_audit_log"].pop(0), "audit log is broken"),
    "an entry of no trace": (
        lambda d: d["mnemic_entries"][0].update(trace_id="mt_none"),
        "content of trace 'mt_none' that is not there",
    ),
    "an entry in another's scope": (
        lambda d: d["mnemic_entries"][0].update(scope_id="bob"),
        "that is not there",
    ),
    "an entry without a place": (lambda d: d["mnemic_entries"][0].pop("since"), "is no entry"),
    "a scope that is none": (
        lambda d: d["mnemic_entries"][0].update(scope="galaxy"),
        "scope 'galaxy' is unknown",
    ),
    "vectors of odd length": (
        lambda d: d["mnemic_entries"][0].update(vectors="AAAA"),
        "no vectors of",
    ),
    "a row that is none": (lambda d: d["mnemic_traces"].insert(0, 7), "no object"),
    "a newer form": (lambda d: d["mnemic"].update(format=2), "upgrade mnemic"),
}


@pytest.fixture
def exported(memory: Memory, ana: BoundMemory, tmp_path: Path) -> Path:
    for text in ("I lost a glove", "I found a scarf"):
        ana.remember(text, type="semantic", speaker="Ana")
    memory.export(tmp_path / "brain.json", embeddings=True)
    return tmp_path / "brain.json"


def is_as_new(memory: Memory) -> None:
    """Nothing was kept, and the brain works."""
    assert (memory.stats().traces, memory.audit.head().split(":")[0]) == (0, "0")
    ana = memory.bind(user="ana")
    assert ana.remember("I lost a glove", type="semantic").status == "stored"
    assert ana.recall("glove")
    assert ana.remember("I lost a glove", type="semantic").status == "reinforced"


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_document_is_refused_whole(exported: Path, open_brain: Opener, name: str) -> None:
    damage, message = DAMAGES[name]
    document = json.loads(exported.read_text())
    assert open_brain("control.db").import_from(exported).imported == 2
    damage(document)
    exported.write_text(json.dumps(document))
    memory = open_brain("other.db")
    with pytest.raises(ImportFormatError, match=message):
        memory.import_from(exported)
    is_as_new(memory)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95, 0.999])
def test_a_document_that_was_cut_is_refused_whole(
    exported: Path, open_brain: Opener, cut: float
) -> None:
    data = exported.read_bytes()
    exported.write_bytes(data[: int(len(data) * cut)])
    memory = open_brain("other.db")
    with pytest.raises(ImportFormatError):
        memory.import_from(exported)
    is_as_new(memory)


def test_parts_in_another_order_are_refused(exported: Path, open_brain: Opener) -> None:
    document = json.loads(exported.read_text())
    document["mnemic_traces"] = document.pop("mnemic_traces")
    exported.write_text(json.dumps(document))
    memory = open_brain("other.db")
    with pytest.raises(ImportFormatError, match="do not fit together"):
        memory.import_from(exported)
    is_as_new(memory)


def test_a_document_is_restored_into_an_empty_brain_only(
    exported: Path, open_brain: Opener
) -> None:
    """Beside what is there it is remembered anew, and forged states count for nothing."""
    document = json.loads(exported.read_text())
    for row in document["mnemic_trace_versions"]:
        row["trust"] = "verified"
    for row in document["traces"]:
        row["metadata"] = row["metadata"].replace('"believed"', '"verified"')
    exported.write_text(json.dumps(document))
    memory = open_brain("other.db")
    ana = memory.bind(user="ana")
    ana.remember("I lost a glove", type="semantic", speaker="Ana")
    result = memory.import_from(exported)
    assert (result.imported, result.skipped) == (1, 1)
    assert {trace.trust.value for trace in ana.list()} == {"believed"}
    assert memory.audit.verify().ok


@pytest.fixture
def database(exported: Path, open_brain: Opener) -> Path:
    open_brain().export(exported.with_suffix(".sqlite"))
    return exported.with_suffix(".sqlite")


def test_a_damaged_database_is_refused_whole(database: Path, open_brain: Opener) -> None:
    good = database.read_bytes()
    assert open_brain("control.db").import_from(database).imported == 2
    refused = 0
    for at in range(4_096, len(good), 3 * 4_096):
        database.write_bytes(good[:at] + b"\xa5" * 200 + good[at + 200 :])
        memory = open_brain(f"other{at}.db")
        try:
            memory.import_from(database)
        except ImportFormatError:
            refused += 1
            is_as_new(memory)
        memory.close()
    assert refused > 3  # the rest hit free space, or the index, which is made anew
    database.write_bytes(good[: len(good) // 2])
    with pytest.raises(ImportFormatError):
        open_brain("other.db").import_from(database)


def test_a_database_of_another_kind_is_refused(tmp_path: Path, open_brain: Opener) -> None:
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.commit()
    connection.close()
    memory = open_brain("other.db")
    with pytest.raises(ImportFormatError, match="no table memory_traces"):
        memory.import_from(path)
    is_as_new(memory)


def test_a_newer_brain_is_refused(database: Path, open_brain: Opener) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    memory = open_brain("other.db")
    with pytest.raises(BrainTooNew):
        memory.import_from(database)
    is_as_new(memory)


def test_the_source_is_only_read(database: Path, open_brain: Opener, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    copy = folder / "brain.sqlite"
    copy.write_bytes(database.read_bytes())
    folder.chmod(0o500)
    try:
        assert open_brain("other.db").import_from(copy).imported == 2
    finally:
        folder.chmod(0o700)
    assert [path.name for path in folder.iterdir()] == ["brain.sqlite"]
    assert copy.read_bytes() == database.read_bytes() == before[database.name]
