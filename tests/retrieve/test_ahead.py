"""Work done beside the search: its result, its error, and that its thread is gone afterwards."""

from __future__ import annotations

import threading
from contextvars import ContextVar

import numpy as np
import pytest

from mnemic import BoundMemory
from mnemic.retrieve.ahead import ahead
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

    def embed(self, texts: object) -> object:
        self.called_in.append(threading.get_ident())
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
