"""Each account says where it comes from and what it leaves out, and none touches the world."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import mnemic.cognition.mechanisms as package

FOLDER = Path(package.__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "__init__")
NAMES = [path.stem for path in FILES]

_PAPER = re.compile(r"\b[A-Z][a-zé]+\b[^.;:]{0,60}\b(?:18|19|20)\d\d\b")
_PURE = {"mnemic.model", "mnemic.cognition.mechanisms"}
_STANDARD = {
    *("__future__", "bisect", "collections", "dataclasses", "enum", "itertools", "re", "types"),
    "typing",
}


def docstring(text: str) -> str:
    return ast.get_docstring(ast.parse(text)) or ""


def names_a_paper(text: str) -> bool:
    return _PAPER.search(docstring(text)) is not None


def imported(text: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_a_file_without_a_paper_would_be_seen() -> None:
    assert names_a_paper('"""What fades.\n\nBartlett & Wulf 1932: it is so.\n"""')
    assert not names_a_paper('"""What fades, as is well known.\n\nVersion 2 of it.\n"""')
    assert not names_a_paper("# Bartlett 1932\n")


def test_every_mechanism_is_there() -> None:
    expected = "drift forgetting gist hebbian involuntary knowing reconsolidation regulation"
    assert {*expected.split(), "schema", "source_decay", "spreading"} <= set(NAMES)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_file_names_its_paper_and_what_it_leaves_out(path: Path) -> None:
    text = path.read_text("utf-8")
    assert names_a_paper(text)
    assert "left out" in docstring(text).lower()


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_file_reads_no_clock_no_file_and_no_chance(path: Path) -> None:
    ours = {name for name in imported(path.read_text("utf-8")) if name.startswith("mnemic")}
    assert all(any(name.startswith(pure) for pure in _PURE) for name in ours)
    tops = {name.split(".")[0] for name in imported(path.read_text("utf-8"))} - {"mnemic"}
    assert tops <= (_STANDARD | {"numpy"} if path.stem == "schema" else _STANDARD)


def test_an_import_of_chance_would_be_seen() -> None:
    assert imported("def late():\n    import random\n    from time import time") == {
        "random",
        "time",
    }


CONSTANTS = [
    ("reconsolidation", "Reconsolidation"),
    ("forgetting", "Forgetting"),
    ("involuntary", "Involuntary"),
    ("knowing", "Knowing"),
    ("gist", "Gist"),
    ("schema", "Schemas"),
    ("spreading", "Spreading"),
    ("hebbian", "Hebbian"),
    ("source_decay", "SourceDecay"),
    ("regulation", "Regulation"),
    ("drift", "Drift"),
]


@pytest.mark.parametrize(("module", "name"), CONSTANTS)
def test_each_constant_is_described_and_frozen(module: str, name: str) -> None:
    rules = getattr(importlib.import_module(f"mnemic.cognition.mechanisms.{module}"), name)
    assert isinstance(rules, type)
    assert is_dataclass(rules)
    assert not hasattr(rules(), "__dict__")  # slots
    with pytest.raises(AttributeError):
        setattr(rules(), fields(rules)[0].name, 0)
    for field in fields(rules):
        assert re.search(rf"^ +{field.name}: .", rules.__doc__ or "", re.M), field.name
