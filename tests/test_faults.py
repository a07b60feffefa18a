"""Faults that users of agent memories have met elsewhere, and must not meet here.

What concerns one room is tested there (isolation, tombstones, durability, embedders, ...); these
go through the whole house.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Receipt, Settings, Trace
from mnemic.errors import NotFound
from tests.conftest import FixedClock, Opener, WordVectors
from tests.store.raw import contents, half_written, raw

WITHHELD: dict[str, Callable[[BoundMemory, str], Receipt]] = {
    "forgotten": lambda who, of: who.forget(of),
    "rejected": lambda who, of: who.forget(of, reason="wrong"),
    "expired": lambda who, of: who.correct(of, valid_to="2026-05-31", reason="over"),
    "replaced": lambda who, of: who.correct(of, "Eva plays the cello", reason="misheard"),
}

READERS: dict[str, Callable[[BoundMemory], object]] = {
    "recall": lambda who: [h.trace.content for h in who.recall("who keeps the owl?", limit=100)],
    "recall by label": lambda who: [h.trace.content for h in who.recall("owl", tags="birds")],
    "context": lambda who: str(who.context("who keeps the owl?", budget_tokens=5_000)),
    "list": lambda who: [t.content for t in who.list(limit=100)],
    "list by label": lambda who: [t.content for t in who.list(tags="birds", entities="owl")],
}


def trace_of(receipt: Receipt) -> Trace:
    assert receipt.trace is not None
    return receipt.trace


def owl(who: BoundMemory) -> str:
    """The id of what will be withheld."""
    return trace_of(
        who.remember("Eva keeps an owl", tags=["birds"], entities=["owl"], time="2026-05-01")
    ).id


@pytest.mark.parametrize("embedder", [WordVectors(), None], ids=["vectors", "words"])
@pytest.mark.parametrize("how", WITHHELD)
def test_no_reader_in_any_process_shows_what_is_withheld(
    open_brain: Opener, how: str, embedder: WordVectors | None
) -> None:
    """Neither the process that withheld it, nor one with a warm index, nor one that opens now."""
    settings = Settings(index={"segment_passages": 4})
    here, there = (open_brain(embedder=embedder, settings=settings) for _ in range(2))
    of = owl(here.bind(user="ana"))
    here.bind(user="ana").remember_many(f"Eva keeps note {n}" for n in range(9))
    count = here.bind(user="ana").count()
    for name, reader in READERS.items():
        for memory in (here, there):
            assert "Eva keeps an owl" in str(reader(memory.bind(user="ana"))), name
    WITHHELD[how](here.bind(user="ana"), of)
    later = open_brain(embedder=embedder, settings=settings)
    for memory in (here, there, later):
        who = memory.bind(user="ana")
        for name, reader in READERS.items():
            assert "Eva keeps an owl" not in str(reader(who)), name
        left = count if how == "replaced" else count - 1
        assert who.count() == who.stats().traces == left
        if how in ("forgotten", "rejected"):
            with pytest.raises(NotFound):
                who.show(of)
    assert half_written(here) == []


def test_withheld_texts_do_not_crowd_out_the_one_that_is_left(ana: BoundMemory) -> None:
    receipts = ana.remember_many(f"the owl sat on branch number {n}" for n in range(300))
    left = trace_of(ana.remember("an owl was seen"))
    assert ana.recall("the owl on the branch", limit=1)[0].trace.id != left.id
    for receipt in receipts:
        ana.forget(trace_of(receipt).id)
    assert [h.trace.id for h in ana.recall("the owl on the branch", limit=1)] == [left.id]


def test_an_index_is_not_believed(memory: Memory, ana: BoundMemory) -> None:
    """A row of the index whose trace is withheld is dropped, whatever the index says."""
    of = owl(ana)
    ana.forget(of)
    with raw(memory) as connection:
        connection.execute("UPDATE index_entries SET until = NULL")
        connection.execute("UPDATE partitions SET epoch = epoch + 1")
    assert ana.recall("owl") == []


def test_a_correction_keeps_what_it_does_not_change(ana: BoundMemory) -> None:
    given: dict[str, Any] = {
        "type": "semantic", "tags": ["birds"], "entities": ["Eva"], "metadata": {"k": [1]},
        "speaker": "Eva", "role": "user", "thread": "tuesday", "strength": 0.7,
        "time": "2026-05-01", "valid_to": "2027-01-01",
    }  # fmt: skip
    before = trace_of(ana.remember("Eva keeps an owl", **given))
    after = trace_of(ana.correct(before.id, "Eva keeps an eagle", reason="misheard"))
    changed = {name for name in Trace.__slots__ if getattr(before, name) != getattr(after, name)}
    assert changed == {"content", "version"}
    assert [h.trace.id for h in ana.recall("eagle", tags="birds", thread="tuesday")] == [before.id]


@pytest.mark.parametrize("rows", [101, 1_001])
def test_no_silent_limit_on_many_rows(open_brain: Opener, rows: int) -> None:
    ana = open_brain(embedder=None).bind(user="ana")
    receipts = ana.remember_many(f"owl {n}" for n in range(rows))
    assert ana.count() == len(ana.list(limit=2_000)) == ana.stats().traces == rows
    assert len(ana.recall("owl", limit=2_000)) == rows
    for receipt in receipts:
        ana.forget(trace_of(receipt).id)
    assert ana.count() == 0
    assert ana.recall("owl", limit=2_000) == []


def test_a_recall_of_five_thousand_gives_them(open_brain: Opener) -> None:
    ana = open_brain(embedder=None).bind(user="ana")
    ana.remember_many(f"owl number {n}" for n in range(4_500))
    assert len(ana.recall("owl", limit=5_000)) == 4_500
    assert len(ana.recall("owl", limit=4_097, tags=None)) == 4_097


SCRIPTS = {
    "Japanese": (
        ["私は東京に住んでいます", "私は京都に住んでいます", "私は大阪で働きます"],
        "京都に",
        1,
    ),
    "Chinese": (["我喜欢喝绿茶", "我喜欢喝咖啡", "他住在北京"], "咖啡", 1),
    "Korean": (["저는 서울에 살아요", "저는 부산에 살아요", "고양이를 키워요"], "고양이", 2),
    "Thai": (["ฉันชอบกินข้าวผัด", "ฉันอยู่เชียงใหม่", "แมวของฉันสีดำ"], "เชียงใหม่", 1),
    "Arabic": (["أسكن في القاهرة", "أعمل في المكتبة", "قطتي سوداء"], "المكتبة", 1),
    "Hebrew": (["אני גר בחיפה", "אני עובד בספרייה", "החתול שלי שחור"], "החתול", 2),
    "Russian": (["Я живу в Москве", "Моя кошка чёрная", "Он любит чай"], "кошка", 1),
    "Greek": (["Μένω στην Αθήνα", "Η γάτα μου", "Πίνω καφέ"], "καφε", 2),
    "Hindi": (["मैं दिल्ली में रहता हूँ", "मेरी बिल्ली काली है", "वह चाय पीता है"], "बिल्ली", 1),
    "emoji": (["🦉 at night", "🐈 at noon", "🐟 at dawn"], "🐈", 1),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_stored_found_and_kept_out_alike(open_brain: Opener, script: str) -> None:
    """By words alone: an arm that is dead for a script would find nothing."""
    ana = open_brain(embedder=None).bind(user="ana")
    facts, question, best = SCRIPTS[script]
    for number, fact in enumerate(facts):
        assert ana.remember(fact, thread=f"t{number}").status.value == "stored"
    assert [h.trace.content for h in ana.recall(question)] == [facts[best]]
    assert {ana.remember(f, thread=f"t{n}").status.value for n, f in enumerate(facts)} == {
        "reinforced"
    }
    ana.forget(ana.recall(question)[0].trace.id, reason="wrong")
    assert ana.recall(question) == []
    assert ana.remember(f" {facts[best]}\u200b").reason == "rejected"


def test_an_offset_is_kept_as_an_instant_and_no_date_is_invented(
    ana: BoundMemory, clock: FixedClock
) -> None:
    tokyo = datetime(2023, 5, 8, 1, 30, tzinfo=timezone(timedelta(hours=9)))
    trace = trace_of(ana.remember("the owl came back yesterday, on 1 January", time=tokyo))
    assert trace.time == tokyo.astimezone(UTC)
    assert trace.time.utcoffset() == timedelta(0)
    undated = trace_of(ana.remember("the owl left on 24 December 1999"))
    assert undated.time == undated.valid_from == clock.now


def test_a_chat_imported_twice_changes_nothing_and_stays_suppressed(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    file = tmp_path / "chat.jsonl"
    turns = [{"role": "user", "content": f"owl fact {n}", "thread": f"t{n % 3}"} for n in range(9)]
    file.write_text("\n".join(json.dumps(turn) for turn in turns))
    first = memory.import_from(file, bind=ana)
    assert (first.imported, first.skipped, first.refused, first.errors) == (9, 0, 0, ())
    assert all("vector" in hit.why.arms for hit in ana.recall("owl fact"))
    before = contents(memory)
    again = memory.import_from(file, bind=ana)
    assert (again.imported, again.skipped, again.refused) == (0, 9, 0)
    assert contents(memory)["trace_versions"] == before["trace_versions"]
    assert contents(memory)["audit_log"] == before["audit_log"]
    ids = [of for of in first.traces if of is not None]
    ana.forget(ids[0])
    ana.forget(ids[1], reason="wrong")
    ana.correct(ids[2], "owl fact two", reason="spelling")
    third = memory.import_from(file, bind=ana)
    assert (third.imported, third.skipped, third.refused) == (0, 6, 3)
    assert ana.count() == 7


def test_the_default_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No call out, with the packaged model or, where it cannot be loaded, without."""
    calls: list[object] = []

    def refuse(_: object, address: object) -> None:
        calls.append(address)
        raise OSError("there is no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(OSError, match="no network"), socket.socket() as probe:
        probe.connect(("localhost", 9))
    with Memory.open(tmp_path / "brain.db", settings=Settings()) as memory:
        ana = memory.bind(user="ana")
        ana.remember_many(["Eva keeps an owl", "The tea is ready"])
        assert ana.recall("which bird does she have?")
        assert ana.recall("owl \ud800 \0")[0].trace.content == "Eva keeps an owl"
        assert memory.health().ok != memory.health().degraded
    assert calls == [("localhost", 9)]


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ["numpy", "onnxruntime", "tokenizers", "sqlalchemy", "pydantic", "alembic"]
    script = f"""
import sys
import mnemic
mnemic.Scope, mnemic.Draft, mnemic.errors.NotFound
print([name for name in {heavy} if name in sys.modules])
import mnemic.memory
print("sqlalchemy" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["[]", "True"]


def test_opening_loads_no_model_until_one_is_needed(tmp_path: Path) -> None:
    script = """
import sys
from mnemic import Memory
with Memory.open(sys.argv[1]) as memory:
    memory.health(), memory.bind(user="ana").list()
    print("onnxruntime" in sys.modules)
    memory.bind(user="ana").remember("hello")
    print("onnxruntime" in sys.modules)
"""
    command = [sys.executable, "-c", script, str(tmp_path / "brain.db")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]
