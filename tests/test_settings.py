"""Every setting is read, and changing it changes what happens."""

from __future__ import annotations

import ast
import itertools
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel
from sqlalchemy import event

from mnemic import BoundMemory, Memory, Settings
from mnemic.errors import MnemicError
from tests.conftest import Opener
from tests.store.raw import raw

SOURCE = Path(__file__).parent.parent / "src" / "mnemic"
numbers = itertools.count()


def fields(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """The dotted name of every setting."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name


def configured(name: str, value: object, base: dict[str, Any] | None = None) -> Settings:
    """Settings with one changed; `base` are those that let it be seen."""
    group, _, field = name.rpartition(".")
    if not group:
        return Settings(**{field: value})
    return Settings(**{group: {**(base or {}), field: value}})


def value_of(settings: Settings, name: str) -> object:
    found: object = settings
    for part in name.split("."):
        found = getattr(found, part)
    return found


# --- that each is read -----------------------------------------------------------------------


def attributes(code: str) -> set[str]:
    """The attributes that a piece of code reads."""
    return {
        node.attr
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def unread(names: Iterator[str], code: list[str]) -> list[str]:
    read = set().union(*map(attributes, code))
    return [name for name in names if name.rpartition(".")[2] not in read]


def test_a_setting_that_nothing_reads_is_seen() -> None:
    names = ["retrieval.k1", "retrieval.colour"]
    assert unread(iter(names), ["x = settings.k1", "settings.colour = 1"]) == ["retrieval.colour"]


def test_every_setting_is_read() -> None:
    # In settings.py a field is a name; an attribute there is a setting that a method reads.
    files = list(SOURCE.rglob("*.py"))
    assert len(list(fields())) > 25
    assert unread(fields(), [path.read_text("utf-8") for path in files]) == []


# --- that each changes something -------------------------------------------------------------

Open = Callable[..., Memory]
Observer = Callable[[Open], object]


def outcome(action: Callable[[], object]) -> object:
    """What came of it, or the kind of its refusal."""
    try:
        return action()
    except MnemicError as error:
        return type(error).__name__


def remembering(**given: Any) -> Observer:
    """What becomes of a trace with these fields."""

    def observe(opened: Open) -> object:
        who = opened().bind(user="ana")
        return outcome(lambda: str(who.remember(**given).status))

    return observe


def when(opened: Open) -> object:
    who = opened().bind(user="ana")
    return outcome(lambda: stored(who, "The ferry came", time="2026-05-01T23:30:00").time)


def stored(who: BoundMemory, content: str, **given: Any) -> Any:
    trace = who.remember(content, **given).trace
    assert trace is not None
    return trace


def waiting(opened: Open) -> object:
    """What a writer does while another program holds the file's lock for a while."""
    memory = opened()
    who = memory.bind(user="ana")
    came_of_it: list[object] = []
    with closing(sqlite3.connect(memory.health().path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer = threading.Thread(
            target=lambda: came_of_it.append(outcome(lambda: str(who.remember("x").status)))
        )
        writer.start()
        writer.join(0.3)
        other.execute("ROLLBACK")
        writer.join()
    return came_of_it


def connections(opened: Open) -> object:
    """How many connections are kept when eight have been used at once."""
    memory = opened()
    closed: list[object] = []
    event.listen(memory._brain.engine, "close", lambda *about: closed.append(about))
    at_once = [memory._brain.engine.connect() for _ in range(8)]
    for connection in at_once:
        connection.close()
    return 8 - len(closed)


def page_cache(opened: Open) -> object:
    with opened()._brain.read() as connection:
        return connection.exec_driver_sql("PRAGMA cache_size").scalar()


def strengths(opened: Open) -> object:
    """Of a new trace, and after it was said again."""
    who = opened().bind(user="ana")
    return [stored(who, "The ferry came").strength for _ in range(2)]


def batches(opened: Open) -> object:
    steps: list[tuple[int, int, str]] = []
    who = opened().bind(user="ana")
    who.remember_many([f"note {at}" for at in range(5)], progress=lambda *at: steps.append(at))
    return steps


SENTENCES = (
    "The old boat is red and leaks. Ruth keeps her violin under the stairs. "
    "Nobody knows when the ferry will come."
)


def passage(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember(SENTENCES)
    return who.recall("violin")[0].why.passage


def nearness(opened: Open) -> object:
    """The score by vectors of a text whose second sentence is asked for."""
    who = opened().bind(user="ana")
    who.remember(SENTENCES)
    return who.recall("Ruth keeps her violin under the stairs")[0].why.arms["vector"].score


class Together:
    """An embedder that can read a text with its parts, and notes which way it was asked."""

    name, dimension = "together", 2

    def __init__(self) -> None:
        self.ways: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.ways.append("apart")
        return np.ones((len(texts), 2))

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> Any:
        self.ways.append("together")
        return [np.ones((len(group), 2)) for group in groups]


def asked_together(opened: Open) -> object:
    embedder = Together()
    opened(embedder=embedder).bind(user="ana").remember(SENTENCES)
    return embedder.ways


def segments(opened: Open) -> object:
    memory = opened()
    memory.bind(user="ana").remember_many([f"note {at}" for at in range(5)])
    with raw(memory) as connection:
        return connection.execute("SELECT count(*) FROM trace_segments").fetchone()


def near_ones(opened: Open) -> object:
    """The nearest of 1,200 texts to a question that shares no word with them, and how near."""
    who = opened().bind(user="ana")
    who.remember_many([f"w{at} x{at % 7}" for at in range(1_200)])
    return [(hit.trace.content, hit.score) for hit in who.recall("violin", limit=10)]


def rereading(opened: Open) -> object:
    """How many statements an answer takes, after others have been answered."""
    memory = opened()
    people = [memory.bind(user=name) for name in ("ana", "bob", "cleo")]
    for who in people:
        who.remember_many(["The violin", "The ferry"])
        who.recall("violin")
    statements: list[object] = []
    event.listen(
        memory._brain.engine, "before_cursor_execute", lambda *about: statements.append(about)
    )
    people[0].recall("violin", touch=False)
    return len(statements)


def asking_again(opened: Open) -> object:
    """How many statements a question takes that was asked twice before."""
    memory = opened()
    who = memory.bind(user="ana")
    who.remember_many([f"The ferry {at} left" for at in range(6)])
    for _ in range(2):
        who.recall("ferry", touch=False)
    statements: list[object] = []
    event.listen(
        memory._brain.engine, "before_cursor_execute", lambda *about: statements.append(about)
    )
    who.recall("ferry", touch=False)
    return len(statements)


TALK: list[dict[str, Any]] = [
    {"content": "The orchestra needs strings for the violin. Who sells any?", "speaker": "Ruth",
     "strength": 0.9},
    {"content": "A shop on Elm Street sells them. It opens at nine every single day.",
     "role": "assistant"},
    {"content": "Violin strings from that shop cost ten, violin bows cost more",
     "role": "assistant"},
    {"content": "I bought strings, three of them. Then I went home by the late ferry.",
     "speaker": "Matteo"},
    {"content": "Rain again today. There is mud on all of the roads here.", "speaker": "Ruth"},
]  # fmt: skip
PLAIN = "strings for a violin"
ASKED = "Which violin strings did you recommend?"
NAMING = "What strings did Matteo buy for the violin?"
COUNTING = "How much does a bow for the violin cost?"
DATED = "strings for a violin on 1 June 2026"
EVERY = {PLAIN, ASKED, NAMING, COUNTING, DATED}


def talk(opened: Open) -> dict[str, list[tuple[str, float]]]:
    """The answers to some questions with their scores."""
    who = opened().bind(user="ana")
    for thread in ("monday", "tuesday"):
        texts = [{**turn, "thread": thread} for turn in TALK]
        who.remember_many(texts if thread == "monday" else [{**texts[4], "speaker": "Noor"}])
    return {
        question: [(h.trace.content, round(h.score, 4)) for h in who.recall(question, touch=False)]
        for question in sorted(EVERY)
    }


class Angles:
    """To its vectors, a text is as far from a question as its number says."""

    name, dimension = "angles", 2

    def embed(self, texts: Sequence[str]) -> Any:
        angles = [0.0 if "?" in text else int(text.split()[0]) / 10 for text in texts]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles])


def interleaved(opened: Open) -> object:
    """The order of some answers, on which words and vectors do not agree."""
    who = opened(embedder=Angles()).bind(user="ana")
    held = ["violin", "rain ferry", "mud", "ferry violin", "ferry", "violin ferry lantern"]
    for at, words in enumerate(held * 2):
        who.remember(f"{at} {words}", thread=str(at))
    return [hit.trace.content for hit in who.recall("violin ferry lantern?", touch=False)]


class Synonyms:
    """An expander that knows one word, and a reranker that puts long texts first."""

    name = "synonyms"

    def expand(self, question: str) -> list[str]:
        return ["a fiddle for the orchestra"]

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def reworded(opened: Open) -> object:
    who = opened(expander=Synonyms()).bind(user="ana")
    who.remember_many(["The violin", "A fiddle, as they say", "Violins in the orchestra"])
    return [(hit.trace.content, round(hit.score, 4)) for hit in who.recall("violin")]


def reranked(opened: Open) -> object:
    who = opened(reranker=Synonyms()).bind(user="ana")
    who.remember_many(["The violin", "A violin that is of some length"])
    return [hit.trace.content for hit in who.recall("violin", limit=1)]


def considered(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember_many(["The violin", "A violin", "Violins"])
    packet = who.context("violin")
    return len(packet.lines) + packet.omitted


def offering(opened: Open) -> object:
    """Whether a packet offers a standing wish that is far from the question."""
    who = opened().bind(user="ana")
    who.remember_many([f"The violin {at}" for at in range(60)])
    who.remember("I prefer tea", role="user")
    return "prefer tea" in who.context("violin", budget_tokens=400).text


def facts_found(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember("Ana lives in Lisbon.")
    return [fact.value for fact in who.facts()]


def profiled(opened: Open) -> object:
    """What may support a profile."""
    who = opened().bind(user="ana")
    who.remember("The ferry came")
    return who.count(usable_for="personalization")


def swept(opened: Open) -> object:
    """How much of what has waited for thirty days expires."""
    memory = opened()
    assert memory.bind(user="ana").remember(SECRET).status == "candidate"
    memory._clock.advance(days=30)  # type: ignore[attr-defined]
    return memory.reviewer("dana").sweep()


SECRET = "My password is hunter2-Zx81."
BY_BITS = {"exact_vectors": 0}
TABLE: dict[str, tuple[object, Observer, dict[str, Any]]] = {
    "timezone": ("America/New_York", when, {}),
    "storage.busy_timeout_ms": (0, waiting, {}),
    "storage.pool_size": (2, connections, {}),
    "storage.cache_kib": (64, page_cache, {}),
    "encoding.max_content_chars": (10, remembering(content="eleven chars"), {}),
    "encoding.max_metadata_chars": (9, remembering(content="x", metadata={"key": "long"}), {}),
    "encoding.max_labels": (1, remembering(content="x", tags=["a", "b"]), {}),
    "encoding.base_strength": (0.2, strengths, {}),
    "encoding.reinforcement": (0.3, strengths, {}),
    "encoding.batch_size": (2, batches, {}),
    "index.passage_words": (8, passage, {}),
    "index.sentence_vectors": (False, nearness, {}),
    "index.sentences_apart": (True, asked_together, {}),
    "index.max_sentences": (1, nearness, {}),
    "index.segment_passages": (2, segments, {}),
    "index.exact_vectors": (0, near_ones, {}),
    "index.rescored_vectors": (1, near_ones, BY_BITS),
    "index.cached_entries": (1, rereading, {}),
    "index.cached_postings": (0, asking_again, {"segment_passages": 2}),
    "retrieval.wording_weight": (0.1, reworded, {}),
    "retrieval.reranked": (1, reranked, {}),
    "retrieval.vector_slot": (2, interleaved, {}),
    "retrieval.vector_slot_weight": (0.0, interleaved, {"vector_slot": 2}),
    "context.candidates": (2, considered, {}),
    "context.standing": (0, offering, {}),
    "context.standing_share": (0.0, offering, {}),
    "review.mode": ("strict", remembering(content="x", source="tool_result"), {}),
    "review.hold": (["instruction"], remembering(content=SECRET), {}),
    "review.expire_days": (7, swept, {}),
    "learning.mode": ("frozen", remembering(content="x"), {}),
    "learning.find_facts": (False, facts_found, {}),
    "trust.policies": ({"user_statement": {"usable_for": []}}, profiled, {}),
}

WEIGHTS: dict[str, tuple[float, set[str]]] = {
    "previous_weight": (0.1, EVERY),
    "previous_question_weight": (0.1, EVERY),
    "near_words": (0, EVERY),
    "near_weight": (0.0, EVERY),
    "proximity_weight": (2.0, EVERY),
    "feedback_weight": (0.0, EVERY),
    "feedback_texts": (1, EVERY),
    "feedback_words": (1, EVERY),
    "first_person_boost": (2.0, EVERY),
    "number_boost": (2.0, {COUNTING}),
    "date_boost": (2.0, {DATED}),
    "next_weight": (0.1, EVERY),
    "k1": (2.0, EVERY),
    "b": (0.1, EVERY),
    "thread_weight": (2.0, EVERY),
    "thread_reply_words": (0, EVERY),
    "assistant_weight": (0.9, EVERY - {ASKED}),
    "assistant_weight_asked": (0.1, {ASKED}),
    "unnamed_weight": (0.1, {NAMING}),
    "sentence_share": (0.9, EVERY),
    "neighbour_share": (0.9, EVERY),
    "assistant_malus": (0.9, EVERY - {ASKED}),
    "assistant_malus_asked": (0.9, {ASKED}),
    "unnamed_malus": (0.9, {NAMING}),
    "vector_weight": (0.9, EVERY),
    "noise_cosine": (0.9, EVERY - {DATED}),
    "strength_weight": (0.9, EVERY),
}
"""Each weight, another value, and the questions whose answers it moves: those and no others."""


def test_no_setting_is_left_out_here() -> None:
    assert {*TABLE, *(f"retrieval.{name}" for name in WEIGHTS)} == set(fields())


@pytest.fixture
def opened_with(open_brain: Opener) -> Callable[[Settings], Open]:
    """Opens a new brain with some settings."""
    return lambda settings: (
        lambda **more: open_brain(f"{next(numbers)}.db", settings=settings, **more)
    )


def test_the_same_settings_do_the_same(opened_with: Callable[[Settings], Open]) -> None:
    """What is observed below is no accident."""
    observers = {observer: base for _, observer, base in TABLE.values()}
    for observe in observers.keys() - {near_ones, waiting}:
        assert observe(opened_with(Settings())) == observe(opened_with(Settings()))
    assert talk(opened_with(Settings())) == talk(opened_with(Settings()))


@pytest.mark.parametrize("name", TABLE)
def test_changing_it_changes_what_happens(
    opened_with: Callable[[Settings], Open], name: str
) -> None:
    value, observe, base = TABLE[name]
    usual = Settings(**({name.split(".", maxsplit=1)[0]: base} if base else {}))
    changed = configured(name, value, base)
    assert value_of(usual, name) != value_of(changed, name)
    assert observe(opened_with(usual)) != observe(opened_with(changed))


@pytest.mark.parametrize("name", WEIGHTS)
def test_changing_a_weight_moves_the_answers_that_it_should(
    opened_with: Callable[[Settings], Open], name: str
) -> None:
    value, moved = WEIGHTS[name]
    usual = talk(opened_with(Settings()))
    other = talk(opened_with(configured(f"retrieval.{name}", value)))
    assert all(usual.values())
    assert {question for question in usual if usual[question] != other[question]} == moved


@pytest.mark.parametrize("name", list(fields()))
def test_it_can_be_set_by_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    value = TABLE[name][0] if name in TABLE else WEIGHTS[name.removeprefix("retrieval.")][0]
    changed = value_of(configured(name, value), name)
    assert value_of(Settings(), name) != changed
    written = json.dumps(value) if isinstance(value, list | dict) else str(value)
    monkeypatch.setenv("MNEMIC_" + name.upper().replace(".", "__"), written)
    assert value_of(Settings(), name) == changed


@pytest.mark.parametrize("name", list(fields()))
def test_it_says_what_it_is(name: str) -> None:
    *groups, last = name.split(".")
    model: Any = Settings
    for group in groups:
        model = model.model_fields[group].annotation
    assert model.model_fields[last].description
