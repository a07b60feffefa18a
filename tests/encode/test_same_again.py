"""The same text again is the same memory, made stronger; another memory stays another."""

from __future__ import annotations

from typing import Any

import pytest

from mnemic import BoundMemory, Draft, Memory, Receipt, Settings, Status, TraceType
from tests.conftest import Opener

TEXT = "The kettle whistles at five"


def id_of(receipt: Receipt) -> str:
    assert receipt.trace is not None
    return receipt.trace.id


@pytest.mark.parametrize("kind", TraceType)
def test_the_same_text_reinforces(ana: BoundMemory, kind: TraceType) -> None:
    first = ana.remember(TEXT, type=kind)
    again = ana.remember(TEXT, type=kind)
    assert (first.status, again.status) == (Status.STORED, Status.REINFORCED)
    assert id_of(first) == id_of(again)
    assert ana.count() == 1
    assert ana.show(id_of(first)).version == 1


def test_strength_grows_up_to_one(ana: BoundMemory) -> None:
    strengths = [ana.remember(TEXT).trace for _ in range(8)]
    assert [round(t.strength, 3) for t in strengths if t] == [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1]
    assert ana.list()[0].strength == 1
    assert ana.list(min_strength=1)


def test_strength_grows_within_one_batch_too(open_brain: Opener) -> None:
    settings = Settings(
        encoding={"reinforcement": 0.3, "batch_size": 3}, mind={"appraisal": {"base_strength": 0.2}}
    )
    ana = open_brain(settings=settings).bind(user="ana")
    receipts = ana.remember_many([TEXT, "other", TEXT, TEXT, TEXT])
    assert [receipt.status.value for receipt in receipts] == [
        "stored",
        "stored",
        "reinforced",
        "reinforced",
        "reinforced",
    ]
    same = [receipts[at].trace for at in (0, 2, 3, 4)]
    assert len({trace.id for trace in same if trace}) == 1
    assert [round(trace.strength, 3) for trace in same if trace] == [0.2, 0.5, 0.8, 1]
    assert ana.show(id_of(receipts[0])).strength == 1


@pytest.mark.parametrize("again", [TEXT + "\n", "  " + TEXT, f"\t{TEXT}\u00a0"])
def test_spaces_around_it_make_no_other_text(ana: BoundMemory, again: str) -> None:
    ana.remember(TEXT)
    assert ana.remember(again).status is Status.REINFORCED


def test_composed_and_decomposed_letters_are_one_text(ana: BoundMemory) -> None:
    assert ana.remember("caf\u00e9 in S\u00e3o Paulo").status is Status.STORED
    assert ana.remember("cafe\u0301 in Sa\u0303o Paulo").status is Status.REINFORCED
    assert ana.remember("line one\nline two").status is Status.STORED
    assert ana.remember("line one\r\nline two").status is Status.REINFORCED


@pytest.mark.parametrize(
    "texts",
    [
        [
            "The kettle whistles at five",
            "The kettle whistles at six",
            "the kettle whistles at five",
        ],
        ["私は東京に住む", "私は京都に住む", "私は大阪に住む"],
        ["я живу тут", "я живу там", "я жила тут"],
        ["أنا في البيت", "أنا في السوق", "أنا من البيت"],
        ["🙂🙂🙂", "🙂🙂🙃", "🙃🙃🙃"],
        ["42", "43", "24"],
    ],
)
def test_texts_of_one_length_are_not_one_text(ana: BoundMemory, texts: list[str]) -> None:
    assert [r.status for r in ana.remember_many(texts)] == [Status.STORED] * 3
    assert [r.status for r in ana.remember_many(texts)] == [Status.REINFORCED] * 3
    assert ana.count() == 3


