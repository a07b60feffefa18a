"""Every change and every refusal leaves an entry that nobody can alter unseen."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from datetime import UTC

import pytest

from mnemic import BoundMemory, Memory, Settings, Status
from mnemic.errors import InvalidInput, NotAllowed, NotFound, StorageError
from mnemic.govern.audit import GENESIS
from tests.conftest import FixedClock, Opener
from tests.store.raw import contents, raw, tampering

SECRET = "xylophone"


def actions(memory: Memory) -> list[tuple[str, str, str | None]]:
    return [(e.action, e.outcome, e.reason) for e in memory.audit.entries(limit=1_000)]


def test_every_change_and_every_refusal_has_its_entry(memory: Memory, clock: FixedClock) -> None:
    ana = memory.bind(user="ana", actor="cli")
    assert memory.audit.entries() == []
    trace = ana.remember("The tea is ready").trace
    assert trace is not None
    ana.remember("The tea is ready")
    clock.advance(hours=1)
    receipts = [
        ana.correct(trace.id, "The coffee is ready", reason="tea was wrong"),
        ana.remember("the TEA is ready"),
        ana.forget(trace.id, reason="wrong"),
        ana.remember("The coffee is ready"),
        memory.reviewer("eva").lift(trace.id, reason="right after all"),
        ana.remember(str(ana.context("coffee"))),
        ana.correct(trace.id, str(ana.context("coffee")), reason="r"),
        ana.forget(trace.id),
        ana.remember("The coffee is ready"),
    ]
    assert actions(memory) == [
        ("remember", "stored", None),
        ("remember", "reinforced", None),
        ("correct", "corrected", None),
        ("remember", "refused", "rejected"),
        ("forget", "forgotten", "wrong"),
        ("remember", "refused", "rejected"),
        ("lift", "lifted", None),
        ("restore", "restored", None),
        ("remember", "refused", "recalled"),
        ("correct", "refused", "recalled"),
        ("forget", "forgotten", None),
        ("remember", "refused", "forgotten"),
    ]
    entries = memory.audit.entries()
    assert [entry.seq for entry in entries] == list(range(1, 13))
    assert {entry.actor for entry in entries if entry.seq not in (7, 8)} == {"cli"}
    assert {entry.actor for entry in entries if entry.seq in (7, 8)} == {"review:eva"}
    assert entries[1].at < entries[2].at == clock.now.astimezone(UTC)
    by_seq = {entry.seq: entry.outcome for entry in entries}
    assert [by_seq[r.audit_seq or 0] for r in receipts] == [r.status.value for r in receipts]


def test_reading_and_what_is_refused_as_input_leave_none(memory: Memory, ana: BoundMemory) -> None:
    trace = ana.remember("The tea is ready").trace
    assert trace is not None
    count = len(memory.audit.entries())
    assert count == 1
    ana.recall("tea")
    ana.context("tea")
    ana.history(trace.id)
    ana.list()
    with pytest.raises(ValueError, match="blank"):
        ana.remember(" ")
    with pytest.raises(NotFound):
        ana.forget("mt_unknown")
    assert len(memory.audit.entries()) == count


def test_a_replay_of_what_is_known_changes_nothing(memory: Memory, ana: BoundMemory) -> None:
    item = {"content": "The tea is ready", "replay": True}
    assert ana.remember_many([item])[0].status is Status.STORED
    before = contents(memory)
    again = ana.remember_many([item, item])
    assert [(r.status, r.reason, r.audit_seq) for r in again] == [
        (Status.REINFORCED, "replay", None)
    ] * 2
    assert contents(memory) == before


def test_reembedding_is_on_record(open_brain: Opener) -> None:
    memory = open_brain()
    memory.bind(user="ana").remember("The tea is ready")
    memory.reembed()
    assert actions(memory)[-1] == ("reembed", "done", None)
    assert memory.audit.entries()[-1].actor == "owner"


def test_entries_of_one_trace_and_the_newest_first_to_be_kept(
    memory: Memory, ana: BoundMemory
) -> None:
    ids = [r.trace.id for r in ana.remember_many(f"note {n}" for n in range(5)) if r.trace]
    ana.forget(ids[2])
    assert [e.action for e in memory.audit.entries(trace_id=ids[2])] == ["remember", "forget"]
    assert [e.seq for e in memory.audit.entries(limit=2)] == [5, 6]
    assert [e.action for e in ana.history(ids[2]).audit] == ["remember", "forget"]


def whole_life(memory: Memory) -> None:
    """Everything that writes entries, with a secret word wherever a caller can put one."""
    ana = memory.bind(user=f"u-{SECRET}", thread=f"t-{SECRET}")
    labels = {"tags": [SECRET], "entities": [SECRET], "metadata": {"k": SECRET}}
    trace = ana.remember(SECRET, speaker=SECRET, **labels).trace  # type: ignore[arg-type]
    assert trace is not None
    ana.remember(SECRET, speaker=SECRET, scope="thread")
    ana.correct(trace.id, f"no {SECRET}", reason=f"not a {SECRET}")
    ana.remember(SECRET)
    ana.forget(trace.id, reason=f"a {SECRET}")
    ana.restore(trace.id, reason=SECRET)
    ana.forget(trace.id, reason="wrong")
    ana.remember(f"no {SECRET}")


def test_no_entry_holds_content(memory: Memory) -> None:
    whole_life(memory)
    with raw(memory) as connection:
        rows = connection.execute("SELECT * FROM audit_log").fetchall()
        versions = connection.execute("SELECT * FROM trace_versions").fetchall()
    assert len(rows) == 8
    assert SECRET in repr(versions)
    assert SECRET not in repr(rows)
    assert SECRET.encode().hex() not in repr(rows)


def test_an_untouched_chain_verifies(memory: Memory) -> None:
    empty = memory.audit.verify()
    assert (empty.ok, empty.entries, empty.head) == (True, 0, GENESIS)
    whole_life(memory)
    report = memory.audit.verify()
    assert (report.ok, report.entries, report.problems) == (True, 8, ())
    assert report.head == memory.audit.entries()[-1].hash


Tamper = Callable[[sqlite3.Connection], object]

TAMPERINGS: dict[str, tuple[str, str]] = {
    **{
        f"{column} edited": (f"UPDATE audit_log SET {column} = {value} WHERE seq = 3", "entry 3 ")
        for column, value in {
            "at": "at + 1",
            "actor": "'eve'",
            "action": "'restore'",
            "trace_id": "'mt_other'",
            "outcome": "'stored'",
            "reason": "'wrong'",
            "detail": "'{}'",
            "hash": "replace(hash, substr(hash, 1, 1), 'x')",
        }.items()
    },
    "the first removed": ("DELETE FROM audit_log WHERE seq = 1", "entry 1 is missing"),
    "one removed": ("DELETE FROM audit_log WHERE seq = 3", "entry 3 is missing"),
    "several removed": ("DELETE FROM audit_log WHERE seq IN (3, 4, 6)", "entry 3 is missing"),
    "one removed and the rest renumbered": (
        "DELETE FROM audit_log WHERE seq = 3; UPDATE audit_log SET seq = 1 - seq WHERE seq > 3; "
        "UPDATE audit_log SET seq = -seq WHERE seq < 0",
        "entry 3 does not fit",
    ),
    "two exchanged": (
        "UPDATE audit_log SET seq = CASE seq WHEN 3 THEN -4 ELSE -3 END WHERE seq IN (3, 4); "
        "UPDATE audit_log SET seq = -seq WHERE seq < 0",
        "entry 3 does not fit",
    ),
    "one added at the end": (
        "INSERT INTO audit_log SELECT brain_id, 9, at, actor, action, trace_id, outcome, reason, "
        "detail, hash FROM audit_log WHERE seq = 8",
        "entry 9 does not fit",
    ),
    "one added between": (
        "UPDATE audit_log SET seq = -seq - 1 WHERE seq > 4; "
        "UPDATE audit_log SET seq = -seq WHERE seq < 0; "
        "INSERT INTO audit_log SELECT brain_id, 5, at, actor, action, trace_id, outcome, reason, "
        "detail, hash FROM audit_log WHERE seq = 4",
        "entry 5 does not fit",
    ),
}


@pytest.mark.parametrize("tampering_with", TAMPERINGS)
def test_a_chain_that_was_tampered_with_does_not_verify(
    memory: Memory, tampering_with: str
) -> None:
    whole_life(memory)
    assert memory.audit.verify().ok
    statements, says = TAMPERINGS[tampering_with]
    with tampering(memory) as connection:
        connection.executescript(statements)
    report = memory.audit.verify()
    assert not report.ok
    assert says in report.problems[0]
    assert memory.health().ok
    health = memory.health(thorough=True)
    assert not health.ok
    assert health.problems == report.problems


def test_an_entry_edited_with_its_hash_made_anew_breaks_the_next(memory: Memory) -> None:
    whole_life(memory)
    columns = "brain_id seq at actor action trace_id outcome reason detail"
    with tampering(memory) as connection:
        connection.execute("UPDATE audit_log SET actor = 'eve' WHERE seq = 3")
        (before,) = connection.execute("SELECT hash FROM audit_log WHERE seq = 2").fetchone()
        query = f"SELECT {', '.join(columns.split())} FROM audit_log WHERE seq = 3"
        fields = json.dumps(list(connection.execute(query).fetchone()), separators=(",", ":"))
        fresh = hashlib.sha256(f"{before}\n{fields}".encode()).hexdigest()
        connection.execute("UPDATE audit_log SET hash = ? WHERE seq = 3", [fresh])
    problems = memory.audit.verify().problems
    assert [problem.split(" does")[0] for problem in problems] == ["entry 4"]


def test_a_cut_tail_shows_against_a_head_that_was_kept(memory: Memory) -> None:
    whole_life(memory)
    kept = memory.audit.verify()
    with tampering(memory) as connection:
        connection.execute("DELETE FROM audit_log WHERE seq > 6")
    report = memory.audit.verify()
    assert (report.entries, report.head) != (kept.entries, kept.head)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET reason = 'x' WHERE seq = 1",
        "UPDATE audit_log SET hash = 'x'",
        "DELETE FROM audit_log WHERE seq = 1",
        "DELETE FROM audit_log",
        "UPDATE trace_versions SET content = 'x' WHERE version = 1",
        "UPDATE trace_versions SET trust = 'believed'",
        "UPDATE trace_versions SET recorded_at = 0",
        "UPDATE trace_versions SET reason = 'x'",
        "UPDATE trace_versions SET retired_at = 5 WHERE version = 1",
        "UPDATE trace_versions SET retired_at = NULL WHERE version = 1",
        "DELETE FROM trace_versions",
    ],
)
def test_the_log_and_the_versions_are_append_only(memory: Memory, statement: str) -> None:
    whole_life(memory)
    before = contents(memory)
    with raw(memory) as connection:
        assert connection.execute("UPDATE traces SET strength = strength").rowcount == 2
        with pytest.raises(sqlite3.IntegrityError, match="is append-only"):
            connection.execute(statement)
    assert contents(memory) == before


def test_two_brains_in_one_file_have_chains_of_their_own(open_brain: Opener) -> None:
    one, other = open_brain(brain="one"), open_brain(brain="other")
    whole_life(one)
    other.bind(user="ana").remember("The tea is ready")
    assert (one.audit.verify().entries, other.audit.verify().entries) == (8, 1)
    assert other.audit.entries()[0].seq == 1
    with tampering(one) as connection:
        connection.execute("UPDATE audit_log SET actor = 'eve' WHERE brain_id = 'one' AND seq = 2")
    assert not one.audit.verify().ok
    assert other.audit.verify().ok


def test_an_entry_moved_from_one_brain_to_another_does_not_fit(open_brain: Opener) -> None:
    one, other = open_brain(brain="one"), open_brain(brain="other")
    one.bind(user="ana").remember("The tea is ready")
    assert one.audit.verify().ok
    with tampering(one) as connection:
        connection.execute("UPDATE audit_log SET brain_id = 'other'")
    assert not other.audit.verify().ok


WRITES: dict[str, Callable[[BoundMemory, str], object]] = {
    "remember": lambda who, of: who.remember("Sugar as well"),
    "remember again": lambda who, of: who.remember("The tea is ready"),
    "remember what is refused": lambda who, of: who.remember("The coffee is ready"),
    "remember_many": lambda who, of: who.remember_many(["one", "two", "three"]),
    "correct": lambda who, of: who.correct(of, "The milk is warm", reason="r"),
    "forget": lambda who, of: who.forget(of, reason="wrong"),
    "restore": lambda who, of: who.restore(of, reason="r"),
    "remember what waits": lambda who, of: who.remember("My password is hunter2-Xy99zz."),
    "remember what contradicts": lambda who, of: who.remember("Ana lives in Porto"),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_write_without_its_entry_does_not_happen(open_brain: Opener, write: str) -> None:
    """The entry cannot be written, so neither is what it would have told of."""
    memory = open_brain(settings=Settings(encoding={"batch_size": 2}))
    ana = memory.bind(user="ana")
    trace = ana.remember("The tea is ready").trace
    gone = ana.remember("The milk is cold").trace
    wrong = ana.remember("The coffee is ready").trace
    assert trace is not None
    assert gone is not None
    assert wrong is not None
    ana.remember("Ana lives in Lisbon")
    ana.forget(gone.id)
    ana.forget(wrong.id, reason="wrong")
    of = gone.id if write == "restore" else trace.id
    with raw(memory) as connection:
        connection.execute(
            "CREATE TRIGGER no_more BEFORE INSERT ON audit_log "
            "BEGIN SELECT RAISE(ABORT, 'the log is full'); END"
        )
    before = contents(memory)
    with pytest.raises(StorageError, match=r"brain\.db.*the log is full"):
        WRITES[write](ana, of)
    assert contents(memory) == before
    with raw(memory) as connection:
        connection.execute("DROP TRIGGER no_more")
    WRITES[write](ana, of)
    assert contents(memory) != before
    assert memory.audit.verify().ok


JUDGEMENTS: dict[str, Callable[[Memory, str, str], object]] = {
    "approve": lambda memory, of, held: memory.reviewer("eva").approve(1, reason="r"),
    "reject": lambda memory, of, held: memory.reviewer("eva").reject(1, reason="r"),
    "edit": lambda memory, of, held: memory.reviewer("eva").edit(1, "better", reason="r"),
    "merge": lambda memory, of, held: memory.reviewer("eva").merge(1, of, reason="r"),
    "defer": lambda memory, of, held: memory.reviewer("eva").defer(
        1, until="2030-01-01", reason="r"
    ),
    "verify": lambda memory, of, held: memory.reviewer("eva").verify(of, reason="r"),
    "quarantine": lambda memory, of, held: memory.reviewer("eva").quarantine(of, reason="r"),
    "reject a trace": lambda memory, of, held: memory.reviewer("eva").reject_trace(of, reason="r"),
    "reject a source": lambda memory, of, held: memory.reviewer("eva").reject_source(
        "page", bind=memory.bind(user="ana").principal, reason="r"
    ),
    "readmit": lambda memory, of, held: memory.reviewer("eva").readmit(
        memory.bind(user="ana").principal, reason="r"
    ),
    "revert": lambda memory, of, held: memory.reviewer("eva").revert(1, reason="r"),
    "freeze": lambda memory, of, held: memory.freeze(),
    "rotate": lambda memory, of, held: memory.rotate_key(),
}


@pytest.mark.parametrize("judgement", JUDGEMENTS)
def test_a_judgement_without_its_entry_does_not_happen(open_brain: Opener, judgement: str) -> None:
    memory = open_brain()
    ana = memory.bind(user="ana")
    trace = ana.remember("The tea is ready", source_id="page").trace
    held = ana.remember("My password is hunter2-Xy99zz.").trace
    assert trace is not None
    assert held is not None
    with raw(memory) as connection:
        connection.execute(
            "CREATE TRIGGER no_more BEFORE INSERT ON audit_log "
            "BEGIN SELECT RAISE(ABORT, 'the log is full'); END"
        )
    before = contents(memory)
    with pytest.raises(StorageError, match=r"brain\.db.*the log is full"):
        JUDGEMENTS[judgement](memory, trace.id, held.id)
    assert contents(memory) == before
    with raw(memory) as connection:
        connection.execute("DROP TRIGGER no_more")
    count = memory.audit.verify().entries
    JUDGEMENTS[judgement](memory, trace.id, held.id)
    assert contents(memory) != before
    report = memory.audit.verify()
    assert report.ok
    assert report.entries > count


def test_what_is_denied_has_an_entry_of_its_own(memory: Memory, ana: BoundMemory) -> None:
    trace = ana.remember("The tea is ready").trace
    assert trace is not None
    ana.forget(trace.id, reason="wrong")
    agent = memory.bind(user="ana", channel="agent", actor="helper")
    denied: list[Callable[[], object]] = [
        lambda: ana.restore(trace.id, reason="r"),
        lambda: agent.restore(trace.id, reason="r"),
        lambda: agent.remember("Sugar", source="human_approval"),
    ]
    for deny in denied:
        with pytest.raises(NotAllowed):
            deny()
    told = [(e.actor, e.action, e.outcome, e.trace_id) for e in memory.audit.entries()]
    assert told[2:] == [
        ("sdk", "restore", "denied", trace.id),
        ("helper", "restore", "denied", trace.id),
        ("helper", "remember", "denied", None),
    ]
    assert memory.audit.verify().ok


def test_a_head_that_was_kept_shows_a_cut_and_a_chain_that_was_made_anew(
    memory: Memory, open_brain: Opener
) -> None:
    whole_life(memory)
    kept = memory.audit.head()
    memory.bind(user="ana").remember("Sugar as well")
    assert memory.audit.verify(head=kept).ok
    with tampering(memory) as connection:
        connection.execute("DELETE FROM audit_log WHERE seq > 6")
    assert memory.audit.verify().ok
    assert not memory.audit.verify(head=kept).ok
    other = open_brain("other.db")
    whole_life(other)
    other.bind(user="ana").remember("Sugar")
    assert other.audit.verify().ok
    assert not other.audit.verify(head=kept).ok
    for wrong in ("", "8", "8:xyz", "x:" + "0" * 64):
        with pytest.raises(InvalidInput):
            memory.audit.verify(head=wrong)
