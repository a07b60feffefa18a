"""The indexes that a process holds in memory, and the views made of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sqlalchemy import Connection

from mnemic.index.lists import SealedLists
from mnemic.index.partition import Image, State, caught_up, load, states
from mnemic.index.vectors import Matrix
from mnemic.index.view import View, build
from mnemic.model.scope import Reach
from mnemic.settings import Settings


class IndexCache:
    """Views on the index of one brain. Threads may share it.

    Args:
        brain_id: whose index it is.
        settings: of the brain.
    """

    def __init__(self, brain_id: str, settings: Settings) -> None:
        self._brain_id = brain_id
        self._settings = settings
        self._lock = threading.Lock()
        self._images: OrderedDict[int, Image] = OrderedDict()
        self._matrices: dict[int, tuple[Image, Matrix]] = {}
        self._views: OrderedDict[tuple[int, ...], tuple[tuple[State, ...], View]] = OrderedDict()
        self._sealed = SealedLists(settings.index.cached_postings)
        self._model: tuple[str, int] | None = None
        self._numbers: dict[tuple[str, str], int] = {}

    def view(
        self,
        connection: Connection,
        reach: Reach,
        known_at: int | None,
        model: tuple[str, int] | None,
    ) -> View:
        """What a search under this reach sees.

        `connection` must have read nothing yet: its snapshot begins here, under the lock, so
        that what is in memory is never newer than what it reads afterwards.

        Args:
            connection: in a transaction that is fresh.
            reach: which partitions.
            known_at: the instant, in milliseconds; None is the present.
            model: name and dimension of the vectors wanted, or None for none.
        """
        with self._lock:
            if model != self._model:
                self._forget_all()
                self._model = model
            pairs = [(scope.value, scope_id) for scope, scope_id in reach]
            found = self._states(connection, pairs)
            key = tuple(state.id for state in found)
            kept = self._views.get(key) if known_at is None else None
            if kept is not None and kept[0] == tuple(found):
                self._views.move_to_end(key)
                return kept[1]
            images = [self._image(connection, state) for state in found]
            images = [image for image in images if image.entries]
            matrices = self._matrices_of(images)
            view = build(images, matrices, self._sealed, known_at, self._settings.retrieval)
            if known_at is None:
                self._keep(key, tuple(found), view)
            return view

    def last_speakers(self, reach: Reach) -> tuple[str, ...] | None:
        """Who speaks in what was seen last under this reach; None when nothing is kept.

        Asks no database, so it may be out of date: for work that is begun in good hope.
        """
        pairs = [(scope.value, scope_id) for scope, scope_id in reach]
        with self._lock:
            numbers = [self._numbers[pair] for pair in pairs if pair in self._numbers]
            kept = self._views.get(tuple(sorted(numbers)))
            return kept[1].speakers if kept is not None else None

    def _states(self, connection: Connection, pairs: Sequence[tuple[str, str]]) -> list[State]:
        """The states of partitions; what was erased since is let go of."""
        found = states(connection, self._brain_id, pairs)
        for pair in pairs:
            number = found[pair].id if pair in found else None
            known = self._numbers.get(pair)
            if known is not None and known != number:
                self._let_go(known)
            if number is None:
                self._numbers.pop(pair, None)
            else:
                self._numbers[pair] = number
        return sorted(found.values(), key=lambda state: state.id)

    def _let_go(self, partition: int) -> None:
        self._images.pop(partition, None)
        self._matrices.pop(partition, None)
        self._sealed.forget(partition)
        for other in [key for key in self._views if partition in key]:
            del self._views[other]

    def clear(self) -> None:
        """Let go of all that is in memory."""
        with self._lock:
            self._forget_all()

    def _image(self, connection: Connection, state: State) -> Image:
        image = self._images.pop(state.id, None)
        if image is None or image.state.epoch != state.epoch:
            self._sealed.forget(state.id)
            image = load(connection, self._brain_id, state, self._model)
        elif image.state != state:
            image = caught_up(connection, image, state, self._model)
        self._images[state.id] = image
        return image

    def _matrices_of(self, images: Sequence[Image]) -> list[Matrix]:
        exact = sum(len(image.rows) for image in images) <= self._settings.index.exact_vectors
        found = []
        for image in images:
            kept = self._matrices.get(image.state.id)
            if kept is None or kept[1].rows is not image.rows or kept[1].exact is not exact:
                kept = (image, Matrix(image.rows, exact))
                self._matrices[image.state.id] = kept
            found.append(kept[1])
        return found

    def _keep(self, key: tuple[int, ...], found: tuple[State, ...], view: View) -> None:
        ids = set(key)
        for other in [k for k in self._views if not ids.isdisjoint(k)]:
            del self._views[other]
        self._views[key] = (found, view)
        held = sum(image.entries for image in self._images.values())
        while held > self._settings.index.cached_entries and len(self._images) > len(ids):
            partition, image = next(iter(self._images.items()))
            if partition in ids:
                self._images.move_to_end(partition)
                continue
            held -= image.entries
            self._let_go(partition)

    def _forget_all(self) -> None:
        self._images.clear()
        self._matrices.clear()
        self._views.clear()
        self._sealed.clear()
