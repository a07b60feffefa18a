"""A certificate says what was done, and does not say that all is well when it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings
from mnemic.errors import StorageError
from mnemic.model.fact import Fact
from tests.conftest import START, FixedClock, Opener
from tests.maintain.canaries import Life, canary, live, stored
from tests.store.hurried import hurry
from tests.store.raw import contents, raw


@pytest.fixture
def ana_life(memory: Memory, clock: FixedClock) -> Life:
    life = live(memory, clock, "ana", canary("a thread"))
    memory.bind(user="bob").remember("the tea is here")
    return life


def test_its_counts_are_those_of_the_rows_that_went(memory: Memory, ana_life: Life) -> None:
    before = {table: len(rows) for table, rows in contents(memory).items()}
    with raw(memory) as connection:
        named = "SELECT count(*) FROM index_entries WHERE trace_id IS NOT NULL"
        entries = connection.execute(named).fetchone()[0]
    certificate = memory.erase(user="ana")
    after = {table: len(rows) for table, rows in contents(memory).items()}
    deleted = (
        "traces trace_versions trace_facts trace_sources trace_links review_items ledger "
        "trace_vectors"
    ).split()
    for table in deleted:
        assert certificate.counts[table] == before[table] - after[table] > 0, table
    assert certificate.counts["index_entries"] == entries - 1
    assert certificate.counts["trace_passages"] == entries - 1
    assert certificate.counts["traces"] == len(certificate.erased)
    assert set(certificate.erased) == set(ana_life.ids.values())


def test_the_audit_log_holds_what_it_says(
    memory: Memory, ana_life: Life, clock: FixedClock
) -> None:
    head = memory.audit.head()
    certificate = memory.erase(user="ana", actor="the owner")
    assert (certificate.target, certificate.at) == ("user", clock.now)
    (entry,) = [e for e in memory.audit.entries(limit=999) if e.seq == certificate.audit_seq]
    assert (entry.action, entry.outcome, entry.hash) == ("erase", "erased", certificate.audit_hash)
    assert entry.actor == "review:the owner"
    assert entry.detail["traces"] == len(certificate.erased)
    for trace_id in certificate.erased:
        assert memory.audit.entries(trace_id=trace_id)[-1].action == "erase"
    assert memory.audit.verify(head=head).ok
    assert memory.audit.verify(head=memory.audit.head()).ok
    assert json.loads(json.dumps(certificate.as_dict()))["ok"] is True
    assert not any(word in repr(certificate) for word in ana_life.words.values())


SPOTS: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "content": lambda word: (f"the {word} is here", {}),
    "tag": lambda word: ("the rope is here", {"tags": [word]}),
    "entity": lambda word: ("the rope is here", {"entities": [word]}),
    "metadata": lambda word: ("the rope is here", {"metadata": {"of": [word]}}),
    "speaker": lambda word: ("the rope is here", {"speaker": word}),
    "thread": lambda word: ("the rope is here", {"thread": word}),
    "source": lambda word: ("the rope is here", {"source_id": word}),
    "fact": lambda word: ("the rope is here", {"facts": [Fact(word, "stands_at", "1", False)]}),
}
"""Where a word stands that an erasure has to look for afterwards."""

PLACES = {
    "a note": "INSERT INTO brain_meta VALUES ('main', 'note', 'so {} was said')",
    "an index": "INSERT INTO trace_postings VALUES ('main', 99, '{}', 0, x'00')",
    "the log": 'UPDATE audit_log SET detail = \'{{"said": "the {} is here"}}\' WHERE seq = 1',
    "a table of somebody's": "CREATE TABLE notes AS SELECT 'so {} was said' AS note",
}
"""Where something may be left over; to each its sabotage."""


@pytest.mark.parametrize("spot", SPOTS)
def test_what_is_left_in_the_bytes_is_seen(memory: Memory, ana: BoundMemory, spot: str) -> None:
    word = canary(spot)
    text, more = SPOTS[spot](word)
    first = memory.erase(trace=stored(ana, text, **more))
    assert (first.ok, first.residues) == (True, ())
    with raw(memory) as connection:
        connection.execute(PLACES["a note"].format(word))
    again = memory.bind(user="bob")
    second = memory.erase(trace=stored(again, text, **more))
    assert not second.ok
    assert second.residues
    assert all(residue.where.startswith("brain.db at ") for residue in second.residues)


@pytest.mark.parametrize("place", PLACES)
def test_it_is_seen_wherever_it_stands(memory: Memory, ana: BoundMemory, place: str) -> None:
    word = canary(place)
    trace_id = stored(ana, f"the {word} is here")
    stored(ana, "the rope is here")
    with raw(memory) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(PLACES[place].format(word))
    assert not memory.erase(trace=trace_id).ok


def deafen(memory: Memory, *tables: str) -> None:
    """Keep the database from deleting from some tables, without a word."""
    with raw(memory) as connection:
        for table in tables:
            connection.execute(
                f"CREATE TRIGGER deaf_{table} BEFORE DELETE ON {table} "
                "BEGIN SELECT RAISE(IGNORE); END"
            )


def test_a_trace_that_a_reader_still_gives_is_seen(memory: Memory, ana: BoundMemory) -> None:
    trace_id = stored(ana, "the tea is here")
    deafen(memory, "traces", "trace_versions")
    certificate = memory.erase(trace=trace_id)
    assert f"trace {trace_id}" in {residue.where for residue in certificate.residues}
    assert not certificate.ok


def test_a_recall_that_still_finds_it_is_seen(memory: Memory, ana: BoundMemory) -> None:
    trace_id = stored(ana, "the tea is here")
    index = ("index_entries", "trace_passages", "trace_vectors", "partitions")
    deafen(memory, "traces", "trace_versions", *index)
    certificate = memory.erase(trace=trace_id)
    assert f"recall of {trace_id}" in {residue.where for residue in certificate.residues}
    assert not certificate.ok


def test_half_an_erasure_is_none(memory: Memory, ana: BoundMemory) -> None:
    trace_id = stored(ana, "the tea is here")
    deafen(memory, "trace_versions")
    before = contents(memory)
    with pytest.raises(StorageError):
        memory.erase(trace=trace_id)
    assert contents(memory) == before
    assert ana.show(trace_id).content == "the tea is here"


def test_what_others_say_too_is_no_residue(memory: Memory, ana: BoundMemory) -> None:
    word = canary("shared")
    text = f"the {word} is here, as was agreed"
    trace_id = stored(ana, text)
    kept = stored(memory.bind(user="bob"), text.upper())
    certificate = memory.erase(trace=trace_id)
    assert certificate.ok
    assert memory.bind(user="bob").show(kept).content == text.upper()
    stored(memory.bind(user="bob"), text, type="semantic", source_id="a letter")
    certificate = memory.erase(trace=stored(memory.bind(user="eva"), text))
    assert certificate.ok
    assert {residue.shared for residue in certificate.residues} == {True}


ORDINARY = (
    "Please remember the assistant's semantic document: a partition was superseded, then returned "
    "and quarantined; its metadata and entities are trace_versions in february on wednesday, "
    "with user_statement and recorded_at, corrected, believed, tombstones, organization"
)
"""Words that a brain's file is full of, whatever it remembers."""


