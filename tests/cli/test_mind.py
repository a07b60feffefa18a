"""`mnemic mind`, and what `show`, `history` and `why` tell of a mind."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic import Memory
from mnemic.cli import changes, views
from mnemic.cli.output import console
from tests.cli.conftest import Cli
from tests.lived import HIVES, SAID, SECRET, TRAM, WALNUTS


def now_of(rows: list[dict[str, Any]]) -> list[float]:
    return [row["now"] for row in rows]


def test_a_mind_as_data(old: Cli) -> None:
    mind = old.json("mind", "--limit=5")
    assert set(mind) == {"strongest", "weakest", "in_mind", "names", "consolidation"}
    assert (len(mind["strongest"]), len(mind["weakest"])) == (5, 2)
    assert now_of(mind["strongest"]) == sorted(now_of(mind["strongest"]), reverse=True)
    assert now_of(mind["weakest"]) == sorted(now_of(mind["weakest"]))
    assert mind["strongest"][-1]["now"] > mind["weakest"][-1]["now"]
    ids = [row["trace"]["id"] for part in ("strongest", "weakest") for row in mind[part]]
    assert len(set(ids)) == len(SAID)
    tom = next(one for one in mind["names"] if one["name"]["label"] == "Tom")
    assert {tie["thing"]["id"] for tie in tom["ties"]} >= {HIVES}
    assert mind["in_mind"] == []


def test_looking_at_a_mind_changes_nothing(old: Cli) -> None:
    report = old.json("mind")["consolidation"]
    assert (report["dry_run"], report["run"]) == (True, None)
    assert report["changes"]  # it would have something to do
    assert old.json("mind")["consolidation"]["changes"] == report["changes"]
    runs = len(old.json("consolidate", "--log")["runs"])
    assert old.json("consolidate")["run"] == runs + 1
    assert old.json("mind")["consolidation"]["changes"] != report["changes"]


def test_a_mind_for_a_person(old: Cli) -> None:
    text = old("mind", "--limit=3").stdout
    for part in ("Strongest", "Weakest", "Names", "A consolidation would change", "fades", "due"):
        assert part in text
    assert "In mind" not in text
    assert "lives in Lisbon" in text
    assert max(map(len, text.splitlines())) <= 80
    weakest = text[text.index("Weakest") : text.index("Names")]
    assert SAID[60][0] in weakest
    assert "faded" in weakest
    assert "faded" not in text[: text.index("Weakest")]


def test_a_brief_look_leaves_the_consolidation_out(old: Cli) -> None:
    assert old.json("mind", "--brief")["consolidation"] is None
    text = old("mind", "--brief").stdout
    assert "Names" in text
    assert "consolidation" not in text


def test_a_mind_is_the_caller_s_own(old: Cli) -> None:
    assert SECRET in old("mind", "--user=bob").stdout
    assert "Bob" in str(old.json("mind", "--user=bob")["names"])
    assert SECRET not in old("mind", "--limit=50").stdout
    assert "Bob" not in str(old.json("mind", "--limit=50"))
    assert old("mind", "--user=carla").stdout == "nothing is remembered yet\n"


def test_what_is_in_mind_is_the_session_s(cli: Cli) -> None:
    trace = cli.remember("Olives are cured for six weeks.")
    cli("recall", "olives", "--thread=kitchen")
    assert cli.json("mind", "--thread=kitchen")["in_mind"] == []
    cli.env = {"MNEMIC_MIND__WORKING__PERSIST": "true"}
    cli("recall", "olives", "--thread=kitchen")
    [slot] = cli.json("mind", "--thread=kitchen")["in_mind"]
    assert slot["trace"]["id"] == trace
    assert slot["attention"] == pytest.approx(1)
    assert "100%" in cli("mind", "--thread=kitchen").stdout
    assert cli.json("mind", "--thread=hall")["in_mind"] == []


def test_one_memory_as_data(old: Cli) -> None:
    one = old.json("mind", WALNUTS)
    assert set(one) == {"strength", "ties", "changes"}
    assert 0 < one["strength"]["now"] < 1
    assert one["strength"]["fades_at"] > datetime.now(UTC).isoformat()
    assert one["strength"]["due_at"]
    assert {(tie["kind"], tie["thing"]["label"]) for tie in one["ties"]} >= {
        ("mentions", "Marta Ruiz")
    }
    causes = [change["cause"] for change in one["changes"]]
    assert {"recall", "reinforced"} <= set(causes)
    assert one["changes"] == old.json("history", WALNUTS)["changes"]


def test_one_memory_for_a_person(old: Cli) -> None:
    text = old("mind", WALNUTS).stdout
    for part in (SAID[5][0], "37 % of it is left", "2 times", "Ties", "Changes", "uses 0 → 1"):
        assert part in text
    assert "reinforced (run 1)" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    fresh = old("mind", TRAM).stdout
    assert "after its first use" in fresh
    assert fresh.count("none") == 2


def test_a_memory_that_is_not_true_any_more_is_tied_to_nothing(old: Cli) -> None:
    assert old.json("mind", HIVES)["ties"]
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    old("correct", HIVES, f"--valid-to={yesterday}", "--reason=they moved")
    one = old.json("mind", HIVES)
    assert one["strength"]["trace"]["id"] == HIVES
    assert one["ties"] == []


def test_a_foreign_memory_and_an_unknown_one_read_the_same(old: Cli) -> None:
    foreign = old.json("list", "--user=bob")["traces"][0]["id"]
    assert SECRET in old("mind", foreign, "--user=bob").stdout
    line = old.error("mind", foreign, code=1)
    assert line.replace(foreign, "mt_0") == old.error("mind", "mt_0", code=1)


def test_stored_text_cannot_drive_the_terminal(cli: Cli) -> None:
    trace = cli.remember("red \x1b[31m and bell \x07 for Marta Ruiz")
    for words in (["mind"], ["mind", trace]):
        text = cli(*words).stdout
        assert "\u241b[31m" in text
        assert "\x1b" not in text
        assert "\x07" not in text


def test_a_limit_of_nothing_is_wrong_usage(old: Cli) -> None:
    assert "limit 0" in old.error("mind", "--limit=0", code=2)
    for option in ("--limit=3", "--brief"):
        assert "leave out ID" in old.error("mind", WALNUTS, option, code=2)


def test_a_brain_that_is_not_there_is_not_made_by_asking(cli: Cli) -> None:
    for words in (
        ["mind"],
        ["mind", "mt_0"],
        ["due"],
        ["reminders"],
        ["reminders", "done", "mt_0"],
        ["graph"],
        ["graph", "Tom"],
        ["graph", "merge", "Tom", "Thomas"],
        ["plot", "timeline", "--out=a.svg"],
    ):
        assert "mnemic init" in cli.error(*words, code=1)
        assert not cli.brain.parent.exists()


def test_where_the_mind_is_switched_off(old: Cli) -> None:
    assert old.json("mind", WALNUTS)["strength"]["fades_at"]
    old.env = {"MNEMIC_MIND__ENABLED": "false"}
    assert old.json("mind", WALNUTS)["strength"]["fades_at"] is None
    text = old("mind").stdout
    assert "never" in text
    assert "mind.enabled is switched off" in text


# --- show, history, why ------------------------------------------------------------------------


def test_show_tells_how_a_memory_stands(old: Cli) -> None:
    text = old("show", WALNUTS).stdout
    for part in ("now, ", "when last used", "stability", "importance", "valence", "intensity"):
        assert part in text
    assert "set aside" not in text
    assert "gist" not in text
    old.env = {"MNEMIC_MIND__CONSOLIDATION__ARCHIVE_DAYS": "0"}
    old("consolidate", "--step=archive")
    assert "set aside" in old("show", TRAM).stdout


def test_show_of_what_is_withheld_tells_what_is_known(cli: Cli) -> None:
    receipt = cli.json("remember", "My password is hunter2-Zx81.")
    assert receipt["status"] == "candidate"
    text = cli("show", receipt["trace"]["id"], "--trust=candidate").stdout
    assert "when last used" in text
    assert "now, " not in text
    assert "now, " in cli("show", cli.remember("Tea is ready.")).stdout


def test_history_tells_what_use_has_changed(cli: Cli) -> None:
    trace = cli.remember("Olives are cured for six weeks.")
    assert "Mind" not in cli("history", trace).stdout
    for _ in range(2):
        cli("recall", "olives")
    text = cli("history", trace).stdout
    assert "Mind" in text
    assert "uses 0 → 2" in text
    assert "recall (2 times)" in " ".join(text.split())
    assert "Mind" not in cli("why", trace).stdout


def test_why_leaves_out_what_adds_nothing(old: Cli) -> None:
    with Memory.open(old.brain, embedder=None) as memory:
        [hit, *_] = memory.bind(user="me").recall("walnuts", touch=False)
    parts = {"lexical": 0.5, "vector": -0.0, "strength": 0.004, "slot": 0.0001}
    shown = replace(hit, score=0.5041, why=replace(hit.why, breakdown=parts))
    out = console()
    with out.capture() as captured:
        out.print(views.explained(shown, 1, 1, "walnuts"))
    rows = captured.get().splitlines()
    made_of = {row.split()[0] for row in rows if row.endswith(tuple("0123456789"))}
    assert {"lexical", "strength", "score"} <= made_of
    assert not {"vector", "slot"} & made_of


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(0), "0 seconds"),
        (timedelta(seconds=89), "89 seconds"),
        (timedelta(minutes=90), "2 hours"),
        (timedelta(minutes=40), "40 minutes"),
        (timedelta(hours=24), "24 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=3_650), "10 years"),
        (timedelta(days=3_652_500), "10,000 years"),
    ],
)
def test_a_duration_is_told_in_its_largest_unit(length: timedelta, words: str) -> None:
    assert changes.span(length) == words