OTHERS: dict[str, dict[str, Any]] = {
    "another speaker": {"speaker": "Eva"},
    "another role": {"role": "assistant"},
    "another thread": {"thread": "tuesday"},
    "another scope": {"scope": "thread"},
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_makes_it_another_memory(ana: BoundMemory, other: str) -> None:
    assert ana.remember(TEXT, speaker=None).status is Status.STORED
    assert ana.remember(TEXT, **OTHERS[other]).status is Status.STORED
    assert ana.remember(TEXT, **OTHERS[other]).status is Status.REINFORCED
    assert ana.remember(TEXT).status is Status.REINFORCED
    assert ana.count() == 2


@pytest.mark.parametrize("kind", [kind for kind in TraceType if kind is not TraceType.EPISODIC])
def test_a_fact_is_the_same_in_every_thread(ana: BoundMemory, kind: TraceType) -> None:
    first = ana.remember(TEXT, type=kind, thread="monday")
    again = ana.remember(TEXT, type=kind, thread="tuesday")
    assert again.status is Status.REINFORCED
    assert id_of(first) == id_of(again)
    many = ana.remember_many([Draft(TEXT, type=kind, thread=f"t{n}") for n in range(3)])
    assert {r.status for r in many} == {Status.REINFORCED}


def test_an_episode_of_another_thread_is_another_within_one_batch(ana: BoundMemory) -> None:
    drafts = [Draft(TEXT, thread=f"t{n % 2}") for n in range(4)]
    receipts = ana.remember_many(drafts)
    assert [r.status.value for r in receipts] == ["stored", "stored", "reinforced", "reinforced"]
    assert id_of(receipts[0]) == id_of(receipts[2]) != id_of(receipts[1])


def test_another_user_of_an_organization_says_it_on_their_own(memory: Memory) -> None:
    ana = memory.bind(user="ana", organization="acme")
    bob = memory.bind(user="bob", organization="acme")
    assert ana.remember(TEXT, scope="organization").status is Status.STORED
    assert ana.remember(TEXT, scope="organization").status is Status.REINFORCED
    assert bob.remember(TEXT, scope="organization").status is Status.STORED
    assert bob.count() == 2


def test_what_is_known_keeps_what_it_has(ana: BoundMemory) -> None:
    first = ana.remember(TEXT, tags=["kitchen"], metadata={"n": 1})
    again = ana.remember(TEXT, tags=["other"], metadata={"n": 2}, strength=0.1)
    assert again.trace is not None
    assert (again.trace.tags, again.trace.metadata) == (("kitchen",), {"n": 1})
    assert ana.show(id_of(first)).tags == ("kitchen",)


def test_a_corrected_text_is_known_by_its_new_words(ana: BoundMemory) -> None:
    of = id_of(ana.remember(TEXT))
    ana.correct(of, "The kettle whistles at six", reason="new clock")
    again = ana.remember("The kettle whistles at six")
    assert (again.status, id_of(again)) == (Status.REINFORCED, of)


def test_after_a_restart_it_is_still_known(open_brain: Opener) -> None:
    first = open_brain().bind(user="ana").remember(TEXT)
    again = open_brain().bind(user="ana").remember(TEXT)
    assert (again.status, id_of(again)) == (Status.REINFORCED, id_of(first))


def test_no_unrelated_text_changes_another(ana: BoundMemory) -> None:
    """Filing more never retires what is there."""
    facts = [f"fact {n}: person {n} lives in town {n % 5}" for n in range(40)]
    ids = [id_of(r) for r in ana.remember_many([Draft(f, type="semantic") for f in facts])]
    assert len(set(ids)) == 40
    assert sorted(t.content for t in ana.list(limit=100)) == sorted(facts)
    assert all(len(ana.history(of).versions) == 1 for of in ids)


@pytest.mark.parametrize("together", [False, True], ids=["apart", "in one batch"])
def test_what_is_true_again_later_is_not_lost(ana: BoundMemory, together: bool) -> None:
    """Lived there once, moved away, came back: two memories, and the present one is found."""
    text = "Ana lives in Porto"
    then = Draft(text, type="semantic", valid_from="2019-01-01", valid_to="2020-01-01")
    now = Draft(text, type="semantic", valid_from="2025-01-01")
    if together:
        receipts = ana.remember_many([then, now])
    else:
        receipts = [*ana.remember_many([then]), *ana.remember_many([now])]
    assert [receipt.status for receipt in receipts] == [Status.STORED, Status.STORED]
    assert [trace.id for trace in ana.list()] == [id_of(receipts[1])]
    assert [trace.id for trace in ana.list(as_of="2019-06-01")] == [id_of(receipts[0])]
    assert ana.count(as_of="2022-06-01") == 0
    # Said once more, it is the one that holds that is made stronger.
    again = ana.remember(text, type="semantic")
    assert (again.status, id_of(again)) == (Status.REINFORCED, id_of(receipts[1]))
