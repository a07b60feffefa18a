"""No statement on traces without a reach: none can be built, and none stands in the code."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import mnemic
from mnemic import BoundMemory, Memory, Reach, Scope, Trust
from mnemic.model.times import Clocks, to_ms
from mnemic.store.visible import TRACE_COLUMNS, versions_of, visible
from tests.conftest import START

SOURCES = Path(mnemic.__file__).parent
THE_ONE = SOURCES / "store" / "visible.py"
WHOLE = SOURCES / "store" / "whole.py"
ENGRAMS = SOURCES / "store" / "engrams.py"
BARE = SOURCES / "evals" / "floor.py"
"""Measures what bare statements cost, on files that the bench makes for itself."""
GUARDED = {"traces", "trace_versions"}
READING = {"select", "exists", "select_from", "join", "outerjoin", "table_valued", "subquery"}


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _aliases(tree: ast.Module) -> set[str]:
    """The names under which a module knows the guarded tables and their columns."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("store.schema")
        for alias in node.names
        if alias.name in GUARDED
    }
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(
            node.targets[0], ast.Name | ast.Tuple
        ):
            continue
        (target,) = node.targets
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        else:
            pairs = [(target, node.value)]
        names |= {
            to.id
            for to, value in pairs
            if isinstance(to, ast.Name)
            and isinstance(value, ast.Attribute | ast.Tuple)
            and _mentions(value, names)
        }
    return names


def unguarded(source: str) -> list[int]:
    """The lines that read a guarded table by a statement of their own."""
    tree = ast.parse(source)
    names, found = _aliases(tree), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called in READING and _mentions(node, names):
                found.append(node.lineno)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.replace('"', " ").split()
            upper = [word.upper() for word in words]
            if {"SELECT", "FROM"} <= set(upper) and GUARDED & set(words):
                found.append(node.lineno)
    return sorted(found)


def test_a_statement_of_its_own_would_be_seen() -> None:
    imports = "from mnemic.store.schema import traces, trace_versions as tv, partitions\n"
    for line in (
        "select(traces.c.id)",
        "select(tv)",
        "_t = traces.c\nselect(_t.id).where(_t.id == 1)",
        "_a, _t = partitions.c, tv.c\nselect(_a.id, _t.content)",
        "select(partitions).join(traces)",
        "select(partitions).select_from(traces)",
        "text('SELECT content FROM trace_versions')",
        "exists(traces)",
    ):
        assert unguarded(imports + line), line
    for line in ("select(partitions.c.id)", "update(traces).values(strength=1)", "insert(tv)"):
        assert not unguarded(imports + line), line


def test_no_statement_reads_traces_but_the_one() -> None:
    assert unguarded(THE_ONE.read_text())
    assert unguarded(ENGRAMS.read_text())  # what changes with time and use; no content
    assert unguarded(WHOLE.read_text())  # exports, and what is restored from them
    # A migration knows the tables as they were, when there was no such function.
    migrations = SOURCES / "store" / "migrations" / "versions"
    files = [
        path
        for path in SOURCES.rglob("*.py")
        if path not in (THE_ONE, WHOLE, ENGRAMS, BARE) and path.parent != migrations
    ]
    assert len(files) > 50
    found = {
        f"{path.relative_to(SOURCES)}:{line}"
        for path in files
        for line in unguarded(path.read_text(encoding="utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize("clocks", [None, Clocks(to_ms(START)), Clocks(to_ms(START), to_ms(START))])
def test_an_empty_reach_selects_nothing(
    memory: Memory, ana: BoundMemory, clocks: Clocks | None
) -> None:
    trace = ana.remember("Eva keeps an owl").trace
    assert trace is not None
    whole, none = ana.principal.reach(), Reach(())
    assert list(none.within(Scope.USER)) == []
    with memory._brain.read() as connection:
        for reach, expected in ((whole, 1), (none, 0)):
            for ids in (None, [trace.id]):
                query = visible("main", reach, clocks, *TRACE_COLUMNS, states=tuple(Trust), ids=ids)
                assert len(query.run(connection).all()) == expected
            versions = versions_of("main", reach, trace.id).run(connection).all()
            assert len(versions) == expected


def test_no_state_and_no_id_select_nothing(memory: Memory, ana: BoundMemory) -> None:
    ana.remember("Eva keeps an owl")
    reach = ana.principal.reach()
    with memory._brain.read() as connection:
        assert len(visible("main", reach, None, *TRACE_COLUMNS).run(connection).all()) == 1
        nothing: list[dict[str, Any]] = [{"states": ()}, {"ids": []}, {"digests": []}]
        for more in nothing:
            query = visible("main", reach, None, *TRACE_COLUMNS, **more)
            assert query.run(connection).all() == [], more
