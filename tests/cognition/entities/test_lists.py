"""The word lists are well made: none is missing, and nothing stands in one for nothing."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from mnemic.cognition.entities.lists import LANGUAGES, languages, names, told

DATA = files("mnemic.cognition.entities") / "data"
KEYS = {"marks", "ordinary", "never", "titles", "said", "cues", "works", "employs", "noble"}


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_each_list(language: str) -> None:
    assert read(language).keys() - {"nouns"} == KEYS
    assert len(languages()[language].marks) > 80


@pytest.mark.parametrize("name", ["names", *LANGUAGES])
def test_words_stand_in_small_letters(name: str) -> None:
    assert json.dumps(read(name), ensure_ascii=False).lower() == json.dumps(
        read(name), ensure_ascii=False
    )


def test_each_key_is_told_of() -> None:
    about = (DATA / "README.md").read_text("utf-8")
    every = {*read("names"), *KEYS, "nouns"}
    assert {key for key in every if f"`{key}`" not in about} == set()


def test_a_name_is_of_one_kind() -> None:
    assert names().known.keys() & names().heads.keys() == set()
    assert len(names().given) > 800


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I was at the market with my sister and it was nice", "en"),
        ("Ich war mit meiner Schwester auf dem Markt und es war schön", "de"),
        ("Estuve en el mercado con mi hermana y fue muy bonito", "es"),
        ("J'étais au marché avec ma soeur et c'était très bien", "fr"),
        ("Sono stata al mercato con mia sorella ed è stato molto bello", "it"),
        ("Estive no mercado com a minha irmã e foi muito bom", "pt"),
        ("Ik was met mijn zus op de markt en het was heel leuk", "nl"),
        ("Lisbon Porto Braga", ""),
        ("", ""),
    ],
)
def test_the_language_is_told_by_small_words(text: str, language: str) -> None:
    assert told(text) == language
