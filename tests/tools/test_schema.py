"""Arguments are checked by the schema that the model is shown, and by nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput
from mnemic.tools import named_specs
from mnemic.tools.schema import checked
from tests.tools.box import check_schema, fits

SPECS = named_specs()
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 200),
    st.just(10**400),
    st.floats(allow_nan=False),
    st.sampled_from(["semantic", "user", "episodic", "galaxy", "mt_1", ""]),
    st.text(max_size=5),
    st.lists(st.one_of(st.text(max_size=3), st.integers()), max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A tool, and arguments that may be right."""
    name = draw(st.sampled_from(sorted(SPECS)))
    known = sorted(SPECS[name].input_schema["properties"])
    names = draw(st.lists(st.sampled_from([*known, *known, "userId"]), unique=True))
    return name, {one: draw(VALUES) for one in names}


@given(calls())
def test_it_takes_what_the_schema_allows_and_nothing_else(call: tuple[str, dict[str, Any]]) -> None:
    name, arguments = call
    schema = SPECS[name].input_schema
    if fits(schema, arguments):
        assert arguments.items() <= checked(name, schema, arguments).items()
        return
    with pytest.raises(InvalidInput) as raised:
        checked(name, schema, arguments)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize("name", SPECS)
def test_every_schema_is_one_and_closed(name: str) -> None:
    spec = SPECS[name]
    for schema in (spec.input_schema, spec.output_schema):
        check_schema(schema)
        assert schema["additionalProperties"] is False
    for argument in spec.input_schema["properties"].values():
        assert argument["description"]


@pytest.mark.parametrize("name", SPECS)
def test_no_argument_names_a_caller(name: str) -> None:
    arguments = set(SPECS[name].input_schema["properties"])
    assert not arguments & {"user", "userId", "scopeId", "scope_id", "thread", "namespace"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "needs the argument 'query'"),
        ({"query": "x", "user": "bob"}, "takes no argument 'user'; it takes: query"),
        ({"query": 5}, "query must be a string, not 5"),
        ({"query": ""}, "query '' is empty"),
        ({"query": "x", "type": "galactic"}, "type 'galactic' is unknown; use one of: episodic"),
        ({"query": "x", "type": None}, "type must be a string, not null (leave it out instead)"),
        ({"query": "x", "limit": 0}, "limit 0 must be a whole number from 1 to 100"),
        ({"query": "x", "limit": 101}, "limit 101 must be"),
        ({"query": "x", "limit": True}, "limit must be a whole number, not True"),
        ({"query": "x", "limit": "10"}, "limit must be a whole number, not '10'"),
        ({"query": "x" * 20_000}, "query has 20,000 characters, at most 10,000"),
        (["query"], "takes an object of arguments, not a value of type list"),
    ],
)
def test_the_message_says_what_is_wrong(arguments: object, words: str) -> None:
    schema = SPECS["memory_search"].input_schema
    assert checked("memory_search", schema, {"query": "x", "limit": 10.0})["limit"] == 10
    with pytest.raises(InvalidInput) as raised:
        checked("memory_search", schema, arguments)
    assert words in str(raised.value)


def test_defaults_are_filled_in() -> None:
    found = checked("memory_add", SPECS["memory_add"].input_schema, {"content": "x"})
    assert found == {"content": "x", "type": "episodic", "tags": []}
    found = checked("memory_search", SPECS["memory_search"].input_schema, {"query": "x"})
    assert found == {"query": "x", "limit": 10}
    found = checked("memory_context", SPECS["memory_context"].input_schema, {"query": "x"})
    assert found == {"query": "x", "budget_tokens": 800}
