"""The query language of `memory_search`: operators as models know them from full-text search.

``AND`` and ``NOT`` are translated into the operators of `recall`; what is no operator query is
asked in plain words, so that no question of a model fails for its punctuation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mnemic.model.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory
    from mnemic.model.answer import Hit

_PIECE = re.compile(r'[+-]?(?:"[^"]*"|[^\s"]+)|"')
_WORDS = ("AND", "OR", "NOT")


def asked(bound: BoundMemory, query: str, **given: Any) -> list[Hit]:
    """The hits of a query, read with operators first, and as plain words if it cannot be.

    Args:
        bound: whose memory.
        query: as the model wrote it.
        given: other arguments of `recall`.
    """
    translated = with_signs(query)
    if translated is not None:
        try:
            return bound.recall(translated, operators=True, **given)
        except InvalidInput:
            pass  # it is no operator query; if something else is wrong, it is wrong below too
    return bound.recall(query, **given)


def with_signs(query: str) -> str | None:
    """The query with ``a AND b`` as ``+a +b`` and ``a NOT b`` as ``a -b``.

    Returns:
        None where AND or NOT does not stand between two words or phrases.
    """
    pieces = _PIECE.findall(query)
    pieces = [one for at, one in enumerate(pieces) if pieces[at : at + 2] != ["AND", "NOT"]]
    signs = [""] * len(pieces)
    for at, piece in enumerate(pieces):
        if piece not in ("AND", "NOT"):
            continue
        beside = [*pieces[max(0, at - 1) : at], *pieces[at + 1 : at + 2]]
        if len(beside) < 2 or any(one in _WORDS for one in beside):
            return None
        signs[at + 1] = "+" if piece == "AND" else "-"
        # One side of an OR is required as a whole already, with the other side.
        if piece == "AND" and not signs[at - 1] and pieces[at - 2 : at - 1] != ["OR"]:
            signs[at - 1] = "+"
    kept = zip(signs, pieces, strict=True)
    return " ".join(_signed(sign, one) for sign, one in kept if one not in ("AND", "NOT"))


def _signed(sign: str, piece: str) -> str:
    return piece if piece.startswith(("+", "-")) else sign + piece
