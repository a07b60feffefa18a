"""What was erased is nowhere: not in the bytes of the files, not in any reader, not in the past.

Canaries are planted in everything that a brain keeps of what was said; before the erasure each of
them is found, in the raw files and by the readers that may show it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from mnemic import Embedder, Memory, Settings
from mnemic.errors import NotFound
from mnemic.model.governance import Certificate
from tests.conftest import FixedClock, Opener, WordVectors
from tests.maintain.canaries import Life, as_chat, canary, in_bytes, in_readers, live
from tests.store.hurried import hurry

THREAD = canary("a thread")

WITHHELD = {
    "source_id",
    "event",  # a reminder that waits for it tells it, and no reader of memories does
    *("forgotten", "why forgotten", "wrong"),
    *("rejected", "why rejected", "put away", "why put away"),
}
"""What no reader gives even before it is erased."""

Erase = Callable[[Memory, Life], list[Certificate]]


def _each(memory: Memory, life: Life) -> list[Certificate]:
    """One at a time, by whoever filed them; what rests on another may be gone by then."""
    made = []
    for trace_id in life.ids.values():
        try:
            made.append(life.who.erase(trace_id))
        except NotFound:
            assert trace_id in {one for certificate in made for one in certificate.erased}
    return made


ERASURES: dict[str, Erase] = {
    "user": lambda memory, life: [memory.erase(user=life.name)],
    "thread": lambda memory, life: [memory.erase(user=life.name, thread=THREAD)],
    "source": lambda memory, life: [memory.erase(source=life.words["source_id"])],
    "forgotten user": lambda memory, life: [memory.forget_user(life.name)],
    "each trace": _each,
}


KINDS: dict[str, tuple[Embedder | None, int]] = {
    "rows": (WordVectors(dimension=8), 2_048),
    "sealed": (WordVectors(dimension=8), 4),
    "words only": (None, 4),
}

CASES = [
    ("rows", "user"),
    ("words only", "user"),
    *(("sealed", erasure) for erasure in ERASURES),
]


class World:
    """Two callers who share an organization, and all the ways in which one is looked for."""

    def __init__(self, open_brain: Opener, clock: FixedClock, kind: str, folder: Path) -> None:
        self.embedder, passages = KINDS[kind]
        self._options = {
            "embedder": self.embedder,
            "settings": Settings(index={"segment_passages": passages}),
        }
        self._open = open_brain
        self.brain = folder / "brain.db"
        self.memory = open_brain(**self._options)
        self.ana = live(self.memory, clock, "ana", THREAD)
        self.before: list[datetime] = [clock.now]
        self.bob = live(self.memory, clock, "bob", canary("another thread"))
        self.before.append(clock.now)
        clock.advance(days=1)

    def another(self) -> Memory:
        """Another open brain on the same file."""
        return self._open(**self._options)

    def found(self, memory: Memory) -> dict[str, set[str]]:
        """Where canaries of Ana's are still found, and which."""
        return {
            "bytes": in_bytes(self.brain, self.ana.words.values()),
            "readers": in_readers(memory, self.ana, self.before),
        }


NOTHING: dict[str, set[str]] = {"bytes": set(), "readers": set()}

CHILD = """
import sys
from mnemic import Memory

with Memory.open(sys.argv[1], embedder=None) as memory:
    who = memory.bind(user="ana", thread=sys.argv[2], organization="acme")
    question, past = sys.argv[3], {"as_of": sys.argv[4], "known_at": sys.argv[4]}
    for line in sys.stdin:
        hits = [
            hit for clocks in ({}, past) for hit in who.recall(question, limit=500, **clocks)
        ]
        print(repr([(hit.trace, hit.why) for hit in hits]), flush=True)
"""


@contextmanager
def asked_elsewhere(world: World) -> Iterator[Callable[[], set[str]]]:
    """Asks another process, whose index is in its memory, for all canaries of Ana's."""
    words = world.ana.words.values()
    command = [
        *(sys.executable, "-c", CHILD, str(world.brain), THREAD),
        *(" ".join(words), world.before[-1].isoformat()),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        stdin, stdout = child.stdin, child.stdout
        assert stdin is not None
        assert stdout is not None

        def ask() -> set[str]:
            print("again", file=stdin, flush=True)
            said = stdout.readline()
            # What it finds tells no words of the question that only Bob's texts hold.
            return {word for word in words if word in said}

        yield ask
        stdin.close()
        assert child.wait(timeout=30) == 0


@pytest.mark.parametrize(("kind", "erasure"), CASES)
def test_nothing_of_it_is_left(
    open_brain: Opener,
    clock: FixedClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    erasure: str,
) -> None:
    hurry(monkeypatch)
    world = World(open_brain, clock, kind, tmp_path)
    ana, bob, memory, other = world.ana, world.bob, world.memory, world.another()
    shown = {word for name, word in ana.words.items() if name not in WITHHELD}
    for one in (memory, other):
        assert world.found(one) == {"bytes": set(ana.words.values()), "readers": shown}
    of_bob = in_readers(memory, bob, world.before)
    with asked_elsewhere(world) as ask:
        assert len(ask()) > 10
        made = ERASURES[erasure](memory, ana)
        assert all(certificate.ok for certificate in made)
        assert {one for certificate in made for one in certificate.erased} == set(ana.ids.values())
        assert world.found(memory) == NOTHING
        assert world.found(other) == NOTHING
        assert ask() == set()
    _and_stays_away(world, erasure)
    assert in_readers(memory, bob, world.before) == of_bob
    assert in_bytes(world.brain, bob.words.values()) == set(bob.words.values())


def _and_stays_away(world: World, erasure: str) -> None:
    """After a restart, after the chat was read again, after new vectors, after a compaction."""
    memory = world.another()
    assert world.found(memory) == NOTHING
    who = memory.bind(user="ana", thread="another thread")
    said = who.remember("something else").status
    assert said == ("refused" if erasure == "forgotten user" else "stored")
    # What was erased one by one is rejected for the organization; of a user, for that user.
    shared = "user" in erasure or erasure == "thread"
    chat = as_chat(world.ana, world.brain.parent / "chat.jsonl", shared=shared)
    assert memory.import_from(chat, bind=who).refused == len(chat.read_text().splitlines())
    assert world.found(memory) == NOTHING
    if world.embedder is not None:
        assert memory.reembed(WordVectors("others", dimension=8)) > 0
        assert world.found(memory) == NOTHING
    assert memory.compact()
    assert world.found(memory) == NOTHING
    assert memory.health(thorough=True).ok or world.embedder is None
    assert memory.audit.verify().ok
