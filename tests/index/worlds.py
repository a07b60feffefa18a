"""Random small brains, and what is known of each without looking into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from mnemic import BoundMemory, Draft, Hit, Status
from mnemic.index.text.features import Feature, features
from mnemic.index.text.passages import split_passages
from mnemic.index.text.sentences import split_sentences
from mnemic.index.text.tokens import stems
from mnemic.settings import Index
from tests.conftest import WordVectors

WORDS = (
    "river rivers went go lantern copper violin harbour map maps bread café cafe 東京都 wood "
    "the remind last Ann Bo zephyr 7 ten wooden viola cello loaf metal I"
).split()
"""Few, so that they meet: with forms of one stem, words near to others, accents, an unspaced
script, and words that count less in a question or nothing."""

QUESTIONS = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
    st.sampled_from(
        [
            "What did Ann say about the river?",
            "What did you recommend about bread, and where was the map?",
            "When did Bo go to the harbour last?",
            "How many maps of the river has Ann?",
            "June violin",
            "Which bread did Bo bring yesterday?",
            "Where was the copper lantern in May?",
        ]
    ),
)

_sentence = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
CONTENTS = st.builds(
    lambda several, end: ". ".join(several) + end,
    st.lists(_sentence, min_size=1, max_size=4),
    st.sampled_from("..?"),
)

SCOPES = ("user", "thread", "persona", "organization")
BINDING = {"user": "ana", "thread": "now", "persona": "coach", "organization": "acme"}

DRAFTS = st.builds(
    Draft,
    content=CONTENTS,
    scope=st.sampled_from(SCOPES),
    thread=st.none(),
    speaker=st.sampled_from([None, "Ann", "Bo"]),
    role=st.sampled_from([None, "user", "assistant"]),
    tags=st.sampled_from([(), ("wood",), ("violin", "map")]),
    entities=st.sampled_from([(), ("Copper River",)]),
    time=st.sampled_from([None, None, "2026-05-31", "2026-05-12", "2025-06-01"]),
    strength=st.sampled_from([None, 0.1, 0.9]),
)


def _with_thread(draft: Draft, thread: str) -> Draft:
    # What is filed under a thread belongs to the one that its writer is bound to.
    return draft if draft.scope == "thread" else replace(draft, thread=thread)


WRITES = st.builds(_with_thread, DRAFTS, st.sampled_from(["now", "then", "later"]))


class Moody(WordVectors):
    """An embedder that may be out of order: what is then written has no vectors."""

    broken = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.broken:
            raise ConnectionError("no answer")
        return super().embed(texts)


@dataclass(frozen=True)
class Write:
    """Remember some things in one call; `broken`: while a `Moody` embedder is out of order."""

    drafts: tuple[Draft, ...]
    broken: bool = False


@dataclass(frozen=True)
class Change:
    """Do something to one of the traces that there are."""

    what: str
    which: int
    content: str


OPERATIONS = st.one_of(
    st.builds(
        Write,
        drafts=st.lists(WRITES, min_size=1, max_size=6).map(tuple),
        broken=st.sampled_from([False, False, True]),
    ),
    st.builds(
        Change,
        what=st.sampled_from(["correct", "correct", "forget", "restore"]),
        which=st.integers(0, 1_000),
        content=CONTENTS,
    ),
)
HISTORIES = st.lists(OPERATIONS, min_size=1, max_size=8)


@dataclass
class Text:
    """One wording of one trace, in the place that it has in the index.

    Args:
        partition: its scope.
        seq: how many wordings the scope had before it.
        position: the place of its trace's first wording, which orders the thread.
        embedded: whether it has vectors.
    """

    trace_id: str
    content: str
    partition: str
    seq: int
    position: int
    thread: str | None
    speaker: str | None
    role: str | None
    labels: tuple[str, ...]
    time: datetime
    strength: float
    embedded: bool = True
    alive: bool = True

    @property
    def of_thread(self) -> tuple[str, str | int]:
        """Its thread within its scope; without one it is alone, with its other wordings."""
        return (self.partition, self.position if self.thread is None else f"#{self.thread}")

    @property
    def by_assistant(self) -> bool:
        return self.role == "assistant"

    @cached_property
    def features(self) -> Feature:
        return features(self.content)

    @cached_property
    def head(self) -> list[str]:
        """Search words of its date, its speaker, its tags and its entities."""
        date = f"{self.time.day} {self.time:%B %Y %A}"
        return stems(" ".join([date, self.speaker or self.role or "", *self.labels]))

    def passages(self, most: int) -> list[Passage]:
        """Its passages, of some words at most."""
        found: list[Passage] = []
        for a, b in split_passages(self.content, most):
            before = sum(len(passage.words) for passage in found)
            found.append(Passage(self, self.content[a:b], stems(self.content[a:b]), before))
        found[-1].asks = Feature.ASKS in self.features
        return found

    def to_embed(self, index: Index) -> list[str]:
        """What it has vectors of: the whole text, then its sentences if there are several."""
        whole = f"{self.speaker}: {self.content}" if self.speaker else self.content
        sentences: list[str] = []
        if index.sentence_vectors and not self.by_assistant:
            sentences = split_sentences(self.content, most=index.max_sentences)
        return [whole, *sentences] if len(sentences) > 1 else [whole]


@dataclass(eq=False)
class Passage:
    """A piece of a text, with the pieces beside it in its thread."""

    text: Text
    excerpt: str
    words: list[str]
    start: int  # words of the same text before it
    asks: bool = False  # it is the last of a text that ends with a question
    before: Passage | None = None
    after: Passage | None = None

    def length(self) -> int:
        beside = sum(len(p.words) for p in (self.before, self.after) if p is not None)
        return len(self.words) + len(self.text.head) + beside


class World:
    """What a brain must hold, kept by following the receipts."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self._filed: dict[str, int] = dict.fromkeys(SCOPES, 0)

    def apply(self, who: BoundMemory, operation: Write | Change) -> None:
        """Do it to a brain, and note what became of it."""
        if isinstance(operation, Write):
            Moody.broken = operation.broken
            self._write(who, operation)
            Moody.broken = False
            return
        states = operation.what == "restore"
        targets = [text for text in self._newest() if text.alive is not states]
        if targets:
            self._change(who, operation, targets[operation.which % len(targets)])

    def _newest(self) -> list[Text]:
        """The newest wording of each trace, by id."""
        return list({text.trace_id: text for text in self.texts}.values())

    def _write(self, who: BoundMemory, write: Write) -> None:
        for draft, receipt in zip(write.drafts, who.remember_many(write.drafts), strict=True):
            trace = receipt.trace
            if receipt.status is Status.REINFORCED and trace is not None:
                for text in self.texts:
                    if text.trace_id == trace.id:
                        text.strength = trace.strength
            if receipt.status is not Status.STORED or trace is None:
                continue
            scope = str(draft.scope)
            self._file(
                Text(
                    trace_id=trace.id,
                    content=trace.content,
                    partition=scope,
                    seq=self._filed[scope],
                    position=self._filed[scope],
                    thread=trace.thread,
                    speaker=trace.speaker,
                    role=trace.role,
                    labels=(*trace.tags, *trace.entities),
                    time=trace.time,
                    strength=trace.strength,
                    embedded=not write.broken,
                )
            )

    def _file(self, text: Text) -> None:
        """File it after the last text of its scope: that is the order of the index."""
        own = [at for at, other in enumerate(self.texts) if other.partition == text.partition]
        self.texts.insert(own[-1] + 1 if own else len(self.texts), text)
        self._filed[text.partition] += 1

    def _change(self, who: BoundMemory, operation: Change, text: Text) -> None:
        """Change a text, unless to words that were found wrong elsewhere in this world."""
        if operation.what == "restore":
            receipt = who.restore(text.trace_id, reason="it was right")
            text.alive = receipt.reason != "rejected"
        elif operation.what == "forget":
            who.forget(text.trace_id)
            text.alive = False
        else:
            receipt = who.correct(text.trace_id, operation.content, reason="it was wrong")
            if receipt.reason == "rejected":
                return
            assert receipt.trace is not None
            if receipt.trace.content != text.content:
                text.alive = False
                new = replace(text, content=receipt.trace.content, alive=True, embedded=True)
                self._file(replace(new, seq=self._filed[text.partition]))

    def within(self, *scopes: str) -> list[Text]:
        """The texts of some scopes only."""
        return [text for text in self.texts if text.partition in scopes]


def told(hits: Sequence[Hit]) -> list[tuple[Any, ...]]:
    """All that an answer says, in a form that can be compared."""
    return [
        (
            hit.trace.id,
            hit.score,
            dict(hit.why.arms),
            hit.why.terms,
            hit.why.passage,
            list(hit.why.breakdown.items()),
        )
        for hit in hits
    ]
