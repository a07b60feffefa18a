"""What brains answer, as far as settings change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.settings.brains import Observer, Open

TALK: list[dict[str, Any]] = [
    {"content": "The orchestra needs strings for the violin. Who sells any?", "speaker": "Ruth",
     "strength": 0.9},
    {"content": "A shop on Elm Street sells them. It opens at nine every single day.",
     "role": "assistant"},
    {"content": "Violin strings from that shop cost ten, violin bows cost more",
     "role": "assistant"},
    {"content": "I bought strings, three of them. Then I went home by the late ferry.",
     "speaker": "Matteo"},
    {"content": "Rain again today. There is mud on all of the roads here.", "speaker": "Ruth"},
]  # fmt: skip
PLAIN = "strings for a violin"
ASKED = "Which violin strings did you recommend?"
NAMING = "What strings did Matteo buy for the violin?"
COUNTING = "How much does a bow for the violin cost?"
DATED = "strings for a violin on 1 June 2026"
EVERY = {PLAIN, ASKED, NAMING, COUNTING, DATED}


def talk(opened: Open) -> dict[str, list[tuple[str, float]]]:
    """The answers to some questions with their scores."""
    who = opened().bind(user="ana")
    for thread in ("monday", "tuesday"):
        texts = [{**turn, "thread": thread} for turn in TALK]
        who.remember_many(texts if thread == "monday" else [{**texts[4], "speaker": "Noor"}])
    return {
        question: [(h.trace.content, round(h.score, 4)) for h in who.recall(question, touch=False)]
        for question in sorted(EVERY)
    }


class Angles:
    """To its vectors, a text is as far from a question as its number says."""

    name, dimension = "angles", 2

    def embed(self, texts: Sequence[str]) -> Any:
        angles = [0.0 if "?" in text else int(text.split()[0]) / 10 for text in texts]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles])


def interleaved(opened: Open) -> object:
    """The order of some answers, on which words and vectors do not agree."""
    who = opened(embedder=Angles()).bind(user="ana")
    held = ["violin", "rain ferry", "mud", "ferry violin", "ferry", "violin ferry lantern"]
    for at, words in enumerate(held * 2):
        who.remember(f"{at} {words}", thread=str(at))
    return [hit.trace.content for hit in who.recall("violin ferry lantern?", touch=False)]


class Synonyms:
    """An expander that knows one word, and a reranker that puts long texts first."""

    name = "synonyms"

    def expand(self, question: str) -> list[str]:
        return ["a fiddle for the orchestra"]

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def reworded(opened: Open) -> object:
    who = opened(expander=Synonyms()).bind(user="ana")
    who.remember_many(["The violin", "A fiddle, as they say", "Violins in the orchestra"])
    return [(hit.trace.content, round(hit.score, 4)) for hit in who.recall("violin")]


def reranked(opened: Open) -> object:
    who = opened(reranker=Synonyms()).bind(user="ana")
    who.remember_many(["The violin", "A violin that is of some length"])
    return [hit.trace.content for hit in who.recall("violin", limit=1)]


def considered(opened: Open) -> object:
    who = opened().bind(user="ana")
    who.remember_many(["The violin", "A violin", "Violins"])
    return len(who.context("violin").of("episodes"))


def offering(opened: Open) -> object:
    """Whether a packet offers a standing wish that is far from the question."""
    who = opened().bind(user="ana")
    who.remember_many([f"The violin {at}" for at in range(60)])
    who.remember("I prefer tea", role="user")
    return "prefer tea" in who.context("violin", budget_tokens=400).text


def section(name: str) -> Observer:
    """How many lines one section of a packet has, when there is something for each of them."""

    def observe(opened: Open) -> object:
        memory = opened()
        who = memory.bind(user="ana", thread="monday")
        who.remember_many([f"The kettle whistles at {hour}" for hour in ("nine", "noon", "five")])
        who.recall("kettle")
        who.remember("The violin lesson on Monday in the hall", entities=["Marta"])
        who.remember_many([f"The violin lesson on {day}" for day in ("Monday", "Friday", "Sunday")])
        who.remember_many(
            [{"content": f"A goose on the {place}", "entities": ["Marta"]} for place in PLACES]
        )
        for place in PLACES:
            who.reminders.add(f"Call the {place}", at=memory._clock())
        packet = who.context("The violin lesson on Monday in the hall", budget_tokens=4_000)
        return len(packet.of(name))

    return observe


PLACES = ("harbour", "bakery", "library")
