"""The ledger: what was given to learn, what came of it, why not, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Status, Trust
from mnemic.encode.refusal import MESSAGES
from mnemic.errors import InvalidInput, NotAllowed, NotFound, StorageError
from mnemic.reviewer import Reviewer
from tests.conftest import FixedClock, Opener
from tests.govern.readers import id_of
from tests.store.raw import contents, raw

TEXT, OTHER = "The kettle whistles", "The kettle sings"
SECRET = "My password is hunter2-Xy99zz."


@pytest.fixture
def eva(memory: Memory) -> Reviewer:
    """A reviewer of the whole brain."""
    return memory.reviewer("eva")


def lines(eva: Reviewer) -> list[tuple[str, str, str | None]]:
    return [(entry.action, entry.status, entry.reason) for entry in eva.ledger()]


# --- entries ---------------------------------------------------------------------------------


def test_every_write_has_its_line(
    memory: Memory, ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    of = id_of(ana.remember(TEXT))
    ana.remember(TEXT)
    receipts = [ana.correct(of, OTHER, reason="r"), ana.remember(TEXT), ana.remember(SECRET)]
    ana.forget(of)
    ana.restore(of, reason="r")
    assert lines(eva) == [
        ("remember", "kept", None),
        ("remember", "kept", None),
        ("correct", "kept", None),
        ("remember", "rejected", "rejected"),
        ("remember", "pending", "secret"),
        ("forget", "kept", None),
        ("restore", "kept", None),
    ]
    assert [receipt.ledger_id for receipt in receipts] == [3, 4, 5]
    first = eva.ledger()[0]
    assert (first.id, first.at, first.actor, first.scope, first.scope_id, first.trace_id) == (
        1, clock.now, "sdk", "user", "ana", of
    )  # fmt: skip
    assert [entry.version for entry in eva.ledger(trace_id=of)] == [1, 1, 2, 3, 4]
    assert [entry.id for entry in eva.ledger(limit=2)] == [6, 7]


@pytest.mark.parametrize(
    ("decide", "status", "reason"),
    [
        (lambda eva, at: eva.approve(at, reason="r"), "kept", "approved"),
        (lambda eva, at: eva.reject(at, reason="r"), "rejected", "rejected"),
        (lambda eva, at: eva.edit(at, OTHER, reason="r"), "kept", "edited"),
    ],
)
def test_what_is_pending_is_settled_with_its_item(
    ana: BoundMemory,
    eva: Reviewer,
    decide: Callable[[Reviewer, int], object],
    status: str,
    reason: str,
) -> None:
    ana.remember(SECRET)
    assert lines(eva) == [("remember", "pending", "secret")]
    decide(eva, eva.queue()[0].id)
    assert lines(eva)[0] == ("remember", status, reason)


def test_what_expires_is_rejected(ana: BoundMemory, eva: Reviewer, clock: FixedClock) -> None:
    ana.remember(SECRET)
    clock.advance(days=91)
    eva.sweep()
    assert lines(eva) == [("remember", "rejected", "expired"), ("expire", "rejected", None)]


def test_a_write_that_fails_leaves_no_line(memory: Memory, ana: BoundMemory, eva: Reviewer) -> None:
    ana.remember(TEXT)
    with raw(memory) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    before = contents(memory)
    with pytest.raises(StorageError, match="full"):
        ana.remember(OTHER)
    assert contents(memory) == before


# --- reason codes ----------------------------------------------------------------------------


def _frozen(memory: Memory, ana: BoundMemory) -> object:
    memory.freeze()
    return ana.remember(TEXT)


def _forgotten(memory: Memory, ana: BoundMemory) -> object:
    ana.forget(id_of(ana.remember(TEXT)))
    return ana.remember(TEXT)


def _forgotten_user(memory: Memory, ana: BoundMemory) -> object:
    ana.remember(OTHER)
    memory.forget_user("ana")
    return memory.bind(user="ana", organization="acme").remember(TEXT, scope="organization")


def _rejected(memory: Memory, ana: BoundMemory) -> object:
    ana.forget(id_of(ana.remember(TEXT)), reason="wrong")
    return ana.remember(TEXT)


def _recalled(memory: Memory, ana: BoundMemory) -> object:
    ana.remember(TEXT)
    return ana.remember(str(ana.context("kettle")))


def _source(memory: Memory, ana: BoundMemory) -> object:
    of = id_of(ana.remember(TEXT))
    ana.forget(of)
    return ana.remember(OTHER, derived_from=[of])


def _quarantined(memory: Memory, ana: BoundMemory) -> object:
    memory.reviewer("eva").quarantine(id_of(ana.remember(TEXT)), reason="r")
    return ana.remember(TEXT)


def _organization(memory: Memory, ana: BoundMemory) -> object:
    agent = memory.bind(user="ana", organization="acme", channel="agent")
    return agent.remember(TEXT, scope="organization")


def _organization_change(how: str) -> Callable[[Memory, BoundMemory], object]:
    def change(memory: Memory, ana: BoundMemory) -> object:
        team = {"user": "ana", "organization": "acme"}
        of = id_of(memory.bind(**team).remember(TEXT, scope="organization"))
        agent = memory.bind(**team, channel="agent")
        return {
            "words": lambda: agent.correct(of, OTHER, reason="r"),
            "dates": lambda: agent.correct(of, valid_to="2026-06-02", reason="r"),
            "forget": lambda: agent.forget(of),
            "wrong": lambda: agent.forget(of, reason="wrong"),
        }[how]()

    return change


def _other_user(how: str) -> Callable[[Memory, BoundMemory], object]:
    def change(memory: Memory, ana: BoundMemory) -> object:
        one, two = (memory.bind(user=user, organization="acme") for user in ("ana", "bob"))
        of = id_of(one.remember(TEXT, scope="organization"))
        assert two.show(of).content == TEXT
        return two.forget(of) if how == "forget" else two.correct(of, OTHER, reason="r")

    return change


def _conflict(memory: Memory, ana: BoundMemory) -> object:
    of = id_of(ana.remember(TEXT))
    ana.correct(of, valid_to=None, reason="r")
    return ana.correct(of, OTHER, reason="r", expect=1)


def _conflict_to_forget(memory: Memory, ana: BoundMemory) -> object:
    of = id_of(ana.remember(TEXT))
    ana.correct(of, OTHER, reason="r", expect=1)
    return ana.forget(of, expect=1)


def _verified(memory: Memory, ana: BoundMemory) -> object:
    of = id_of(ana.remember(TEXT))
    memory.reviewer("eva").verify(of, reason="heard it")
    return memory.bind(user="ana", channel="tool").correct(of, OTHER, reason="r")


def _superseded(memory: Memory, ana: BoundMemory) -> object:
    into = id_of(ana.remember(OTHER))
    of = ana.remember(SECRET)
    eva = memory.reviewer("eva")
    eva.merge(eva.queue()[0].id, into, reason="r")
    assert of.trace is not None
    return ana.remember(SECRET)


CODES: list[tuple[str, str, Callable[[Memory, BoundMemory], object]]] = [
    ("frozen", "remember", _frozen),
    ("forgotten", "remember", _forgotten),
    ("forgotten", "remember", _forgotten_user),
    ("rejected", "remember", _rejected),
    ("recalled", "remember", _recalled),
    ("source", "remember", _source),
    ("quarantined", "remember", _quarantined),
    ("superseded", "remember", _superseded),
    ("organization_scope", "remember", _organization),
    ("organization_scope", "correct", _organization_change("words")),
    ("organization_scope", "correct", _organization_change("dates")),
    ("organization_scope", "forget", _organization_change("forget")),
    ("organization_scope", "forget", _organization_change("wrong")),
    ("other_user", "correct", _other_user("correct")),
    ("other_user", "forget", _other_user("forget")),
    ("conflict", "correct", _conflict),
    ("conflict", "forget", _conflict_to_forget),
    ("verified", "correct", _verified),
]


def test_every_code_is_met() -> None:
    assert {code for code, _, _ in CODES} == set(MESSAGES)


@pytest.mark.parametrize(("code", "action", "write"), CODES)
def test_a_refusal_has_its_code_everywhere(
    memory: Memory,
    ana: BoundMemory,
    eva: Reviewer,
    code: str,
    action: str,
    write: Callable[[Memory, BoundMemory], Any],
) -> None:
    receipt = write(memory, ana)
    assert (receipt.status, receipt.reason, receipt.trace) == (Status.REFUSED, code, None)
    assert receipt.message == MESSAGES[code]
    entry = memory.audit.entries()[-1]
    assert (entry.seq, entry.action, entry.outcome, entry.reason) == (
        receipt.audit_seq, action, "refused", code
    )  # fmt: skip
    line = eva.ledger()[-1]
    assert (line.id, line.action, line.status, line.reason) == (
        receipt.ledger_id, action, "rejected", code
    )  # fmt: skip


def test_a_change_between_the_look_and_the_write_is_a_conflict(
    open_brain: Opener, ana: BoundMemory
) -> None:
    """Another process corrects the trace while this one makes vectors for its own words."""
    of = id_of(ana.remember(TEXT))
    embedder = ana._rooms.writer.vectors.embedder
    other = open_brain().bind(user="ana")

    class Slow:
        name, dimension = embedder.name, embedder.dimension  # type: ignore[union-attr]

        def embed(self, texts: Any) -> Any:
            other.correct(of, "The kettle is cold", reason="first")
            return embedder.embed(texts)  # type: ignore[union-attr]

    ana._rooms.writer.vectors.embedder = Slow()
    receipt = ana.correct(of, OTHER, reason="second")
    ana._rooms.writer.vectors.embedder = embedder
    assert (receipt.status, receipt.reason) == (Status.REFUSED, "conflict")
    assert ana.show(of).content == "The kettle is cold"
    assert ana.correct(of, OTHER, reason="looked again").status is Status.CORRECTED


def test_what_another_user_filed_in_the_thread_of_a_team_is_that_users(memory: Memory) -> None:
    ana, bob = (memory.bind(user=user, organization="acme") for user in ("ana", "bob"))
    of = id_of(ana.remember(TEXT, scope="organization"))
    with pytest.raises(NotAllowed):
        bob.erase(of)
    assert ana.correct(of, OTHER, reason="r").status is Status.CORRECTED
    assert bob.show(of).content == OTHER


# --- modes -----------------------------------------------------------------------------------


@pytest.fixture(params=["setting", "environment", "whole brain", "scope"])
def moded(
    request: pytest.FixtureRequest, open_brain: Opener, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Memory]:
    """Opens a brain that holds one trace, in a mode."""

    def opened(mode: str) -> Memory:
        open_brain().bind(user="ana").remember(TEXT)
        if request.param == "setting":
            return open_brain(settings=Settings(learning={"mode": mode}))
        if request.param == "environment":
            monkeypatch.setenv("MNEMIC_LEARNING__MODE", mode)
            return open_brain(settings=Settings())
        memory = open_brain()
        bound = None if request.param == "whole brain" else memory.bind(user="ana")
        memory.freeze(bind=bound, mode=mode)
        return memory

    return opened


def test_a_frozen_brain_takes_no_write_and_gives_all_reads(moded: Callable[[str], Memory]) -> None:
    memory = moded("frozen")
    ana = memory.bind(user="ana", thread="t", persona="p")
    (trace,) = ana.list()
    writes: list[Callable[[], Any]] = [
        lambda: ana.remember(OTHER),
        lambda: ana.remember(OTHER, scope="thread"),
        lambda: ana.remember(OTHER, scope="persona"),
        lambda: ana.remember_many([OTHER])[0],
        lambda: ana.correct(trace.id, OTHER, reason="r"),
        lambda: ana.correct(trace.id, valid_to=None, reason="r"),
        lambda: ana.forget(trace.id),
        lambda: ana.forget(trace.id, reason="wrong"),
    ]
    for write in writes:
        assert write().reason == "frozen"
    assert [hit.trace.id for hit in ana.recall("kettle", touch=False)] == [trace.id]
    assert ana.show(trace.id) == trace
    assert memory.reviewer("eva").ledger()[-1].reason == "frozen"


def test_a_suspended_brain_takes_writes_and_learns_nothing(moded: Callable[[str], Memory]) -> None:
    memory = moded("suspended")
    ana = memory.bind(user="ana")
    before = len(memory.reviewer("eva").ledger())
    receipt = ana.remember("Ana lives in Lisbon", type="semantic")
    assert (receipt.status, receipt.ledger_id) == (Status.STORED, None)
    assert ana.facts() == []
    assert ana.remember(TEXT).trace.strength == Settings().mind.appraisal.base_strength  # type: ignore[union-attr]
    assert len(memory.reviewer("eva").ledger()) == before
    assert memory.audit.verify().ok


def test_a_freeze_of_one_scope_leaves_the_others(memory: Memory, ana: BoundMemory) -> None:
    bob = memory.bind(user="bob")
    memory.freeze(bind=bob)
    assert ana.remember(TEXT).status is Status.STORED
    assert bob.remember(TEXT).reason == "frozen"
    assert memory.bind(user="bob", thread="x").remember(TEXT, scope="thread").reason == "frozen"
    memory.freeze(bind=bob, mode="on")
    assert bob.remember(TEXT).status is Status.STORED


def test_a_freeze_of_a_member_does_not_freeze_the_others_of_the_team(memory: Memory) -> None:
    ana, bob = (memory.bind(user=user, organization="acme") for user in ("ana", "bob"))
    memory.freeze(bind=ana)
    assert ana.remember(TEXT).reason == "frozen"
    assert bob.remember(TEXT, scope="organization").reason == "frozen"
    assert bob.remember(TEXT).status is Status.STORED


def test_a_freeze_outlasts_a_restart_and_wins_over_a_suspension(
    memory: Memory, ana: BoundMemory, open_brain: Opener
) -> None:
    memory.freeze(bind=ana, mode="suspended")
    memory.freeze(mode="frozen")
    assert open_brain().bind(user="ana").remember(TEXT).reason == "frozen"
    memory.freeze(mode="on")
    assert open_brain().bind(user="ana").remember(TEXT).ledger_id is None
    memory.freeze(bind=ana, mode="on")
    assert open_brain().bind(user="ana").remember(OTHER).ledger_id is not None
    assert [e.action for e in memory.audit.entries()].count("freeze") == 4


def test_a_freeze_at_run_time_cannot_turn_off_the_ledger(memory: Memory, ana: BoundMemory) -> None:
    for mode in ("off", "nothing"):
        with pytest.raises(InvalidInput):
            memory.freeze(mode=mode)
    assert ana.remember(TEXT).ledger_id == 1


def test_a_brain_whose_ledger_is_off_keeps_none(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(learning={"mode": "off"}))
    ana = memory.bind(user="ana")
    assert ana.remember("Ana lives in Lisbon").ledger_id is None
    assert [fact.value for fact in ana.facts()] == ["Lisbon"]
    assert memory.reviewer("eva").ledger() == []
    assert memory.audit.verify().entries == 1


def test_nothing_that_was_put_away_comes_back_while_it_is_frozen(
    memory: Memory, ana: BoundMemory, eva: Reviewer
) -> None:
    of = id_of(ana.remember(TEXT))
    ana.forget(of, reason="wrong")
    gone = id_of(ana.remember(OTHER))
    ana.forget(gone)
    memory.freeze()
    with pytest.raises(NotAllowed, match="frozen"):
        eva.lift(of, reason="r")
    assert ana.restore(gone, reason="r").reason == "frozen"
    memory.freeze(mode="on")
    assert eva.lift(of, reason="r").status is Status.RESTORED
    assert ana.restore(gone, reason="r").status is Status.RESTORED


# --- taking back -----------------------------------------------------------------------------


def test_what_was_remembered_is_taken_back_with_what_it_ended(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    first = id_of(ana.remember("Ana lives in Lisbon", type="semantic"))
    clock.advance(days=1)
    receipt = ana.remember("Ana lives in Porto", type="semantic")
    rests = id_of(ana.remember("Ana moved north", derived_from=[id_of(receipt)]))
    assert [fact.value for fact in ana.facts()] == ["Porto"]
    assert ana.show(first).valid_to == clock.now
    clock.advance(days=1)
    assert receipt.ledger_id is not None
    taken = eva.revert(receipt.ledger_id, reason="a joke")
    assert taken.status is Status.REVERTED
    assert [fact.value for fact in ana.facts()] == ["Lisbon"]
    assert ana.show(first).valid_to is None
    assert [t.id for t in ana.list()] == [first]
    assert rests not in {t.id for t in ana.list()}
    entries = {entry.id: entry for entry in eva.ledger()}
    assert entries[receipt.ledger_id].status == "reverted"
    assert max(entries.values(), key=lambda e: e.id).reverts == receipt.ledger_id
    with pytest.raises(InvalidInput, match="is reverted"):
        eva.revert(receipt.ledger_id, reason="again")


def test_what_was_corrected_says_again_what_it_said(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    of = id_of(ana.remember("Ana lives in Lisbon"))
    clock.advance(days=1)
    receipt = ana.correct(of, "Ana lives in Porto", reason="r")
    assert receipt.ledger_id is not None
    eva.revert(receipt.ledger_id, reason="it was right")
    assert ana.show(of).content == "Ana lives in Lisbon"
    assert [fact.value for fact in ana.facts()] == ["Lisbon"]
    assert ana.remember("Ana lives in Lisbon").status is Status.REINFORCED
    assert ana.remember("Ana resides in Lisbon").status is Status.STORED
    assert ana.remember("Ana lives in Porto").reason == "rejected"
    with pytest.raises(InvalidInput, match="is reverted"):
        eva.revert(receipt.ledger_id, reason="again")


def test_a_date_that_was_corrected_is_as_before(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    of = id_of(ana.remember("Ana lives in Lisbon"))
    before = ana.show(of)
    receipt = ana.correct(of, valid_from="2020-01-01", valid_to="2021-01-01", reason="r")
    assert ana.facts() == []
    assert receipt.ledger_id is not None
    eva.revert(receipt.ledger_id, reason="r")
    after = ana.show(of)
    assert (after.valid_from, after.valid_to) == (before.valid_from, before.valid_to)
    assert [fact.value for fact in ana.facts()] == ["Lisbon"]


@pytest.mark.parametrize("reason", [None, "wrong"])
def test_what_was_forgotten_is_back(ana: BoundMemory, eva: Reviewer, reason: str | None) -> None:
    of = id_of(ana.remember("Ana lives in Lisbon"))
    receipt = ana.forget(of, reason=reason)
    assert ana.remember("Ana lives in Lisbon").status is Status.REFUSED
    assert receipt.ledger_id is not None
    assert eva.revert(receipt.ledger_id, reason="r").status is Status.RESTORED
    assert ana.show(of).trust is Trust.BELIEVED
    assert ana.remember("Ana lives in Lisbon").status is Status.REINFORCED
    with pytest.raises(InvalidInput, match="is reverted"):
        eva.revert(receipt.ledger_id, reason="again")


def test_newer_changes_are_taken_back_first(ana: BoundMemory, eva: Reviewer) -> None:
    of = id_of(ana.remember("The gate is green"))
    first = ana.correct(of, "The gate is grey", reason="r").ledger_id
    second = ana.correct(of, "The gate is brown", reason="r").ledger_id
    assert first is not None
    assert second is not None
    with pytest.raises(InvalidInput, match="take the newer changes back first"):
        eva.revert(first, reason="r")
    eva.revert(second, reason="r")
    assert ana.show(of).content == "The gate is grey"


def test_what_was_not_kept_cannot_be_taken_back(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    pending = ana.remember(SECRET).ledger_id
    of = id_of(ana.remember(TEXT))
    refused = ana.correct(of, OTHER, reason="r", expect=7).ledger_id
    for number in (pending, refused):
        assert number is not None
        with pytest.raises(InvalidInput, match="only what was kept"):
            eva.revert(number, reason="r")
    with pytest.raises(NotFound):
        eva.revert(999, reason="r")


# --- other codes of time ---------------------------------------------------------------------


def test_a_clock_that_is_set_back_breaks_no_line(
    memory: Memory, ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    of = id_of(ana.remember(TEXT))
    clock.now -= timedelta(days=1)
    ana.correct(of, OTHER, reason="r")
    ana.forget(of)
    assert [entry.id for entry in eva.ledger()] == [1, 2, 3]
    versions = ana.history(of).versions
    assert all(v.retired_at is None or v.retired_at >= v.recorded_at for v in versions)
    assert memory.audit.verify().ok
