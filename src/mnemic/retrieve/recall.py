"""Recall: the road out, from a question to its hits."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mnemic.index import dense
from mnemic.index.cache import IndexCache
from mnemic.index.embed.base import CachedQueries
from mnemic.index.lexical import score as lexical
from mnemic.index.text.dates import date_ranges
from mnemic.index.text.features import Feature
from mnemic.index.text.language import language
from mnemic.index.text.question import Question, read_question
from mnemic.index.view import View
from mnemic.model.answer import Hit, SearchMode
from mnemic.model.mind import NEUTRAL, Mood
from mnemic.model.origin import TRUSTED
from mnemic.retrieve.activate import lifted
from mnemic.retrieve.ahead import ahead, given_up
from mnemic.retrieve.beside import with_beside
from mnemic.retrieve.explain import Ranks, explain
from mnemic.retrieve.fence import Fence
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.naming import named
from mnemic.retrieve.nearby import NOTHING, Nearby, nearby
from mnemic.retrieve.operators import Operators, begun_words, matching
from mnemic.retrieve.rank import Ranking, Scanned
from mnemic.retrieve.standing import Standing
from mnemic.retrieve.weights import weigh
from mnemic.settings import Retrieval, Settings
from mnemic.store.brain import Brain
from mnemic.store.schema import trace_versions

_BY_PEOPLE = trace_versions.c.origin.in_([origin.value for origin in TRUSTED])
"""What a tool or a page says is data: a rule in it is offered to nobody who does not ask for it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked.

    Args:
        question: in any words; nothing in it is an operator.
        mode: which arms search.
        wordings: the same in other words, which count less.
        far: give what is no answer as well.
        standing: how many standing wishes of people are given besides, whatever is asked.
        operators: what answers hold, and what they do not; None for a question in plain words.
        beside: how many traces before and after each hit are given with it.
        mood: of the agent that asks.
    """

    question: str
    mode: SearchMode = SearchMode.HYBRID
    wordings: tuple[str, ...] = ()
    far: bool = False
    standing: int = 0
    operators: Operators | None = None
    beside: int = 0
    mood: Mood = NEUTRAL


@dataclass(frozen=True, slots=True)
class Answers:
    """What was found.

    Args:
        hits: best first.
        standing: standing wishes, those nearest to the question first.
        behind: what stood right behind the hits, and what lies between (`retrieve/nearby.py`).
    """

    hits: list[Hit]
    standing: list[Hit]
    behind: Nearby = NOTHING


def search(
    brain: Brain,
    cache: IndexCache,
    queries: CachedQueries | None,
    asked: Asked,
    filters: Filters,
    limit: int,
) -> Answers:
    """The traces that answer a question, best first, at most `limit`.

    Args:
        brain: what is asked.
        cache: its index.
        queries: makes the question's vector; None for words only.
        asked: the question.
        filters: what every answer must meet.
        limit: at least 1.
    """
    if asked.mode is SearchMode.LEXICAL:
        queries = None
    if queries is None:
        with brain.read() as connection:
            view = cache.view(connection, filters.reach, filters.clocks.known_at, None)
            fence = Fence(connection, brain, view, filters, _standing(brain, asked, filters))
            naming = named(asked.question, view.speakers)
            return _answers(fence, asked, naming.speakers, None, None, limit)
    # The model is what takes longest, so it begins before the database is asked who speaks.
    last = cache.last_speakers(filters.reach)
    guess = named(asked.question, last).bare if last is not None else None
    seen: Future[tuple[View, str]] = Future()
    by_vector = partial(_scan, brain.settings, queries, asked.wordings, guess, seen)
    model = (queries.name, queries.dimension)
    with ahead(by_vector) as scanned, given_up(seen), brain.read() as connection:
        view = cache.view(connection, filters.reach, filters.clocks.known_at, model)
        naming = named(asked.question, view.speakers)
        if len(view.alive):
            seen.set_result((view, naming.bare))
        fence = Fence(connection, brain, view, filters, _standing(brain, asked, filters))
        return _answers(fence, asked, naming.speakers, scanned, queries.name, limit)


def _answers(
    fence: Fence,
    asked: Asked,
    speakers: NDArray[np.bool_],
    scanned: Scanned | None,
    model: str | None,
    limit: int,
) -> Answers:
    """The answers, by words and by what the vector of the question finds meanwhile."""
    view, settings = fence.view, fence.brain.settings.retrieval
    if not len(view.alive):
        return Answers([], [])
    read = _with_wordings(read_question(asked.question), asked.wordings, settings)
    allowed = None
    if asked.operators is not None:
        allowed = matching(view, fence.connection, asked.operators)
        read = _with_stems(read, begun_words(view, fence.connection, asked.operators))
    days = date_ranges(asked.question, fence.filters.today, language().dates)
    weights = weigh(view, read, speakers, days, model, settings)
    words = lexical.score(view, fence.connection, read, weights.factor, fence.readable, settings)
    required = asked.operators is not None and bool(asked.operators.required)
    ranking = Ranking(
        view, words, scanned, weights, settings, asked.mode, asked.far, allowed, required
    )
    mixed, near = ranking.ranked()
    cut = fence.best(mixed, limit)
    living = np.flatnonzero(view.alive)
    if near is not None and len(cut.found) < limit and not near.scored[living].all():
        # What the scan by bits let through was not what the filters ask for: score it all.
        mixed, near = ranking.ranked(living)
        cut = fence.best(mixed, limit)
    cut = lifted(fence, cut, limit)
    explained = partial(explain, fence.connection, read, Ranks(view, words, mixed, near))
    wishes: list[Hit] = []
    if asked.standing:
        lasting = (view.features & Feature.STANDING).astype(np.bool_)
        offered = mixed.among(np.flatnonzero(lasting & view.alive & ~view.assistant))
        wishes = explained(fence.best(offered, asked.standing, _BY_PEOPLE).found)
    hits = with_beside(fence, cut.found, explained(cut.found), asked.beside)
    return Answers(hits, wishes, nearby(view, cut, near))


def _standing(brain: Brain, asked: Asked, filters: Filters) -> Standing:
    return Standing(brain.settings.mind, filters.now, asked.mood)


def _scan(
    settings: Settings,
    queries: CachedQueries,
    wordings: Sequence[str],
    guess: str | None,
    seen: Future[tuple[View, str]],
) -> dense.Scan:
    """What the vector of a question finds by itself.

    Args:
        settings: of the brain.
        queries: makes the vector, and keeps it.
        wordings: the question in other words.
        guess: the question as it will most likely be embedded; None to wait for it.
        seen: the view, and the question as it is embedded.
    """
    if guess is not None:
        queries.embed_one(guess)
    view, question = seen.result()
    vector = _vector(queries, question, wordings, settings.retrieval)
    return dense.scan(view, vector, settings.index.rescored_vectors, settings.retrieval)


def _with_wordings(read: Question, wordings: Sequence[str], settings: Retrieval) -> Question:
    """The question with the words of other wordings at less weight."""
    if not wordings:
        return read
    terms = dict(read.terms)
    surface = dict(read.surface)
    for other in map(read_question, wordings):
        for stem, weight in other.terms.items():
            terms.setdefault(stem, settings.wording_weight * weight)
            surface.setdefault(stem, other.surface[stem])
    return replace(read, terms=terms, surface=surface)


def _with_stems(read: Question, stems: Sequence[str]) -> Question:
    """The question with more words to rank by."""
    if not stems:
        return read
    return replace(read, terms={**read.terms, **dict.fromkeys(stems, 1.0)})


def _vector(
    queries: CachedQueries, question: str, wordings: Sequence[str], settings: Retrieval
) -> NDArray[np.float32]:
    """The vector of a question, drawn towards its other wordings."""
    vector = queries.embed_one(question)
    if not wordings:
        return vector
    others = np.mean([queries.embed_one(one) for one in wordings], axis=0)
    drawn: NDArray[np.float32] = vector + np.float32(settings.wording_weight) * others
    return drawn / np.float32(max(float(np.linalg.norm(drawn)), 1e-9))
