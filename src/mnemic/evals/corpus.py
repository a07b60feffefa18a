"""Made-up conversations of any size, to measure speed on.

Words are drawn with Zipf's law from the vocabulary of the packaged tokenizer, so that lists of
common and rare words have lengths like those of real text. Everything follows from the seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from mnemic.index.embed.minilm import MiniLM
from mnemic.model.trace import Draft

SEED = 20261130
_VOCABULARY = 20_000
_TURNS_A_THREAD = 20
_SPEAKERS = ("Nora", "Idris")
_POOL = 1_024
_NOISE = 0.6


@dataclass(frozen=True, slots=True)
class Corpus:
    """Turns, and questions about some of them."""

    turns: tuple[Draft, ...]
    questions: tuple[str, ...]


def make(turns: int, questions: int) -> Corpus:
    """A corpus of so many turns, in threads of 20, and so many questions."""
    random = np.random.default_rng(SEED)
    words = _words()
    weights = 1 / np.arange(3, 3 + len(words))
    weights /= weights.sum()
    start = datetime(2024, 1, 1, tzinfo=UTC)
    drafts = []
    for number in range(turns):
        drawn = random.choice(len(words), size=int(random.integers(10, 25)), p=weights)
        thread = number // _TURNS_A_THREAD
        drafts.append(
            Draft(
                f"I {' '.join(words[at] for at in drawn)} {number}.",
                speaker=_SPEAKERS[number % 2],
                thread=f"thread-{thread}",
                time=start + timedelta(hours=thread, minutes=number % _TURNS_A_THREAD),
            )
        )
    asked = random.integers(0, turns, size=questions)
    return Corpus(tuple(drafts), tuple(_question(drafts[at].content, random) for at in asked))


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _question(content: str, random: np.random.Generator) -> str:
    said = content.replace(".", "").split()[1:-1]
    picked = random.choice(said, size=4, replace=False)
    return f"what did they say about {picked[0]} and {picked[1]} when {picked[2]} {picked[3]}?"


def _words() -> list[str]:
    vocabulary = files("mnemic.index.embed") / "assets" / "minilm-tokenizer.json"
    entries = json.loads(vocabulary.read_text("utf-8"))["model"]["vocab"]
    # The vocabulary is in the order of frequency, so early words are common ones.
    ordered = sorted(entries, key=lambda word: entries[word])
    return [word for word in ordered if word.isalpha() and word.isascii() and len(word) > 2][
        :_VOCABULARY
    ]


class Filler:
    """An embedder that makes questions' vectors with the model, and the rest up.

    A made-up vector is that of one of 1,024 made-up sentences, by the text's hash, with noise:
    vectors are clustered as real ones are, and 100,000 of them take seconds. A single text goes
    to the model, so that a question costs what it costs.
    """

    name = "bench-filler"
    dimension = MiniLM.dimension

    def __init__(self) -> None:
        self.model = MiniLM()
        self._pool: NDArray[np.float32] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts, shape (n, 384)."""
        if len(texts) == 1:
            return self.model.embed(texts)
        if self._pool is None:
            self._pool = self.model.embed([draft.content for draft in make(_POOL, 1).turns])
        seeds = [_seed(text) for text in texts]
        noise = np.random.default_rng(seeds[0]).standard_normal(
            (len(texts), self.dimension), np.float32
        )
        noise *= _NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
        vectors = self._pool[[seed % _POOL for seed in seeds]] + noise
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit
