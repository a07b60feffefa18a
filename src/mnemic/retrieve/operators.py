"""Operator queries: `"a phrase"`, `+must`, `-not`, `this OR that`, `begin*`.

A question is text, and nothing in it is an operator unless the caller says so. With operators,
what is required and what is barred decide which texts are answers; how well they answer is told
by the same words as ever. Words are looked for in all their forms, by their stems, and a phrase
within one passage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.text.tokens import stem, words
from mnemic.index.view import View
from mnemic.model.errors import InvalidInput

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

_PIECE = re.compile(r'(?P<sign>[+-]?)(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')

_SHORTEST_BEGINNING = 2
_MOST_BEGUN = 32
"""Words that a beginning asks for in the ranking, the most frequent ones; all of them match."""


@dataclass(frozen=True, slots=True)
class Item:
    """What a text holds or not.

    Args:
        stems: that stand one after another.
        begins: the only one of them is the beginning of a word.
    """

    stems: tuple[str, ...]
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Operators:
    """An operator query, read.

    Args:
        question: the words to rank by.
        required: of each group, an answer holds one item.
        barred: items that no answer holds.
    """

    question: str
    required: tuple[tuple[Item, ...], ...]
    barred: tuple[Item, ...]


def read_operators(query: str) -> Operators:
    """Read an operator query.

    Raises:
        InvalidInput: a quote has no end, OR has nothing beside it, a beginning is too short or
            stands in a phrase, or there is no word to look for.
    """
    if query.count('"') % 2:
        raise InvalidInput(f"query {query!r} has a quote without its end; close it or leave it out")
    question: list[str] = []
    required: list[tuple[Item, ...]] = []
    barred: list[Item] = []
    joins, joinable = False, False
    for piece in _PIECE.finditer(query):
        sign, text = piece["sign"], piece["phrase"] or piece["word"] or ""
        if text == "OR" and piece["phrase"] is None and not sign:
            if not joinable:
                raise InvalidInput(f"query {query!r}: OR stands between two words or phrases")
            joins, joinable = True, False
            continue
        item = _item(query, text, piece["phrase"] is not None)
        if item is None:
            continue
        if sign == "-":
            barred.append(item)
            joinable = False
            continue
        question.append(text.rstrip("*"))
        if joins:
            # A plain word before OR is an alternative too.
            required[-1] = (*required[-1], item)
        elif sign or piece["phrase"] is not None or item.begins or _or_follows(query, piece.end()):
            required.append((item,))
        joins, joinable = False, True
    if joins:
        raise InvalidInput(f"query {query!r}: OR stands between two words or phrases")
    if not question:
        raise InvalidInput(f"query {query!r} has no word to look for; say what an answer holds")
    return Operators(" ".join(question), tuple(required), tuple(barred))


def _or_follows(query: str, at: int) -> bool:
    return re.match(r"\s+OR(?:\s|$)", query[at:]) is not None


def _item(query: str, text: str, phrase: bool) -> Item | None:
    begins = text.endswith("*") and not phrase
    found = words(text.rstrip("*") if begins else text)
    if begins and (len(found) != 1 or len(found[0]) < _SHORTEST_BEGINNING):
        raise InvalidInput(
            f"query {query!r}: {text!r} must begin a word with at least "
            f"{_SHORTEST_BEGINNING} letters"
        )
    if not found:
        return None
    return Item((found[0],) if begins else tuple(map(stem, found)), begins)


def matching(view: View, connection: Connection, operators: Operators) -> Bools:
    """Which entries of the view hold all that is required and nothing that is barred."""
    matches: Bools = view.alive.copy()
    for group in operators.required:
        held = np.zeros(len(matches), np.bool_)
        for item in group:
            held |= _holding(view, connection, item)
        matches &= held
    for item in operators.barred:
        matches &= ~_holding(view, connection, item)
    return matches


def begun_words(view: View, connection: Connection, operators: Operators) -> list[str]:
    """Stems that the beginnings of a query stand for, to rank by: the most frequent ones."""
    found: list[str] = []
    for item in (item for group in operators.required for item in group if item.begins):
        held = view.held(connection, view.vocabulary(connection, item.stems[0]))
        found += sorted(held, key=lambda word: (-held[word], word))[:_MOST_BEGUN]
    return found


def _holding(view: View, connection: Connection, item: Item) -> Bools:
    """The entries that hold an item in their own text."""
    holding = np.zeros(len(view.alive), np.bool_)
    asked: Sequence[str] = item.stems
    if item.begins:
        asked = view.vocabulary(connection, item.stems[0])
    lists = view.lists(connection, list(dict.fromkeys(asked)))
    places = {word: seqs[own > 0] for word, (seqs, own, _) in lists.items()}
    if item.begins or len(item.stems) == 1:
        for seqs in places.values():
            holding[view.entry_of[seqs]] = True
        return holding
    if len(places) < len(set(item.stems)):
        return holding
    passages = _common(list(places.values()))
    for passage, held in zip(passages.tolist(), view.words(connection, passages), strict=True):
        if _stands_in(item.stems, held):
            holding[view.entry_of[passage]] = True
    return holding


def _common(several: Sequence[Ints]) -> Ints:
    """The passages in all of some lists."""
    found = several[0]
    for other in several[1:]:
        found = np.intersect1d(found, other, assume_unique=True)
    return found


def _stands_in(phrase: Sequence[str], held: Sequence[str]) -> bool:
    """Whether words stand one after another among others."""
    wanted, count = list(phrase), len(phrase)
    return any(
        held[at] == wanted[0] and list(held[at : at + count]) == wanted
        for at in range(len(held) - count + 1)
    )
