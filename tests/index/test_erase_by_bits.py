"""In a brain too large to be scored whole, the erased leave no trace in the ranking either."""

from __future__ import annotations

import random

from mnemic import Memory, Settings
from tests.conftest import Opener
from tests.index.test_erase_bytes import erase
from tests.index.worlds import told

COUNT, GONE = 1_500, 500
BY_BITS = Settings(index={"exact_vectors": 0, "rescored_vectors": 100, "segment_passages": 256})


def test_candidates_do_not_hang_on_what_was_erased(open_brain: Opener) -> None:
    """Few texts hold a word of the question: those that hold none are not drawn by lot."""
    rng = random.Random(3)
    words = [f"w{number}x" for number in range(1_000)]
    texts = [f"{' '.join(rng.choices(words, k=6))} u{n}q" for n in range(COUNT)]
    gone = set(rng.sample(range(COUNT), GONE))

    def filled(file: str, numbers: list[int]) -> Memory:
        coming = iter(numbers)
        memory = open_brain(file, settings=BY_BITS, ids=lambda: f"mt_{next(coming):06}")
        memory.bind(user="ana").remember_many(
            [{"content": texts[n], "thread": f"thread {n // 10}"} for n in numbers]
        )
        return memory

    erased = filled("erased.db", list(range(COUNT)))
    never = filled("never.db", [n for n in range(COUNT) if n not in gone])
    erase(erased, [f"mt_{number:06}" for number in gone])
    for _ in range(10):
        question = " ".join(rng.choices(words, k=2))
        answers = [
            told(memory.bind(user="ana").recall(question, limit=100, touch=False))
            for memory in (erased, never)
        ]
        assert len(answers[0]) == 100
        assert answers[0] == answers[1]
