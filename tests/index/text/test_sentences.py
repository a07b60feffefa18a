from hypothesis import given
from hypothesis import strategies as st

from mnemic.index.text.sentences import count_words, split_sentences

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


def test_sentences_end_at_stops_and_lines() -> None:
    text = "We moved in on the ninth. Did the boxes ever turn up?\nThey were in the cellar"
    assert split_sentences(text) == [
        "We moved in on the ninth.",
        "Did the boxes ever turn up?",
        "They were in the cellar",
    ]


def test_a_short_sentence_joins_the_next_and_a_short_last_one_the_one_before() -> None:
    text = "Oh no! The train left without us again. Typical."
    assert split_sentences(text) == ["Oh no! The train left without us again. Typical."]
    assert split_sentences("Yes. No.") == ["Yes. No."]
    assert split_sentences("Yes. No.", min_words=1) == ["Yes.", "No."]


def test_numbers_and_names_of_files_are_not_cut() -> None:
    assert split_sentences("It costs 3.50 in shop.example today", min_words=1) == [
        "It costs 3.50 in shop.example today"
    ]


def test_sentences_of_other_scripts() -> None:
    japanese = "先週の土曜日に京都へ行きました。とても楽しかったので、また行きたいです！"
    assert len(split_sentences(japanese)) == 2
    quoted = "彼女は「来年は引っ越したいです。」と言いました。だから部屋を探しています。"
    assert split_sentences(quoted)[0].endswith("です。」")
    assert split_sentences("どうしてですか？！", min_words=1) == ["どうしてですか？！"]
    hindi = "मैं पिछले साल दिल्ली चला गया। अब मुझे यह शहर पसंद है।"
    assert len(split_sentences(hindi)) == 2
    arabic = "هل تتذكر اسم الطبيب الجديد؟ كان اسمه طويلا جدا حقا."
    assert len(split_sentences(arabic)) == 2


def test_at_most_so_many() -> None:
    text = " ".join(f"This is sentence number {at} of it." for at in range(40))
    assert len(split_sentences(text)) == 24
    assert split_sentences(text, most=3) == split_sentences(text)[:3]
    assert split_sentences("One is five words long. Another is five words long. End.", most=2) == [
        "One is five words long.",
        "Another is five words long. End.",
    ]
    assert split_sentences(" \n ") == []


@given(ANY_TEXT)
def test_sentences_leave_nothing_out(text: str) -> None:
    given_back = "".join(split_sentences(text, most=10_000))
    assert "".join(given_back.split()) == "".join(text.split())


@given(ANY_TEXT, st.integers(1, 5))
def test_most_cuts_and_changes_nothing_else(text: str, most: int) -> None:
    assert split_sentences(text, most=most) == split_sentences(text, most=10_000)[:most]


def test_count_words() -> None:
    assert count_words("one two  three") == 3
    assert count_words("我喜欢喝绿茶") == 4
    assert count_words("김치를 먹었어요") == 2
