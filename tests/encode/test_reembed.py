"""Changing the model: beside the old vectors, all at once at the end, and again after a break."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import Memory, Settings
from mnemic.errors import EmbedderMismatch
from tests.conftest import START, FixedClock, Opener, WordVectors
from tests.store.raw import half_written, raw

SETTINGS = Settings(encoding={"batch_size": 4}, index={"segment_passages": 8})
NOTES = [f"note {n}: the {word} is here" for n, word in enumerate(["tea", "salt", "rope"] * 7)]


class Counting(WordVectors):
    """Counts the texts that it is given."""

    asked = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += len(texts)
        return super().embed(texts)


class PowerCutError(Exception):
    """Raised by a progress callback."""


@pytest.fixture
def filled(open_brain: Opener) -> Memory:
    """A brain with notes in two scopes; one corrected, one forgotten."""
    memory = open_brain(settings=SETTINGS)
    ana = memory.bind(user="ana", organization="acme")
    receipts = ana.remember_many(NOTES)
    ana.remember_many([{"content": note, "scope": "organization"} for note in NOTES[:5]])
    assert receipts[3].trace is not None
    assert receipts[4].trace is not None
    ana.correct(receipts[3].trace.id, "note 3: the lamp is here", reason="r")
    ana.forget(receipts[4].trace.id)
    return memory


def answers(memory: Memory, **more: Any) -> list[str]:
    ana = memory.bind(user="ana", organization="acme")
    hits = ana.recall("where is the salt?", limit=40, **more)
    assert all("vector" in hit.why.arms for hit in hits)
    return [hit.trace.content for hit in hits]


def found_by_vectors(memory: Memory) -> list[str]:
    """What is found for a word that no text holds."""
    ana = memory.bind(user="ana", organization="acme")
    return [hit.trace.content for hit in ana.recall("zeppelin", limit=100)]


def models(memory: Memory) -> set[tuple[str, int]]:
    """Name and dimension of every model that vectors are kept of."""
    with raw(memory) as connection:
        return {
            tuple(row)
            for table in ("trace_vectors", "segment_vectors")
            for row in connection.execute(f"SELECT DISTINCT model, dimension FROM {table}")
        }


def test_to_another_dimension(filled: Memory, open_brain: Opener, clock: FixedClock) -> None:
    before = answers(filled)
    told: list[tuple[int, int, str]] = []
    newer = Counting("newer", 96)
    made = filled.reembed(newer, progress=lambda *step: told.append(step))
    entries = len(NOTES) + 5 + 1  # a corrected text is kept for readers of the past
    assert made == entries
    assert told[-1] == (entries, entries, "reembed")
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert models(filled) == {("newer", 96)}
    assert filled.health(thorough=True).ok
    assert filled.health().embedder == "newer"
    assert sorted(answers(filled)) == sorted(before)
    assert half_written(filled) == []
    again = open_brain(settings=SETTINGS, embedder=WordVectors("newer", 96))
    assert answers(again) == answers(filled)
    assert answers(again, known_at=START)
    with pytest.raises(EmbedderMismatch, match="'newer'"):
        open_brain()


def test_what_is_written_afterwards_is_of_the_new_model(filled: Memory) -> None:
    filled.reembed(WordVectors("newer", 96))
    filled.bind(user="ana").remember("the salt cellar is new")
    assert "the salt cellar is new" in answers(filled)
    assert models(filled) == {("newer", 96)}
    assert filled.health().ok


@pytest.mark.parametrize("batches", [1, 3, 6])
def test_an_interrupted_run_goes_on_where_it_stopped(
    filled: Memory, open_brain: Opener, batches: int
) -> None:
    before = answers(filled)
    left = batches

    def cut(done: int, total: int, stage: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise PowerCutError

    with pytest.raises(PowerCutError):
        filled.reembed(WordVectors("newer", 96), progress=cut)
    filled.close()
    # Until the change-over the brain answers with the old model, and can be written to.
    memory = open_brain(settings=SETTINGS)
    assert answers(memory) == before
    memory.bind(user="ana").remember("the salt cellar is new")
    assert memory.health().ok
    memory.close()
    newer = Counting("newer", 96)
    memory = open_brain(settings=SETTINGS, embedder=None)
    assert memory.reembed(newer) == len(NOTES) + 6 + 1 - 4 * batches
    assert newer.asked <= 2 * (len(NOTES) + 7 - 4 * batches)
    assert sorted(answers(memory)) == sorted([*before, "the salt cellar is new"])
    assert models(memory) == {("newer", 96)}
    assert memory.health(thorough=True).ok


def test_an_interrupted_run_can_be_given_up_for_a_third_model(
    filled: Memory, open_brain: Opener
) -> None:
    def cut(done: int, total: int, stage: str) -> None:
        raise PowerCutError

    for broken_off in (WordVectors("newer", 96), WordVectors("third", 16)):
        with pytest.raises(PowerCutError):
            filled.reembed(broken_off, progress=cut)
    assert {name for name, _ in models(filled)} == {"test-words", "newer", "third"}
    filled.reembed(WordVectors("third", 48))
    assert models(filled) == {("third", 48)}
    assert answers(filled)
    assert filled.health(thorough=True).ok


def test_the_same_name_with_another_dimension_is_refused(filled: Memory) -> None:
    before = answers(filled)
    with pytest.raises(EmbedderMismatch, match=r"64 dimensions.*32.*a name of its own"):
        filled.reembed(WordVectors("test-words", 32))
    assert answers(filled) == before
    assert models(filled) == {("test-words", 64)}


def test_with_nothing_missing_nothing_is_made(filled: Memory) -> None:
    counting = Counting("test-words")
    assert filled.reembed(counting) == 0
    assert counting.asked == 0
    assert filled.health().ok


def test_only_what_is_missing_is_made(filled: Memory, open_brain: Opener) -> None:
    words = open_brain(settings=SETTINGS, embedder=None).bind(user="ana")
    words.remember_many([f"another salt {n}" for n in range(11)])
    memory, counting = open_brain(settings=SETTINGS), Counting("test-words")
    assert memory.health().unembedded == 11
    there = len(NOTES) + 5 - 1
    for process in (memory, filled):
        assert len(found_by_vectors(process)) == there
    assert memory.reembed(counting) == 11
    assert counting.asked == 11
    for process in (memory, filled):
        assert len(found_by_vectors(process)) == len(answers(process)) == there + 11


def test_two_brains_in_one_file_change_on_their_own(open_brain: Opener) -> None:
    one, other = open_brain(brain="one"), open_brain(brain="other")
    for memory in (one, other):
        memory.bind(user="ana", organization="acme").remember("the salt is here")
    one.reembed(WordVectors("newer", 96))
    assert models(one) == {("newer", 96), ("test-words", 64)}
    assert other.health().ok
    assert answers(other) == answers(one) == ["the salt is here"]
