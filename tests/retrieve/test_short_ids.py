"""A short id, as a packet cites it, does for a whole one, and reaches no further."""

from __future__ import annotations

import itertools
from hashlib import sha256

import pytest

from mnemic import BoundMemory, Memory
from mnemic.errors import InvalidInput, NotFound
from mnemic.model.ids import shortened
from tests.conftest import Opener


@pytest.fixture
def memory(open_brain: Opener) -> Memory:
    """A brain whose ids differ from their first digits on, as random ones do."""
    numbers = itertools.count()
    return open_brain(ids=lambda: f"mt_{sha256(str(next(numbers)).encode()).hexdigest()[:32]}")


def told(who: BoundMemory, content: str) -> str:
    trace = who.remember(content).trace
    assert trace is not None
    return trace.id


def test_every_reader_and_writer_takes_it(ana: BoundMemory) -> None:
    whole = told(ana, "The ferry leaves at nine")
    short = shortened(whole)
    assert short != whole
    assert ana.show(short).id == whole
    assert ana.history(short).trace_id == whole
    corrected = ana.correct(short, "The ferry leaves at ten", reason="new timetable").trace
    assert corrected is not None
    assert corrected.id == whole
    ana.forget(short)
    with pytest.raises(NotFound, match=whole):
        ana.show(short)
    ana.restore(short, reason="needed after all")
    assert ana.show(short).content == "The ferry leaves at ten"
    ana.erase(short)
    with pytest.raises(NotFound, match=short):
        ana.show(short)


def test_it_names_nothing_of_another_user(ana: BoundMemory, bob: BoundMemory) -> None:
    short = shortened(told(ana, "The ferry leaves at nine"))
    assert ana.show(short).content == "The ferry leaves at nine"
    for action in (bob.show, bob.history, bob.forget, bob.erase):
        with pytest.raises(NotFound, match=f"'{short}'"):
            action(short)


def test_one_that_several_share_is_refused(open_brain: Opener) -> None:
    count = itertools.count()
    memory = open_brain(ids=lambda: f"mt_{'ab' * 5}{next(count):022x}")
    ana, bob = memory.bind(user="ana"), memory.bind(user="bob")
    first = told(ana, "The ferry leaves at nine")
    assert ana.show(shortened(first)).id == first
    told(bob, "Bob's own")  # another user's does not make it ambiguous
    assert ana.show(shortened(first)).id == first
    second = told(ana, "The tram is late")
    with pytest.raises(InvalidInput, match="several traces begin with 'mt_ababababab'"):
        ana.show(shortened(first))
    assert ana.show(second).content == "The tram is late"
