import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.index.text.passages import split_passages

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=400)
CHATTY = st.lists(
    st.sampled_from(
        ["so", "we", "left.", "Really?", "\n", "\n\n", "猫が好き。", "x" * 70, "é", " "]
    )
).map(" ".join)


def pieces(text: str, size: int = 64) -> list[str]:
    return [text[start:end] for start, end in split_passages(text, size)]


def test_a_short_text_is_one_passage_without_the_space_around_it() -> None:
    assert split_passages("  We met in May. It rained. \n") == [(2, 27)]
    assert split_passages("") == split_passages(" \n\t") == []


def test_cuts_fall_where_sentences_or_lines_end() -> None:
    text = "One two three. Four five six!\nSeven eight nine ten"
    assert pieces(text, 6) == ["One two three. Four five six!", "Seven eight nine ten"]
    assert pieces(text, 5) == ["One two three.", "Four five six!", "Seven eight nine ten"]


def test_a_sentence_of_up_to_twice_the_size_stays_whole_and_a_longer_one_is_cut_by_count() -> None:
    assert [len(p.split()) for p in pieces("a " * 20 + "b", 11)] == [21]
    assert [len(p.split()) for p in pieces("Hi. " + "a " * 25 + "\nBye.", 11)] == [1, 11, 11, 3, 1]


def test_text_without_spaces_is_cut_at_two_characters_a_word() -> None:
    text = "今日は天気がいいので散歩に出かけました。" * 20
    passages = pieces(text, 30)
    assert all(len(passage) <= 60 for passage in passages)
    assert all(passage.endswith("。") for passage in passages)
    endless = "あ" * 1_000
    assert [len(passage) for passage in pieces(endless, 30)] == [60] * 16 + [40]


def test_one_giant_word_is_cut() -> None:
    lengths = [end - start for start, end in split_passages("x" * 200_000)]
    assert max(lengths) == 1_024
    assert sum(lengths) == 200_000
    assert pieces("Look: " + "y" * 1_025 + " right?") == ["Look:", "y" * 1_024, "y", "right?"]
    assert pieces("See here.\n" + "y" * 1_025) == ["See here.", "y" * 1_024, "y"]
    assert len(pieces("A link " + "z" * 1_000 + " of length")) == 1


def test_a_cut_does_not_part_a_character_from_its_marks() -> None:
    text = "x" * 1_023 + "ก่" * 600
    assert all(not passage.startswith("่") for passage in pieces(text))


@pytest.mark.parametrize("unit", ["x", "ก่", "่", "。", "a ", "\n", "é"])
def test_a_megabyte_of_anything_is_cut(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert all(end - start <= 2_048 for start, end in split_passages(text))


@given(st.one_of(ANY_TEXT, CHATTY), st.integers(1, 70))
@example("\u3099" * 300, 2)
@example("a\x1cb\x85c\u2028d", 1)
def test_spans_hold_all_words_in_order(text: str, size: int) -> None:
    at = 0
    for start, end in split_passages(text, size):
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@given(CHATTY, st.integers(1, 70))
def test_passages_are_not_longer_than_twice_the_size(text: str, size: int) -> None:
    assert all(len(passage.split()) <= 2 * size for passage in pieces(text, size))
