"""Which arms search, and what an expander and a reranker do."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest

from mnemic import BoundMemory, SearchMode
from mnemic.errors import InvalidInput
from tests.conftest import Opener

TEXTS = ["The violin of Ruth is old", "The tram is late", "Ruth bought a fiddle"]


class Wordings:
    """An expander that gives what it was made with."""

    name = "wordings"

    def __init__(self, given: object) -> None:
        self.given = given

    def expand(self, question: str) -> Sequence[str]:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given  # type: ignore[return-value]


class Lengths:
    """A reranker that puts short texts first, or gives what it was made with."""

    name = "lengths"

    def __init__(self, given: object = None) -> None:
        self.given = given
        self.asked: list[int] = []

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append(len(texts))
        if isinstance(self.given, Exception):
            raise self.given
        return [-len(text) for text in texts] if self.given is None else self.given  # type: ignore[return-value]


def told(who: BoundMemory) -> BoundMemory:
    who.remember_many(TEXTS)
    return who


def found(who: BoundMemory, question: str, **more: object) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, **more)]  # type: ignore[arg-type]


def test_each_mode_asks_its_arms(ana: BoundMemory) -> None:
    told(ana)
    arms = {
        mode: {arm for hit in ana.recall("violin", mode=mode) for arm in hit.why.arms}
        for mode in ("hybrid", "lexical", "vector")
    }
    assert arms["hybrid"] == {"lexical", "vector"}
    assert arms["lexical"] == {"lexical"}
    assert "vector" in arms["vector"]
    by_words = ana.recall("violin", mode=SearchMode.LEXICAL)
    assert by_words[0].trace.content == TEXTS[0]
    assert all(hit.why.breakdown.get("vector", 0) == 0 for hit in by_words)
    by_vectors = ana.recall("violin", mode="vector")
    assert by_vectors[0].trace.content == TEXTS[0]
    assert all(hit.why.breakdown["lexical"] == 0 for hit in by_vectors)


def test_a_mode_that_cannot_be_had_is_refused(open_brain: Opener) -> None:
    who = told(open_brain(embedder=None).bind(user="ana"))
    assert found(who, "violin", mode="lexical") == found(who, "violin")
    with pytest.raises(InvalidInput, match="needs an embedder"):
        who.recall("violin", mode="vector")
    with pytest.raises(InvalidInput, match="mode 'fuzzy' is unknown; use one of: hybrid"):
        who.recall("violin", mode="fuzzy")


def test_other_wordings_find_what_the_question_does_not_say(open_brain: Opener) -> None:
    plain = told(open_brain("a.db", embedder=None).bind(user="ana"))
    assert found(plain, "tram") == [TEXTS[1]]
    opened = open_brain("b.db", embedder=None, expander=Wordings(["an old violin", " "]))
    worded = told(opened.bind(user="ana"))
    assert set(found(worded, "tram")) >= {TEXTS[1], TEXTS[0]}


def test_a_reranker_has_the_last_word(open_brain: Opener) -> None:
    reranker = Lengths()
    who = told(open_brain(embedder=None, reranker=reranker).bind(user="ana"))
    hits = who.recall("Ruth or the violin", limit=1)
    assert [hit.trace.content for hit in hits] == [TEXTS[2]]
    assert hits[0].score == -len(TEXTS[2]) == hits[0].why.breakdown["reranker"]
    assert reranker.asked == [2]  # of more than the limit
    assert who.recall("zzz") == []
    assert reranker.asked == [2]  # nothing to rank


@pytest.mark.parametrize("given", [OSError("down"), [1.0], [float("nan")] * 2, ["x", "y"], 3])
def test_a_reranker_that_fails_is_left_out(
    open_brain: Opener, caplog: pytest.LogCaptureFixture, given: object
) -> None:
    usual = found(told(open_brain("a.db", embedder=None).bind(user="ana")), "Ruth or the violin")
    assert len(usual) == 2
    who = told(open_brain("b.db", embedder=None, reranker=Lengths(given)).bind(user="ana"))
    with caplog.at_level(logging.WARNING, "mnemic"):
        assert found(who, "Ruth or the violin") == usual
    assert "reranker 'lengths' failed" in caplog.text


@pytest.mark.parametrize("given", [OSError("down"), "a string", [1], None])
def test_an_expander_that_fails_is_left_out(
    open_brain: Opener, caplog: pytest.LogCaptureFixture, given: object
) -> None:
    who = told(open_brain(embedder=None, expander=Wordings(given)).bind(user="ana"))
    with caplog.at_level(logging.WARNING, "mnemic"):
        assert found(who, "tram") == [TEXTS[1]]
    assert "expander 'wordings' failed" in caplog.text


def test_what_is_no_plug_is_refused(open_brain: Opener) -> None:
    with pytest.raises(InvalidInput, match=r"reranker 3 must have what mnemic\.Reranker has"):
        open_brain(reranker=3)
    with pytest.raises(InvalidInput, match=r"expander 'x' must have what mnemic\.Expander has"):
        open_brain(expander="x")


def test_what_is_no_answer_does_not_fill_the_limit(open_brain: Opener) -> None:
    who = open_brain(embedder="auto").bind(user="ana")
    who.remember_many([*TEXTS, "Photosynthesis turns light into sugar"])
    answers = found(who, "When does the tram come?", limit=4)
    assert answers[0] == TEXTS[1]
    assert "Photosynthesis turns light into sugar" not in answers
    assert len(found(who, "How do plants make sugar from light?", limit=4)) >= 1
