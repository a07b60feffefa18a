"""What brains do as they take things in and keep them, as far as settings change it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event

from mnemic.errors import InvalidInput
from tests.settings.brains import Observer, Open, outcome, stored, wait
from tests.store.raw import raw


def remembering(**given: Any) -> Observer:
    """What becomes of a trace with these fields."""

    def observe(opened: Open) -> object:
        who = opened().bind(user="ana")
        return outcome(lambda: str(who.remember(**given).status))

    return observe


def when(opened: Open) -> object:
    who = opened().bind(user="ana")
    return outcome(lambda: stored(who, "The ferry came", time="2026-05-01T23:30:00").time)


def waiting(opened: Open) -> object:
    """What a writer does while another program holds the file's lock for a while."""
    memory = opened()
    who = memory.bind(user="ana")
    came_of_it: list[object] = []
    with closing(sqlite3.connect(memory.health().path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer = threading.Thread(
            target=lambda: came_of_it.append(outcome(lambda: str(who.remember("x").status)))
        )
        writer.start()
        writer.join(0.3)
        other.execute("ROLLBACK")
        writer.join()
    return came_of_it


def connections(opened: Open) -> object:
    """How many connections are kept when eight have been used at once."""
    memory = opened()
    closed: list[object] = []
    event.listen(memory._brain.engine, "close", lambda *about: closed.append(about))
    at_once = [memory._brain.engine.connect() for _ in range(8)]
    for connection in at_once:
        connection.close()
    return 8 - len(closed)


def page_cache(opened: Open) -> object:
    with opened()._brain.read() as connection:
        return connection.exec_driver_sql("PRAGMA cache_size").scalar()


def strengths(opened: Open) -> object:
    """Of a new trace, and after it was said again."""
    who = opened().bind(user="ana")
    return [stored(who, "The ferry came").strength for _ in range(2)]


def batches(opened: Open) -> object:
    steps: list[tuple[int, int, str]] = []
    who = opened().bind(user="ana")
    who.remember_many([f"note {at}" for at in range(5)], progress=lambda *at: steps.append(at))
    return steps


SENTENCES = (
    "The old boat is red and leaks. Ruth keeps her violin under the stairs. "
    "Nobody knows when the ferry will come."
)


def passage(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember(SENTENCES)
    return who.recall("violin")[0].why.passage


def nearness(opened: Open) -> object:
    """The score by vectors of a text whose second sentence is asked for."""
    who = opened().bind(user="ana")
    who.remember(SENTENCES)
    return who.recall("Ruth keeps her violin under the stairs")[0].why.arms["vector"].score


class Together:
    """An embedder that can read a text with its parts, and notes which way it was asked."""

    name, dimension = "together", 2

    def __init__(self) -> None:
        self.ways: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.ways.append("apart")
        return np.ones((len(texts), 2))

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> Any:
        self.ways.append("together")
        return [np.ones((len(group), 2)) for group in groups]


def asked_together(opened: Open) -> object:
    embedder = Together()
    opened(embedder=embedder).bind(user="ana").remember(SENTENCES)
    return embedder.ways


def segments(opened: Open) -> object:
    memory = opened()
    memory.bind(user="ana").remember_many([f"note {at}" for at in range(5)])
    with raw(memory) as connection:
        return connection.execute("SELECT count(*) FROM trace_segments").fetchone()


def near_ones(opened: Open) -> object:
    """The nearest of 1,200 texts to a question that shares no word with them, and how near."""
    who = opened().bind(user="ana")
    who.remember_many([f"w{at} x{at % 7}" for at in range(1_200)])
    return [(hit.trace.content, hit.score) for hit in who.recall("violin", limit=10)]


def rereading(opened: Open) -> object:
    """How many statements an answer takes, after others have been answered."""
    memory = opened()
    people = [memory.bind(user=name) for name in ("ana", "bob", "cleo")]
    for who in people:
        who.remember_many(["The violin", "The ferry"])
        who.recall("violin")
    statements: list[object] = []
    event.listen(
        memory._brain.engine, "before_cursor_execute", lambda *about: statements.append(about)
    )
    people[0].recall("violin", touch=False)
    return len(statements)


def asking_again(opened: Open) -> object:
    """How many statements a question takes that was asked twice before."""
    memory = opened()
    who = memory.bind(user="ana")
    who.remember_many([f"The ferry {at} left" for at in range(6)])
    for _ in range(2):
        who.recall("ferry", touch=False)
    statements: list[object] = []
    event.listen(
        memory._brain.engine, "before_cursor_execute", lambda *about: statements.append(about)
    )
    who.recall("ferry", touch=False)
    return len(statements)


def facts_found(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember("Ana lives in Lisbon.")
    return [fact.value for fact in who.facts()]


def named(opened: Open) -> object:
    """The names that are found in a text, or why none can be looked for."""
    who = opened().bind(user="ana")
    try:
        who.remember("Ruth met Oskar")
    except InvalidInput as error:
        return str(error)
    return [name.label for name in who.graph.names()]


def piped(opened: Open) -> object:
    """The same by a pipeline of spaCy's."""
    pytest.importorskip("spacy")
    return named(opened)


def profiled(opened: Open) -> object:
    """What may support a profile."""
    who = opened().bind(user="ana")
    who.remember("The ferry came")
    return who.count(usable_for="personalization")


def swept(opened: Open) -> object:
    """How much of what has waited for thirty days expires."""
    memory = opened()
    assert memory.bind(user="ana").remember(SECRET).status == "candidate"
    wait(memory, days=30)
    return memory.reviewer("dana").sweep()


SECRET = "My password is hunter2-Zx81."
