"""Lists that were read are kept, are let go of by number, and are never those of another time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from mnemic import BoundMemory, Memory, Settings
from tests.conftest import Opener

TEXTS = [f"The ferry number {at} left the harbour" for at in range(8)]
SEALED = {"segment_passages": 2}

Statements = Callable[[Callable[[], object]], int]


def reads_of_lists(memory: Memory, action: Callable[[], object]) -> int:
    """How many times an action asks the database for inverted lists."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "FROM trace_postings" in statement:
            seen.append(statement)

    engine = memory._brain.engine
    event.listen(engine, "before_cursor_execute", note)
    action()
    event.remove(engine, "before_cursor_execute", note)
    return len(seen)


def opened(open_brain: Opener, **index: int) -> Memory:
    return open_brain(embedder=None, settings=Settings(index={**SEALED, **index}))


def found(who: BoundMemory, question: str) -> list[str]:
    return sorted(hit.trace.content for hit in who.recall(question, limit=50, touch=False))


def test_the_list_of_a_word_that_is_asked_is_kept(open_brain: Opener) -> None:
    memory = opened(open_brain)
    who = memory.bind(user="ana")
    who.remember_many(TEXTS)
    assert not memory._rooms.cache._sealed._kept
    assert reads_of_lists(memory, lambda: found(who, "ferry")) > 0
    assert {"ferri"} <= {key[-1] for key in memory._rooms.cache._sealed._kept}
    for _ in range(2):
        found(who, "ferry")
    assert reads_of_lists(memory, lambda: found(who, "ferry")) == 0
    assert found(who, "ferry") == sorted(TEXTS)


def test_the_list_of_a_word_that_is_weighed_is_kept_when_it_comes_again(
    open_brain: Opener,
) -> None:
    memory = opened(open_brain)
    who = memory.bind(user="ana")
    who.remember_many([f"The ferry and the zeppelin {at} met" for at in range(8)])
    kept = memory._rooms.cache._sealed._kept
    with memory._brain.read() as connection:
        reach = who.principal.reach()
        view = memory._rooms.cache.view(connection, reach, None, None)
        assert view.held(connection, ["zeppelin"]) == {"zeppelin": 8}
        assert not kept
        assert view.held(connection, ["zeppelin"]) == {"zeppelin": 8}
        assert {key[-1] for key in kept} == {"zeppelin"}
        assert view.held(connection, ["zeppelin", "airship"]) == {"zeppelin": 8}


@pytest.mark.parametrize("most", [0, 40])
def test_more_than_the_setting_says_is_let_go_of(open_brain: Opener, most: int) -> None:
    memory = opened(open_brain, cached_postings=most)
    who = memory.bind(user="ana")
    who.remember_many(TEXTS)
    for _ in range(3):
        assert found(who, "ferry") == sorted(TEXTS)
    assert reads_of_lists(memory, lambda: found(who, "ferry")) > 0
    sealed = memory._rooms.cache._sealed
    assert sealed._held <= most
    assert bool(sealed._held) is bool(sealed._kept)


def test_what_was_read_before_a_segment_was_sealed_is_read_again(open_brain: Opener) -> None:
    memory = opened(open_brain)
    who = memory.bind(user="ana")
    who.remember_many(TEXTS[:4])
    for _ in range(2):
        assert found(who, "ferry") == sorted(TEXTS[:4])
    who.remember_many(TEXTS[4:])
    assert found(who, "ferry") == sorted(TEXTS)


def test_what_another_process_erased_leaves_memory(open_brain: Opener) -> None:
    memory, other = opened(open_brain), opened(open_brain)
    who = memory.bind(user="ana")
    who.remember_many([*TEXTS, "The zeppelin landed", "The zeppelin left"])
    hits = who.recall("zeppelin", touch=False)
    kept = who._rooms.cache._sealed._kept
    assert len(hits) == 2
    assert any("landed" in key or "zeppelin" in key for key in kept)
    other.bind(user="ana").erase(hits[0].trace.id)
    for _ in range(2):
        assert found(who, "zeppelin") == [hits[1].trace.content]
    assert [len(lists[0]) for key, lists in kept.items() if "zeppelin" in key] == [1]


def test_two_people_share_no_list(open_brain: Opener) -> None:
    memory = opened(open_brain)
    ana, bob = memory.bind(user="ana"), memory.bind(user="bob")
    trams = [f"The tram number {at} is late" for at in range(2)]
    ana.remember_many([*TEXTS[:2], *trams])
    bob.remember_many([*trams, *TEXTS[:2]])
    for _ in range(3):
        assert found(ana, "ferry") == found(bob, "ferry") == TEXTS[:2]
        assert found(ana, "tram") == found(bob, "tram") == trams
