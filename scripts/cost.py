"""What a change costs: this checkout against an older commit, in turn, in one run.

    python scripts/cost.py COMMIT [--traces 10000] [--rounds 40]

Each side is a process of its own with a brain of the same texts. They remember and recall in
turn, a few calls at a time, so that a busy machine slows both; the figure is the ratio of the
medians. The older commit is checked out into a worktree in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CALLS = 5
"""Calls of one side before it is the other's turn."""

PLACES = "Lisbon Porto Braga Faro Evora Sintra Aveiro Coimbra Tavira Lagos".split()
THINGS = "kettle boat violin garden bicycle lamp ladder compass quilt anchor".split()
DEEDS = "bought sold painted repaired lost found borrowed lent cleaned hid".split()


def texts(seed: int) -> Iterator[str]:
    """Sentences without end, as people say them; the same ones for the same seed."""
    chance = random.Random(seed)
    while True:
        yield (
            f"On day {chance.randrange(10_000)} I {chance.choice(DEEDS)} the "
            f"{chance.choice(THINGS)} near {chance.choice(PLACES)} with friend number "
            f"{chance.randrange(1_000)}, and we talked about it for a while afterwards."
        )


def serve(folder: str, traces: int) -> None:
    """Fill a brain, then answer: a line names what to do, a line of times comes back."""
    from mnemic import Memory

    said, asked = texts(1), texts(2)
    with Memory.open(Path(folder) / "brain.db") as memory:
        who = memory.bind(user="ana", thread="t")
        for _ in range(0, traces, 1_000):
            who.remember_many([next(said) for _ in range(1_000)])
        who.recall("what happened near Lisbon?", touch=False)
        print("ready", flush=True)
        for line in sys.stdin:
            times = []
            for _ in range(CALLS):
                text = next(said) if line.strip() == "remember" else next(asked)
                start = time.perf_counter()
                if line.strip() == "remember":
                    who.remember(text)
                else:
                    who.recall(text, touch=False)
                times.append(time.perf_counter() - start)
            if line.strip() == "remember":
                who.recall("catch up", touch=False)
            print(json.dumps(times), flush=True)


class Side:
    """One checkout under measurement."""

    def __init__(self, source: Path, folder: Path, traces: int) -> None:
        command = [sys.executable, __file__, "--serve", str(folder), "--traces", str(traces)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(source / "src"), "PATH": "/usr/bin:/bin"},
        )
        self.times: dict[str, list[float]] = {"remember": [], "recall": []}

    def ready(self) -> None:
        """Wait until its brain is filled."""
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != "ready":
            raise SystemExit("a side could not be started")

    def turn(self, what: str) -> None:
        """Let it make its calls."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        self.times[what] += json.loads(self._process.stdout.readline())

    def stop(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measure(commit: str, traces: int, rounds: int) -> None:
    """Print what this checkout takes in terms of the older commit."""
    with tempfile.TemporaryDirectory() as folder:
        older = Path(folder) / "older"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", str(older), commit], check=True)
        try:
            sides = []
            for name, source in (("before", older), ("now", ROOT)):
                (Path(folder) / name).mkdir()
                sides.append(Side(source, Path(folder) / name, traces))
            for side in sides:
                side.ready()
            for number in range(rounds):
                for what in ("remember", "recall"):
                    for side in sides if number % 2 else sides[::-1]:
                        side.turn(what)
            for side in sides:
                side.stop()
        finally:
            subprocess.run([*git, "remove", "--force", str(older)], check=True)
    for what in ("remember", "recall"):
        before, now = (statistics.median(side.times[what]) for side in sides)
        print(
            f"{what} at {traces} traces: {now / before:.3f} of {commit[:12]} "
            f"({1000 * before:.2f} ms, now {1000 * now:.2f} ms, median of {rounds * CALLS})"
        )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", help="the older commit")
    parser.add_argument("--traces", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.traces)
    elif given.commit:
        measure(given.commit, given.traces, given.rounds)
    else:
        parser.error("name the older commit")


if __name__ == "__main__":
    main()
