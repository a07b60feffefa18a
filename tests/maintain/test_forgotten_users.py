"""A user who was forgotten stays away, whatever is still on its way in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from mnemic import Memory, Receipt, Status
from tests.conftest import FixedClock, Opener
from tests.maintain.canaries import canary, in_bytes, live
from tests.store.raw import contents, raw

NAME = canary("a user's name")
TEXT = "the rope is here"


def is_barred(receipt: Receipt) -> bool:
    return (receipt.status, receipt.reason, receipt.trace) == (Status.REFUSED, "forgotten", None)


def test_no_road_takes_anything_from_them(memory: Memory, tmp_path: Path) -> None:
    ids: dict[str, Any] = {"user": "ana", "thread": "t", "persona": "p", "organization": "acme"}
    memory.bind(**ids).remember(TEXT)
    memory.forget_user("ana")
    for channel in ("sdk", "cli", "host", "agent", "tool", "mcp"):
        who = memory.bind(**ids, channel=channel)
        for scope in ("user", "thread", "persona"):
            assert is_barred(who.remember(f"something new of {channel}", scope=scope))
    ana = memory.bind(**ids)
    assert is_barred(ana.remember("something for all", scope="organization"))
    assert all(is_barred(one) for one in ana.remember_many(["one more", "and another"]))
    chat = tmp_path / "chat.jsonl"
    chat.write_text("\n".join(json.dumps({"content": text}) for text in ("one", "two", TEXT)))
    assert memory.import_from(chat, bind=ana).refused == 3
    assert ana.count() == memory.stats().traces == 0
    assert memory.stats().partitions == 0


def test_others_are_not_meant(memory: Memory) -> None:
    for ids in ({"user": "ana"}, {"user": "anabel"}, {"user": "ana", "namespace": "acme"}):
        memory.bind(**ids).remember(TEXT)
    memory.forget_user("ana")
    assert is_barred(memory.bind(user="ana").remember("more"))
    for ids in (
        {"user": "anabel"},
        {"user": "ana", "namespace": "acme"},
        {"user": "bob", "thread": "ana"},
        {"organization": "ana"},
    ):
        assert memory.bind(**ids).remember("more").status is Status.STORED
    assert memory.bind(user="ana", namespace="acme").count() == 2


def test_who_has_left_nothing_can_be_forgotten_too(memory: Memory) -> None:
    certificate = memory.forget_user("ana")
    assert (certificate.erased, certificate.ok) == ((), True)
    assert is_barred(memory.bind(user="ana").remember(TEXT))
    assert memory.forget_user("ana").ok
    assert is_barred(memory.bind(user="ana").remember(TEXT))


def test_their_name_is_nowhere(open_brain: Opener, clock: FixedClock, tmp_path: Path) -> None:
    """Not even where it stands without a trace: of a freeze, or a write that was refused."""
    memory, brain = open_brain(), tmp_path / "brain.db"
    life = live(memory, clock, NAME, "t")
    live(memory, clock, "bob", "t")
    memory.freeze(bind=life.who)
    assert life.who.remember("more").reason == "frozen"
    memory.freeze(bind=life.who, mode="suspended")
    with raw(memory) as connection:
        assert connection.execute("SELECT count(*) FROM freezes").fetchone() == (4,)
    assert in_bytes(brain, [NAME]) == {NAME}
    of_bob = [row for row in contents(memory)["ledger"] if "bob" in row]
    memory.forget_user(NAME)
    assert in_bytes(brain, [NAME]) == set()
    assert of_bob
    assert contents(memory)["ledger"] == of_bob
    with raw(memory) as connection:
        assert connection.execute("SELECT scope FROM freezes").fetchall() == [("organization",)]


def test_a_reviewer_readmits_them(memory: Memory) -> None:
    memory.bind(user="ana").remember(TEXT)
    bob = memory.bind(user="bob").remember(TEXT).trace
    assert bob is not None
    memory.bind(user="bob").forget(bob.id, reason="wrong")
    memory.forget_user("ana")
    ana = memory.bind(user="ana")
    assert is_barred(ana.remember(TEXT))
    assert memory.reviewer("eva").readmit(ana.principal, reason="they asked to come back") == 2
    assert ana.remember(TEXT).status is Status.STORED
    assert memory.bind(user="bob").remember(TEXT).reason == "rejected"
    entry = next(e for e in memory.audit.entries() if e.action == "readmit")
    assert (entry.actor, entry.outcome) == ("review:eva", "lifted")


WRITER = """
import sys
from mnemic import Memory

with Memory.open(sys.argv[1], embedder=None) as memory:
    ana = memory.bind(user="ana", thread="t")
    number = 0
    while True:
        texts = [f"{sys.argv[2]}{number + one} is here" for one in range(3)]
        scope = ("user", "thread")[number % 2]
        receipts = ana.remember_many([{"content": text, "scope": scope} for text in texts])
        print(*(receipt.status.value for receipt in receipts), flush=True)
        number += 3
"""


def test_a_writer_who_is_at_it_meanwhile(open_brain: Opener, tmp_path: Path) -> None:
    memory, brain, word = open_brain(), tmp_path / "brain.db", canary("meanwhile")
    command = [sys.executable, "-c", WRITER, str(brain), word]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        before = [writer.stdout.readline().split() for _ in range(5)]
        assert in_bytes(brain, [word]) == {word}
        certificate = memory.forget_user("ana")
        after: list[list[str]] = []
        while len(after) < 200 and after[-3:] != [["refused"] * 3] * 3:
            after.append(writer.stdout.readline().split())
        writer.kill()
    assert before == [["stored"] * 3] * 5
    assert after[-1] == ["refused"] * 3
    statuses = [status for batch in (*before, *after) for status in batch]
    first = statuses.index("refused")
    assert first % 3 == 0
    assert set(statuses[first:]) == {"refused"}
    assert len(certificate.erased) == first
    assert certificate.ok
    assert memory.compact()
    assert in_bytes(brain, [word]) == set()
    assert memory.stats().traces == 0
    assert memory.health(thorough=True).ok
