"""Work done beside the search: its result, its error, and that its thread is gone afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from contextvars import ContextVar

import numpy as np
import pytest
from sqlalchemy import Connection

from mnemic import BoundMemory
from mnemic.retrieve.ahead import ahead, given_up
from mnemic.store.brain import Brain
from tests.conftest import Opener

asked_by: ContextVar[str] = ContextVar("asked_by", default="nobody")


def threads() -> set[int | None]:
    return {thread.ident for thread in threading.enumerate()}


def test_the_block_runs_while_the_work_does() -> None:
    met = threading.Barrier(2, timeout=10)

    def work() -> int:
        met.wait()  # until the block has come there too
        return 7

    with ahead(work) as result:
        met.wait()
        assert result() == 7
        assert result() == 7


def test_an_error_of_the_work_is_raised_where_the_result_is_asked_for() -> None:
    def work() -> int:
        raise ValueError("no vector today")

    with ahead(work) as result, pytest.raises(ValueError, match="no vector today"):
        result()
    with ahead(work):
        pass  # nobody asked


def test_no_thread_outlives_the_block() -> None:
    before, gate = threads(), threading.Event()

    def block() -> None:
        with ahead(gate.wait):
            assert threads() - before
            gate.set()
            raise KeyError("the block failed")

    with pytest.raises(KeyError, match="the block failed"):
        block()
    assert threads() == before


def test_the_work_sees_the_context_of_the_caller() -> None:
    asked_by.set("ana")
    with ahead(asked_by.get) as result:
        assert result() == "ana"


class Elsewhere:
    """An embedder that notes the threads it is called in, and may fail."""

    name, dimension = "elsewhere", 4

    def __init__(self) -> None:
        self.fails = False
        self.called_in: list[int] = []
        self.at_call: Callable[[], None] = lambda: None

    def embed(self, texts: object) -> object:
        self.called_in.append(threading.get_ident())
        self.at_call()
        if self.fails:
            raise RuntimeError("the model is gone")
        return np.ones((len(texts), 4), np.float32)  # type: ignore[arg-type]


def test_a_question_is_embedded_beside_the_search(open_brain: Opener) -> None:
    embedder = Elsewhere()
    who: BoundMemory = open_brain(embedder=embedder).bind(user="ana")
    who.remember("The ferry left")
    before = threads()
    embedder.called_in.clear()
    assert who.recall("ferry")
    assert embedder.called_in
    assert threading.get_ident() not in embedder.called_in
    embedder.fails = True
    assert [hit.trace.content for hit in who.recall("left ferry")] == ["The ferry left"]
    assert threads() == before


def test_work_that_waits_for_a_promise_ends_when_the_block_does() -> None:
    before = threads()

    def block() -> None:
        promise: Future[int] = Future()
        with ahead(promise.result), given_up(promise):
            raise KeyError("the block failed")

    with pytest.raises(KeyError, match="the block failed"):
        block()
    assert threads() == before


def test_a_promise_that_was_kept_is_not_taken_back() -> None:
    promise: Future[int] = Future()
    with given_up(promise):
        promise.set_result(7)
    assert promise.result() == 7


def test_the_model_begins_before_the_database_is_read(
    open_brain: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Elsewhere()
    memory = open_brain(embedder=embedder)
    who = memory.bind(user="ana")
    who.remember("The ferry left")
    who.recall("ferry")
    brain, begun = memory._rooms.brain, threading.Event()
    embedder.at_call = begun.set
    read = type(brain).read

    def late(self: Brain) -> AbstractContextManager[Connection]:
        assert begun.wait(10), "the database is read before the model was asked"
        return read(self)

    monkeypatch.setattr(type(brain), "read", late)
    assert who.recall("When did it leave?")


def test_a_speaker_of_whom_this_process_has_not_heard_is_not_embedded(
    open_brain: Opener,
) -> None:
    """The model begins with the speakers it knows of; what counts are those there are."""
    one, other = open_brain(), open_brain()
    ana = one.bind(user="ana")
    ana.remember("I bought a violin", speaker="Ben")
    assert ana.recall("What did Ben buy?")
    other.bind(user="ana").remember_many(
        [
            {"content": "I bought a canoe", "speaker": "Ruth"},
            {"content": "Ruth is a name in the Bible", "speaker": "Ben"},
        ]
    )
    question = "What did Ruth buy?"
    late = [(hit.trace.content, hit.score) for hit in ana.recall(question, touch=False)]
    assert late[0][0] == "I bought a canoe"
    fresh = open_brain().bind(user="ana")
    assert late == [(hit.trace.content, hit.score) for hit in fresh.recall(question, touch=False)]
