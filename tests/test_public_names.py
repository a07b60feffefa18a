"""Every public name is there, says what it is, and has types; and importing costs nothing."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

import pytest

import mnemic

NAMES = sorted(mnemic.__all__)
PROMISED = (
    "Memory BoundMemory AsyncMemory AsyncBoundMemory Settings Principal Scope TraceType "
    "SourceType Trust Role Draft Trace Version Hit Why Receipt Status ContextPacket ImportResult "
    "Stats Health AuditEntry AuditReport Embedder errors Channel Origin Capability Concern "
    "Certificate Residue Fact HeldFact LedgerEntry ReviewItem Reviewer AsyncReviewer BoundMind "
    "BoundGraph BoundReminders AsyncBoundMind AsyncBoundGraph AsyncBoundReminders Mood MOODS "
    "Emotion Personality Consolidated Run StepReport Changed Strength MindChange InMind "
    "Rehydrated Reminder Partial Line Omitted Section Style Thing Tied Way Alias Region "
    "Summarizer Signal"
).split()
VALUES = ("MOODS", "UNCHANGED")
"""Their types say what they are."""
ERRORS = (
    "MnemicError InvalidInput NotFound NotAllowed StorageError NotABrain BrainTooNew "
    "EmbedderMismatch EmbedderError ImportFormatError"
).split()
HEAVY = ("numpy", "onnxruntime", "sqlalchemy", "alembic", "pydantic", "tokenizers", "Stemmer")


def test_the_promised_names_are_public() -> None:
    assert set(PROMISED) <= set(NAMES)
    assert sorted(set(NAMES)) == NAMES
    assert set(NAMES) <= set(dir(mnemic))


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_found_and_says_what_it_is(name: str) -> None:
    value = getattr(mnemic, name)
    assert getattr(mnemic, name) is value
    if name not in VALUES:
        assert documented(value)
    if inspect.isclass(value):
        assert value.__module__.startswith("mnemic.")
        assert value.__name__ == name


def documented(value: object) -> bool:
    """Whether it has words of its own, not those of a base or those that dataclasses make up."""
    text = vars(value).get("__doc__") if isinstance(value, type) else value.__doc__
    return bool(text and text.strip()) and not str(text).startswith(f"{_name(value)}(")


def _name(value: object) -> str:
    return getattr(value, "__name__", type(value).__name__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Memoir'"):
        mnemic.Memoir  # noqa: B018
    assert not hasattr(mnemic, "numpy")


def test_the_errors_are_of_one_family() -> None:
    from mnemic import errors

    for name in ERRORS:
        error = getattr(errors, name)
        assert issubclass(error, errors.MnemicError)
        assert documented(error)
    for error, base in (
        (errors.InvalidInput, ValueError),
        (errors.NotFound, LookupError),
        (errors.NotABrain, errors.StorageError),
        (errors.BrainTooNew, errors.StorageError),
        (errors.ImportFormatError, errors.InvalidInput),
    ):
        assert issubclass(error, base)


# --- functions and methods -------------------------------------------------------------------


def functions(value: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    """A function itself, or the public methods of a class, made by anything but dataclasses."""
    if isinstance(value, FunctionType):
        yield value.__name__, value
    if not isinstance(value, type) or issubclass(value, Enum):
        return
    for name, member in vars(value).items():
        if name.startswith("_") and name != "__init__":
            continue
        found = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        found = found.fget if isinstance(found, property) else found
        made_up = name == "__init__" and (is_dataclass(value) or is_protocol(value))
        if isinstance(found, FunctionType) and not made_up:
            yield f"{value.__name__}.{name}", found


def is_protocol(value: type) -> bool:
    return bool(getattr(value, "_is_protocol", False))


def wanting(name: str, function: Callable[..., Any]) -> list[str]:
    """What a function lacks: words, or the type of an argument or of what it returns."""
    found = []
    if not name.endswith("__init__") and not documented(function):
        found.append(f"{name} has no docstring")
    original = inspect.unwrap(function)
    hints = original.__annotations__
    signature = inspect.signature(original)
    arguments = list(signature.parameters)
    if name.count(".") and arguments and arguments[0] in ("self", "cls"):
        arguments = arguments[1:]
    found += [f"{name} does not say what {arg} is" for arg in arguments if arg not in hints]
    if "return" not in hints:
        found.append(f"{name} does not say what it returns")
    return found


class Careless:
    """Lacks a bit of everything."""

    def bare(self, x):  # type: ignore[no-untyped-def]
        return x

    def fine(self, x: int) -> int:
        """As it should be."""
        return x


def test_a_careless_function_is_seen() -> None:
    found = [line for name, method in functions(Careless) for line in wanting(name, method)]
    assert found == [
        "Careless.bare has no docstring",
        "Careless.bare does not say what x is",
        "Careless.bare does not say what it returns",
    ]


def test_public_functions_have_words_and_types() -> None:
    publics = [getattr(mnemic, name) for name in NAMES]
    module = next(value for value in publics if isinstance(value, ModuleType))
    publics += [value for value in vars(module).values() if isinstance(value, type)]
    seen = [pair for value in publics for pair in functions(value)]
    assert len(seen) > 40
    assert [line for name, function in seen for line in wanting(name, function)] == []


@pytest.mark.parametrize(
    "name",
    "Memory BoundMemory BoundMind BoundGraph BoundReminders AuditLog Reviewer".split(),
)
def test_the_types_of_the_front_door_can_be_resolved(name: str) -> None:
    for where, method in functions(getattr(mnemic, name)):
        assert typing.get_type_hints(method), where


# --- importing -------------------------------------------------------------------------------


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_importing_loads_nothing_heavy() -> None:
    used = loaded_by("from mnemic import Memory")
    assert {"sqlalchemy", "pydantic"} <= used  # what a heavy import looks like
    loaded = loaded_by("import mnemic; mnemic.__all__; dir(mnemic); mnemic.__version__")
    assert "mnemic" in loaded
    assert {name for name in loaded if name.split(".")[0] in HEAVY} == set()
    assert {name for name in loaded if name.startswith("mnemic.")} == set()


def test_the_plain_values_load_nothing_heavy_either() -> None:
    plain = (
        "Draft, Trace, Hit, Receipt, Scope, Role, Channel, Origin, Trust, Capability, Concern, "
        "Fact, HeldFact, ReviewItem, LedgerEntry, Certificate, ContextPacket, Reminder, Mood, "
        "Strength, Consolidated, Thing, errors"
    )
    loaded = loaded_by(f"from mnemic import {plain}")
    assert {name for name in loaded if name.split(".")[0] in HEAVY} == set()
