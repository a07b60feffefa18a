"""Where each mark is earned: subsystem, file, symbol, behaviour, and the cases that show it.

Paths are relative to the repository, so that a reviewer can open each one; a test looks up every
file, symbol and case, so that none can go stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mnemic import __version__
from mnemic.evals.prove.case import Case, Kind, Mark
from mnemic.evals.prove.catalogue import CATALOGUE
from mnemic.evals.prove.run import Proof

TEST = "tests/evals/prove/test_catalogue.py::test_a_case_holds"
"""The test that runs the cases; its parameter is the id of a case."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the code that earns a mark.

    Args:
        mark: which one.
        file: relative to the repository.
        symbol: a name in that file, with its class where it has one.
        behaviour: what it does.
        cases: beginnings of the ids of the cases that would fail without it.
    """

    mark: Mark
    file: str
    symbol: str
    behaviour: str
    cases: tuple[str, ...]

    @property
    def subsystem(self) -> str:
        """The room of the house that the file stands in."""
        path = self.file.removeprefix("src/mnemic/")
        return path.split("/")[0].removesuffix(".py")


_T, _S, _B, _C, _A, _H, _N = Mark

PLACES: tuple[Place, ...] = (
    Place(
        _T,
        "src/mnemic/govern/tombstones.py",
        "put",
        "Keeps a rejected value as a keyed digest of its normal form and its owner, not of a row.",
        ("tombstone.", "disguise.", "short.", "script.", "reach."),
    ),
    Place(
        _T,
        "src/mnemic/encode/admit.py",
        "Gate.admit",
        "Looks up every write, by whatever road, and refuses a rejected value, fact or source.",
        ("road.", "gateway.no_bypass_path", "erasure.not_learned_again", "ledger.forget_user"),
    ),
    Place(
        _T,
        "src/mnemic/model/normal_form.py",
        "normal_form",
        "Reads case, spacing, widths, look-alikes and unseen marks as one value.",
        ("disguise.", "script.", "tombstone.key_normalization_attack"),
    ),
    Place(
        _T,
        "src/mnemic/store/keys.py",
        "KeyRing.digests",
        "Keeps every version of the secret key, so that a new one lets nothing back in.",
        ("outlives.key_rotation", "outlives.backup", "outlives.restart"),
    ),
    Place(
        _T,
        "src/mnemic/encode/revise/follow.py",
        "follow",
        "Puts away what rests on a rejected, forgotten or superseded trace.",
        ("outlives.derived", "deletion.absent_from_shared_copies", "evidence.source_delete"),
    ),
    Place(
        _T,
        "src/mnemic/encode/revise/erase.py",
        "erase",
        "Erases to a fixpoint, leaves tombstones, and is followed by a search of the raw bytes.",
        ("erasure.", "deletion.step_"),
    ),
    Place(
        _T,
        "src/mnemic/exchange/rejections.py",
        "read_rejections",
        "Takes over what another brain has rejected, with the keys that it needs.",
        ("outlives.",),
    ),
    Place(
        _S,
        "src/mnemic/model/trust.py",
        "moved",
        "The one place where a trace's state changes, by one table of who may move what.",
        ("state.", "gateway.machine_may_not", "review.agent_cannot"),
    ),
    Place(
        _S,
        "src/mnemic/store/visible.py",
        "visible",
        "The one SELECT of every reader: gives believed and verified traces unless asked.",
        ("state.", "injection.", "gateway.machine_sees_no_candidate"),
    ),
    Place(
        _S,
        "src/mnemic/model/origin.py",
        "least_trusted",
        "What derives from several traces is trusted as the least trusted of them.",
        ("taint.derived", "taint.role", "policy.personalization"),
    ),
    Place(
        _S,
        "src/mnemic/model/origin.py",
        "allowed_source",
        "Takes authority from the channel that the runtime names, never from a payload.",
        ("gateway.", "taint."),
    ),
    Place(
        _S,
        "src/mnemic/model/fence.py",
        "without_recalled",
        "Leaves out of every write what was recalled from the brain itself.",
        ("prompt.",),
    ),
    Place(
        _S,
        "src/mnemic/retrieve/usable.py",
        "usable",
        "Filters by what a source may be used for, and for how long, before the cut.",
        ("policy.",),
    ),
    Place(
        _B,
        "src/mnemic/encode/resolve.py",
        "resolve",
        "Takes when a thing was true from the caller, apart from when it is recorded.",
        ("clock.backdated", "clock.late_fact", "clock.future"),
    ),
    Place(
        _B,
        "src/mnemic/store/visible.py",
        "visible",
        "Filters every reader by validity (as_of) and by what was held (known_at).",
        ("clock.", "contradiction."),
    ),
    Place(
        _B,
        "src/mnemic/encode/revise/versions.py",
        "append_version",
        "Every change, also of a date, ends one version and appends the next.",
        ("clock.corrected", "clock.versions_meet", "clock.forgotten"),
    ),
    Place(
        _B,
        "src/mnemic/encode/relate.py",
        "relate",
        "Compares a new fact with those held, and closes an older value's interval or asks.",
        ("contradiction.", "correction.", "clock.late_fact"),
    ),
    Place(
        _C,
        "src/mnemic/model/scope.py",
        "Principal.reach",
        "Derives from a caller the scopes that it may read; no argument of a call widens it.",
        ("scope.caller_cannot_widen", "scope.encoded_ids", "scope.namespace", "scope.prefix"),
    ),
    Place(
        _C,
        "src/mnemic/store/visible.py",
        "visible",
        "No read of traces can be built without a reach, and an empty one reads nothing.",
        ("scope.absent_from", "scope.cross_tenant_absent", "scope.other_brain", "scope.no_"),
    ),
    Place(
        _C,
        "src/mnemic/index/cache.py",
        "IndexCache.view",
        "Searches the caller's own partitions only, by their own statistics.",
        ("scope.statistics_do_not_leak", "scope.use_does_not_leak"),
    ),
    Place(
        _A,
        "src/mnemic/govern/audit.py",
        "Chain.append",
        "One entry for each change and refusal, in its transaction, chained by SHA-256.",
        ("audit.every_change", "audit.refusals", "audit.unloggable", "audit.no_content"),
    ),
    Place(
        _A,
        "src/mnemic/govern/audit.py",
        "verify",
        "Finds an edit, an insertion and a deletion, and a cut tail against a head kept elsewhere.",
        ("audit.edited", "audit.deleted", "audit.inserted", "audit.swapped", "audit.cut_tail"),
    ),
    Place(
        _A,
        "src/mnemic/govern/ledger.py",
        "Ledger.append",
        "Keeps what was learned entry by entry, so that each can be taken back.",
        ("ledger.",),
    ),
    Place(
        _H,
        "src/mnemic/govern/review.py",
        "Queue.open",
        "Puts doubtful text, contradictions and lost supports before a person.",
        ("secret.", "review.", "state.expired"),
    ),
    Place(
        _H,
        "src/mnemic/encode/revise/judge.py",
        "judged",
        "Binds a decision to the digest of the text that was looked at.",
        ("review.bound_to_its_text", "review.changed_text", "review.settled_is_settled"),
    ),
    Place(
        _H,
        "src/mnemic/reviewer.py",
        "Reviewer",
        "Approve, reject, edit, merge, defer, lift, revert: by a person, with a reason.",
        ("review.", "scope.review_queue", "tombstone.lift"),
    ),
    Place(
        _S,
        "src/mnemic/store/whole.py",
        "_chosen",
        "Selects what an export holds: a caller's reach, and nothing that is withheld.",
        ("export.",),
    ),
    Place(
        _S,
        "src/mnemic/exchange/home.py",
        "OneHome.of",
        "Files a record of a file in the importer's own scopes, or refuses it.",
        ("import.scope",),
    ),
    Place(
        _T,
        "src/mnemic/encode/restore.py",
        "restore",
        "Fills an empty brain with the keys and tombstones of the one that was exported.",
        ("restore.",),
    ),
    Place(
        _N,
        "src/mnemic/evals/prove/world.py",
        "World.never",
        "Asserts what must not be found, and counts only after a positive control.",
        ("scope.absent_from", "state.", "deletion.", "clock.as_of"),
    ),
    Place(
        _N,
        "src/mnemic/evals/prove/run.py",
        "judge",
        "Fails a negative case that never showed its control.",
        ("retrieval.",),
    ),
    Place(
        _N,
        "scripts/mutate.py",
        "MUTATIONS",
        "Removes one guarantee at a time and demands that a case fails.",
        ("tombstone.", "scope.", "clock.", "audit.", "taint."),
    ),
)


def matching(begins: Iterable[str], cases: Sequence[Case] = CATALOGUE) -> list[str]:
    """The ids of the cases that begin so."""
    starts = tuple(begins)
    return [case.id for case in cases if case.id.startswith(starts)]


def evidence(proof: Proof) -> dict[str, Any]:
    """The evidence of a run as plain values: for each mark, the places that earn it.

    Args:
        proof: of the cases that are named; `verdicts` says what came of each.
    """
    marks: dict[str, list[dict[str, Any]]] = {mark.value: [] for mark in Mark}
    for place in PLACES:
        cases = matching(place.cases)
        marks[place.mark.value].append(
            {
                "mark": place.mark.value,
                "subsystem": place.subsystem,
                "file": place.file,
                "symbol": place.symbol,
                "behaviour": place.behaviour,
                "test": f"{TEST}[{cases[0]}]",
                "cases": cases,
            }
        )
    return {
        "version": __version__,
        "backend": proof.backend,
        "obligations": proof.score(Kind.OBLIGATION).as_dict(),
        "negatives": proof.score(Kind.NEGATIVE).as_dict(),
        "marks": marks,
        "verdicts": {one.case.id: one.verdict.value for one in proof.outcomes},
    }
