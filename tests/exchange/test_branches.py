"""The line through an edited conversation, whatever the links of a stranger's file are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemic.exchange.chats.branches import active_line, whole_tree

TREE: dict[str, str | None] = {
    "root": None,
    "ask": "root",
    "first answer": "ask",
    "second answer": "ask",
    "thanks": "second answer",
}

KEYS = st.sampled_from("abcdefgh")
LINKS = st.dictionaries(KEYS, st.one_of(st.none(), KEYS, st.just("nowhere")), max_size=8)
TIMES = st.dictionaries(KEYS, st.floats(0, 100), max_size=8)


def test_the_line_ends_at_what_was_last_seen() -> None:
    line, others = active_line(TREE, "first answer", {})
    assert line == ["root", "ask", "first answer"]
    assert others == ["second answer", "thanks"]


def test_without_it_the_line_ends_at_the_last_leaf_by_time() -> None:
    assert active_line(TREE, None, {"thanks": 5.0, "first answer": 9.0})[0][-1] == "first answer"
    assert active_line(TREE, "gone", {"thanks": 5.0, "first answer": 2.0})[0][-1] == "thanks"
    assert active_line(TREE, None, {})[0][-1] == "thanks"


def test_messages_without_any_link_are_one_line() -> None:
    assert active_line({"a": None, "b": None, "c": None}, None, {}) == (["a", "b", "c"], [])


def test_what_a_broken_link_cuts_off_stays() -> None:
    line, others = active_line({"a": None, "b": "gone", "c": "b"}, "c", {})
    assert (line, others) == (["a", "b", "c"], [])


def test_a_circle_ends() -> None:
    line, others = active_line({"a": "c", "b": "a", "c": "b"}, "c", {})
    assert (line, others) == (["a", "b", "c"], [])
    assert active_line({"a": "a"}, None, {}) == (["a"], [])


def test_the_whole_tree_has_branch_after_branch() -> None:
    assert whole_tree(TREE) == ["root", "ask", "first answer", "second answer", "thanks"]


@given(LINKS, st.one_of(st.none(), KEYS), TIMES)
def test_every_message_is_in_exactly_one_place(
    links: dict[str, str | None], current: str | None, times: dict[str, float]
) -> None:
    line, others = active_line(links, current, times)
    assert sorted(line + others) == sorted(links)
    assert sorted(whole_tree(links)) == sorted(links)
    if current in links:
        assert current in line


@given(LINKS)
def test_in_the_whole_tree_a_message_comes_after_the_one_before_it(
    links: dict[str, str | None],
) -> None:
    forest = {key: parent for key, parent in links.items() if parent is None or parent < key}
    order = whole_tree(forest)
    for key, parent in forest.items():
        if parent in forest:
            assert order.index(str(parent)) < order.index(key)


def test_a_line_of_a_hundred_thousand_messages() -> None:
    links = {str(n): str(n - 1) if n else None for n in range(100_000)}
    line, others = active_line(links, "99999", {})
    assert (len(line), others) == (100_000, [])
    assert len(whole_tree(links)) == 100_000
