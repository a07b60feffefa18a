"""Tokens of a text, counted by the packaged tokenizer (WordPiece, Devlin et al. 2019).

A language model has a tokenizer of its own; on English text this one counts about as many, and
never fewer than words. It needs no model to be loaded.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import Any


def count_tokens(text: str) -> int:
    """How many tokens a text has; by `estimate_tokens` where no tokenizer is installed."""
    tokenizer = _tokenizer()
    if tokenizer is None:
        return estimate_tokens(text)
    if not text.isascii():  # lone surrogates are no text
        text = text.encode("utf-8", "replace").decode("utf-8")
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def estimate_tokens(text: str) -> int:
    """About how many tokens a language model reads: one for four ASCII characters, else one each.

    Byte-pair vocabularies average about four characters of English a token; other scripts come
    to about one a character, and the estimate errs on the long side.
    """
    narrow = sum(c.isascii() for c in text)
    return math.ceil(narrow / 4) + len(text) - narrow


@cache
def _tokenizer() -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        return None
    vocabulary = files("mnemic.index.embed") / "assets" / "minilm-tokenizer.json"
    tokenizer = Tokenizer.from_str(vocabulary.read_text("utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
