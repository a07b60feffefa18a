"""A value that was rejected stays rejected, in whatever dress it comes back."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import BoundMemory, Draft, Memory, Receipt, Settings, Status
from mnemic.errors import NotAllowed, NotFound
from mnemic.model.normal_form import normal_form as normalise
from tests.conftest import FixedClock, Opener
from tests.store.raw import raw

WRONG = "Ana lives in Lisbon"
RIGHT = "Ana lives in Porto"

Reject = Callable[[BoundMemory, str], Receipt]

REJECTIONS: dict[str, Reject] = {
    "forget": lambda who, of: who.forget(of, reason="wrong"),
    "correct": lambda who, of: who.correct(of, RIGHT, reason="she moved long ago"),
}


def stored(who: BoundMemory, text: str = WRONG, **more: str) -> str:
    receipt = who.remember(text, **more)  # type: ignore[arg-type]
    assert receipt.status is Status.STORED
    assert receipt.trace is not None
    return receipt.trace.id


@pytest.fixture(params=REJECTIONS)
def rejected(request: pytest.FixtureRequest, ana: BoundMemory) -> str:
    """The id of a trace whose value was rejected; before that it could be said again."""
    trace_id = stored(ana)
    assert ana.remember(WRONG).status is Status.REINFORCED
    REJECTIONS[request.param](ana, trace_id)
    return trace_id


def is_refused(receipt: Receipt) -> bool:
    if receipt.status is not Status.REFUSED:
        return False
    assert receipt.reason == "rejected"
    assert receipt.trace is None
    assert "stays rejected" in receipt.message
    assert receipt.audit_seq is not None
    return True


DRESSES = {
    "the same": WRONG,
    "case": WRONG.upper(),
    "spacing": "  Ana \t lives\n\nin  Lisbon ",
    "no-break spaces": WRONG.replace(" ", "\u00a0"),
    "zero-width space": WRONG.replace("l", "l\u200b"),
    "soft hyphen": WRONG.replace("Lis", "Lis\u00ad"),
    "joiner": WRONG.replace("A", "A\u2060"),
    "byte order mark": "\ufeff" + WRONG,
    "direction": "\u202a" + WRONG + "\u202c",
    "isolate": "\u2066" + WRONG + "\u2069",
    "variation selector": WRONG.replace("L", "L\ufe0f"),
    "tag characters": WRONG + "\U000e0041\U000e007f",
    "full-width": "".join(chr(ord(c) + 0xFEE0) if c != " " else "\u3000" for c in WRONG),
    "mathematical": "".join(chr(ord(c) + 0x1D3B9) if c.islower() else c for c in WRONG),
    "ligatures": WRONG.replace("Lis", "Liſ"),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_the_value_is_refused_in_every_dress(ana: BoundMemory, dress: str) -> None:
    ana.forget(stored(ana), reason="wrong")
    assert ana.remember(RIGHT).status is Status.STORED
    assert is_refused(ana.remember(DRESSES[dress]))
    assert all(is_refused(one) for one in ana.remember_many([DRESSES[dress]] * 2))
    assert is_refused(ana.remember(DRESSES[dress], type="semantic", speaker="Eva", thread="other"))
    assert [trace.content for trace in ana.list()] == [RIGHT]


def test_no_way_in_takes_a_rejected_value(
    memory: Memory, ana: BoundMemory, rejected: str, tmp_path: Path
) -> None:
    assert ana.remember("another text").status is Status.STORED
    count = ana.count()
    assert is_refused(ana.remember(WRONG))
    many = ana.remember_many(["new one", WRONG, Draft(WRONG, replay=True), {"content": WRONG}])
    assert [is_refused(one) for one in many] == [False, True, True, True]
    file = tmp_path / "chat.jsonl"
    lines = [{"content": text, "thread": "monday"} for text in (WRONG, WRONG.lower(), "fine")]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    result = memory.import_from(file, bind=ana)
    assert (result.imported, result.refused) == (1, 2)
    assert ana.count() == count + 2


def test_a_rejected_value_stays_out_after_a_restart_and_in_another_process(
    open_brain: Opener, rejected: str, tmp_path: Path
) -> None:
    again = open_brain().bind(user="ana", thread="another")
    assert again.remember("another text").status is Status.STORED
    assert is_refused(again.remember(WRONG))
    script = """
import sys
from mnemic import Memory
with Memory.open(sys.argv[1], embedder=None) as memory:
    ana = memory.bind(user="ana")
    print([ana.remember(text).status.value for text in sys.argv[2:]])
