"""The reason for each hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select, tuple_

from mnemic.index.lexical import Lexical
from mnemic.index.text.question import Question
from mnemic.index.view import View
from mnemic.model.answer import ArmScore, Hit, Why
from mnemic.retrieve.mix import Mixed
from mnemic.store.schema import trace_passages
from mnemic.store.visible import to_trace

if TYPE_CHECKING:
    from mnemic.retrieve.recall import Found

_p = trace_passages.c


@dataclass(frozen=True, slots=True)
class Ranks:
    """What the arms made of a view, for explaining.

    Args:
        view: what was searched.
        words: the arm of the words.
        mixed: the ranking.
        with_vectors: whether there was an arm of vectors.
    """

    view: View
    words: Lexical
    mixed: Mixed
    with_vectors: bool


def explain(
    connection: Connection, question: Question, ranks: Ranks, found: Sequence[Found]
) -> list[Hit]:
    """Hits with their reasons, in the order given."""
    passages = [_best_passage(ranks, item.entry) for item in found]
    spans = _spans(connection, ranks.view, passages)
    return [
        _hit(question, ranks, item, passage, spans.get(passage))
        for item, passage in zip(found, passages, strict=True)
    ]


def _best_passage(ranks: Ranks, entry: int) -> int:
    first = int(ranks.view.first_passage[entry])
    end = (
        int(ranks.view.first_passage[entry + 1])
        if entry + 1 < len(ranks.view.first_passage)
        else len(ranks.view.entry_of)
    )
    return first + int(np.argmax(ranks.words.passages[first:end]))


def _spans(
    connection: Connection, view: View, passages: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """The characters that each passage spans."""
    places = {}
    for passage in passages:
        at = view.partition_of(int(view.entry_of[passage]))
        places[(view.images[at].state.id, passage - view.passage_base[at])] = passage
    if not places:
        return {}
    brain_id = view.images[0].brain_id
    query = select(_p.partition, _p.seq, _p.start, _p.end).where(
        _p.brain_id == brain_id, tuple_(_p.partition, _p.seq).in_(list(places))
    )
    return {
        places[(row.partition, row.seq)]: (row.start, row.end) for row in connection.execute(query)
    }


def _hit(
    question: Question, ranks: Ranks, item: Found, passage: int, span: tuple[int, int] | None
) -> Hit:
    trace = to_trace(item.row)
    entry, mixed = item.entry, ranks.mixed
    arms: dict[str, ArmScore] = {}
    breakdown = {"lexical": float(mixed.words[entry])}
    if ranks.words.found[entry]:
        arms["lexical"] = ArmScore(
            _rank(mixed.words, mixed.order, entry), float(ranks.words.scores[entry])
        )
    if ranks.with_vectors:
        breakdown["vector"] = float(mixed.vectors[entry])
        arms["vector"] = ArmScore(
            _rank(mixed.vectors, mixed.order, entry), float(mixed.vectors[entry])
        )
    breakdown["strength"] = item.strength
    start, end = span if span is not None else (0, len(trace.content))
    why = Why(
        arms=arms,
        terms=_terms(question, ranks.words, passage),
        passage=trace.content[start:end],
        breakdown=breakdown,
    )
    return Hit(score=item.score, trace=trace, why=why)


def _rank(scores: NDArray[Any], among: NDArray[np.int64], entry: int) -> int:
    return 1 + int((scores[among] > scores[entry]).sum())


def _terms(question: Question, words: Lexical, passage: int) -> tuple[str, ...]:
    """The question's words that the passage holds, or that stand beside it."""
    held = []
    for stem, holders in words.holders.items():
        at = int(np.searchsorted(holders, passage))
        if at < len(holders) and holders[at] == passage:
            held.append(question.surface.get(stem, stem))
    return tuple(held)
