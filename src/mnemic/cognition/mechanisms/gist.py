"""Fuzzy-trace theory: the words of an old memory go, and what it says stays.

Reyna & Brainerd 1995: a memory is kept as it was said and as what it means, and the wording
fades faster. Brainerd & Reyna 2002: what is left may then be taken for more than was said. Here
an old memory that is hardly used is cut down to the sentences that say most. Left out: the two
traces beside each other (one replaces the other; whoever replaces it keeps the old wording
somewhere first), and new words: each sentence of a gist stands in the memory as it is, so that
nothing in it is made up.

Which sentences those are is older than the theory: Luhn 1958 counts words that come back,
Edmundson 1969 favours where a text begins. Names, numbers and dates count most here, for they
are what cannot be guessed afterwards. AgentOS keeps the first 30 words when it has no model, and
asks a model for less than 50.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from mnemic.cognition.mechanisms.salience import Sentence, name_pattern, read, weigh
from mnemic.model.errors import InvalidInput
from mnemic.model.trace import TraceType

_DAY = 86_400_000
_TYPES = frozenset({TraceType.EPISODIC, TraceType.SEMANTIC})
_LEAST = 0.2
"""A sentence that says less than this share of what the fullest says, and that has no new name,
number or date, is left out even if there is room for it."""


@dataclass(frozen=True, slots=True)
class Gist:
    """Which memories lose their wording, and what it costs them.

    Args:
        min_age: milliseconds from which a memory may. AgentOS: 60 days.
        min_uses: a memory recalled this often keeps its wording. AgentOS: 2.
        immune_strength: from this strength on, 0 to 1, it keeps it too. AgentOS: .9.
        factor: what its strength is multiplied by. AgentOS: .8.
        most_words: of a gist. AgentOS: 30 without a model, 50 with one; ours is 50.
    """

    min_age: int = 60 * _DAY
    min_uses: int = 2
    immune_strength: float = 0.9
    factor: float = 0.8
    most_words: int = 50


def wants_gist(
    kind: TraceType, age: int, uses: int, strength: float, rules: Gist, *, gisted: bool
) -> bool:
    """Whether a memory is to lose its wording.

    Args:
        kind: of memory; only what happened and what is known have a gist.
        age: milliseconds since the brain got it.
        uses: how often it was recalled.
        strength: of its encoding, 0 to 1.
        rules: the constants.
        gisted: whether it lost it before.
    """
    if gisted or kind not in _TYPES:
        return False
    old_and_idle = age >= rules.min_age and uses < rules.min_uses
    return old_and_idle and strength < rules.immune_strength


def gisted_strength(strength: float, rules: Gist) -> float:
    """The strength of a memory that lost its wording."""
    return strength * rules.factor


def gist_of(text: str, entities: Iterable[str] = (), most_words: int = 50) -> str:
    """The sentences of a text that say most, in their order.

    A sentence that is itself too long is taken in parts, with "…" where it was cut. Entities that
    no chosen sentence names are listed at the end, which may go over `most_words`.

    Args:
        text: in any script; a script without spaces counts a sign as a word.
        entities: names that the gist keeps if the text has them.
        most_words: of the sentences taken together.

    Returns:
        The text itself if it is short, or if the gist were no shorter.

    Raises:
        InvalidInput: `most_words` is below 1.
    """
    if most_words < 1:
        raise InvalidInput(f"most_words {most_words!r} must be at least 1")
    sentences = read(text, most_words)
    if sum(one.size for one in sentences) <= most_words:
        return text
    wanted = _named(text, entities)
    chosen = _choose(sentences, wanted, most_words)
    gist = _joined(sentences, chosen)
    missing = [name for name, pattern in wanted.items() if not pattern.search(gist)]
    if missing:
        gist = f"{gist} [{', '.join(missing)}]"
    return gist if len(gist) < len(text) else text


def _named(text: str, entities: Iterable[str]) -> dict[str, re.Pattern[str]]:
    """The entities that stand in the text, and how each is found."""
    patterns = {name.strip(): name_pattern(name.strip()) for name in entities if name.strip()}
    return {name: pattern for name, pattern in patterns.items() if pattern.search(text)}


def _choose(
    sentences: Sequence[Sentence], wanted: dict[str, re.Pattern[str]], most_words: int
) -> list[int]:
    """Places of the sentences to keep, in order: first those that name what is wanted."""
    names = [
        {name for name, pattern in wanted.items() if pattern.search(one.text)} for one in sentences
    ]
    choice = _Choice(sentences, names, missing=set(wanted), room=most_words)
    places = list(range(len(sentences)))
    # What a choice rules out stays out: the room shrinks, and what is told only grows.
    while places := [at for at in places if choice.may_take(at)]:
        choice.take(max(places, key=choice.worth))
    return sorted(choice.chosen)


def _joined(sentences: Sequence[Sentence], chosen: Collection[int]) -> str:
    parts = []
    for at in chosen:
        piece = sentences[at]
        begins = "" if piece.opens or at - 1 in chosen else "…"
        ends = piece.closes or at + 1 in chosen
        parts.append(begins + (piece.text if ends else f"{piece.text.rstrip()}… "))
    return "".join(parts).strip()


@dataclass(slots=True)
class _Choice:
    """The sentences chosen so far, and what they tell.

    Args:
        sentences: those of the text.
        names: which of the wanted names each has.
        missing: wanted names that none of the chosen has.
        room: words that may still be taken.
        chosen: places of the sentences.
        told: words and marks that they have.
        floor: how much one must say that has no new name, number or date.
    """

    sentences: Sequence[Sentence]
    names: Sequence[set[str]]
    missing: set[str]
    room: int
    chosen: list[int] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    floor: float = 0.0
    _counts: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        self._counts = Counter(word for one in self.sentences for word in one.words)

    def worth(self, at: int) -> tuple[int, float, int]:
        """What a sentence is chosen by: missing names, then what it says, then its place."""
        weight = weigh(self.sentences[at], at, self._counts, self.told)
        return len(self.names[at] & self.missing), weight, -at

    def may_take(self, at: int) -> bool:
        """Whether there is room for a sentence, and it says something new."""
        sentence = self.sentences[at]
        if at in self.chosen or sentence.size > self.room:
            return False
        named, weight, _ = self.worth(at)
        marked = bool(named or sentence.marks - self.told)
        says = weight >= self.floor and bool(sentence.words - self.told)
        return not self.chosen or marked or says

    def take(self, at: int) -> None:
        """Chooses a sentence."""
        self.floor = max(self.floor, _LEAST * self.worth(at)[1])
        self.chosen.append(at)
        self.room -= self.sentences[at].size
        self.told |= self.sentences[at].words | self.sentences[at].marks
        self.missing -= self.names[at]