def test_ordinary_words_raise_no_alarm(open_brain: Opener, clock: FixedClock) -> None:
    memory = open_brain(settings=Settings(index={"segment_passages": 4}))
    bob = live(memory, clock, "bob", canary("another thread")).who
    bob.remember_many([{"content": f"note {n}", "time": f"2026-02-{n + 1:02}"} for n in range(7)])
    with raw(memory) as connection:
        (mark,) = connection.execute("SELECT hash FROM audit_log WHERE seq = 3").fetchone()
    text = f"{ORDINARY}, {mark[7:16]}"
    certificate = memory.erase(trace=stored(memory.bind(user="ana"), text))
    assert [residue for residue in certificate.residues if not residue.shared] == []
    assert certificate.ok
    assert len(certificate.residues) > 15


def test_a_user_of_many_scopes_is_erased(
    open_brain: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than SQLite takes as alternatives of one condition."""
    hurry(monkeypatch)
    memory = open_brain(embedder=None)
    for number in range(1_010):
        who = memory.bind(user="ana", thread=f"thread {number}")
        who.remember(f"note {number} of many", scope="thread")
    certificate = memory.erase(user="ana")
    assert len(certificate.erased) == 1_010
    assert certificate.ok
    assert memory.stats().partitions == 0


def test_it_asks_the_readers_of_every_scope(memory: Memory, ana: BoundMemory) -> None:
    texts = [stored(ana, f"note {n} of many", scope=("user", "thread")[n % 2]) for n in range(6)]
    certificate = memory.erase(user="ana")
    assert len(texts) == 6
    assert certificate.searched["questions"] >= 6
    assert certificate.searched["bytes"] > 100_000
    assert certificate.searched["pieces"] >= 6
    assert certificate.at == START
