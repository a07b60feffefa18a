"""`mnemic remind`, `mnemic due` and `mnemic reminders`: what comes up when, and what is done."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cli.conftest import Cli

NOW = datetime.now(UTC).replace(microsecond=0)
YESTERDAY, TOMORROW = ((NOW + timedelta(days=days)).isoformat() for days in (-1, 1))


def remind(cli: Cli, content: str, *args: str) -> dict[str, Any]:
    """Remember to do something; the reminder."""
    told = cli.json("remind", *args, "--", content)
    assert told["status"] == "stored"
    assert told["reminder"]["trace"]["id"] == told["trace"]["id"]
    return dict(told["reminder"])


def contents(cli: Cli, *words: str) -> list[str]:
    return [one["trace"]["content"] for one in cli.json(*words)["reminders"]]


def test_a_time_that_has_come_is_due_once(cli: Cli) -> None:
    made = remind(cli, "Call the dentist", f"--at={YESTERDAY}")
    assert (made["trigger"], made["at"], made["fired"]) == ("time_based", YESTERDAY, 0)
    remind(cli, "Call the notary", f"--at={TOMORROW}")
    for _ in range(2):
        assert contents(cli, "due", "--peek") == ["Call the dentist"]
    assert contents(cli, "reminders") == ["Call the dentist", "Call the notary"]
    assert contents(cli, "due") == ["Call the dentist"]
    assert contents(cli, "due") == []
    assert cli("due").stdout == "nothing is due\n"
    assert contents(cli, "reminders") == ["Call the notary"]


def test_the_words_say_when(cli: Cli) -> None:
    at = remind(cli, "call Marta tomorrow at 17:00", "--timezone=UTC")["at"]
    assert datetime.fromisoformat(at).strftime("%H:%M") == "17:00"
    assert timedelta(0) < datetime.fromisoformat(at) - NOW < timedelta(days=2)
    assert remind(cli, "when Tom writes, ask about the invoice")["event"] == "Tom writes"
    weekly = remind(cli, "every Monday at 9 water the plants")
    assert "WEEKLY" in weekly["rule"]


def test_what_says_no_time_is_not_stored(cli: Cli) -> None:
    cli("init")
    assert "no time" in cli.error("remind", "buy milk", code=2)
    assert cli.json("list")["count"] == 0
    cli("remind", "buy milk", f"--at={TOMORROW}")
    assert cli.json("list")["count"] == 1


def test_what_cannot_be_kept_is_wrong_usage(cli: Cli) -> None:
    cli("init")
    for words, named in (
        (["x", f"--at={TOMORROW}", "--event=y"], "exclude each other"),
        (["x", "--event=y", "--cue=z"], "exclude each other"),
        (["x", f"--at={TOMORROW}", "--rule=sometimes"], "SOMETIMES"),
        (["x", "--at=soon"], "soon"),
        (["x", f"--at={TOMORROW}", "--importance=7"], "importance"),
        (["x", f"--at={TOMORROW}", "--timezone=Mars/Olympus"], "Mars/Olympus"),
        (["", f"--at={TOMORROW}"], "blank"),
    ):
        assert named in cli.error("remind", *words, code=2)
    assert contents(cli, "reminders") == []


def test_a_time_without_a_zone_is_one_of_the_zone_that_is_named(cli: Cli) -> None:
    made = remind(cli, "Call Kyoto", "--at=2099-07-01T09:00", "--timezone=Asia/Tokyo")
    assert made["at"] == "2099-07-01T00:00:00+00:00"


def test_a_rule_brings_it_up_again(cli: Cli) -> None:
    remind(cli, "Water the plants", f"--at={YESTERDAY}", "--rule=FREQ=DAILY")
    assert contents(cli, "due") == ["Water the plants"]
    [again] = cli.json("reminders")["reminders"]
    assert again["fired"] == 1
    assert datetime.fromisoformat(again["at"]) > NOW
    text = cli("reminders").stdout
    assert "FREQ=DAILY" in text
    assert "brought up once" in text
    assert contents(cli, "due") == []


def test_an_event_brings_it_up(cli: Cli) -> None:
    remind(cli, "Ask about the invoice", "--event=tom_writes")
    remind(cli, "Check the oven", "--event=timer", "--lasting")
    assert contents(cli, "due") == []
    assert contents(cli, "due", "--event=rain", "--event=tom_writes") == ["Ask about the invoice"]
    assert contents(cli, "due", "--event=tom_writes") == []
    for _ in range(2):
        assert contents(cli, "due", "--event=timer") == ["Check the oven"]
    assert "event: timer" in cli("reminders").stdout
    assert "brought up 2 times" in cli("reminders").stdout


def test_talk_about_a_matter_brings_it_up(cli: Cli) -> None:
    remind(cli, "Mention the allergy", "--cue=dinner with Marta")
    assert contents(cli, "due", "--query=the weather in Porto") == []
    assert "talk of: dinner with Marta" in cli("reminders").stdout
    assert contents(cli, "due", "--query=dinner with Marta") == ["Mention the allergy"]


def test_the_most_important_comes_first_and_a_tier_holds_back(cli: Cli) -> None:
    remind(cli, "Small", f"--at={YESTERDAY}", "--importance=0.1")
    remind(cli, "Large", f"--at={YESTERDAY}", "--importance=0.9", "--tier=2")
    assert contents(cli, "due", "--peek") == ["Large", "Small"]
    assert contents(cli, "due", "--most-tier=1") == ["Small"]
    assert contents(cli, "due") == ["Large"]


def test_done_is_done(cli: Cli) -> None:
    trace = remind(cli, "Call the dentist", f"--at={TOMORROW}")["trace"]["id"]
    assert cli("reminders", "done", trace).stdout == f"done {trace}\n"
    assert contents(cli, "reminders") == []
    assert cli("reminders").stdout == "nothing waits\n"
    assert contents(cli, "reminders", "--done") == ["Call the dentist"]
    assert "done " in cli("reminders", "list", "--done").stdout
    assert trace in cli.error("reminders", "done", trace, code=1)
    assert cli.json("show", trace)["trace"]["type"] == "prospective"


def test_done_as_data(cli: Cli) -> None:
    trace = remind(cli, "Call the dentist", "--event=pain")["trace"]["id"]
    assert cli.json("reminders", "done", trace)["reminder"]["done_at"]


def test_a_reminder_is_the_caller_s_own(cli: Cli) -> None:
    mine = remind(cli, "Call the dentist", f"--at={YESTERDAY}")["trace"]["id"]
    assert contents(cli, "due", "--user=bob") == contents(cli, "reminders", "--user=bob") == []
    foreign = cli.error("reminders", "done", mine, "--user=bob", code=1)
    unknown = cli.error("reminders", "done", "mt_0", "--user=bob", code=1)
    assert foreign.replace(mine, "mt_0") == unknown
    assert contents(cli, "due") == ["Call the dentist"]


def test_said_again_it_waits_for_the_new_time(cli: Cli) -> None:
    remind(cli, "Call the dentist", f"--at={YESTERDAY}")
    again = cli.json("remind", "Call the dentist", f"--at={TOMORROW}")
    assert (again["status"], again["reminder"]["at"]) == ("reinforced", TOMORROW)
    assert contents(cli, "due") == []


def test_a_refusal_is_told(cli: Cli) -> None:
    cli("init")
    cli("freeze")
    refused = cli.json("remind", "Call the dentist", f"--at={TOMORROW}", code=1)
    assert (refused["reason"], refused["reminder"]) == ("frozen", None)
    cli("thaw")
    text = cli("remind", "-", f"--at={TOMORROW}", stdin="Call the dentist\n").stdout
    assert text.startswith("stored mt_")
    assert len(text.splitlines()) == 2


def test_it_rests_on_what_it_comes_from(cli: Cli) -> None:
    source = cli.remember("The invoice of Tom is wrong.")
    made = remind(cli, "Ask Tom", f"--at={TOMORROW}", f"--derived-from={source}")["trace"]["id"]
    ties = cli.json("mind", made)["ties"]
    assert ("derived_from", source) in {(tie["kind"], tie["thing"]["id"]) for tie in ties}


def test_stored_text_cannot_drive_the_terminal(cli: Cli) -> None:
    remind(cli, "bell \x07", "--event=odd \x1b[31m")
    for words in (["reminders"], ["due", "--event=odd \x1b[31m"]):
        text = cli(*words).stdout
        assert "bell \u2407" in text
        assert "odd \u241b[31m" in text
