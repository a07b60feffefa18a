"""Who may move a trace to which state: the whole table, and that nothing goes round it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mnemic
from mnemic.errors import NotAllowed
from mnemic.model.trust import ASKABLE, READABLE, SEARCHED, Authority, Event, Trust, moved
from mnemic.model.trust import sources_of as sources_of_event

SOURCES = Path(mnemic.__file__).parent

# Written by hand, and not from the code: for each event and state, who may do it and what comes
# of it. m: a machine, p: a person, b: the brain's own rules, r: a reviewer.
BY_HAND = """
correct     believed=mpr>believed verified=pr>believed
update      believed=mpr>believed verified=pr>believed
date        believed=mpbr>believed verified=pbr>verified
edit        candidate=r>believed believed=r>believed verified=r>believed disputed=r>believed
edit        quarantined=r>believed expired=r>believed
send_back   believed=br>candidate verified=br>candidate
approve     candidate=r>believed disputed=r>believed quarantined=r>believed expired=r>believed
verify      candidate=r>verified believed=r>verified verified=r>verified disputed=r>verified
dispute     believed=br>disputed
quarantine  candidate=br>quarantined believed=br>quarantined verified=br>quarantined
quarantine  disputed=br>quarantined
reject      candidate=r>rejected believed=mpr>rejected verified=pr>rejected disputed=r>rejected
reject      quarantined=r>rejected superseded=r>rejected expired=r>rejected forgotten=r>rejected
supersede   candidate=r>superseded believed=mpbr>superseded verified=r>superseded
supersede   disputed=r>superseded
expire      candidate=b>expired disputed=b>expired
forget      believed=mpr>forgotten verified=pr>forgotten
restore     superseded=r>believed forgotten=pr>believed
lift        rejected=r>believed
"""

_LETTERS = {"m": "machine", "p": "person", "b": "brain", "r": "reviewer"}


def table() -> dict[tuple[str, str, str], str]:
    """State, event and authority, to the state that follows."""
    found = {}
    for line in BY_HAND.split("\n")[1:-1]:
        event, *moves = line.split()
        for move in moves:
            state, rest = move.split("=")
            letters, after = rest.split(">")
            for letter in letters:
                assert (state, event, _LETTERS[letter]) not in found
                found[state, event, _LETTERS[letter]] = after
    return found


def test_the_table_by_hand_names_every_event_and_only_what_there_is() -> None:
    keys = table().keys()
    assert {event for _, event, _ in keys} == {event.value for event in Event}
    assert {state for state, _, _ in keys} == {state.value for state in Trust}
    assert {who for _, _, who in keys} == {who.value for who in Authority}


@pytest.mark.parametrize("state", Trust)
@pytest.mark.parametrize("event", Event)
@pytest.mark.parametrize("authority", Authority)
def test_every_move_is_the_one_of_the_table(
    state: Trust, event: Event, authority: Authority
) -> None:
    after = table().get((state.value, event.value, authority.value))
    if after is None:
        with pytest.raises(NotAllowed):
            moved(state, event, authority)
    else:
        assert moved(state, event, authority) is Trust(after)
    assert (state in sources_of_event(event, authority)) is (after is not None)


def test_a_machine_brings_nothing_to_a_state_of_more_trust() -> None:
    """Only down, or from believed to believed; and nothing of what it may not read."""
    for (state, event, who), after in table().items():
        if who == "machine":
            assert state == "believed", (state, event)
            assert after in ("believed", "rejected", "superseded", "forgotten")


def test_only_a_reviewer_lets_in_what_waits_and_what_was_rejected() -> None:
    closed = {state.value for state in Trust} - {"believed", "verified"}
    opening = {
        (state, who)
        for (state, _, who), after in table().items()
        if state in closed and after in ("believed", "verified")
    }
    assert {state for state, who in opening if who == "person"} == {"forgotten"}
    assert {who for _, who in opening} == {"person", "reviewer"}
    assert not any(after in ("believed", "verified") and who == "brain" and state in closed
                   for (state, _, who), after in table().items())  # fmt: skip


def test_a_refusal_says_who_may() -> None:
    with pytest.raises(NotAllowed, match="up to reviewer, not to the channel of a machine"):
        moved(Trust.REJECTED, Event.LIFT, Authority.MACHINE)
    with pytest.raises(NotAllowed, match="that is rejected cannot be moved by restore"):
        moved(Trust.REJECTED, Event.RESTORE, Authority.PERSON)


def test_what_is_read_is_searched_and_what_is_asked_for_is_no_more_than_may_be() -> None:
    assert set(READABLE) == {Trust.BELIEVED, Trust.VERIFIED}
    assert set(READABLE) < set(SEARCHED) < set(ASKABLE)
    never = {"quarantined", "rejected", "expired", "forgotten"}
    assert {state.value for state in Trust} - {state.value for state in ASKABLE} == never


# --- nothing goes round it -------------------------------------------------------------------

MAY_NAME_TRUST = {
    "encode/revise/case.py": {"move", "told"},
    "encode/revise/judge.py": {"_as_it_is"},
    "encode/ending.py": {"set_end"},
    "encode/rows.py": {"version_row"},
    "exchange/notes/note.py": {"written"},
    "exchange/portable/document.py": {"_metadata"},
}
"""The functions that write the word into a row: two that ask `moved`, two that only tell what is,
the one that makes a trace's first version, and two that write an export."""

SHOWING = ("cli/", "evals/", "store/migrations/")
"""Rooms that show a state, or tables before there were rows; they may not write a trace."""

ASK_MOVED = {("encode/revise/case.py", "move"), ("encode/ending.py", "set_end")}


def naming_trust(tree: ast.Module) -> set[str]:
    """The functions in which a row's trust is set, by a key or by `values(trust=...)`."""
    found = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            keyed = isinstance(node, ast.Dict) and any(_is_trust(key) for key in node.keys)
            stored = (
                isinstance(node, ast.Subscript)
                and isinstance(node.ctx, ast.Store)
                and _is_trust(node.slice)
            )
            given = (
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", "") == "values"
                and any(keyword.arg == "trust" for keyword in node.keywords)
            )
            if keyed or stored or given:
                found.add(function.name)
    return found


def _is_trust(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == "trust"


@pytest.mark.parametrize(
    "planted",
    [
        "def f():\n    append_version(c, b, row, now, 'x', None, {'trust': 'believed'})",
        "def f():\n    changes['trust'] = 'verified'",
        "def f():\n    update(v).values(trust='believed')",
        "async def f():\n    return {**row, 'trust': after}",
    ],
)
def test_code_that_sets_trust_is_seen(planted: str) -> None:
    assert naming_trust(ast.parse(planted)) == {"f"}
    assert (
        naming_trust(ast.parse("def f(trust):\n    return row.trust, {'status': trust}")) == set()
    )


def test_nothing_but_the_table_moves_a_trace() -> None:
    found = {}
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        if name.startswith(SHOWING):
            continue
        if names := naming_trust(ast.parse(path.read_text("utf-8"))):
            found[name] = names
    assert found == MAY_NAME_TRUST
    for name, function in ASK_MOVED:
        tree = ast.parse((SOURCES / name).read_text("utf-8"))
        (body,) = (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name == function
        )
        calls = {getattr(node.func, "id", "") for node in ast.walk(body)
                 if isinstance(node, ast.Call)}  # fmt: skip
        assert "moved" in calls, name
