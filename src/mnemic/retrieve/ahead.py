"""Work that is done beside what follows it.

A question's vector takes a model some milliseconds, outside Python's lock; its words are looked up
meanwhile. The thread lives as long as the block that wants it: it outlives no recall, so a fork,
a closed brain and the end of the process find none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def ahead(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Begin some work; what is given waits for its result, or raises what the work raised.

    Whatever becomes of the block, its end waits for the work to end.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001 - it is raised again where the result is wanted
            future.set_exception(error)

    thread = Thread(target=copy_context().run, args=(run,), name="mnemic-recall", daemon=True)
    thread.start()
    try:
        yield future.result
    finally:
        thread.join()


@contextmanager
def given_up(promise: Future[Any]) -> Iterator[None]:
    """What a block promises to other work is taken back when the block ends without keeping it."""
    try:
        yield
    finally:
        promise.cancel()
