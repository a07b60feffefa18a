"""An embedder that is missing, fails or is another one: no text is lost, and it is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import BoundMemory, Memory, Receipt, Status
from mnemic.errors import EmbedderError, EmbedderMismatch
from tests.conftest import Opener, WordVectors
from tests.store.raw import contents, half_written


class Moody(WordVectors):
    """An embedder that works or fails as it is told."""

    def __init__(self) -> None:
        super().__init__("moody")
        self.fault: Callable[[int], Any] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fault is None:
            return super().embed(texts)
        result: NDArray[np.float32] = self.fault(len(texts))
        return result


def _down(count: int) -> Any:
    raise ConnectionError("no route to the model")


FAULTS: dict[str, tuple[Callable[[int], Any], str]] = {
    "is down": (_down, "ConnectionError: no route to the model"),
    "gives zeros": (lambda n: np.zeros((n, 64), np.float32), "length 0.0"),
    "gives another dimension": (lambda n: np.ones((n, 32), np.float32), "shape"),
    "gives too few": (lambda n: np.ones((n - 1, 64), np.float32), "shape"),
    "gives one for all": (lambda n: np.ones(64, np.float32), "shape"),
    "gives no numbers": (lambda n: np.full((n, 64), np.nan, np.float32), "length nan"),
    "gives infinite ones": (lambda n: np.full((n, 64), np.inf, np.float32), "length inf"),
    "gives text": (lambda n: np.full((n, 64), "x"), "float32 was expected"),
    "gives nothing": (lambda n: None, "shape"),
}


@pytest.fixture
def moody() -> Moody:
    return Moody()


@pytest.fixture
def memory(open_brain: Opener, moody: Moody) -> Memory:
    return open_brain(embedder=moody)


def vectorless(memory: Memory) -> int:
    return memory.health().unembedded


@pytest.mark.parametrize("fault", FAULTS)
def test_when_the_embedder_fails_the_text_is_kept_and_health_says_so(
    memory: Memory, ana: BoundMemory, moody: Moody, fault: str
) -> None:
    kettle = ana.remember("The kettle whistles").trace
    assert kettle is not None
    assert memory.health().ok
    moody.fault, says = FAULTS[fault]
    receipts: list[Receipt] = [
        ana.remember("The tea is ready"),
        *ana.remember_many(["The sugar is gone", "The milk is warm"]),
        ana.correct(kettle.id, "The kettle sings", reason="r"),
    ]
    assert [r.status.value for r in receipts] == ["stored"] * 3 + ["corrected"]
    health = memory.health()
    assert (health.ok, health.degraded, health.unembedded) == (False, True, 4)
    assert any("'moody'" in problem and says in problem for problem in health.problems)
    assert any("4 texts have no vector yet" in problem for problem in health.problems)
    assert half_written(memory) == []
    _repaired(memory, ana, moody)


def _repaired(memory: Memory, ana: BoundMemory, moody: Moody) -> None:
    """Once the embedder works again, `reembed` makes up for what is missing."""
    with pytest.raises(EmbedderError, match=r"'moody'.*0 of 4 texts have new vectors"):
        memory.reembed()
    moody.fault = None
    assert memory.reembed() == 4
    assert memory.health().ok
    assert ana.recall("warm milk")[0].trace.content == "The milk is warm"
    # No text holds this word: what is found, the vectors have found.
    assert len(ana.recall("zeppelin")) == 4


@pytest.mark.parametrize("fault", FAULTS)
def test_when_the_question_cannot_be_embedded_words_answer(
    memory: Memory, ana: BoundMemory, moody: Moody, fault: str
) -> None:
    ana.remember_many(["The kettle whistles", "The tea is ready"])
    assert {arm for hit in ana.recall("kettle?") for arm in hit.why.arms} == {"lexical", "vector"}
    moody.fault, says = FAULTS[fault]
    hits = ana.recall("the kettle, please")
    assert hits[0].trace.content == "The kettle whistles"
    assert {arm for hit in hits for arm in hit.why.arms} == {"lexical"}
    assert "kettle" in str(ana.context("a kettle"))
    health = memory.health()
    assert not health.ok
    assert any(says in problem for problem in health.problems)
    moody.fault = None
    ana.remember("The sugar is gone")
    assert memory.health().ok
    assert "vector" in ana.recall("one kettle")[0].why.arms


def test_without_an_embedder_words_are_searched_and_health_says_so(open_brain: Opener) -> None:
    memory = open_brain(embedder=None)
    assert (memory.health().ok, memory.health().degraded) == (True, True)
    ana = memory.bind(user="ana")
    ana.remember_many(["The kettle whistles", "The bus is late"])
    assert [hit.trace.content for hit in ana.recall("kettle")] == ["The kettle whistles"]
    assert set(ana.recall("kettle")[0].why.arms) == {"lexical"}
    health = memory.health()
    assert (health.embedder, health.degraded, health.unembedded) == (None, True, 2)
    with pytest.raises(EmbedderError, match="open the brain with one"):
        memory.reembed()


def test_vectors_come_when_the_brain_gets_an_embedder(open_brain: Opener) -> None:
    open_brain(embedder=None).bind(user="ana").remember("The kettle whistles")
    memory = open_brain()
    health = memory.health()
    assert (health.ok, health.degraded, health.unembedded) == (False, True, 1)
    assert "run `mnemic reembed`" in health.problems[0]
    assert memory.reembed() == 1
    assert memory.health().ok
    assert "vector" in memory.bind(user="ana").recall("whistling kettles")[0].why.arms


@pytest.mark.parametrize(
    "other", [WordVectors("another"), WordVectors("test-words", 32)], ids=["name", "dimension"]
)
def test_another_model_is_refused_and_nothing_is_changed(
    open_brain: Opener, other: WordVectors
) -> None:
    first = open_brain()
    first.bind(user="ana").remember("The kettle whistles")
    assert open_brain().bind(user="ana").recall("kettle")
    before = contents(first)
    with pytest.raises(EmbedderMismatch, match=r"'test-words' \(64 dim.*run `mnemic reembed`"):
        open_brain(embedder=other)
    assert contents(first) == before
    assert open_brain(embedder=None).bind(user="ana").count() == 1


WRITES: dict[str, Callable[[BoundMemory, str], Receipt]] = {
    "remember": lambda who, of: who.remember("The tea is ready"),
    "correct": lambda who, of: who.correct(of, "The kettle sings", reason="r"),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_process_left_behind_by_a_change_of_model_mixes_nothing(
    open_brain: Opener, write: str
) -> None:
    behind, ahead = open_brain(), open_brain()
    trace = behind.bind(user="ana").remember("The kettle whistles").trace
    assert trace is not None
    assert WRITES[write](ahead.bind(user="ana"), trace.id).audit_seq is not None
    ahead.reembed(WordVectors("newer", 32))
    before = contents(ahead)
    with pytest.raises(EmbedderMismatch, match="'newer'"):
        WRITES[write](behind.bind(user="ana", thread="other"), trace.id)
    assert contents(ahead) == before
    health = behind.health()
    assert not health.ok
    assert "changed over to 'newer'" in health.problems[0]
    assert behind.bind(user="ana").recall("kettle")


@pytest.mark.parametrize("write", WRITES)
def test_the_first_vector_decides_the_model(open_brain: Opener, write: str) -> None:
    trace = open_brain(embedder=None).bind(user="ana").remember("The kettle whistles").trace
    assert trace is not None
    WRITES[write](open_brain().bind(user="ana"), trace.id)
    with pytest.raises(EmbedderMismatch, match="test-words"):
        open_brain(embedder=WordVectors("another"))


def test_the_texts_of_a_failed_batch_are_embedded_with_the_next(
    memory: Memory, ana: BoundMemory, moody: Moody
) -> None:
    moody.fault = _down
    assert ana.remember("The kettle whistles").status is Status.STORED
    moody.fault = None
    assert ana.remember("The tea is ready").status is Status.STORED
    assert vectorless(memory) == 1
    assert not memory.health().ok
    assert memory.reembed() == 1
    assert vectorless(memory) == 0
