"""Where a trace comes from, what state it is in, and what it may be used for, at the terminal."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli

FACT = {
    "trace_id",
    "subject",
    "attribute",
    "value",
    "many",
    "negated",
    "valid_from",
    "valid_to",
}


def lives(cli: Cli, town: str, time: str, *args: str) -> str:
    return cli.remember(f"Ana lives in {town}.", "--type=semantic", f"--time={time}", *args)


def test_the_terminal_is_a_channel_of_its_own(cli: Cli) -> None:
    told = cli.json("remember", "The tram is late.")["trace"]
    assert (told["channel"], told["origin"]) == ("cli", "person")
    assert cli.json("audit", "log")["entries"][0]["actor"] == "cli"


@pytest.mark.parametrize("source", ["human_approval", "identity_provider", "system_config"])
def test_the_terminal_claims_no_authority(cli: Cli, source: str) -> None:
    cli("init")
    line = cli.error("remember", "Ana may open the safe.", f"--source={source}", code=1)
    assert source in line
    assert cli.json("list")["count"] == 0


def test_what_a_tool_said_is_marked(cli: Cli) -> None:
    trace = cli.remember("The tide turns at six.", "--source=tool_result")
    for words in (["list"], ["recall", "tide"]):
        assert "from a tool" in cli(*words).stdout
    for words in (["show", trace], ["why", trace]):
        assert "tool result, through cli; origin tool" in " ".join(cli(*words).stdout.split())
    cli.remember("The tide turned.")
    assert cli("list").stdout.count("from a") == 1


def test_what_rests_on_a_tool_is_no_more_trusted(cli: Cli) -> None:
    first = cli.remember("The tide turns at six.", "--source=tool_result")
    told = cli.json("remember", "We sail at six.", f"--derived-from={first}")
    assert told["trace"]["origin"] == "tool"
    refused = cli.json("remember", "We sail at seven.", "--derived-from=mt_0", code=1)
    assert (refused["status"], refused["reason"]) == ("refused", "source")


def test_a_source_has_a_name(cli: Cli) -> None:
    cli.remember("The tide turns at six.", "--source-id=tides.html")
    assert len(cli.json("erase", "--source=tides.html", "--yes")["erased"]) == 1


def test_states_are_asked_for(cli: Cli) -> None:
    cli.remember("The orchard is quiet.")
    held = cli.json("remember", "My password of the orchard is hunter2-Zx81.")["trace"]["id"]
    for reader, key in ((["list"], "traces"), (["recall", "orchard"], "hits")):
        assert len(cli.json(*reader)[key]) == 1
        found = cli.json(*reader, "--trust=candidate")[key]
        assert [one.get("trace", one)["id"] for one in found] == [held]
        assert len(cli.json(*reader, "--trust=candidate", "--trust=believed")[key]) == 2
    assert cli.json("list", "--trust=candidate")["count"] == 1
    assert "candidate" in cli("list", "--trust=candidate").stdout
    cli.error("show", held, code=1)
    assert cli.json("show", held, "--trust=candidate")["trace"]["trust"] == "candidate"
    assert cli.json("why", held, "--query=orchard", "--trust=candidate")["rank"] == 1
    for state in ("quarantined", "rejected", "expired", "forgotten"):
        assert state in cli.error("list", f"--trust={state}", code=1)


def test_uses_are_asked_for(cli: Cli) -> None:
    said = cli.remember("Ana likes trains.")
    tool = cli.remember("Ana likes planes.", "--source=tool_result")

    def found(*uses: str) -> set[str]:
        asked = [f"--usable-for={use}" for use in uses]
        listed = cli.json("list", *asked)
        hits = {hit["trace"]["id"] for hit in cli.json("recall", "Ana likes", *asked)["hits"]}
        lines = {one["trace_id"] for one in cli.json("context", "Ana likes", *asked)["lines"]}
        ids = {one["id"] for one in listed["traces"]}
        assert ids == hits == lines
        assert listed["count"] == len(ids)
        return ids

    assert found() == {said, tool}
    assert found("personalization") == {said}
    assert found("fact_claim") == {tool}
    assert found("authorization") == set()
    assert found("personalization", "fact_claim") == set()


# --- facts -----------------------------------------------------------------------------------


def test_facts_on_both_clocks(cli: Cli) -> None:
    lives(cli, "Lisbon", "2026-01-10")
    first = cli.json("history", cli.json("list")["traces"][0]["id"])["versions"][0]["recorded_at"]
    lives(cli, "Porto", "2026-05-02")
    [fact] = cli.json("facts")["facts"]
    assert set(fact) == FACT
    assert (fact["subject"], fact["attribute"], fact["value"]) == ("ana", "lives_in", "Porto")
    [then] = cli.json("facts", "--as-of=2026-02-01")["facts"]
    assert (then["value"], then["valid_to"][:10]) == ("Lisbon", "2026-05-02")
    [held] = cli.json("facts", f"--known-at={first}", "--as-of=2026-11-01")["facts"]
    assert held["value"] == "Lisbon"


def test_facts_are_filtered(cli: Cli) -> None:
    lives(cli, "Lisbon", "2026-01-10")
    lives(cli, "Porto", "2026-05-02", "--thread=walks", "--scope=thread")
    cli.remember("Ivo works at the port.")
    everything = cli.json("facts", "--thread=walks")["facts"]
    assert {one["value"] for one in everything} >= {"Lisbon", "Porto"}
    assert {one["subject"] for one in cli.json("facts", "--subject=Ana")["facts"]} == {"ana"}
    lives_in = cli.json("facts", "--attribute=lives_in")["facts"]
    assert {one["attribute"] for one in lives_in} == {"lives_in"}
    of_thread = cli.json("facts", "--thread=walks", "--scope=thread")["facts"]
    assert [one["value"] for one in of_thread] == ["Porto"]
    assert len(cli.json("facts", "--usable-for=personalization")["facts"]) >= 1
    assert cli.json("facts", "--usable-for=authorization")["facts"] == []
    assert cli("facts", "--subject=nobody").stdout == "no facts\n"
    assert cli.json("facts", "--user=bob")["facts"] == []


def test_a_subject_is_found_however_it_is_written(cli: Cli) -> None:
    lives(cli, "Lisbon", "2026-01-10")
    for name in ("Ana", " ana ", "ANA", "A\u200bna", "Ａna"):
        assert len(cli.json("facts", f"--subject={name}")["facts"]) == 1
    assert cli.json("facts", "--subject=Anna")["facts"] == []


def test_facts_are_a_table(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = lives(cli, "Lisbon", "2026-01-10")
    lives(cli, "Porto", "2026-05-02")
    text = cli("facts", "--as-of=2026-02-01").stdout
    for part in (
        "ana",
        "lives in",
        "Lisbon",
        "since 2026-01-10 00:00 until 2026-05-02 00:00",
        trace,
    ):
        assert part in text
    monkeypatch.setenv("COLUMNS", "60")
    narrow = cli("facts").stdout
    assert max(map(len, narrow.splitlines())) <= 60
    assert cli.json("facts")["facts"][0]["trace_id"] in narrow
