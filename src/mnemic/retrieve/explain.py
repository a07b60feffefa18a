"""The reason for each hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mnemic.index.dense import Dense
from mnemic.index.lexical.score import Lexical
from mnemic.index.text.question import Question
from mnemic.index.view import View
from mnemic.model.answer import ArmScore, Hit, Why
from mnemic.retrieve.mix import Mixed
from mnemic.store.schema import trace_passages
from mnemic.store.visible import to_trace

if TYPE_CHECKING:
    from mnemic.retrieve.fence import Found

_p = trace_passages.c

Ints = NDArray[np.int64]
Small = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Ranks:
    """What the arms made of a view, for explaining.

    Args:
        view: what was searched.
        words: the arm of the words.
        mixed: the ranking.
        dense: the arm of the vectors; None when there is none.
    """

    view: View
    words: Lexical
    mixed: Mixed
    dense: Dense | None


def explain(
    connection: Connection, question: Question, ranks: Ranks, found: Sequence[Found]
) -> list[Hit]:
    """Hits with their reasons, in the order given."""
    entries = [item.entry for item in found]
    passages = [_best_passage(ranks, entry) for entry in entries]
    spans = _spans(connection, ranks.view, passages)
    arms = _arms(ranks, entries)
    words = _words(question, ranks, passages)
    return [
        _hit(ranks, item, held, spans.get(passage), arm)
        for item, passage, held, arm in zip(found, passages, words, arms, strict=True)
    ]


def _passages_of(view: View, entry: int) -> tuple[int, int]:
    first = view.first_passage
    end = int(first[entry + 1]) if entry + 1 < len(first) else len(view.entry_of)
    return int(first[entry]), end


def _best_passage(ranks: Ranks, entry: int) -> int:
    first, end = _passages_of(ranks.view, entry)
    return first + int(np.argmax(ranks.words.passages[first:end])) if end > first + 1 else first


def _spans(
    connection: Connection, view: View, passages: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """The characters that each passage spans, of texts that have several."""
    wanted: dict[int, list[int]] = {}
    for passage in passages:
        entry = int(view.entry_of[passage])
        first, end = _passages_of(view, entry)
        if end > first + 1:
            wanted.setdefault(view.partition_of(entry), []).append(passage)
    found = {}
    for at, own in wanted.items():
        image, base = view.images[at], view.passage_base[at]
        query = select(_p.seq, _p.start, _p.end).where(
            _p.brain_id == image.brain_id,
            _p.partition == image.state.id,
            _p.seq.in_([passage - base for passage in own]),
        )
        for seq, start, end in connection.execute(query):
            found[seq + base] = (start, end)
    return found


def _arms(ranks: Ranks, entries: Sequence[int]) -> list[dict[str, ArmScore]]:
    """For each entry, the arms that found it, with its rank and score there."""
    arms: list[dict[str, ArmScore]] = [{} for _ in entries]
    by_words = ranks.mixed.ranks(ranks.mixed.words, entries)
    for arm, entry, rank in zip(arms, entries, by_words, strict=True):
        if ranks.words.found[entry]:
            arm["lexical"] = ArmScore(rank, float(ranks.words.scores[entry]))
    if ranks.dense is not None:
        by_vectors = ranks.mixed.ranks(ranks.mixed.vectors, entries)
        for arm, entry, rank in zip(arms, entries, by_vectors, strict=True):
            if ranks.dense.scored[entry]:
                arm["vector"] = ArmScore(rank, float(ranks.dense.scores[entry]))
    return arms


def _hit(
    ranks: Ranks,
    item: Found,
    held: _Held,
    span: tuple[int, int] | None,
    arms: dict[str, ArmScore],
) -> Hit:
    trace = to_trace(item.row)
    breakdown = {"lexical": float(ranks.mixed.words[item.entry])}
    if ranks.dense is not None:
        breakdown["vector"] = float(ranks.mixed.vectors[item.entry])
    if item.entry in ranks.mixed.lifted:
        breakdown["slot"] = ranks.mixed.lifted[item.entry]
    breakdown |= item.parts
    start, end = span if span is not None else (0, len(trace.content))
    why = Why(
        arms=arms,
        terms=tuple(held.asked),
        related=tuple(held.besides),
        passage=trace.content[start:end],
        breakdown=breakdown,
    )
    return Hit(score=item.score, trace=trace, why=why)


@dataclass(frozen=True, slots=True)
class _Held:
    """Words that a passage holds, or that stand beside it.

    Args:
        asked: those of the question, as they were asked.
        besides: stems that were looked for besides.
    """

    asked: list[str]
    besides: list[str]


def _words(question: Question, ranks: Ranks, passages: Sequence[int]) -> list[_Held]:
    """The words of each of some passages.

    A word that was typed is named where it stands and where it stands beside; one that was not,
    such as what a beginning stands for, only where it stands: what stands beside may be withheld
    from the reader.
    """
    found = [_Held([], []) for _ in passages]
    places = np.array(passages, np.int64)
    beside = ranks.view.before[places], ranks.view.after[places]
    for stem, (seqs, own, _) in ranks.words.lists.items():
        holding = _among(seqs, places)[0]
        typed = question.surface.get(stem)
        if typed is not None:
            for other in beside:
                there, at = _among(seqs, other)
                holding |= there & (own[at] > 0)
        for place in holding.nonzero()[0].tolist():
            if typed is not None:
                found[place].asked.append(typed)
            else:
                found[place].besides.append(stem)
    return found


def _among(seqs: Ints, places: Ints | Small) -> tuple[NDArray[np.bool_], Ints]:
    """Whether each place is among some ascending numbers, and at which index it is."""
    at = np.minimum(seqs.searchsorted(places), len(seqs) - 1)
    return seqs[at] == places, at