"""
    command = [sys.executable, "-c", script, str(tmp_path / "brain.db"), "a third text", WRONG]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['stored', 'refused']"


def test_it_holds_for_the_whole_user_and_for_no_other(memory: Memory, rejected: str) -> None:
    ana = memory.bind(user="ana", thread="other", persona="coach", organization="acme")
    for scope in ("user", "thread", "persona", "organization"):
        assert ana.remember("fine", scope=scope).status is Status.STORED
        assert is_refused(ana.remember(WRONG, scope=scope))
    for name in ({"user": "bob", "organization": "acme"}, {"user": "ana", "namespace": "n"}):
        other = memory.bind(**name)
        assert other.remember(WRONG).status is Status.STORED
        assert other.recall("where does Ana live?")
    assert (
        memory.bind(user="bob", organization="acme").remember(WRONG, scope="organization").status
        is Status.STORED
    )


@pytest.mark.parametrize("scope", ["user", "thread", "persona"])
@pytest.mark.parametrize("how", REJECTIONS)
def test_wherever_a_user_rejects_it_it_holds_in_all_scopes_of_that_user(
    memory: Memory, scope: str, how: str
) -> None:
    ana = memory.bind(user="ana", thread="monday", persona="coach")
    REJECTIONS[how](ana, stored(ana, scope=scope))
    other = memory.bind(user="ana", thread="tuesday", persona="poet")
    for into in ("user", "thread", "persona"):
        assert other.remember("fine", scope=into).status is Status.STORED
        assert is_refused(other.remember(WRONG, scope=into))
    bob = memory.bind(user="bob", thread="monday", persona="coach")
    assert bob.remember(WRONG, scope=scope).status is Status.STORED


def test_what_an_organization_rejects_holds_for_all_of_it(memory: Memory) -> None:
    ana, bob = (memory.bind(user=user, organization="acme") for user in ("ana", "bob"))
    of = stored(ana, scope="organization")
    memory.reviewer("eva").reject_trace(of, reason="not true")
    assert bob.remember(RIGHT, scope="organization").status is Status.STORED
    assert is_refused(bob.remember(WRONG, scope="organization"))
    assert is_refused(memory.bind(organization="acme").remember(WRONG))
    assert bob.remember(WRONG).status is Status.STORED  # what is said of oneself is one's own


def test_no_reader_gives_a_rejected_value(ana: BoundMemory) -> None:
    trace_id = stored(ana)
    assert ana.recall("Lisbon")
    ana.forget(trace_id, reason="wrong")
    assert ana.recall("Lisbon") == []
    assert str(ana.context("Lisbon")) == ""
    assert ana.list() == []
    assert ana.count() == ana.stats().traces == 0
    with pytest.raises(NotFound):
        ana.show(trace_id)
    with pytest.raises(NotFound):
        ana.correct(trace_id, RIGHT, reason="r")
    assert WRONG not in repr(ana.history(trace_id))


def test_a_corrected_value_is_found_by_no_word_of_the_old_one(ana: BoundMemory) -> None:
    trace_id = stored(ana)
    ana.correct(trace_id, RIGHT, reason="she moved")
    assert [hit.trace.content for hit in ana.recall("Lisbon")] in ([], [RIGHT])
    assert [hit.why.terms for hit in ana.recall("Lisbon")] in ([], [()])
    assert [hit.trace.content for hit in ana.recall("Porto")] == [RIGHT]


def test_only_a_reviewer_lifts_a_tombstone_and_it_is_recorded(
    memory: Memory, ana: BoundMemory
) -> None:
    trace_id = stored(ana)
    ana.forget(trace_id, reason="wrong")
    assert is_refused(ana.remember(WRONG))
    assert memory.stats().tombstones == 2  # the text, and what it says
    for channel in ("sdk", "cli", "host", "agent", "tool", "mcp"):
        with pytest.raises(NotAllowed):
            memory.bind(user="ana", channel=channel).restore(trace_id, reason="it was right")
    assert is_refused(ana.remember(WRONG))
    receipt = memory.reviewer("eva").lift(trace_id, reason="it was right after all")
    assert receipt.status is Status.RESTORED
    assert memory.stats().tombstones == 0
    assert ana.show(trace_id).content == WRONG
    assert [hit.trace.id for hit in ana.recall("Lisbon")] == [trace_id]
    assert ana.remember(WRONG).status is Status.REINFORCED
    told = [(e.action, e.outcome, e.actor) for e in ana.history(trace_id).audit]
    assert told[1] == ("forget", "forgotten", "sdk")
    assert told[2:8] == [("restore", "denied", who) for who in
                         ("sdk", "cli", "host", "agent", "tool", "mcp")]  # fmt: skip
    assert ("lift", "lifted", "review:eva") in told
    assert ("restore", "restored", "review:eva") in told
    with pytest.raises(NotAllowed):
        memory.reviewer("eva").lift(trace_id, reason="twice")


def test_a_change_of_mind_goes_there_and_back(ana: BoundMemory) -> None:
    trace_id = stored(ana)
    for value, other in ((RIGHT, WRONG), (WRONG, RIGHT), (RIGHT, WRONG)):
        assert ana.correct(trace_id, value, reason="changed").status is Status.CORRECTED
        assert ana.remember(value).status is Status.REINFORCED
        assert is_refused(ana.remember(other))
    assert [version.content for version in ana.history(trace_id).versions] == [
        WRONG, RIGHT, WRONG, RIGHT
    ]  # fmt: skip


def test_a_correction_of_its_spelling_alone_rejects_nothing(
    memory: Memory, ana: BoundMemory
) -> None:
    trace_id = stored(ana, "ana  lives in lisbon")
    ana.correct(trace_id, WRONG, reason="names are written large")
    assert ana.show(trace_id).content == WRONG
    assert memory.stats().tombstones == 0
    assert ana.remember(WRONG).status is Status.REINFORCED


@pytest.mark.parametrize(
    ("value", "others"),
    [
        ("42", ["43", "4 2", "420", "042", "-42", "42.0"]),
        ("2026-05-01", ["2026-05-02", "2026-5-1", "20260501"]),
        ("no", ["No way", "not", "n o"]),
        ("C", ["C++", "C#"]),
        ("東京", ["京都", "東", "東京都"]),
        ("がく", ["かく", "がくせい"]),
        ("서울", ["부산", "서울시"]),
        ("Москва", ["Москве", "Москвич"]),
        ("القاهرة", ["القاهره الجديدة", "الإسكندرية"]),
        ("नमक", ["नमकीन", "नम"]),
        ("résumé", ["resume"]),
        ("🙂", ["🙁"]),
    ],
)
def test_a_short_value_is_one_value(ana: BoundMemory, value: str, others: list[str]) -> None:
    ana.forget(stored(ana, value), reason="wrong")
    assert is_refused(ana.remember(value))
    for other in others:
        assert ana.remember(other).status is Status.STORED, other


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("vitamin C", "vitamin \u2102"),  # folding leaves it, compatibility makes it a capital
        ("ga\u00df\u0323e", "GASS\u0323E"),  # folding takes a letter apart before its mark
        ("ﬁsh", "FISH"),
        ("ｱﾊﾟｰﾄ", "アパート"),
        ("Москва", "Mосква"),  # with a Latin M
        ("paypal", "pаypаl"),  # with two Cyrillic а
    ],
)
def test_forms_of_one_letter_are_one_value(ana: BoundMemory, value: str, other: str) -> None:
    ana.forget(stored(ana, value), reason="wrong")
    assert ana.remember("fresh").status is Status.STORED
    assert is_refused(ana.remember(other))


def test_forgetting_without_a_reason_keeps_the_text_out_and_no_other(
    memory: Memory, ana: BoundMemory
) -> None:
    trace_id = stored(ana)
    ana.forget(trace_id)
    for receipt in (ana.remember(WRONG), *ana.remember_many([WRONG, Draft(WRONG, replay=True)])):
        assert (receipt.status, receipt.reason) == (Status.REFUSED, "forgotten")
        assert "restore the trace" in receipt.message
    assert memory.stats().tombstones == 0
    assert ana.remember(WRONG + ", they say").status is Status.STORED
    assert memory.bind(user="bob").remember(WRONG).status is Status.STORED
    ana.restore(trace_id, reason="needed again")
    assert ana.remember(WRONG).status is Status.REINFORCED


def test_a_tombstone_holds_no_value_and_no_name(
    memory: Memory, ana: BoundMemory, rejected: str
) -> None:
    with raw(memory) as connection:
        rows = connection.execute("SELECT * FROM tombstones ORDER BY kind").fetchall()
    assert [row[1] for row in rows] == ["fact", "value"]
    for word in (b"lisbon", b"lives_in", b"ana"):
        assert word not in repr(rows).lower().encode()
    digests = [value for row in rows for value in row if isinstance(value, bytes)]
    assert {len(digest) for digest in digests} == {32}
    assert len(set(digests)) == 3  # one place, two values


def test_the_same_value_leaves_another_mark_in_another_brain(open_brain: Opener) -> None:
    """Marks are keyed: who does not hold the brain cannot try values against them."""
    digests = set()
    for name in ("one.db", "other.db"):
        memory = open_brain(name)
        ana = memory.bind(user="ana")
        ana.forget(stored(ana, "42"), reason="wrong")
        with raw(memory) as connection:
            digests.update(connection.execute("SELECT digest, place FROM tombstones").fetchone())
    assert len(digests) == 4


def test_a_tombstone_outlasts_its_trace_being_corrected_away(
    ana: BoundMemory, clock: FixedClock
) -> None:
    trace_id = stored(ana)
    ana.correct(trace_id, RIGHT, reason="moved")
    ana.correct(trace_id, "Ana lives in Braga", reason="moved")
    clock.advance(days=400)
    assert is_refused(ana.remember(WRONG))
    assert is_refused(ana.remember(RIGHT))


def test_many_tombstones_in_one_batch(open_brain: Opener) -> None:
    ana = open_brain(embedder=None, settings=Settings(encoding={"batch_size": 1_000})).bind(
        user="a"
    )
    receipts = ana.remember_many(f"value {n}" for n in range(600))
    for receipt in receipts[::2]:
        assert receipt.trace is not None
        ana.forget(receipt.trace.id, reason="wrong")
    again = ana.remember_many(f"VALUE {n}" for n in range(600))
    assert [is_refused(one) for one in again] == [n % 2 == 0 for n in range(600)]


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_value_and_its_dresses_have_one_normal_form(text: str) -> None:
    dressed = "\u200b".join(f"  {text.casefold()}\n".replace(" ", "\u3000"))
    assert normalise(dressed) == normalise(text)
