"""An index is never believed: what it points at is looked up, and is dropped if it may not be seen.

Each test finds something first, then spoils the index past the library, and asks again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from mnemic import BoundMemory, Embedder, Memory, Settings, Trace
from tests.conftest import Opener, WordVectors
from tests.store.raw import tampering

QUESTION = "Where is the violin?"
MINE, SECOND = "The violin is under the stairs", "The violin bow is in the attic"
THEIRS = "My secret is buried in the garden"


@pytest.fixture(params=["words", "vectors", "by bits", "sealed"])
def opened(request: pytest.FixtureRequest, open_brain: Opener) -> Callable[[], Memory]:
    """Opens the same brain, searched in one of the ways there are."""
    index = {"by bits": {"exact_vectors": 0}, "sealed": {"segment_passages": 2}}
    embedder: Embedder | None = None if request.param == "words" else WordVectors()
    settings = Settings(index=index.get(request.param, {}))
    return lambda: open_brain(embedder=embedder, settings=settings)


def stored(who: BoundMemory, content: str, **fields: str) -> Trace:
    receipt = who.remember(content, **fields)  # type: ignore[arg-type]
    assert receipt.trace is not None
    return receipt.trace


@pytest.fixture
def memory(opened: Callable[[], Memory]) -> Memory:
    return opened()


@pytest.fixture
def ana(memory: Memory) -> BoundMemory:
    """Who asks; she has been answered, so that her index is in memory."""
    who = memory.bind(user="ana")
    for at, content in enumerate((MINE, SECOND, "The ferry was late")):
        stored(who, content, thread=str(at))
    assert found(who)[:2] == [MINE, SECOND]
    return who


def found(who: BoundMemory, limit: int = 10) -> list[str]:
    """What is answered, in every place where an answer shows a text."""
    hits = who.recall(QUESTION, limit=limit, touch=False)
    packet = who.context(QUESTION)
    assert [hit.trace.id for hit in hits][: len(packet.lines)] == [*packet.ids][: len(hits)]
    assert all(hit.why.passage in hit.trace.content for hit in hits)
    return [hit.trace.content for hit in hits]


def point_at(connection: sqlite3.Connection, of: Trace, at: Trace) -> None:
    """Make the index entry of one trace say that it is of another."""
    changed = connection.execute(
        "UPDATE index_entries SET trace_id = ? WHERE trace_id = ?", (at.id, of.id)
    )
    assert changed.rowcount == 1


def mine(who: BoundMemory) -> Trace:
    return next(trace for trace in who.list() if trace.content == MINE)


@pytest.mark.parametrize(
    "other",
    [{"user": "bob"}, {"user": "ana", "thread": "monday"}, {"organization": "acme"}],
    ids=["user", "thread", "organization"],
)
def test_an_entry_that_points_at_a_foreign_trace_gives_nothing(
    opened: Callable[[], Memory], memory: Memory, ana: BoundMemory, other: dict[str, str]
) -> None:
    scope = "thread" if "thread" in other else None
    foreign = stored(memory.bind(**other), THEIRS, **({"scope": scope} if scope else {}))
    with tampering(memory) as connection:
        point_at(connection, mine(ana), foreign)
    for who in (ana, opened().bind(user="ana")):
        assert found(who)[0] == SECOND
        assert not {MINE, THEIRS} & set(found(who))
        assert found(who, limit=1) == [SECOND]  # what is dropped takes up no place


def test_an_entry_that_points_into_another_brain_gives_nothing(
    open_brain: Opener, memory: Memory, ana: BoundMemory
) -> None:
    embedder = None if memory.health().embedder is None else WordVectors()
    foreign = stored(open_brain(brain="other", embedder=embedder).bind(user="ana"), THEIRS)
    with tampering(memory) as connection:
        point_at(connection, mine(ana), foreign)
    assert found(ana)[0] == SECOND
    assert not {MINE, THEIRS} & set(found(ana))


@pytest.mark.parametrize("reason", [None, "wrong"], ids=["forgotten", "rejected"])
def test_an_entry_of_a_withheld_trace_that_came_alive_gives_nothing(
    opened: Callable[[], Memory], memory: Memory, ana: BoundMemory, reason: str | None
) -> None:
    ana.forget(mine(ana).id, reason=reason)
    with tampering(memory) as connection:
        connection.execute("UPDATE index_entries SET until = NULL")
        connection.execute("UPDATE partitions SET epoch = epoch + 1")
    for who in (ana, opened().bind(user="ana")):
        assert found(who)[0] == SECOND
        assert MINE not in found(who)


@pytest.mark.parametrize("reason", [None, "wrong"], ids=["forgotten", "rejected"])
def test_an_entry_that_points_at_a_withheld_trace_gives_nothing(
    memory: Memory, ana: BoundMemory, reason: str | None
) -> None:
    withheld = stored(ana, "The diary is in the cellar")
    ana.forget(withheld.id, reason=reason)
    with tampering(memory) as connection:
        point_at(connection, mine(ana), withheld)
    assert "The diary is in the cellar" not in found(ana)
    assert found(ana)[0] == SECOND


def test_an_old_wording_that_came_alive_gives_nothing(
    opened: Callable[[], Memory], memory: Memory, ana: BoundMemory
) -> None:
    ana.correct(mine(ana).id, "It was sold to a stranger", reason="she told me")
    with tampering(memory) as connection:
        connection.execute("UPDATE index_entries SET until = NULL")
        connection.execute("UPDATE partitions SET epoch = epoch + 1")
    for who in (ana, opened().bind(user="ana")):
        answers = found(who)
        assert answers[0] == SECOND
        assert MINE not in answers
        assert len(answers) == len(set(answers))


SPOILED = {
    "its trace is gone": "DELETE FROM traces WHERE id = ?",
    "its versions are gone": "DELETE FROM trace_versions WHERE trace_id = ?",
    "its version was retired": "UPDATE trace_versions SET retired_at = 1 WHERE trace_id = ?",
    "it was moved to another user": "UPDATE traces SET scope_id = 'bob' WHERE id = ?",
    "it was moved to another axis": "UPDATE traces SET scope = 'persona' WHERE id = ?",
    "it was moved to another brain": "UPDATE traces SET brain_id = 'other' WHERE id = ?",
    "it is believed no more": "UPDATE trace_versions SET trust = 'rejected' WHERE trace_id = ?",
    "its trust is unheard of": "UPDATE trace_versions SET trust = 'x' WHERE trace_id = ?",
    "it is true no more": "UPDATE trace_versions SET valid_to = 1 WHERE trace_id = ?",
    "it is not true yet": f"UPDATE trace_versions SET valid_from = {1 << 50} WHERE trace_id = ?",
}


@pytest.mark.parametrize("how", SPOILED)
def test_an_entry_gives_nothing_when(
    opened: Callable[[], Memory], memory: Memory, ana: BoundMemory, how: str
) -> None:
    trace = mine(ana)
    with tampering(memory) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        assert connection.execute(SPOILED[how], (trace.id,)).rowcount == 1
    for who in (ana, opened().bind(user="ana")):
        assert MINE not in found(who)
        assert found(who, limit=1) == [SECOND]


def test_words_and_vectors_of_somebody_else_bring_nothing_of_his(
    memory: Memory, ana: BoundMemory
) -> None:
    """All index rows of bob are put under ana's partition: his texts still do not come."""
    bob = memory.bind(user="bob")
    stored(bob, f"{THEIRS}, with the violin")
    with tampering(memory) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        named = dict(connection.execute("SELECT scope_id, id FROM partitions").fetchall())
        connection.execute("UPDATE partitions SET scope_id = 'x' WHERE scope_id = 'ana'")
        connection.execute("UPDATE partitions SET scope_id = 'ana' WHERE scope_id = 'bob'")
        assert named.keys() == {"ana", "bob"}
    assert found(ana) == []
