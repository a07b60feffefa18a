"""`mnemic consolidate`: once, at intervals until it is stopped, taken back, and its log."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from mnemic import Memory, Settings
from mnemic.cli.sleep import duration
from mnemic.errors import InvalidInput
from tests.cli.conftest import Cli, environment
from tests.conftest import FixedClock
from tests.lived import TRAM

_PATIENCE_SECONDS = 60


def is_archived(cli: Cli) -> bool:
    return cli.json("show", TRAM)["trace"]["archived_at"] is not None


def test_a_dry_run_changes_nothing(old: Cli) -> None:
    before = old.json("consolidate", "--log")["runs"]
    report = old.json("consolidate", "--dry-run")
    assert (report["dry_run"], report["run"], report["note"]) == (True, None, None)
    assert ("archive", TRAM) in {(one["step"], one["trace_id"]) for one in report["changes"]}
    assert old("consolidate", "--dry-run").stdout.startswith("would change\n")
    assert not is_archived(old)
    assert old.json("consolidate", "--log")["runs"] == before
    done = old.json("consolidate")
    assert (done["dry_run"], done["state"]) == (False, "done")
    assert is_archived(old)


def test_what_was_done_is_told_and_taken_back(old: Cli) -> None:
    text = old("consolidate").stdout
    assert text.startswith("run 3: done\n")
    assert f"{TRAM} archive: " in text
    undone = old("consolidate", "--undo=3").stdout
    assert undone.startswith("run 3: undone\n")
    assert not is_archived(old)
    assert "undone" in old.error("consolidate", "--undo=3", code=2)
    assert "no consolidation 7" in old.error("consolidate", "--undo=7", code=1)


def test_only_some_steps(old: Cli) -> None:
    report = old.json("consolidate", "--step=reinforce", "--step=merge")
    run = {one["step"] for one in report["steps"] if one["skipped"] is None}
    assert run == {"reinforce", "merge"}
    assert not is_archived(old)
    line = old.error("consolidate", "--step=tidy", code=2)
    assert "'tidy'" in line
    assert "archive" in line


def test_the_log(cli: Cli) -> None:
    cli("init")
    assert cli("consolidate", "--log").stdout == "no consolidation yet\n"
    for _ in range(2):
        cli("consolidate")
    runs = cli.json("consolidate", "--log")["runs"]
    assert [(one["run"], one["state"]) for one in runs] == [(2, "done"), (1, "done")]
    rows = cli("consolidate", "--log").stdout.splitlines()[2:]
    assert [row.split()[0] for row in rows] == ["2", "1"]


def test_a_long_list_is_cut_for_a_person(cli: Cli) -> None:
    cli.brain.parent.mkdir()
    clock = FixedClock(datetime.now(UTC) - timedelta(days=900))
    with Memory.open(cli.brain, embedder=None, settings=Settings(), clock=clock) as memory:
        memory.bind(user="me").remember_many([f"it rained on hill {n}" for n in range(23)])
    text = cli("consolidate", "--step=archive").stdout
    assert text.count(" archive: ") == 20
    assert text.endswith("and 3 more; --json lists all\n")
    assert len(cli.json("consolidate", "--undo=1")["changes"]) == 23


def test_what_does_not_go_together_is_wrong_usage(cli: Cli) -> None:
    cli("init")
    for words in (
        ["--dry-run", "--every=1h"],
        ["--log", "--undo=1"],
        ["--log", "--dry-run"],
        ["--undo=1", "--every=1h"],
        ["--log", "--step=merge"],
        ["--undo=1", "--step=merge"],
        ["--undo=first"],
        ["--every=soon"],
    ):
        cli.error("consolidate", *words, code=2)
    assert cli.json("consolidate", "--log")["runs"] == []


@pytest.mark.parametrize(
    "given", ["", "soon", "5", "0s", "0.5s", "-1m", "10 fortnights", "367d", "9" * 30 + "d", "1m1s"]
)
def test_a_bad_interval(given: str) -> None:
    with pytest.raises(InvalidInput, match="no duration"):
        duration(given)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("1s", 1), ("90s", 90), (" 30m ", 1_800), ("1.5 h", 5_400), ("366d", 31_622_400)],
)
def test_a_good_interval(given: str, seconds: float) -> None:
    assert duration(given) == seconds


def test_two_runs_do_not_work_at_once(old: Cli) -> None:
    told: list[str] = []

    def meanwhile() -> bool:
        if not told:
            told.append(old("consolidate", code=1).stdout)
            told.append(old.json("consolidate", code=1)["note"])
        return False

    with Memory.open(old.brain, embedder=None, settings=Settings()) as memory:
        assert memory.consolidate(stop=meanwhile).note is None
    assert told[0] == told[1] + "\n"
    assert "another consolidation is running" in told[1]
    old("consolidate")


def test_where_the_mind_is_switched_off_nothing_is_done(old: Cli) -> None:
    old.env = {"MNEMIC_MIND__ENABLED": "false"}
    assert "mind.enabled" in old("consolidate", code=1).stdout


def test_a_brain_that_is_not_there_is_not_made(cli: Cli) -> None:
    assert "mnemic init" in cli.error("consolidate", code=1)
    assert not cli.brain.exists()


# --- at intervals ------------------------------------------------------------------------------


def seen_until(child: subprocess.Popen[bytes], words: str) -> str:
    """What a process has written when these words have come."""
    assert child.stdout is not None
    seen = ""
    while words not in seen:
        ready, _, _ = select.select([child.stdout], [], [], _PATIENCE_SECONDS)
        assert ready, f"{words!r} has not come:\n{seen}"
        part = os.read(child.stdout.fileno(), 65_536)
        assert part, f"it ended before {words!r}:\n{seen}"
        seen += part.decode()
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize(
    ("words", "number", "last"),
    [
        (["--every=1h", "--json"], signal.SIGINT, '"note": null'),
        (["--every=1s"], signal.SIGTERM, "run 2: done"),
    ],
    ids=["Ctrl-C while it waits", "ended after the second run"],
)
def test_it_goes_on_until_it_is_stopped(
    cli: Cli, words: list[str], number: signal.Signals, last: str
) -> None:
    cli("init")
    with subprocess.Popen(
        [sys.executable, "-m", "mnemic", "consolidate", "--no-embedder", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What is written to a pipe comes at once, without help of the environment.
        env=environment({"MNEMIC_BRAIN": str(cli.brain), "PYTHONUNBUFFERED": ""}),
    ) as child:
        try:
            seen_until(child, last)
            child.send_signal(number)
            _, errors = child.communicate(timeout=_PATIENCE_SECONDS)
        finally:
            child.kill()
    assert (child.returncode, errors) == (0, b"")
    runs = cli.json("consolidate", "--log")["runs"]
    assert [one["state"] for one in runs] == ["done"] * (1 if "--json" in words else 2)
