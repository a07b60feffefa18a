"""What of a draft is looked up among what was rejected: the whole, its pieces, what it carries.

A rejected sentence comes back within another one, in brackets, behind a label, in a tag. Digests
can be compared with whole texts only, so every piece that could be one is looked up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mnemic.encode.resolve import Resolved
from mnemic.index.text.sentences import SENTENCE_END, count_words

_SHORTEST_PIECE = 3
"""Words that a piece of a text has at least to be looked up: "Thanks." is said often."""

_CUT = re.compile(
    rf"{SENTENCE_END.pattern}"
    r"|^[ \t]{0,8}(?:\d{1,3}[.)]|\[[ x]?\])\s"
    r"|[\"“”„«»‘‹›`*()\[\]{}<>|#…\u2028\u2029]|(?<!\w)['’]|['’](?!\w)"
    r"|(?<=\S):(?=\s)|(?<=\s)[-=|>]{1,3}(?=\s)|[–—;,，；、\t]|(?<=\w)/(?=\w)|(?<=\w)\.{2,}"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+"
    r"|\b(?:and|but|or|because|since|although|though|while|when|if|that|which|who|so|then|sic"
    r"|und|aber|weil|dass|y|pero|porque|que|et|mais|parce)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a text is cut: at sentences, quotes, brackets, labels, clauses, conjunctions.

White space around a cut is no part of a value; to match runs of it here would be slow.
"""

_JOINED = re.compile(r"(?<=[^\W_])(?:%20|_+)(?=[^\W_])|(?<=[^\W\d_])[.+·|\\/-](?=[^\W\d_])")
"""What stands in words in place of a space: "I_live_in_Lisbon"."""

_MOST_TOGETHER = 8
"""Pieces next to each other that are looked up as one, since what was rejected may hold cuts."""

_MANY_PIECES = 2_000
"""A text of more pieces is looked up piece by piece only."""

_LONGEST = 2_000
"""Characters of what is looked up across cuts, or of a sentence of which its ends are."""

_SPOKEN_WORDS = 32
"""Words of a sentence of which each beginning and each end is looked up: "I know that ...", "... by
now"."""


def parts_of(draft: Resolved) -> Parts:
    """What of a draft is looked up."""
    sentences = [one for one in SENTENCE_END.split(draft.content) if one.strip()]
    # A name of a person or of a conversation may well be a word that was wrong elsewhere.
    names = [one for one in (draft.speaker, draft.thread, draft.source_id) if one and _is_long(one)]
    given = [said for fact in draft.facts or () for said in (fact.value, fact.subject)]
    apart = _JOINED.sub(" ", draft.content)
    carried = (
        *(*draft.tags, *draft.entities, *names, *given),
        *([apart] if apart != draft.content else []),
        *strings_in(json.loads(draft.metadata), numbers=True),
    )
    pieces = dict.fromkeys(piece for text in (draft.content, *carried) for piece in _pieces(text))
    if len(sentences) <= _MANY_PIECES:
        pieces |= dict.fromkeys(end for sentence in sentences for end in _ends(sentence))
    kept = tuple(one for one in pieces if _is_long(one))
    return Parts(draft.content, kept, carried, len(sentences) > 1)


def _is_long(text: str) -> bool:
    return count_words(text) >= _SHORTEST_PIECE


def _pieces(text: str) -> Iterable[str]:
    """What stands between the cuts of a text, and what stands across some of them."""
    cuts = [found.span() for found in _CUT.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    together = _MOST_TOGETHER if len(starts) <= _MANY_PIECES else 1
    for first, start in enumerate(starts):
        for last, end in enumerate(ends[first : first + together]):
            if start < end and (last == 0 or end - start <= _LONGEST):
                yield text[start:end]


def _ends(sentence: str) -> Iterable[str]:
    """Every beginning and every end of a short sentence."""
    words = sentence.split() if len(sentence) <= _LONGEST else []
    if len(words) <= _SPOKEN_WORDS:
        for at in range(1, len(words)):
            yield " ".join(words[at:])
            yield " ".join(words[:at])


def strings_in(value: object, *, numbers: bool = False) -> Iterable[str]:
    """Every text in a JSON value, and with `numbers` every number as it is written."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings_in(inner, numbers=numbers)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner, numbers=numbers)
    elif numbers and isinstance(value, int | float) and not isinstance(value, bool):
        yield json.dumps(value)


@dataclass(frozen=True, slots=True)
class Parts:
    """What of a draft is looked up: the whole, its pieces, and all that it carries."""

    whole: str
    pieces: tuple[str, ...]
    carried: tuple[str, ...]
    several: bool

    @property
    def values(self) -> tuple[str, ...]:
        """All of it."""
        return (self.whole, *self.pieces, *self.carried)
