"""Two clocks: what was true in the world, and what the brain held; nothing is overwritten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import BoundMemory, Receipt, Status, Trust
from mnemic.errors import InvalidInput, NotFound
from tests.conftest import FixedClock, Opener, WordVectors

MAY, JUNE, JULY = (datetime(2026, month, 1, tzinfo=UTC) for month in (5, 6, 7))


def id_of(receipt: Receipt) -> str:
    assert receipt.trace is not None
    return receipt.trace.id


def texts(who: BoundMemory, **clocks: Any) -> set[str]:
    """What each reader that takes both clocks shows, once they agree."""
    listed = {trace.content for trace in who.list(**clocks)}
    recalled = {hit.trace.content for hit in who.recall("Ana lives in", limit=50, **clocks)}
    packet = str(who.context("Ana lives in", **clocks))
    assert recalled == listed
    assert {text for text in listed if text in packet} == listed
    assert who.count(**clocks) == who.stats(**clocks).traces == len(listed)
    return listed


@pytest.fixture
def moved(ana: BoundMemory, clock: FixedClock) -> tuple[str, str]:
    """Ana lived in Lisbon until June, in Porto from then on; told in July, a minute apart."""
    clock.now = JULY
    lisbon = ana.remember("Ana lives in Lisbon", type="semantic", valid_from=MAY, valid_to=JUNE)
    clock.advance(minutes=1)
    porto = ana.remember("Ana lives in Porto", type="semantic", valid_from=JUNE)
    clock.advance(minutes=1)
    return id_of(lisbon), id_of(porto)


def test_as_of_gives_what_was_true_then(ana: BoundMemory, moved: tuple[str, str]) -> None:
    assert texts(ana) == {"Ana lives in Porto"}
    assert texts(ana, as_of="2026-05-15") == {"Ana lives in Lisbon"}
    assert texts(ana, as_of="2026-06-15") == {"Ana lives in Porto"}
    assert texts(ana, as_of="2026-04-30") == set()


def test_an_interval_holds_its_start_and_not_its_end(
    ana: BoundMemory, moved: tuple[str, str]
) -> None:
    assert texts(ana, as_of=MAY) == {"Ana lives in Lisbon"}
    assert texts(ana, as_of=JUNE) == {"Ana lives in Porto"}


def test_known_at_gives_what_the_brain_held_then(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    assert texts(ana, known_at=JULY.replace(minute=0), as_of="2026-05-15") == {
        "Ana lives in Lisbon"
    }
    assert texts(ana, known_at=JULY, as_of="2026-06-15") == set()
    assert texts(ana, known_at=JULY.replace(minute=1)) == {"Ana lives in Porto"}
    assert texts(ana, known_at=JUNE) == set()
    assert texts(ana, known_at=JUNE, as_of="2026-05-15") == set()


def test_a_late_fact_is_filed_before_older_rows(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    before = clock.now
    clock.advance(days=30)
    ana.remember("Ana lives in Faro", type="semantic", valid_from="2026-01-01", valid_to=MAY)
    assert texts(ana, as_of="2026-02-01") == {"Ana lives in Faro"}
    assert texts(ana, as_of="2026-05-15") == {"Ana lives in Lisbon"}
    assert texts(ana) == {"Ana lives in Porto"}
    assert texts(ana, as_of="2026-02-01", known_at=before) == set()


def test_an_open_start_is_true_since_ever_and_an_open_end_still(
    ana: BoundMemory, clock: FixedClock
) -> None:
    ended = id_of(ana.remember("Ana lives in Évora", valid_to=MAY))
    assert ana.show(ended).valid_from is None
    assert texts(ana, as_of="1900-01-01") == {"Ana lives in Évora"}
    assert texts(ana) == set()
    ana.correct(ended, valid_to=None, reason="she never left")
    assert ana.show(ended).valid_to is None
    assert texts(ana) == texts(ana, as_of="2999-01-01") == {"Ana lives in Évora"}


def test_what_was_said_counts_from_when_it_was_said(ana: BoundMemory, clock: FixedClock) -> None:
    trace = ana.show(id_of(ana.remember("Ana lives in Beja", time="2026-02-03")))
    assert trace.valid_from == trace.time == datetime(2026, 2, 3, tzinfo=UTC)
    assert trace.recorded_at == trace.created_at == clock.now
    assert texts(ana, as_of="2026-02-02") == set()
    assert texts(ana, as_of="2026-02-03") == {"Ana lives in Beja"}


def test_show_gives_a_trace_whenever_it_was_true_unless_asked(
    ana: BoundMemory, moved: tuple[str, str]
) -> None:
    lisbon, _ = moved
    assert ana.show(lisbon).content == "Ana lives in Lisbon"
    assert ana.show(lisbon, as_of="2026-05-15").id == lisbon
    with pytest.raises(NotFound):
        ana.show(lisbon, as_of="2026-06-15")
    with pytest.raises(NotFound):
        ana.show(lisbon, known_at=JUNE)


def test_a_correction_is_a_version_and_the_past_stands(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    _, porto = moved
    before = clock.now
    clock.advance(hours=1)
    receipt = ana.correct(porto, "Ana lives in Braga", reason="she said so")
    assert receipt.status is Status.CORRECTED
    assert receipt.trace == ana.show(porto)
    assert receipt.trace is not None
    assert (receipt.trace.version, receipt.trace.recorded_at) == (2, clock.now)
    assert texts(ana) == {"Ana lives in Braga"}
    assert texts(ana, known_at=before) == {"Ana lives in Porto"}
    assert ana.show(porto, known_at=before).retired_at == clock.now


def test_a_corrected_date_is_a_version_too(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    _, porto = moved
    before = clock.now
    clock.advance(hours=1)
    ana.correct(porto, reason="it was later", valid_from="2026-06-20")
    assert texts(ana, as_of="2026-06-15") == set()
    assert texts(ana, as_of="2026-06-15", known_at=before) == {"Ana lives in Porto"}
    versions = ana.history(porto).versions
    assert [version.valid_from for version in versions] == [JUNE, datetime(2026, 6, 20, tzinfo=UTC)]
    assert [version.content for version in versions] == ["Ana lives in Porto"] * 2
    with pytest.raises(InvalidInput, match="before valid_from"):
        ana.correct(porto, reason="r", valid_to="2026-06-19")


def test_history_tells_every_version_with_its_cause(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    _, porto = moved
    changes: list[Callable[[], Receipt]] = [
        lambda: ana.correct(porto, "Ana lives in Braga", reason="moved"),
        lambda: ana.forget(porto, reason="private"),
        lambda: ana.restore(porto, reason="asked for"),
    ]
    for change in changes:
        clock.advance(hours=1)
        change()
    versions = ana.history(porto).versions
    assert [(v.version, v.cause, v.reason, v.trust) for v in versions] == [
        (1, "remember", None, Trust.BELIEVED),
        (2, "correct", "moved", Trust.BELIEVED),
        (3, "forget", "private", Trust.FORGOTTEN),
        (4, "restore", "asked for", Trust.BELIEVED),
    ]
    assert [v.retired_at for v in versions[:-1]] == [v.recorded_at for v in versions[1:]]
    assert versions[-1].retired_at is None
    assert ana.show(porto).version == 4


def test_the_history_of_what_is_forgotten_shows_that_and_not_what(ana: BoundMemory) -> None:
    of = id_of(
        ana.remember("Ana lives in Porto", tags=["secret"], entities=["Porto"], metadata={"k": "v"})
    )
    ana.correct(of, "Ana lives in Braga", reason="Porto was a guess")
    assert "Porto" in repr(ana.history(of))
    ana.forget(of, reason="she hates Braga")
    history = ana.history(of)
    assert [version.cause for version in history.versions] == ["remember", "correct", "forget"]
    assert {version.content for version in history.versions} == {"[withheld: forgotten]"}
    for word in ("Porto", "Braga", "secret", "'k'"):
        assert word not in repr(history)
    ana.restore(of, reason="asked for")
    assert [v.content for v in ana.history(of).versions][:2] == [
        "Ana lives in Porto", "Ana lives in Braga"
    ]  # fmt: skip


def test_two_versions_of_one_instant_leave_one_to_read(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    _, porto = moved
    for city in ("Braga", "Viseu", "Aveiro"):
        ana.correct(porto, f"Ana lives in {city}", reason="again")
    assert texts(ana) == texts(ana, known_at=clock.now) == {"Ana lives in Aveiro"}


def test_a_clock_that_was_set_back_ends_no_version_before_its_start(
    ana: BoundMemory, moved: tuple[str, str], clock: FixedClock
) -> None:
    _, porto = moved
    clock.advance(days=-3)
    ana.correct(porto, "Ana lives in Braga", reason="moved")
    for version in ana.history(porto).versions:
        assert version.retired_at is None or version.retired_at >= version.recorded_at
    assert ana.show(porto).content == "Ana lives in Braga"


class Interrupting(WordVectors):
    """Lets somebody else in while it makes its first vector."""

    meanwhile: Callable[[], object] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        act, self.meanwhile = self.meanwhile, None
        if act is not None:
            act()
        return super().embed(texts)


def test_a_date_changed_by_another_meanwhile_is_kept(open_brain: Opener) -> None:
    embedder = Interrupting()
    ana = open_brain(embedder=embedder).bind(user="ana")
    of = id_of(ana.remember("Ana lives in Porto", valid_from=MAY))
    embedder.meanwhile = lambda: ana.correct(of, valid_to=JULY, reason="she left in July")
    ana.correct(of, "Ana lives in Braga", reason="Porto was a guess")
    trace = ana.show(of)
    assert (trace.content, trace.valid_from, trace.valid_to) == ("Ana lives in Braga", MAY, JULY)
    assert trace.version == 3


def test_a_trace_forgotten_meanwhile_is_not_corrected(open_brain: Opener) -> None:
    embedder = Interrupting()
    ana = open_brain(embedder=embedder).bind(user="ana")
    of = id_of(ana.remember("Ana lives in Porto", valid_from=MAY))
    embedder.meanwhile = lambda: ana.forget(of)
    with pytest.raises(NotFound):
        ana.correct(of, "Ana lives in Braga", reason="Porto was a guess")
    assert ana.count() == 0
    assert len(ana.history(of).versions) == 2
