"""How a method is awaited: it runs in a thread, so that the event loop goes on.

The database and the model let go of the interpreter while they work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


def awaited(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[Wrapped[S], P], Coroutine[Any, Any, R]]:
    """The method of the wrapped object, to be awaited."""

    async def call(self: Wrapped[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    update_wrapper(call, method)
    return call


class Wrapped(Generic[S]):
    """Holds the object whose methods are awaited."""

    def __init__(self, sync: S) -> None:
        self._sync = sync
