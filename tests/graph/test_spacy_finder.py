"""Names found by a real spaCy pipeline. Without spaCy there is nothing to run here."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

from mnemic.cognition.entities import EntityFinder
from mnemic.errors import InvalidInput
from mnemic.graph.spacy_finder import MODEL, SpacyFinder

HAS_SPACY = importlib.util.find_spec("spacy") is not None
needs_spacy = pytest.mark.skipif(not HAS_SPACY, reason="spaCy is not installed")
needs_model = pytest.mark.skipif(
    importlib.util.find_spec(MODEL) is None, reason="spaCy's English model is not installed"
)

TEXT = "Yesterday Imogen Hartley flew from Lisbon to Warsaw to meet her boss at Microsoft."


def test_without_spacy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InvalidInput, match=r"pip install 'mnemic\[spacy\]'"):
        SpacyFinder()("Imogen called.")


@needs_spacy
def test_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(InvalidInput, match="no_such_pipeline"):
        SpacyFinder("no_such_pipeline")("Imogen called.")


@needs_spacy
def test_a_pipeline_of_the_callers_own() -> None:
    import spacy

    pipeline: Any = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Imogen"},
            {"label": "ORG", "pattern": "the Guild"},
            {"label": "DATE", "pattern": "Tuesday"},
        ]
    )
    finder: EntityFinder = SpacyFinder(pipeline)
    found = list(finder("On Tuesday Imogen wrote to the Guild. Imogen and @zed waited."))
    assert [(one.label, one.kind.value, one.start) for one in found] == [
        ("Imogen", "person", 11),
        ("Guild", "organization", 31),
        ("@zed", "person", 49),
    ]


@needs_spacy
@needs_model
def test_the_english_model() -> None:
    found = SpacyFinder()(TEXT)
    assert {(one.label, one.kind.value) for one in found} == {
        ("Imogen Hartley", "person"),
        ("Lisbon", "place"),
        ("Warsaw", "place"),
        ("Microsoft", "organization"),
    }
    assert all(TEXT[one.start :].startswith(one.label) for one in found)
    assert SpacyFinder()("") == ()
