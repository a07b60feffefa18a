"""`mnemic demo` keeps what it promises, with the model and without."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory
from mnemic.cli.demo.story import KEY_BOX, QUESTIONS, Story
from tests.cli.conftest import Cli, process

EMBEDDERS = pytest.mark.parametrize("embedder", ["auto", None], ids=["model", "words"])


@pytest.fixture
def story(tmp_path: Path, embedder: str | None) -> Iterator[Story]:
    with Memory.open(tmp_path / "brain.db", embedder=embedder) as memory:
        told = Story(memory)
        assert told.import_chat().imported == len(_chat())
        yield told


def _chat() -> list[dict[str, Any]]:
    text = files("mnemic.cli.demo").joinpath("pilar.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_conversation_is_three_dated_threads_in_order() -> None:
    chat = _chat()
    assert 24 <= len(chat) <= 36
    assert list(dict.fromkeys(line["thread"] for line in chat)) == [
        "the-hall",
        "four-days",
        "accordion",
    ]
    times = [line["time"] for line in chat]
    assert times == sorted(times)
    assert len(set(times)) == len(times)
    assert {line["role"] for line in chat} == {"user", "assistant"}


@EMBEDDERS
def test_the_first_hit_answers_each_question(story: Story) -> None:
    assert len(QUESTIONS) == 5
    for question in (*QUESTIONS, KEY_BOX):
        answer = story.ask(question)
        assert answer.right, (question.text, answer.hit and answer.hit.trace.content)


@EMBEDDERS
def test_each_answer_is_one_line_of_the_chat(story: Story) -> None:
    for question in (*QUESTIONS, KEY_BOX):
        holding = [line for line in _chat() if question.holds and question.holds in line["content"]]
        assert len(holding) == 1


@pytest.mark.parametrize("words", [False, True])
def test_the_whole_story_as_data(cli: Cli, words: bool) -> None:
    told = cli.json("demo", words=words)
    assert set(told) == {
        "imported",
        "questions",
        "lines_for_another_user",
        "changes",
        "forgotten",
        "audit",
        "ok",
        "seconds",
    }
    assert told["ok"] is True
    assert told["imported"] == {"imported": len(_chat()), "skipped": 0, "refused": 0, "threads": 3}
    assert [one["right"] for one in told["questions"]] == [True] * 5
    assert all(one["reason"] for one in told["questions"])
    assert told["lines_for_another_user"] == 0

    said = {
        moment["label"]: [answer["answer"] for answer in moment["answers"]]
        for moment in told["changes"]
    }
    now, then = said["now"], said["as_of last month"]
    before, unborn = said["known_at before"], said["known_at last month"]
    assert ("Monday" in now[0], "Aalter" in now[1]) == (True, True)
    assert ("Thursday" in then[0], "Aalter" in then[1]) == (True, True)
    assert ("Thursday" in before[0], "Aalst" in before[1]) == (True, True)
    assert unborn == [None, None]

    forgotten = told["forgotten"]
    assert "4471" in forgotten["before"]["answer"]
    assert "4471" not in json.dumps([forgotten["after"], forgotten["after_import"]])
    again = forgotten["imported_again"]
    assert again == {"imported": 0, "skipped": len(_chat()) - 2, "refused": 2}
    assert forgotten["stays_forgotten"] is True
    assert told["audit"]["ok"] is True
    assert len(told["audit"]["head"]) == 64
    assert not cli.brain.exists()


def test_the_demo_reads_well_in_a_pipe(tmp_path: Path) -> None:
    done = process("demo", "--no-embedder", env={"TMPDIR": str(tmp_path), "HOME": str(tmp_path)})
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= 80
    for question in QUESTIONS:
        assert question.text in text
    for part in ("why lexical", "0 new, 30 known, 2 refused", "it is gone", "holds", "head"):
        assert part in text
    assert list(tmp_path.iterdir()) == []
    assert tempfile.gettempdir() != str(tmp_path)
