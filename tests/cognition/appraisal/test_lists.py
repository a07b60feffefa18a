"""The word lists: what is in them, how a file is read, and which language a text is in."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mnemic.cognition.appraisal.lexicon import Languages, languages, of_lists
from mnemic.cognition.appraisal.lists import GAP, Lists, Meaning, read_lists, read_one
from mnemic.cognition.appraisal.meet import meet
from mnemic.cognition.appraisal.tokens import tokens
from mnemic.cognition.appraisal.values import ContentFeature

DATA = files("mnemic.cognition.appraisal") / "data"
README = (DATA / "README.md").read_text("utf-8")
LISTS = {one.code: one for one in read_lists(DATA)}
LANGUAGES = LISTS.keys() - {"mul"}
KEYS = {
    "function",
    "feelings",
    "judgements",
    "arousing",
    "stronger",
    "weaker",
    "negations",
    "late_negations",
    "breaks",
    "order",
    "novelty",
    "procedure",
    "social",
    "cooperation",
    "ethics",
    "contradiction",
}


def keys_of(code: str) -> set[str]:
    return set(json.loads((DATA / f"{code}.json").read_text("utf-8")))


def test_the_languages() -> None:
    assert sorted(LANGUAGES) == ["de", "en", "es", "fr", "it", "nl", "pt"]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_a_language_has_every_list(code: str) -> None:
    assert KEYS - keys_of(code) <= {"late_negations"}
    meanings = LISTS[code].phrases.values()
    least = 150 if code == "en" else 60
    assert sum(meaning.weight > 0 for meaning in meanings) >= least
    assert sum(meaning.weight < 0 for meaning in meanings) >= least
    for feature in ContentFeature:
        assert sum(bool(meaning.features & feature) for meaning in meanings) >= 10
    assert len(LISTS[code].function) >= 80


def test_every_key_is_documented() -> None:
    named = {
        name
        for row in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", README, re.M)
        for name in re.findall(r"\w+", row)
    }
    assert named == KEYS


# --- a file ----------------------------------------------------------------------------------


def test_what_is_written_in_a_file(tmp_path: Path) -> None:
    data: dict[str, Any] = {
        "function": "the of",
        "feelings": {"2": "Glad/ly, lik-/e/ing", "0": "mood"},
        "judgements": {"-1": "très long, too late/r"},
        "arousing": {"2": "glad"},
        "contradiction": "used to ... now",
    }
    (tmp_path / "xx.json").write_text(json.dumps(data), "utf-8")
    (tmp_path / "README.md").write_text("no list")
    [one] = read_lists(tmp_path)
    feeling = ContentFeature.EMOTION.value
    assert one.code == "xx"
    assert one.function == {"the", "of"}
    assert one.phrases == {
        ("glad",): Meaning(weight=2, arousal=2, features=feeling),
        ("gladly",): Meaning(weight=2, features=feeling),
        ("like",): Meaning(weight=2, features=feeling),
        ("liking",): Meaning(weight=2, features=feeling),
        ("mood",): Meaning(features=feeling),
        ("très", "long"): Meaning(weight=-1),
        ("tres", "long"): Meaning(weight=-1),
        ("too", "late"): Meaning(weight=-1),
        ("too", "later"): Meaning(weight=-1),
        ("used", "to", GAP, "now"): Meaning(features=ContentFeature.CONTRADICTION.value),
    }


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"feeling": {"1": "glad"}}, r"xx\.json.*feeling.*feelings"),
        ({"feelings": {"4": "glad"}}, r"xx\.json.*feelings.*'4'.*-3, -2"),
        ({"arousing": {"0": "loud"}}, r"xx\.json.*arousing.*'0'"),
        ({"feelings": {"1": "glad", "2": "glad"}}, r"xx\.json.*feelings.*'glad'.*twice"),
        ({"social": "aunt, uncle, aunt"}, r"xx\.json.*social.*'aunt'.*twice"),
        ({"social": "aunt,, uncle"}, r"xx\.json.*social.*nothing"),
        (
            {"feelings": {"1": "fine"}, "judgements": {"2": "fine"}},
            r"xx\.json.*'fine'.*two weights",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(data: dict[str, Any], said: str) -> None:
    assert read_one("xx", {"feelings": {"1": "glad"}, "arousing": {"1": "glad"}}).phrases
    with pytest.raises(ValueError, match=said):
        read_one("xx", data)


# --- a language ------------------------------------------------------------------------------


def met(text: str, known: Languages) -> list[str]:
    """The words of a text that mean something, marks aside."""
    words = tokens(text)
    found = meet(words, known.lexicon(words))
    return [" ".join(words[one.at : one.end]) for one in found if not one.meaning.breaks]


ONE = read_one("aa", {"function": "the of", "judgements": {"-2": "die, rat, mal"}, "social": "rat"})
OTHER = read_one("bb", {"function": "die das", "judgements": {"2": "rat", "-1": "mal, das ende"}})
BOTH = of_lists([ONE, OTHER])


def test_a_word_is_read_in_the_language_of_the_text() -> None:
    assert met("the rat", BOTH) == met("das rat", BOTH) == ["rat"]
    for text, lists in (("of the rat", ONE), ("das rat", OTHER)):
        words = tokens(text)
        assert meet(words, BOTH.lexicon(words))[0].meaning == lists.phrases["rat",]


def test_where_the_language_cannot_be_told_a_word_means_what_both_agree_on() -> None:
    words = tokens("rat mal")
    rat, mal = meet(words, BOTH.lexicon(words))
    assert rat.meaning == Meaning()
    assert mal.meaning == Meaning(weight=-1)


def test_a_plain_word_of_one_of_two_likely_languages_means_nothing() -> None:
    assert met("die die of", BOTH) == []  # four for each
    assert met("die", of_lists([ONE])) == ["die"]
    assert met("the das die ende of das ende", BOTH) == ["das ende"]


def test_no_language_at_all() -> None:
    assert met("die rat", of_lists([])) == []
    assert met("the rat", of_lists([Lists("aa", frozenset(), {})])) == []


def test_the_longest_phrase_takes_its_words_and_a_gap_takes_none() -> None:
    known = of_lists([read_one("aa", {"social": "a, a b, b c, c ... e, d", "ethics": "c ... x y"})])
    assert met("a b c", known) == ["a b"]
    assert met("a c d e", known) == ["a", "c", "d"]
    assert met("c 1 o o o o e", known) == ["c"]
    assert met("c o o o o o e", known) == []
    assert met("c. e", known) == []
    assert met("c o x", known) == []
    assert met("c o x y", known) == ["c"]


def test_the_lists_are_read_once() -> None:
    assert languages() is languages()
