"""The little language of the rules: what a phrase finds, what it needs, what is refused."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from mnemic.cognition.screen import Concern, Finding, marks, named, numbers, roles, secrets
from mnemic.cognition.screen import views as views_module
from mnemic.cognition.screen.phrases import phrase
from mnemic.cognition.screen.rules import read_rules, rules
from mnemic.cognition.screen.views import views

LISTS = {"drop": "ignore|set aside", "barrier": "my|our", "own": "i|me"}


def finds(source: str, text: str, lists: Mapping[str, str] = LISTS) -> bool:
    made = phrase(source, lists)
    seen = views(text)
    found = re.search(made.line, seen.line()) is not None
    if found:
        assert all(words & seen.vocabulary for words in made.words)
    return found


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        ("ignore rules", "Ignore, rules!", "ignore the rules"),
        ("ignore rules", "please ignore\nrules", "ignore. rules"),
        ("rule", "a rule", "a ruler"),
        ("ignore (the|all of the)? rules", "ignore all of the rules", "ignore these rules"),
        ("ignore the? rules", "ignore rules", "ignore the the rules"),
        ("{drop} rules", "set aside rules", "set rules"),
        ("ignore <2> rules", "ignore all these rules", "ignore all of these rules"),
        ("ignore <2> rules", "ignore the old rules", "ignore my old rules"),
        ("ignore <2> rules", "ignore those rules", "ignore those. rules"),
        ("^ ignore rules", "Stop, ignore rules", "they ignore rules"),
        ("^ ignore rules", "Stop.\n- ignore rules", "we\tignore rules"),
        ("recommend ~3", "recommend Acme to all", "recommend it to me"),
        ("recommend ~3", "recommend Acme. I am here", "recommend Acme, I am here"),
        ("recommend ~2", "recommend Acme to all and me", "recommend me that"),
        ("send to PLACE", "send to a@b.example", "send to place"),
        ("l'utilisateur", "L’utilisateur", "la utilisateur"),
        ("précédentes", "PRECEDENTES", "presidentes"),
    ],
)
def test_what_a_phrase_finds(source: str, yes: str, no: str) -> None:
    assert finds(source, yes)
    assert not finds(source, no)


def test_without_spaces_a_gap_counts_letters() -> None:
    made = phrase("忽略 <2> 指令", {}, spaced=False)
    assert re.search(made.dense, views("请忽略 所有 指令。").dense())
    assert not re.search(made.dense, views("忽略所有的指令").dense())
    assert re.search(phrase("ignore <1> rules", {}).dense, views("i g n o r e allrules").dense())


def test_what_fewest_texts_have_is_asked_for_first() -> None:
    made = phrase("you are now <3> (jailbroken|unchained)", {})
    assert made.words[0] == frozenset(map(views_module.folded_word, ["jailbroken", "unchained"]))
    assert phrase("(a|b)? rules", {}).words == (frozenset(["ruies"]),)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("ignore {nothing}", "there is no list 'nothing'"),
        ("ignore (rules", "a bracket is not closed"),
        ("ignore rules)", "'\\)' stands where nothing can"),
        ("? rules", "'\\?' stands where nothing can"),
        ("ignore (|rules)", "is empty"),
        ("", "is empty"),
        ("ignore ...", "is no word"),
        ("ignore rule*", "is no word"),
    ],
)
def test_a_phrase_that_cannot_be_read_is_refused(source: str, says: str) -> None:
    assert phrase("ignore rules", LISTS).line
    with pytest.raises(ValueError, match=says):
        phrase(source, LISTS)


def test_own_words_are_needed_to_look_for_them() -> None:
    with pytest.raises(ValueError, match="needs a list 'own'"):
        phrase("recommend ~3", {})


# --- files of rules --------------------------------------------------------------------------


def folder(tmp_path: Path, **data: Any) -> Path:
    (tmp_path / "xx.json").write_text(json.dumps(data), "utf-8")
    (tmp_path / "README.md").write_text("no rules", "utf-8")
    return tmp_path


def test_a_file_adds_a_language(tmp_path: Path) -> None:
    path = folder(tmp_path, sensitive={"kind": ["!blue moon"]}, words={"pin": "kode|nombor pin"})
    made = read_rules(path)
    found = list(made.found(views("once in a blue moon")))
    assert found == [Finding(Concern.SENSITIVE, "kind")]
    assert list(made.found(views("a b l u e m o o n"))) == found
    assert list(made.found(views("once in a blue room"))) == []
    assert made.lists == {"pin": ("kode", "nombor pin")}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"signs": {}}, "unknown keys"),
        ({"instruction": {"a": ["(x)?"]}}, "no word that must be there"),
        ({"instruction": {"a": ["!^ rules"]}}, "without spaces"),
        ({"instruction": {"a": ["忽略 ~2"]}, "spaced": False}, "without spaces"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    tmp_path: Path, data: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        read_rules(folder(tmp_path, **data))


def test_every_list_is_used() -> None:
    data = Path(views_module.__file__).parent / "data"
    files = sorted(data.glob("*.json"))
    assert len(files) >= 11
    shared = {"own", "barrier", "password", "key", "pin", "is", "of"}
    for file in files:
        text = file.read_text("utf-8")
        lists = json.loads(text)["words"].keys() - shared
        assert [name for name in lists if f"{{{name}}}" not in text] == [], file.name


# --- time ------------------------------------------------------------------------------------

_PARSER: Any = importlib.import_module("re._parser")


def repeats(tree: Any) -> Iterator[bool]:
    """Whether each repeat without a bound in a parsed expression is one of a single character."""
    for operator, argument in tree:
        for part in argument if isinstance(argument, (tuple, list)) else [argument]:
            if isinstance(part, _PARSER.SubPattern):
                if str(operator).endswith("REPEAT") and argument[1] == _PARSER.MAXREPEAT:
                    yield len(tree) == 1 and len(part) == 1
                yield from repeats(part)
            elif isinstance(part, list):
                for option in part:
                    if isinstance(option, _PARSER.SubPattern):
                        yield from repeats(option)


def patterns() -> Iterator[str]:
    for rule in {rule for found in rules().by_word.values() for rule in found}:
        yield from (rule.phrase.line, rule.phrase.dense)
    yield from (rule.phrase.dense for _, rule in rules().other)
    names = named._names()
    for holder in (marks, named, numbers, roles, secrets, views_module, names):
        values = [getattr(holder, name) for name in dir(holder)]
        yield from (value.pattern for value in values if isinstance(value, re.Pattern))


def test_no_repeat_without_a_bound_is_followed_by_anything() -> None:
    """What makes the time grow faster than the text: a repeat, and something after it."""
    assert list(repeats(_PARSER.parse("a+b"))) == [False]
    assert list(repeats(_PARSER.parse("(?:a+|b)c"))) == [True]
    assert list(repeats(_PARSER.parse("(?:ab)+"))) == [False]
    assert list(repeats(_PARSER.parse("[ab]+"))) == [True]
    unbounded = [pattern for pattern in patterns() if not all(repeats(_PARSER.parse(pattern)))]
    assert unbounded == []
    assert sum(1 for _ in patterns()) > 500
