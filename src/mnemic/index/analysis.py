"""What the index keeps of a text: its passages, the words around it, and what to embed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from mnemic.index.text.features import Feature, features
from mnemic.index.text.passages import split_passages
from mnemic.index.text.sentences import split_sentences
from mnemic.index.text.tokens import stems
from mnemic.model.origin import Role
from mnemic.settings import Index

_MONTHS = (
    "January February March April May June July August September October November December"
).split()
EPOCH = date(1970, 1, 1).toordinal()

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text: the characters it spans, and its search words."""

    start: int
    end: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the index keeps of one text.

    Args:
        passages: at least one, in order.
        head: search words of the date, the speaker, the tags and the entities.
        texts: what to embed: the whole text first, then its sentences where there are several.
        day: of its time, counted from 1970-01-01, in the brain's time zone.
        features: what can be told of the text.
    """

    passages: tuple[Passage, ...]
    head: tuple[str, ...]
    texts: tuple[str, ...]
    day: int
    features: Feature


def spell_date(moment: datetime) -> str:
    """A date as people ask for it: ``8 May 2023 Monday``."""
    month, day = _MONTHS[moment.month - 1], _DAYS[moment.weekday()]
    return f"{moment.day} {month} {moment.year} {day}"


def analyse(
    content: str,
    *,
    time: datetime,
    speaker: str | None,
    role: Role | None,
    tags: tuple[str, ...],
    entities: tuple[str, ...],
    settings: Index,
    zone: tzinfo,
) -> Analysis:
    """Take a text apart for the index.

    What people said gets a vector for each sentence too; an assistant's turn, long and about
    many things, does not (docs/benchmarks.md).
    """
    spans = split_passages(content, settings.passage_words) or [(0, len(content))]
    passages = tuple(Passage(start, end, tuple(stems(content[start:end]))) for start, end in spans)
    who = speaker or (role.value if role else "")
    head = stems(" ".join((spell_date(time.astimezone(zone)), who, *tags, *entities)))
    whole = f"{speaker}: {content}" if speaker else content
    sentences: list[str] = []
    if settings.sentence_vectors and role is not Role.ASSISTANT:
        sentences = split_sentences(content, most=settings.max_sentences)
    texts = (whole, *sentences) if len(sentences) > 1 else (whole,)
    day = time.astimezone(zone).toordinal() - EPOCH
    return Analysis(passages, tuple(head), texts, day, features(content))
