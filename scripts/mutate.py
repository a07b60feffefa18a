"""Takes one guarantee away at a time and looks whether `mnemic prove` notices.

    python scripts/mutate.py [--only NAME ...] [--jobs 2]

The sources are copied to a temporary folder, a line or two of the copy is replaced, and the proof
runs on it. A mutation that no case notices survives, and the script exits with 1. So it does when
the text that a mutation replaces is not there, or stands there more than once: then the code has
changed, and so must the mutation.
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


MUTATIONS: tuple[Mutation, ...] = (
    # --- the six that have to be caught ------------------------------------------------------
    Mutation(
        "the reach of every read",
        "store/visible.py",
        "_v.brain_id == brain_id, or_(false(), *within))",
        "_v.brain_id == brain_id, or_(True, *within))",
    ),
    Mutation(
        "the tombstone check",
        "encode/admit.py",
        "if not tombstones.any_stand(self._connection, self._brain, place, self._now):",
        "if place:",
    ),
    Mutation(
        "the fence: recalled text is not learned",
        "model/fence.py",
        'return _CITING_LINE.sub("", _STRAY.sub("", _BLOCK.sub("", text)))',
        "return text",
    ),
    Mutation("the audit write", "encode/deed.py", "        self.chain.flush()\n", ""),
    Mutation(
        "the clock of the world (as_of)",
        "store/visible.py",
        "    if timed:\n        as_of = bindparam",
        "    if False:\n        as_of = bindparam",
    ),
    Mutation(
        "the clock of the brain (known_at)",
        "store/visible.py",
        "_v.recorded_at <= known_at, or_(_v.retired_at.is_(None), _v.retired_at > known_at)",
        "_v.retired_at.is_(None), known_at == known_at",
    ),
    Mutation(
        "the taint rule: the least trusted origin",
        "model/origin.py",
        "return max(origins, key=_RANK.__getitem__)",
        "return min(origins, key=_RANK.__getitem__)",
    ),
    # --- tombstones --------------------------------------------------------------------------
    Mutation(
        "the normal form of a value",
        "model/normal_form.py",
        "def normal_form(value: str) -> str:\n",
        "def normal_form(value: str) -> str:\n    return value\n\n\ndef _(value: str) -> str:\n",
    ),
    Mutation(
        "figures read as letters",
        "model/normal_form.py",
        "    if _FIGURE.search(form):\n",
        "    if False:\n",
    ),
    Mutation(
        "the look-up under every key of the ring",
        "store/keys.py",
        "return [digest(key, *parts) for _, key in self.keys]",
        "return [digest(key, *parts) for _, key in self.keys[:1]]",
    ),
    Mutation(
        "a rejection writes the tombstone",
        "encode/revise/change.py",
        "        reject_value(case, Cause.REJECTED)\n",
        "",
    ),
    Mutation(
        "a reviewer's rejection writes the tombstone",
        "encode/revise/judge.py",
        "    reject_value(case, Cause.REJECTED, until",
        "    _ = lambda: reject_value(case, Cause.REJECTED, until",
    ),
    Mutation(
        "an erasure writes the tombstones",
        "encode/revise/erase.py",
        "    _entomb(deed, texts",
        "    _ = lambda: _entomb(deed, texts",
    ),
    Mutation(
        "what a text carries is looked up",
        "encode/admit.py",
        "if stands((parts.whole, *parts.carried)):",
        "if stands((parts.whole,)):",
    ),
    Mutation(
        "a rejected sentence among others",
        "encode/admit.py",
        "return _Rejection(None, by_fact or stands(parts.pieces))",
        "return _NOTHING",
    ),
    Mutation(
        "a rejected fact in other words",
        "encode/admit.py",
        "    if by_fact and not parts.several:\n",
        "    if False:\n",
    ),
    Mutation(
        "a rejected source",
        "encode/admit.py",
        "if draft.source_id and (Kind.SOURCE, draft.source_id) in found:",
        "if False:",
    ),
    Mutation(
        "the tombstone of a user",
        "encode/admit.py",
        'if self._standing(place, Kind.USER, [""])[0] is not None:',
        "if False:",
    ),
    Mutation(
        "a rejection ends on its day",
        "govern/tombstones.py",
        'or_(_c.until.is_(None), _c.until > bindparam("now"))',
        'or_(_c.until.is_(None), bindparam("now") == bindparam("now"))',
    ),
    # --- trust and authority -----------------------------------------------------------------
    Mutation(
        "the trust filter of readers",
        "store/visible.py",
        "_v.trust.in_([state.value for state in states]))",
        "_v.trust.is_not(None))",
    ),
    Mutation(
        "the withheld words of a history",
        "retrieve/listing.py",
        "    if versions[-1].trust not in READABLE:\n",
        "    if False:\n",
    ),
    Mutation(
        "states that a machine may not ask for",
        "retrieve/filters.py",
        "allowed = READABLE if machine else ASKABLE",
        "allowed = tuple(Trust)",
    ),
    Mutation(
        "the authority of a channel",
        "model/origin.py",
        "return _AUTHORITY.get(channel, Authority.MACHINE)",
        "return _AUTHORITY.get(channel, Authority.PERSON)",
    ),
    Mutation(
        "sources that carry authority",
        "model/origin.py",
        "if allowed is None or channel in allowed:",
        "if True:",
    ),
    Mutation("reserved keys of metadata", "encode/resolve.py", "if key in RESERVED:", "if False:"),
    Mutation(
        "the screen",
        "cognition/screen/screen.py",
        "    if not found:\n        return ()\n",
        "    if True:\n        return ()\n",
    ),
    Mutation(
        "strict review",
        "encode/admit.py",
        'if review.mode == "strict" and origin not in TRUSTED:',
        "if False:",
    ),
    Mutation(
        "repetition by a machine makes nothing stronger",
        "encode/filing.py",
        "if waits or draft.origin not in TRUSTED or self",
        "if waits or self",
    ),
    Mutation(
        "a machine's claim against a person is disputed",
        "encode/filing.py",
        "trust = Trust.DISPUTED if disputed else Trust.BELIEVED",
        "trust = Trust.BELIEVED",
    ),
    Mutation(
        "an organization's memory is not a machine's to write",
        "encode/admit.py",
        "if scope is Scope.ORGANIZATION and self._principal.authority is Authority.MACHINE:",
        "if False:",
    ),
    Mutation(
        "the windows of re-verification",
        "retrieve/usable.py",
        "condition = and_(condition, checked_at >= now - policy.reverify_after_ms)",
        "condition = and_(condition, checked_at >= 0)",
    ),
    Mutation(
        "the origins that may support a use",
        "retrieve/usable.py",
        "origins = _v.origin.in_([origin.value for origin in ORIGINS[use]])",
        "origins = _v.origin.is_not(None)",
    ),
    Mutation(
        "what rests on a withheld trace follows it",
        "encode/revise/follow.py",
        "    front, done = list(trace_ids), []\n",
        "    front, done = list(trace_ids)[:0], []\n",
    ),
    Mutation(
        "nothing rests on what is out of reach",
        "encode/admit.py",
        "            if known.keys() >= set(draft.derived_from)\n            else None\n",
        "            if known.keys() >= set(draft.derived_from)\n            else draft.origin\n",
    ),
    # --- both clocks -------------------------------------------------------------------------
    Mutation(
        "a newer value closes the older one",
        "encode/relate.py",
        "closes.append(Close(old, start))",
        "pass",
    ),
    Mutation(
        "a late fact ends where a newer one begins",
        "encode/relate.py",
        "end = old.valid_from if end is None else min(end, old.valid_from)",
        "pass",
    ),
    Mutation(
        "the clock of facts",
        "retrieve/listing.py",
        "or_(_f.valid_to.is_(None), _f.valid_to > at.as_of),",
        "or_(_f.valid_to.is_(None), _f.valid_to.is_not(None)),",
    ),
    # --- scope -------------------------------------------------------------------------------
    Mutation(
        "the encoding of ids",
        "model/scope.py",
        'return value.replace("%", "%25").replace("/", "%2F").replace(":", "%3A")',
        "return value",
    ),
    Mutation(
        "a thread belongs to its user",
        "model/scope.py",
        'return f"{user}//{_part(self.thread)}"',
        'return f"//{_part(self.thread)}"',
    ),
    Mutation(
        "another user's trace",
        "encode/revise/case.py",
        "return bool(filed_by) and filed_by != principal.owner",
        "return False",
    ),
    Mutation(
        "the reviewer's reach",
        "reviewer.py",
        "return pairs is None or (row.scope, row.scope_id) in pairs",
        "return True",
    ),
    # --- review and ledger -------------------------------------------------------------------
    Mutation(
        "the digest of a decision",
        "encode/revise/judge.py",
        "if digest is not None and digest != item.digest.hex():",
        "if False:",
    ),
    Mutation(
        "a settled item is settled",
        "encode/revise/judge.py",
        "    if item.state not in WAITING:\n",
        "    if False:\n",
    ),
    Mutation(
        "approval is no way round a tombstone",
        "encode/revise/judge.py",
        "    _refuse_rejected(one.writer, case)\n",
        "",
    ),
    Mutation(
        "waiting approves nothing",
        "model/trust.py",
        "Event.EXPIRE: (_move(_WAITING, _T.EXPIRED, _A.BRAIN),),",
        "Event.EXPIRE: (_move(_WAITING, _T.BELIEVED, _A.BRAIN),),",
    ),
    Mutation(
        "what is deferred waits",
        "govern/review.py",
        "    if not deferred:\n",
        "    if False:\n",
    ),
    Mutation(
        "a freeze at run time",
        "govern/ledger.py",
        "            found.add(Mode(mode))\n",
        "            found.add(Mode.ON)\n",
    ),
    Mutation(
        "a change of an old version",
        "encode/revise/change.py",
        "if wanted.expect is not None and wanted.expect != case.row.version:",
        "if False:",
    ),
    Mutation(
        "what was approved and changed waits again",
        "encode/revise/reword.py",
        "    if _was_approved(case):\n",
        "    if False:\n",
    ),
    Mutation(
        "attempts are on record",
        "encode/refusal.py",
        "            chain.flush()\n",
        "",
    ),
    # --- audit and erasure -------------------------------------------------------------------
    Mutation(
        "the hash of an entry",
        "govern/audit.py",
        "if _link(previous, row._asdict()) != row.hash:",
        "if False:",
    ),
    Mutation(
        "an audit entry cannot be updated",
        "store/migrations/versions/0001_first_tables.py",
        "CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log ",
        "CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN 0 ",
    ),
    Mutation(
        "a head that was kept elsewhere",
        "govern/audit.py",
        "    if missing is not None and len(problems) < 20:\n",
        "    if False:\n",
    ),
    Mutation(
        "what rested on an erased trace goes with it",
        "encode/revise/erase.py",
        "    front = list(going)\n",
        "    front = list(going)[:0]\n",
    ),
    Mutation(
        "the words of an erased passage",
        "index/husks.py",
        '.values(words="", start=0, end=0, length=0)',
        ".values(start=0, end=0, length=0)",
    ),
    Mutation(
        "the inverted lists of an erased text",
        "index/husks.py",
        "        _cut_lists(connection, brain_id, partition, segment.segment, own)\n",
        "        0\n",
    ),
    Mutation(
        "the vectors of an erased text",
        "index/husks.py",
        "    vectors = _delete_vectors(connection, brain_id, partition, entries)\n",
        "    vectors = 0\n",
    ),
    Mutation(
        "other openings read an erased partition anew",
        "index/husks.py",
        ".values(revision=_s.revision + 1, epoch=_s.epoch + 1)",
        ".values(revision=_s.revision + 1)",
    ),
    Mutation(
        "the file is written anew",
        "maintain/erasure.py",
        "    compacted = _compacted(brain)\n",
        "    compacted = True\n",
    ),
    Mutation(
        "questions are let go of",
        "index/embed/base.py",
        "            self._kept.clear()\n",
        "            self._kept = self._kept\n",
    ),
    # --- the road out ------------------------------------------------------------------------
    Mutation(
        "the fence around a line of a packet",
        "model/fence.py",
        'return _STRAY.sub("(mnemic-memory)", flat).replace("[mnemic:", "[mnemic ")',
        "return flat",
    ),
    Mutation(
        "the budget of a packet",
        "context/packet.py",
        "        if used + cost <= budget_tokens:\n",
        "        if True:\n",
    ),
    Mutation(
        "the limit of a recall",
        "retrieve/recall.py",
        "    return found[:limit]\n",
        "    return found\n",
    ),
    Mutation(
        "uses are filtered before the cut",
        "retrieve/filters.py",
        "return query.where(*self.usable) if self.usable else query",
        "return query",
    ),
)
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
            "bring scripts/mutate.py up to date"
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
