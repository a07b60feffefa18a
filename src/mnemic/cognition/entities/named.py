"""A name that a text holds, and the form in which two spellings of it are one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from mnemic.model.graph import EntityKind
from mnemic.model.text import without_invisible


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text.

    Args:
        label: as it is written there, without a title, an article or a possessive "'s".
        kind: what it is the name of.
        start: where it stands in the text, in characters.
    """

    label: str
    kind: EntityKind
    start: int


class EntityFinder(Protocol):
    """Whatever finds names in texts: `find_entities`, or a finder of the caller's own."""

    def __call__(self, text: str, /) -> Iterable[Named]:
        """The names in a text, each once, in the order in which they stand."""


_ROUNDS = 4
_POSSESSIVE = ("'s", "’s", "'", "’")
_ARTICLES = ("the ", "a ", "an ", "der ", "die ", "das ", "het ", "l'", "l’")
_EDGES = ' \t\r\n.,;:!?()[]{}<>"“”„«»‘*`|/\\'
_SPACES = re.compile(r"[\s_]+")


def entity_key(label: str) -> str:
    """The comparable form of a name: one node has all names of one key.

    Case, compatible characters, white space, marks around it, an article before it and a
    possessive "'s" after it do not count. Names are not guessed at: "Ana" and "Anna" stay two.

    Args:
        label: a name as it is written.

    Returns:
        Its key; the key of a key is the same. Empty if there is nothing in it to see.
    """
    key = label.lower()
    if _is_plain(key):
        return key
    key = label
    for _ in range(_ROUNDS):
        before = key
        key = _bared(_folded(key))
        if key == before:
            break
    return key


def _is_plain(low: str) -> bool:
    """Whether a label in small letters is its own key, as nearly all are."""
    bare = low.replace(" ", "")
    return (
        bare.isalnum()
        and bare.isascii()
        and not low.startswith(_ARTICLES)
        and low == " ".join(low.split())
    )


def _folded(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", without_invisible(text).casefold())
    return _SPACES.sub(" ", text.casefold())


def _bared(key: str) -> str:
    before = None
    while key != before:
        before = key
        key = key.strip(_EDGES)
        if key.endswith(_POSSESSIVE):
            key = _without(key, _POSSESSIVE, at_end=True)
        if key.startswith(_ARTICLES):
            key = _without(key, _ARTICLES, at_end=False)
    return key


def _without(key: str, parts: tuple[str, ...], *, at_end: bool) -> str:
    """A key without the first of some parts that it begins or ends with, if more is left."""
    for part in parts:
        rest = key.removesuffix(part) if at_end else key.removeprefix(part)
        if rest != key and len(rest) > at_end:
            return rest
    return key
