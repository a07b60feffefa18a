"""Parts of a text in one pass of a model: late chunking (Günther et al. 2024).

A sentence that is embedded by itself costs a pass of its own and knows nothing of the text it
stands in. Here sentences lie one after another in windows as long as the model reads; the
vector of each is the mean of its own tokens, each of which has seen the whole window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens that a model reads at once, and which of them each part is.

    Args:
        ids: the tokens, marks and head included.
        spans: of each part that lies in it, the first of its tokens and the one behind the last.
    """

    ids: list[int]
    spans: list[tuple[int, int]]


def windows(
    head: Sequence[int], parts: Sequence[Sequence[int]], end: int, most: int
) -> list[Window]:
    """Lay parts into as few windows as they fit into, in their order.

    Args:
        head: tokens that each window begins with.
        parts: the tokens of each part; of one longer than a window the rest is left out, and one
            without tokens is given the whole window.
        end: the token that each window ends with.
        most: tokens of a window; more than the head and the end.
    """
    found: list[Window] = []
    ids: list[int] = list(head)
    spans: list[tuple[int, int]] = []
    for part in parts:
        if len(ids) + len(part) + 1 > most and spans:
            found.append(_closed(ids, spans, end))
            ids, spans = list(head), []
        kept = part[: most - len(ids) - 1]
        spans.append((len(ids), len(ids) + len(kept)))
        ids.extend(kept)
    if spans:
        found.append(_closed(ids, spans, end))
    return found


def _closed(ids: list[int], spans: list[tuple[int, int]], end: int) -> Window:
    whole = [*ids, end]
    return Window(whole, [span if span[0] < span[1] else (0, len(whole)) for span in spans])
