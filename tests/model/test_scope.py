"""Who asks decides what is read: ids are letters, scope ids never collide."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Principal, Reach, Scope
from mnemic.errors import InvalidInput

IDS = st.text(
    st.one_of(st.sampled_from("ab/%:_* '\"é2F5"), st.characters(exclude_categories=["Cc", "Cs"])),
    min_size=1,
    max_size=8,
).filter(lambda text: bool(text.strip()))

PRINCIPALS = st.builds(
    Principal,
    user=st.none() | IDS,
    thread=st.none() | IDS,
    persona=st.none() | IDS,
    organization=IDS,
)


def _axis(principal: Principal, scope: Scope) -> tuple[object, ...]:
    """What two principals must share to share a scope id."""
    if scope in (Scope.USER, Scope.ORGANIZATION):
        return (getattr(principal, scope.value),)
    return (principal.user, getattr(principal, scope.value))


@settings(max_examples=300)
@given(PRINCIPALS, PRINCIPALS, st.sampled_from(Scope))
def test_two_scope_ids_are_equal_only_when_their_parts_are(
    one: Principal, other: Principal, scope: Scope
) -> None:
    ids = one.scope_id(scope), other.scope_id(scope)
    if None not in ids:
        assert (ids[0] == ids[1]) == (_axis(one, scope) == _axis(other, scope))


PIECES = st.lists(st.sampled_from(["a", "b", "/", "//", ":", "::", "%", "%2F"]), min_size=3)


@settings(max_examples=300)
@given(PIECES, st.data())
def test_one_text_cut_in_two_places_gives_two_scope_ids(
    pieces: list[str], data: st.DataObject
) -> None:
    cuts = st.integers(1, len(pieces) - 1)
    texts = [
        ("".join(pieces[:at]), "".join(pieces[at:])) for at in (data.draw(cuts), data.draw(cuts))
    ]
    one, other = (Principal(user=user, thread=name, persona=name) for user, name in texts)
    for scope in (Scope.THREAD, Scope.PERSONA):
        assert (one.scope_id(scope) == other.scope_id(scope)) == (texts[0] == texts[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b/c"), ("a/b", "c")),
        (("a", "b//c"), ("a//b", "c")),
        (("a%2Fb", "c"), ("a/b", "c")),
        ((None, "a//b"), ("a", "b")),
    ],
)
def test_separators_inside_names_do_not_run_into_each_other(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    ids = [
        Principal(user=user, thread=thread).scope_id(Scope.THREAD) for user, thread in (one, other)
    ]
    assert None not in ids
    assert ids[0] != ids[1]


def test_a_reach_holds_each_axis_that_the_principal_has() -> None:
    principal = Principal(user="ana", thread="monday", persona="coach", organization="acme")
    assert {scope for scope, _ in principal.reach()} == set(Scope)
    assert {scope for scope, _ in Principal(thread="monday").reach()} == {Scope.THREAD}
    assert list(principal.reach().within(Scope.USER)) == [(Scope.USER, "ana")]
    assert list(Principal(user="ana").reach().within(Scope.THREAD)) == []


def test_where_a_trace_goes_when_nobody_says() -> None:
    assert Principal(user="ana", thread="m", organization="acme").default_scope() is Scope.USER
    assert Principal(thread="m", persona="p").default_scope() is Scope.THREAD
    assert Principal(persona="p", organization="acme").default_scope() is Scope.PERSONA
    assert Principal(organization="acme").default_scope() is Scope.ORGANIZATION


def test_a_reach_is_a_set_in_a_fixed_order() -> None:
    pairs = [(Scope.USER, "ana"), (Scope.THREAD, "ana//m"), (Scope.USER, "ana")]
    reach = Reach.of(pairs)
    assert len(reach) == 2
    assert reach == Reach.of(reversed(pairs))
    assert (Scope.USER, "ana") in reach
    assert (Scope.USER, "bob") not in reach


@pytest.mark.parametrize("axis", ["user", "thread", "persona", "organization", "actor"])
@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("", "blank"),
        ("  ", "blank"),
        ("a\0b", "control character"),
        ("a\nb", "control character"),
        ("\ud800", "lone surrogate"),
        ("x" * 257, "257 characters"),
        (5, "must be a string, not int 5"),
        (b"ana", "must be a string, not bytes"),
    ],
)
def test_an_id_that_is_none_is_refused_by_name(axis: str, value: Any, says: str) -> None:
    good: dict[str, Any] = {"user": "ana", axis: "ok"}
    assert getattr(Principal(**good), axis) == "ok"
    if (axis, value) == ("actor", ""):
        assert Principal(user="ana", channel="agent", actor="").actor == "agent"  # type: ignore[arg-type]
        return
    with pytest.raises(InvalidInput, match=f"{axis}.*{says}"):
        Principal(**{**good, axis: value})


def test_a_principal_without_any_id_is_refused() -> None:
    assert Principal(user="ana").actor == "sdk"
    with pytest.raises(InvalidInput, match="at least one of user, thread, persona, organization"):
        Principal()
    with pytest.raises(InvalidInput, match="at least one"):
        Principal(actor="cli")


@pytest.mark.parametrize("actor", ["review:dana", "Review:dana", "review"])
def test_nobody_signs_as_a_reviewer(actor: str) -> None:
    assert Principal("ana", actor="previewer").actor == "previewer"
    with pytest.raises(InvalidInput, match="how reviewers sign"):
        Principal("ana", actor=actor)
