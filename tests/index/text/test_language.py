import json
from datetime import date
from pathlib import Path

import pytest

from mnemic.index.text.dates import date_ranges
from mnemic.index.text.language import language, read_languages
from mnemic.index.text.tokens import words


def write(folder: Path, name: str, **lists: object) -> None:
    (folder / name).write_text(json.dumps(lists), "utf-8")


def test_a_new_language_is_one_file(tmp_path: Path) -> None:
    write(tmp_path, "en.json", stop="the of", irregular="mice:mouse", about_you=["you said"])
    write(tmp_path, "pt.json", stop="o de", frame="lembra", about_you=["tu disseste"])
    (tmp_path / "README.md").write_text("not a language")
    both = read_languages(tmp_path)
    assert both.stop == {"the", "of", "o", "de"}
    assert both.frame == {"lembra"}
    assert both.irregular == {"mice": "mouse"}
    assert both.about_you is not None
    assert both.about_you.search("o que TU DISSESTE ontem")
    assert both.about_you.search("what you said")


def test_what_a_language_says_of_people_numbers_and_days_is_added(tmp_path: Path) -> None:
    write(tmp_path, "en.json", first_person="i my", numbers="one", asks_number=["how many"])
    write(
        tmp_path,
        "pt.json",
        first_person="eu",
        numbers="um uma",
        asks_number=["quantos", "quantas"],
        dates={"yesterday": ["ontem"]},
    )
    both = read_languages(tmp_path)
    assert both.first_person == {"i", "my", "eu"}
    assert both.numbers == {"one", "um", "uma"}
    assert both.asks_number is not None
    for question in ("How many boats?", "QUANTOS barcos?", "e quantas?"):
        assert both.asks_number.search(question)
    assert not both.asks_number.search("which boat?")
    today = date(2026, 6, 10)
    assert date_ranges("ontem", today, both.dates) == [(date(2026, 6, 9), today)]


def test_no_language_finds_nothing(tmp_path: Path) -> None:
    none = read_languages(tmp_path)
    assert none.about_you is None
    assert none.asks_number is None
    assert none.dates == ()
    assert not none.first_person | none.numbers


def test_what_nothing_reads_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "xx.json", stopp="the")
    with pytest.raises(ValueError, match=r"xx\.json.*stopp"):
        read_languages(tmp_path)
    write(tmp_path, "xx.json", dates={"mnths": {"may": 5}})
    with pytest.raises(ValueError, match="mnths"):
        read_languages(tmp_path)


def test_a_form_without_its_base_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "xx.json", irregular="mice")
    with pytest.raises(ValueError, match=r"xx\.json.*mice"):
        read_languages(tmp_path)


def test_the_packaged_lists_are_written_as_search_words_are() -> None:
    lists = language()
    listed = [*lists.stop, *lists.frame, *lists.irregular, *lists.irregular.values()]
    listed += [*lists.first_person, *lists.numbers]
    assert [word for word in listed if words(word) != [word]] == []
    assert not lists.stop & lists.frame - {"before"}


def test_the_packaged_words_that_name_days_are_written_as_search_words_are() -> None:
    for dates in language().dates:
        listed = [*dates.before_month, *(word for kind in dates.words.values() for word in kind)]
        assert [word for word in listed if " ".join(words(word)) != word] == []
        assert dates.doubtful <= dates.words["months"].keys()
        assert set(dates.words["months"].values()) == set(range(1, 13))
        assert set(dates.words["weekdays"].values()) == set(range(7))
        assert all(
            value > 0 for kind in ("numbers", "units") for value in dates.words[kind].values()
        )


def test_the_packaged_patterns_find_what_they_are_for() -> None:
    asks_number = language().asks_number
    assert asks_number is not None
    for question in ("How many boats?", "how LONG was it", "What time is it?", "how far is Porto"):
        assert asks_number.search(question)
    for question in ("How is Ruth?", "Show many boats", "What is it?", "how manyfold"):
        assert not asks_number.search(question)
