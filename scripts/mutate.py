"""Takes one guarantee away at a time and looks whether `mnemic prove` notices.

    python scripts/mutate.py [--only NAME ...] [--jobs 2]

The sources are copied to a temporary folder, a line or two of the copy is replaced, and the proof
runs on it. A mutation that no case notices survives, and the script exits with 1. So it does when
the text that a mutation replaces is not there, or stands there more than once: then the code has
changed, and so must the mutation, in mutations.toml.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

SOURCE = Path(__file__).parent.parent / "src"
SHOWN = 3
"""Cases that the table names for each mutation."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A guarantee, and how it is taken away.

    Args:
        name: of the guarantee.
        file: below `src/mnemic`.
        before: the text that upholds it; it stands in the file once.
        after: what takes its place.
    """

    name: str
    file: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Caught:
    """What a proof of a mutated copy came to: the cases that failed, each with its verdict."""

    mutation: Mutation
    failed: Mapping[str, str]
    seconds: float


def _read(file: Path) -> tuple[Mutation, ...]:
    return tuple(Mutation(**one) for one in tomllib.loads(file.read_text("utf-8"))["mutation"])


MUTATIONS = _read(Path(__file__).with_name("mutations.toml"))
"""Every guarantee that is taken away, one at a time."""


def mutate(folder: Path, mutation: Mutation) -> Path:
    """Replace the text in the copy of the sources; returns the file.

    Raises:
        SystemExit: the text is not there, or stands there more than once.
    """
    file = folder / "mnemic" / mutation.file
    text = file.read_text("utf-8") if file.exists() else ""
    times = text.count(mutation.before)
    if times != 1:
        raise SystemExit(
            f"{mutation.name}: the text to replace stands {times} times in {mutation.file}; "
            "bring scripts/mutations.toml up to date"
        )
    file.write_text(text.replace(mutation.before, mutation.after), encoding="utf-8")
    return file


def proved(folder: Path) -> tuple[dict[str, str], int]:
    """Run the proof on a copy; the cases that failed with their verdicts, and how many ran.

    Raises:
        SystemExit: it gave no result.
    """
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "mnemic", "prove", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    try:
        told = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise SystemExit(f"the proof did not run:\n{done.stderr[-2_000:]}") from None
    verdicts = {one["id"]: one["verdict"] for one in told["cases"]}
    failed = {name: how for name, how in verdicts.items() if how not in ("holds", "counted")}
    return failed, len(verdicts)


@contextmanager
def copies(number: int) -> Iterator[SimpleQueue[Path]]:
    """So many copies of the sources, to be taken and put back."""
    free: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="mnemic-mutate-") as folder:
        for at in range(number):
            target = Path(folder) / str(at)
            shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("__pycache__"))
            free.put(target)
        yield free


def tried(free: SimpleQueue[Path], mutation: Mutation) -> Caught:
    """Prove one mutated copy, and put the copy right again."""
    folder = free.get()
    began = time.perf_counter()
    try:
        kept = (folder / "mnemic" / mutation.file).read_text("utf-8")
        file = mutate(folder, mutation)
        failed, _ = proved(folder)
        file.write_text(kept, encoding="utf-8")
    finally:
        free.put(folder)
    return Caught(mutation, failed, time.perf_counter() - began)


def check(free: SimpleQueue[Path], mutations: Sequence[Mutation]) -> None:
    """See that nothing fails by itself, and that every text to replace is there.

    Raises:
        SystemExit: saying what is wrong.
    """
    folder = free.get()
    for mutation in mutations:
        kept = (folder / "mnemic" / mutation.file).read_text("utf-8")
        mutate(folder, mutation).write_text(kept, encoding="utf-8")
    failed, cases = proved(folder)
    if failed:
        raise SystemExit(f"without a mutation {len(failed)} cases fail: {list(failed)[:5]}")
    print(f"without a mutation all {cases} cases hold", file=sys.stderr)
    free.put(folder)


def table(results: Sequence[Caught]) -> Iterator[str]:
    """The lines of the table, in Markdown.

    Of the cases, those come first that saw what must not be, and that fewest mutations fail.
    """
    times = Counter(name for one in results for name in one.failed)
    yield "| guarantee | file | cases | such as |\n|---|---|---:|---|"
    for one in results:
        order = sorted((how != "violated", times[name], name) for name, how in one.failed.items())
        names = ", ".join(f"`{name}`" for *_, name in order[:SHOWN]) or "**nobody**"
        yield f"| {one.mutation.name} | `{one.mutation.file}` | {len(one.failed)} | {names} |"


def chosen(only: Sequence[str]) -> list[Mutation]:
    """The mutations whose name holds one of these words; all of them for none."""
    return [one for one in MUTATIONS if not only or any(word in one.name for word in only)]


def main() -> int:
    """Run the mutations; 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", nargs="*", default=[], help="words of the names of mutations")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at a time")
    given = parser.parse_args()
    mutations = chosen(given.only)
    with copies(given.jobs) as free, ThreadPoolExecutor(given.jobs) as pool:
        check(free, mutations)
        results = []
        for one in pool.map(lambda mutation: tried(free, mutation), mutations):
            results.append(one)
            print(
                f"{len(results)}/{len(mutations)} {one.mutation.name}: {len(one.failed)} cases, "
                f"{one.seconds:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    print("\n".join(table(results)))
    survived = [one.mutation.name for one in results if not one.failed]
    print(f"{len(mutations) - len(survived)} of {len(mutations)} were caught", file=sys.stderr)
    for name in survived:
        print(f"survived: {name}", file=sys.stderr)
    return 1 if survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
