"""Every command that reads or writes traces, and what it says to programs."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.cli.conftest import Cli

TRACE = {
    "id",
    "content",
    "type",
    "scope",
    "scope_id",
    "tags",
    "entities",
    "metadata",
    "speaker",
    "role",
    "thread",
    "time",
    "valid_from",
    "valid_to",
    "recorded_at",
    "retired_at",
    "trust",
    "source",
    "channel",
    "origin",
    "verified_at",
    "strength",
    "created_at",
    "last_accessed_at",
    "retrieval_count",
    "version",
    "stability",
    "importance",
    "emotion",
    "archived_at",
    "is_gist",
}
VERSION = {
    "version",
    "content",
    "tags",
    "entities",
    "metadata",
    "valid_from",
    "valid_to",
    "trust",
    "channel",
    "origin",
    "verified_at",
    "recorded_at",
    "retired_at",
    "cause",
    "reason",
}
RECEIPT = {"status", "trace", "reason", "message", "audit_seq", "ledger_id"}
AUDIT = {"seq", "at", "actor", "action", "trace_id", "outcome", "reason", "detail", "hash"}


def test_remember_takes_every_field(cli: Cli) -> None:
    receipt = cli.json(
        "remember",
        "The boiler was serviced by Ivo.",
        "--type=semantic",
        "--tag=home",
        "--tag=boiler",
        "--entity=Ivo",
        "--meta=invoice=2026/114",
        "--speaker=Marta",
        "--role=user",
        "--time=2026-03-01T10:30:00+01:00",
        "--valid-from=2026-03-01",
        "--valid-to=2027-03-01",
        "--source=observation",
        "--strength=0.75",
        "--thread=house",
        "--scope=thread",
    )
    assert set(receipt) == RECEIPT
    assert receipt["status"] == "stored"
    trace = receipt["trace"]
    assert set(trace) == TRACE
    assert trace["type"] == "semantic"
    assert trace["tags"] == ["home", "boiler"]
    assert trace["entities"] == ["Ivo"]
    assert trace["metadata"] == {"invoice": "2026/114"}
    assert (trace["speaker"], trace["role"]) == ("Marta", "user")
    assert trace["time"] == "2026-03-01T09:30:00+00:00"
    assert trace["valid_from"] == "2026-03-01T00:00:00+00:00"
    assert trace["valid_to"] == "2027-03-01T00:00:00+00:00"
    assert (trace["source"], trace["strength"]) == ("observation", 0.75)
    assert (trace["thread"], trace["scope"], trace["scope_id"]) == ("house", "thread", "me//house")


def test_remember_says_what_came_of_it(cli: Cli) -> None:
    first = cli("remember", "The cat is called Orzo.").stdout
    assert first.startswith("stored mt_")
    again = cli("remember", "The cat is called Orzo.").stdout
    assert again.startswith("reinforced mt_")


def test_remember_reads_stdin(cli: Cli) -> None:
    by_dash = cli.json("remember", "-", stdin="two\nlines\n")
    assert by_dash["trace"]["content"] == "two\nlines"
    assert cli.json("remember", stdin="nothing given")["trace"]["content"] == "nothing given"


def test_recall_gives_hits_with_their_reasons(cli: Cli) -> None:
    wanted = cli.remember("Ana keeps bees behind the chapel.")
    cli.remember("The tram to the harbour is late.")
    answer = cli.json("recall", "who keeps bees?", "--limit=1")
    assert set(answer) == {"query", "hits"}
    [hit] = answer["hits"]
    assert set(hit) == {"rank", "score", "trace", "why"}
    assert set(hit["trace"]) == TRACE
    assert set(hit["why"]) == {"arms", "terms", "related", "passage", "breakdown"}
    assert hit["trace"]["id"] == wanted
    assert "bees" in hit["why"]["terms"]
    text = cli("recall", "who keeps bees?").stdout
    assert "Ana keeps bees behind the chapel." in text
    assert "why " in text
    assert wanted in text


def test_recall_of_an_empty_brain_finds_nothing(cli: Cli) -> None:
    cli("init")
    assert cli("recall", "anything").stdout == "nothing found\n"
    assert cli.json("recall", "anything")["hits"] == []


def test_recall_counts_as_a_use_unless_told_not_to(cli: Cli) -> None:
    trace = cli.remember("Olives are cured for six weeks.")
    cli("recall", "olives", "--no-touch")
    assert cli.json("show", trace)["trace"]["retrieval_count"] == 0
    cli("recall", "olives")
    assert cli.json("show", trace)["trace"]["retrieval_count"] == 1


@pytest.mark.parametrize(
    ("option", "kept"),
    [
        ("--type=semantic", {"b"}),
        ("--tag=green", {"b"}),
        ("--entity=Nils", {"a"}),
        ("--before=2026-02-01", {"a"}),
        ("--after=2026-02-01", {"b", "c"}),
        ("--min-strength=0.8", {"c"}),
        ("--in-thread=walks", {"c"}),
        ("--scope=thread", {"c"}),
    ],
)
def test_filters_hold_for_every_reader(cli: Cli, option: str, kept: set[str]) -> None:
    ids = {
        cli.remember("moss on stones", "--time=2026-01-05", "--entity=Nils"): "a",
        cli.remember("moss in jars", "--time=2026-03-05", "--type=semantic", "--tag=green"): "b",
        cli.remember(
            "moss on walks",
            "--time=2026-04-05",
            "--strength=0.9",
            "--thread=walks",
            "--scope=thread",
        ): "c",
    }
    where = ("--thread=walks", option)
    hits = cli.json("recall", "moss", *where)["hits"]
    assert {ids[hit["trace"]["id"]] for hit in hits} == kept
    listed = cli.json("list", *where)
    assert {ids[trace["id"]] for trace in listed["traces"]} == kept
    assert listed["count"] == len(kept)
    lines = cli.json("context", "moss", *where)["lines"]
    assert {ids[line["trace_id"]] for line in lines} == kept


def test_context_is_ready_for_a_prompt(cli: Cli) -> None:
    trace = cli.remember("She is allergic to walnuts.")
    packet = cli.json("context", "allergies: what is she allergic to?")
    assert set(packet) == {"query", "text", "lines", "tokens", "omitted", "style"}
    assert [(line["trace_id"], line["section"]) for line in packet["lines"]] == [
        (trace, "episodes")
    ]
    assert packet["style"] == "structured"
    told = cli.json("context", "walnuts", "--style=narrative")
    assert told["style"] == "narrative"
    assert "] On 2" in told["text"]
    raw = cli("context", "allergies: what is she allergic to?").stdout
    assert raw == packet["text"] + "\n"
    omitted = {"trace_id": trace, "section": "episodes", "reason": "budget"}
    assert cli.json("context", "walnuts", "--budget=1")["omitted"] == [omitted]
    assert cli("context", "walnuts", "--budget=1").stdout == ""


def test_show_tells_all_that_is_known(cli: Cli) -> None:
    trace = cli.remember("The spare key is with Tove.", "--tag=home", "--speaker=Ana")
    assert set(cli.json("show", trace)) == {"trace"}
    text = cli("show", trace).stdout
    for part in ("The spare key is with Tove.", trace, "home", "Ana", "believed", "never"):
        assert part in text


def test_list_pages_newest_first(cli: Cli) -> None:
    for day in (1, 2, 3):
        cli.remember(f"entry {day}", f"--time=2026-05-0{day}")
    page = cli.json("list", "--limit=2", "--offset=1")
    assert [trace["content"] for trace in page["traces"]] == ["entry 2", "entry 1"]
    assert (page["count"], page["offset"]) == (3, 1)
    assert "2-3 of 3" in cli("list", "--limit=2", "--offset=1").stdout
    assert "0 of 3" in cli("list", "--offset=9").stdout


def test_correct_then_read_on_both_clocks(cli: Cli) -> None:
    trace = cli.remember("The dentist is on Monday.", "--time=2026-01-01")
    told = cli.json("correct", trace, "The dentist is on Tuesday.", "--reason=misheard")
    assert (told["status"], told["trace"]["version"]) == ("corrected", 2)
    assert cli.json("show", trace)["trace"]["content"] == "The dentist is on Tuesday."
    changed = datetime.fromisoformat(told["trace"]["recorded_at"])
    before = cli.json("history", trace)["versions"][0]["recorded_at"]
    assert datetime.fromisoformat(before) < changed
    for reader in (["show", trace], ["list"], ["recall", "dentist"], ["context", "dentist"]):
        then, now = cli(*reader, f"--known-at={before}").stdout, cli(*reader).stdout
        assert "Monday" in then
        assert "Tuesday" in now
    assert cli.json("stats", "--as-of=2025-12-31")["reach"]["traces"] == 0


def test_correct_can_change_only_the_dates(cli: Cli) -> None:
    trace = cli.remember("The lease runs.", "--time=2026-01-01")
    ended = cli.json("correct", trace, "--reason=moved out", "--valid-to=2026-06-01")
    assert ended["trace"]["valid_to"] == "2026-06-01T00:00:00+00:00"
    assert cli.json("list", "--as-of=2026-05-01")["count"] == 1
    assert cli.json("list", "--as-of=2026-07-01")["count"] == 0
    opened = cli.json("correct", trace, "--reason=stayed", "--valid-to=none", "--valid-from=none")
    assert (opened["trace"]["valid_to"], opened["trace"]["valid_from"]) == (None, None)


def test_correct_reads_stdin(cli: Cli) -> None:
    trace = cli.remember("It opens at nine.")
    told = cli.json("correct", trace, "-", "--reason=seen", stdin="It opens at ten.\n")
    assert told["trace"]["content"] == "It opens at ten."


def test_forget_then_restore(cli: Cli) -> None:
    trace = cli.remember("The code of the gate is 7719.")
    assert cli.json("forget", trace)["status"] == "forgotten"
    assert cli.json("list")["count"] == 0
    refused = cli.json("remember", "The code of the gate is 7719.", code=1)
    assert (refused["status"], refused["trace"]) == ("refused", None)
    past = cli("history", trace).stdout
    assert "7719" not in past
    assert cli.json("restore", trace, "--reason=needed after all")["status"] == "restored"
    assert cli.json("list")["count"] == 1


def test_what_is_wrong_stays_rejected(cli: Cli) -> None:
    trace = cli.remember("The meeting is in Oslo.")
    cli("forget", trace, "--reason=wrong")
    answer = cli("remember", "the  MEETING is in oslo.", code=1).stdout
    assert answer.startswith("refused\n")


def test_history_shows_versions_and_audit(cli: Cli) -> None:
    trace = cli.remember("Bread at seven.")
    cli("correct", trace, "Bread at eight.", "--reason=new baker")
    past = cli.json("history", trace)
    assert set(past) == {"trace_id", "versions", "audit", "changes"}
    assert [set(one) for one in past["versions"]] == [VERSION, VERSION]
    assert all(set(one) == AUDIT for one in past["audit"])
    assert [one["content"] for one in past["versions"]] == ["Bread at seven.", "Bread at eight."]
    text = cli("history", trace).stdout
    for part in ("Bread at seven.", "Bread at eight.", "new baker", "correct: corrected"):
        assert part in text


def test_why_says_since_when_something_is_believed(cli: Cli) -> None:
    trace = cli.remember("Rent is due on the 3rd.", "--speaker=Ana", "--thread=money")
    told = cli.json("why", trace)
    assert set(told) == {"trace", "versions", "audit"}
    text = cli("why", trace).stdout
    for part in ("Rent is due on the 3rd.", "by Ana", "in money", "known", "version 1"):
        assert part in text


def test_why_explains_a_hit(cli: Cli) -> None:
    wanted = cli.remember("Rent is due on the 3rd.")
    other = cli.remember("The tram is late.")
    told = cli.json("why", wanted, "--query=when is the rent due?")
    assert set(told) == {"query", "rank", "score", "trace", "why"}
    assert told["rank"] == 1
    assert sum(told["why"]["breakdown"].values()) == pytest.approx(told["score"])
    text = cli("why", wanted, "--query=when is the rent due?").stdout
    for part in ("hit 1 of", "words matched", "rent", "lexical", "score"):
        assert part in text
    cli.error("why", other, "--query=when is the rent due?", "--depth=1", code=1)
    # Explaining is no use of a trace.
    assert cli.json("show", wanted)["trace"]["retrieval_count"] == 0
