import json
from pathlib import Path

import pytest

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


def test_no_language_finds_nothing(tmp_path: Path) -> None:
    assert read_languages(tmp_path).about_you is None


def test_what_nothing_reads_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "xx.json", stopp="the")
    with pytest.raises(ValueError, match=r"xx\.json.*stopp"):
        read_languages(tmp_path)


def test_a_form_without_its_base_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "xx.json", irregular="mice")
    with pytest.raises(ValueError, match=r"xx\.json.*mice"):
        read_languages(tmp_path)


def test_the_packaged_lists_are_written_as_search_words_are() -> None:
    lists = language()
    listed = [*lists.stop, *lists.frame, *lists.irregular, *lists.irregular.values()]
    assert [word for word in listed if words(word) != [word]] == []
    assert not lists.stop & lists.frame - {"before"}
