"""`mnemic graph`: names, ties, ways, clusters, and names that stand for others."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic import Memory, Settings
from tests.cli.conftest import Cli
from tests.lived import DAYS, HIVES


def labels(things: list[dict[str, Any]]) -> list[str]:
    return [one["label"] for one in things]


def ties(cli: Cli, *words: str) -> set[tuple[str, str]]:
    found = cli.json("graph", *words)["ties"]
    return {(tie["kind"], tie["thing"]["label"]) for tie in found}


def test_names_are_listed_those_mentioned_most_first(old: Cli) -> None:
    names = labels(old.json("graph")["names"])
    assert names[0] == "Tom"
    assert {"Marta Ruiz", "Lisbon", "Acme", "Sintra", "Porto"} <= set(names)
    assert old.json("graph", "--names") == old.json("graph", "show")
    assert labels(old.json("graph", "--limit=2")["names"]) == names[:2]
    text = old("graph").stdout
    assert "Marta Ruiz" in text
    assert "en_" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_name_and_what_it_is_tied_to(old: Cli) -> None:
    assert {("lives_in", "Lisbon"), ("works_at", "Acme")} <= ties(old, "Marta Ruiz")
    assert ties(old, "Marta Ruiz") == ties(old, "show", "Marta Ruiz")
    text = old("graph", "Marta Ruiz").stdout
    assert "→ lives in" in text
    assert "← mentions" in text
    assert "← lives in" in old("graph", "Lisbon").stdout
    assert "and " in old("graph", "Marta Ruiz", "--limit=1").stdout
    assert max(map(len, text.splitlines())) <= 80


def test_a_name_that_many_memories_mention(cli: Cli) -> None:
    cli.brain.parent.mkdir()
    with Memory.open(cli.brain, embedder=None, settings=Settings()) as memory:
        texts = [f"Tom rowed to hill {number} in Porto." for number in range(31)]
        memory.bind(user="me").remember_many(texts)
    assert "newest" not in cli("graph", "Tom").stdout
    assert "31+" not in cli("mind", "--brief").stdout
    cli.remember("Tom sleeps.")
    assert "the newest 32 are looked at" in cli("graph", "Tom").stdout
    assert "32+" in cli("mind", "--brief").stdout


def test_a_trace_and_a_name_may_be_given_by_id(old: Cli) -> None:
    tom = next(one["id"] for one in old.json("graph")["names"] if one["label"] == "Tom")
    assert old.json("graph", tom)["ties"] == old.json("graph", "Tom")["ties"]
    assert ("mentions", "Tom") in ties(old, HIVES)


def test_what_lies_around(old: Cli) -> None:
    near, far = (old.json("graph", "Lisbon", f"--depth={depth}")["around"] for depth in (2, 3))
    distances = {thing["label"]: distance for thing, distance in near["things"]}
    assert (distances["Lisbon"], distances["Marta Ruiz"], distances["Acme"]) == (0, 1, 2)
    assert len(far["things"]) > len(near["things"])
    text = old("graph", "Lisbon", "--depth=2").stdout
    assert "– lives in Lisbon" in text
    assert len(old.json("graph", "Lisbon", "--depth=2", "--limit=3")["around"]["things"]) == 3


def test_a_way_and_none(old: Cli) -> None:
    path = old.json("graph", "Lisbon", "--path=Tom")["path"]
    assert path[0]["start"]["label"] == "Lisbon"
    assert path[-1]["end"]["label"] == "Tom"
    text = old("graph", "Lisbon", "--path=Tom").stdout
    assert text.splitlines()[0] == "Lisbon (place)"
    assert text.splitlines()[-1] == "Tom (person)"
    old.remember("Zoe plays chess.")
    assert old("graph", "Lisbon", "--path=Zoe", code=1).stdout == "no way leads there\n"
    assert old.json("graph", "Lisbon", "--path=Zoe", code=1)["path"] is None
    assert old("graph", "Tom", "--path=Tom").stdout == "they are one\n"


def test_clusters(old: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    found = old.json("graph", "Tom", "--clusters")["clusters"]
    assert any("Tom" in labels(cluster) for cluster in found)
    assert "together" in old("graph", "Tom", "--clusters").stdout
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert "pip install 'mnemic[graph]'" in old.error("graph", "Tom", "--clusters", code=1)


def test_the_clocks(old: Cli) -> None:
    past = (datetime.now(UTC) - timedelta(days=DAYS - 20)).isoformat()
    assert ("mentions", "Sintra") in ties(old, HIVES)
    assert "within reach" in old.error("graph", "Sintra", f"--known-at={past}", code=1)
    assert ties(old, "Lisbon", f"--known-at={past}")
    begin = (datetime.now(UTC) - timedelta(days=DAYS + 5)).isoformat()
    assert "within reach" in old.error("graph", "Lisbon", f"--as-of={begin}", code=1)


def test_what_does_not_go_together_is_wrong_usage(old: Cli) -> None:
    for words in (
        ["Tom", "--names"],
        ["--depth=2"],
        ["--clusters"],
        ["--path=Tom"],
        ["--as-of=2026-01-01"],
        ["Tom", "--depth=2", "--clusters"],
        ["Tom", "--path=Marta", "--clusters"],
        ["Tom", "--clusters", "--as-of=2026-01-01"],
        ["Tom", "--depth=0"],
        ["Tom", "--clusters", "--limit=3"],
        ["Tom", "--path=Marta", "--limit=3"],
        ["Tom", "Marta"],
        [""],
    ):
        old.error("graph", *words, code=2)


def test_a_name_that_is_not_there_and_a_foreign_one_read_the_same(old: Cli) -> None:
    assert old("graph", "Bob", "--user=bob").stdout
    line = old.error("graph", "Bob", code=1)
    assert line.replace("Bob", "Nobody") == old.error("graph", "Nobody", code=1)


def test_a_name_stands_for_another_until_it_does_not(old: Cli) -> None:
    [alias] = old.json("graph", "aliases")["aliases"]
    pair = (alias["name"]["label"], alias["stands_for"]["label"])
    assert pair == ("Marta", "Marta Ruiz")
    assert "seems short for" in old("graph", "aliases").stdout
    own = ties(old, "Marta")
    assert ("lives_in", "Lisbon") not in own
    said = old("graph", "merge", "Marta", "Marta Ruiz").stdout
    assert said == "'Marta' stands for 'Marta Ruiz' from now on\n"
    assert ("lives_in", "Lisbon") in ties(old, "Marta")
    assert old("graph", "aliases").stdout == "no name seems to be short for another\n"
    assert old.json("graph", "unmerge", "Marta") == {"name": "Marta", "unmerged": True}
    assert ties(old, "Marta") == own
    again = old("graph", "unmerge", "Marta", code=1).stdout
    assert again == "'Marta' stood for no other\n"


def test_names_that_cannot_be_merged(old: Cli) -> None:
    old("graph", "merge", "Marta", "Marta Ruiz")
    old.error("graph", "merge", "Marta", "Marta Ruiz", code=2)
    old.error("graph", "merge", "Tom", "Nobody", code=1)
    old.error("graph", "unmerge", "Nobody", code=1)


def test_a_name_of_a_command_is_asked_for_by_show(cli: Cli) -> None:
    cli.json("remember", "--entity=merge", "--", "We talked about a merge.")
    assert ties(cli, "show", "merge")
    cli.error("graph", "merge", code=2)


def test_a_brain_without_names(cli: Cli) -> None:
    cli("init")
    assert cli("graph").stdout == "no names\n"
    trace = cli.remember("it rained.")
    assert cli("graph", trace).stdout == "tied to nothing\n"


def test_stored_names_cannot_drive_the_terminal(cli: Cli) -> None:
    cli.json("remember", "--entity=Odd\x1b[31m", "--entity=Tom", "--", "Tom and the odd one.")
    for words in (["graph"], ["graph", "Tom", "--depth=2"], ["graph", "Tom", "--clusters"]):
        text = cli(*words).stdout
        assert "Odd\u241b[31m" in text
        assert "\x1b" not in text
