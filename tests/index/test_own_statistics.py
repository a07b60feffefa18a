"""How often a word occurs, how long texts are: counted over what the caller may read, no further.

Another user's words must neither change a ranking nor show through it, not by one bit.
"""

from __future__ import annotations

import random

import pytest

from mnemic import BoundMemory, Draft, Embedder, Memory, Settings
from tests.conftest import Opener, WordVectors

PEOPLE = ("ana", "bob", "cleo", "dov")
NOUNS = "violin harbour lantern copper bread ferry quince saddle letter garden roof winter".split()
QUESTIONS = (
    "Where is the violin?",
    "copper lantern in the harbour",
    "What did Ruth say about the garden roof?",
    "winter ferry bread letters quinces saddles",
)
Told = list[tuple[str, float, str]]


def life(seed: str, size: int) -> list[Draft]:
    """What one person says: the same for the same seed, with nouns that everybody uses."""
    rng = random.Random(seed)
    return [
        Draft(
            f"{seed} {at}: " + " ".join(rng.choices(NOUNS, k=rng.randint(2, 30))),
            thread=f"thread {at // 9}",
            speaker=rng.choice([None, "Ruth", "Matteo"]),
            role=rng.choice(["user", "assistant"]),
            tags=tuple(rng.sample(NOUNS, rng.randint(0, 2))),
        )
        for at in range(size)
    ]


def everything(who: BoundMemory) -> list[Told]:
    """All answers to all questions with their scores and reasons."""
    return [
        [
            (hit.trace.content, hit.score, f"{dict(hit.why.arms)} {hit.why}")
            for hit in who.recall(question, limit=100, touch=False)
        ]
        for question in QUESTIONS
    ]


def contents(answers: list[Told]) -> list[list[str]]:
    return [[content for content, _, _ in told] for told in answers]


@pytest.fixture(params=["words", "vectors", "vectors by bits", "sealed"])
def kind(request: pytest.FixtureRequest) -> tuple[Embedder | None, Settings]:
    """The ways in which a brain can search."""
    embedder = None if request.param == "words" else WordVectors()
    index = {"vectors by bits": {"exact_vectors": 0}, "sealed": {"segment_passages": 8}}
    return embedder, Settings(index=index.get(str(request.param), {}))


def test_a_caller_cannot_tell_whether_anybody_else_is_there(
    open_brain: Opener, kind: tuple[Embedder | None, Settings]
) -> None:
    """Five hundred traces of others, written before, between and after one's own."""
    embedder, settings = kind
    alone = open_brain("alone.db", embedder=embedder, settings=settings)
    crowded = open_brain("crowded.db", embedder=embedder, settings=settings)
    own = life("ana", 40)
    others = [life(f"user {number}", 25) for number in range(20)]
    me = {"user": "ana", "organization": "acme"}

    def crowd(part: list[list[Draft]], at: int) -> None:
        for number, drafts in enumerate(part):
            # Of every axis; some call a thread as ana calls hers.
            it = f"{at}-{number}"
            bindings = [{"user": it}, {"user": it, "thread": "thread 0"}, {"organization": it}]
            crowded.bind(**[*bindings, {"persona": it}][number % 4]).remember_many(drafts)

    crowd(others[:6], 0)
    # A user who is called as her organization is, and an organization that is called as she is.
    crowded.bind(user="acme").remember_many(others[6])
    crowded.bind(organization="ana").remember_many(others[7])
    for memory in (alone, crowded):
        memory.bind(**me).remember_many(own[:20])
        memory.bind(**me).remember("The violin club meets in winter", scope="organization")
    crowd(others[8:14], 1)
    for memory in (alone, crowded):
        ana = memory.bind(**me)
        ana.remember_many(own[20:])
        ana.forget(ana.recall("violin", touch=False)[0].trace.id)
        ana.correct(ana.recall("harbour", touch=False)[0].trace.id, "a copper saddle", reason="x")
    crowd(others[14:], 2)

    assert crowded.stats().traces - alone.stats().traces == 500
    assert all(contents(everything(alone.bind(**me))))
    for who in (me, {"user": "ana"}, {"organization": "acme"}):
        assert everything(crowded.bind(**who)) == everything(alone.bind(**who))


def test_statistics_do_depend_on_ones_own_texts(memory: Memory) -> None:
    """The positive of the test above: what counts for ana does move her scores."""
    ana = memory.bind(user="ana")
    ana.remember_many(life("ana", 40))
    before = everything(ana)
    ana.remember("a violin, a violin, a violin")
    assert everything(ana)[1:] != before[1:]


def test_one_brain_for_all_ranks_as_a_brain_for_each(
    open_brain: Opener, kind: tuple[Embedder | None, Settings]
) -> None:
    embedder, settings = kind
    pooled = open_brain("pooled.db", embedder=embedder, settings=settings)
    lives = {name: life(name, 40) for name in PEOPLE}
    for at in range(0, 40, 10):  # they take turns
        for name, drafts in lives.items():
            pooled.bind(user=name).remember_many(drafts[at : at + 10])
    for name, drafts in lives.items():
        separate = open_brain(f"{name}.db", embedder=embedder, settings=settings)
        for at in range(0, 40, 10):
            separate.bind(user=name).remember_many(drafts[at : at + 10])
        theirs = everything(separate.bind(user=name))
        assert all(contents(theirs))
        assert everything(pooled.bind(user=name)) == theirs


def test_two_brains_in_one_file_know_nothing_of_each_other(open_brain: Opener) -> None:
    first, second = open_brain(brain="one"), open_brain(brain="two")
    alone = open_brain("alone.db")
    first.bind(user="ana").remember_many(life("ana", 40))
    for memory in (second, alone):
        memory.bind(user="ana").remember_many(life("twin", 40))
    answers = everything(second.bind(user="ana"))
    assert all(contents(answers))
    assert answers == everything(alone.bind(user="ana"))


def test_a_scope_asked_for_alone_is_counted_alone(open_brain: Opener) -> None:
    """`scope=` narrows the reach, so the statistics are those of that scope."""
    both, only = open_brain("both.db"), open_brain("only.db")
    for memory in (both, only):
        memory.bind(user="ana", organization="acme").remember_many(life("ana", 40))
    both.bind(user="ana", organization="acme").remember_many(
        [{"content": draft.content, "scope": "organization"} for draft in life("acme", 40)]
    )

    def asked(memory: Memory, question: str) -> list[tuple[str, float]]:
        hits = memory.bind(user="ana", organization="acme").recall(question, scope="user")
        return [(hit.trace.content, hit.score) for hit in hits]

    for question in QUESTIONS:
        assert asked(both, question) == asked(only, question)
