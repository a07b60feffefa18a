"""New vectors are made for what is there, and for nothing that was erased."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import Memory, Settings
from tests.conftest import Opener, WordVectors
from tests.index.test_erase_bytes import erase, stored
from tests.index.test_erase_leaves import by_vectors, notes

SEALED = Settings(index={"segment_passages": 4}, encoding={"batch_size": 3})


def models(memory: Memory) -> set[str]:
    tables = ("trace_vectors", "segment_vectors")
    return {row[0] for table in tables for row in stored(memory, table, "model")}


@pytest.mark.parametrize("settings", [SEALED, Settings()], ids=["segments", "tail"])
def test_gaps_are_not_waited_for(open_brain: Opener, settings: Settings) -> None:
    memory = open_brain(settings=settings)
    ids = notes(memory, 0, 14)
    erase(memory, ids[:5] + ids[9:10] + ids[13:])
    told: list[tuple[int, int, str]] = []
    made = memory.reembed(WordVectors("newer", 32), progress=lambda *step: told.append(step))
    assert made == 7
    assert told[-1] == (7, 7, "reembed")
    assert models(memory) == {"newer"}
    assert by_vectors(memory) == {f"note {n}" for n in (5, 6, 7, 8, 10, 11, 12)}
    assert memory.health(thorough=True).ok
    assert memory.health().unembedded == 0
    assert memory.stats().embedded == 7
    assert memory.reembed() == 0


class Erasing(WordVectors):
    """An embedder that takes its time: meanwhile something is erased."""

    def __init__(self, memory: Memory, gone: list[str]) -> None:
        super().__init__("slow", 32)
        self._memory, self._gone = memory, gone

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        erase(self._memory, self._gone)
        return super().embed(texts)


@pytest.mark.parametrize("settings", [SEALED, Settings()], ids=["segments", "tail"])
def test_what_is_erased_while_its_vectors_are_made_gets_none(
    open_brain: Opener, settings: Settings
) -> None:
    memory = open_brain(settings=settings)
    ids = notes(memory, 0, 7)
    gone = [ids[1], ids[2], ids[6]]
    assert memory.reembed(Erasing(memory, gone)) == 4
    assert by_vectors(memory) == {"note 0", "note 3", "note 4", "note 5"}
    assert {row[0] for row in stored(memory, "trace_vectors", "entry")}.isdisjoint({1, 2, 6})
    assert memory.health(thorough=True).ok


def test_a_partition_erased_whole_meanwhile_gets_none(open_brain: Opener) -> None:
    """Nor does a text that has come under its numbers since."""
    memory = open_brain()
    ids = notes(memory, 0, 3)

    class Replacing(Erasing):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            vectors = super().embed(texts)
            if not stored(memory, "partitions"):
                words.bind(user="ana").remember("something else")
            return vectors

    words = open_brain(embedder=None)
    memory.reembed(Replacing(memory, ids))
    assert by_vectors(memory) == {"something else"}
    [(entry, data)] = stored(memory, "trace_vectors", "entry, data")
    assert (entry, len(data)) == (0, 36)
    told = memory.bind(user="ana").recall("something else", touch=False)
    assert told[0].why.arms["vector"].score == pytest.approx(1, abs=0.01)
