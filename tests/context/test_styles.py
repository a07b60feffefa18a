"""How each style says what it shows, and which one an agent has."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from mnemic.context import Materials, style_of
from mnemic.model.mind import Emotion, Personality
from mnemic.model.origin import Role, SourceType
from mnemic.model.packet import Section, Style
from mnemic.model.trace import Trace, TraceType
from mnemic.model.trust import Trust
from tests.context.made import fact, hit, of_hits, one_line_of, packet_of, partial, reminder, trace

PLAIN = trace(1, "The violin is old", entities=("Ruth", "violin"))
NOBODY = replace(PLAIN, speaker=None)
FOUR = ("Olu", "Violin", "Ken", "Ana", "Bo")
HURT = Emotion(-0.8, 0.9, 0.2)


def said(found: Trace, style: Style) -> str:
    """The line of a trace that answers, after its citation."""
    line = packet_of(of_hits(found), style=style).lines[0].text
    assert line.startswith("- [mt_0000000001] ")
    return line.removeprefix("- [mt_0000000001] ")


@pytest.mark.parametrize(
    ("traits", "style"),
    [
        ({}, Style.STRUCTURED),
        ({"conscientiousness": 0.6}, Style.STRUCTURED),
        ({"openness": 0.6}, Style.NARRATIVE),
        ({"emotionality": 0.6}, Style.EMOTIONAL),
        ({"openness": 0.6, "emotionality": 0.6}, Style.NARRATIVE),
        ({"conscientiousness": 0.4, "openness": 0.4}, Style.EMOTIONAL),
        ({"conscientiousness": 0.6, "openness": 0.6, "emotionality": 0.6}, Style.STRUCTURED),
        ({"honesty": 1, "extraversion": 1, "agreeableness": 1}, Style.STRUCTURED),
    ],
)
def test_the_largest_of_three_traits_chooses(traits: dict[str, float], style: Style) -> None:
    assert style_of(Personality(**traits)) is style


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (PLAIN, "(2026-06-01, Noor) The violin is old"),
        (NOBODY, "(2026-06-01) The violin is old"),
        (replace(NOBODY, role=Role.USER), "(2026-06-01, user) The violin is old"),
        (replace(PLAIN, emotion=HURT), "(2026-06-01, Noor) The violin is old"),
        (replace(PLAIN, type=TraceType.SEMANTIC), "(2026-06-01, Noor) The violin is old"),
        (
            replace(PLAIN, type=TraceType.PROCEDURAL, is_gist=True, trust=Trust.VERIFIED),
            "(2026-06-01, Noor; procedural; gist; verified) The violin is old",
        ),
        (
            replace(NOBODY, source=SourceType.AGENT_INFERENCE),
            "(2026-06-01; inferred) The violin is old",
        ),
        (
            replace(NOBODY, source=SourceType.AGENT_INFERENCE, role=Role.ASSISTANT),
            "(2026-06-01, assistant) The violin is old",
        ),
    ],
)
def test_structured_lines_are_short(found: Trace, line: str) -> None:
    assert said(found, Style.STRUCTURED) == line


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (PLAIN, "On 2026-06-01 Noor said (about Ruth): The violin is old"),
        (NOBODY, "On 2026-06-01 (about Ruth): The violin is old"),
        (
            replace(NOBODY, role=Role.ASSISTANT, entities=()),
            "On 2026-06-01 the assistant said: The violin is old",
        ),
        (
            replace(PLAIN, type=TraceType.SEMANTIC, is_gist=True, entities=FOUR),
            "Known since 2026-06-01 from Noor (gist; about Olu, Ken, Ana): The violin is old",
        ),
    ],
)
def test_narrative_lines_are_sentences_with_links(found: Trace, line: str) -> None:
    assert said(found, Style.NARRATIVE) == line


@pytest.mark.parametrize(
    ("emotion", "mark"),
    [
        (Emotion(), ""),
        (Emotion(0.2, 0.9, 0.0), ""),
        (Emotion(0.3, 0.2, 0.0), "; pleasant"),
        (Emotion(-0.3, 0.2, 0.0), "; unpleasant"),
        (Emotion(-0.6, 0.6, 0.2), "; unpleasant; frustrated"),
        (HURT, "; unpleasant; strongly frustrated"),
        (Emotion(0.5, 0.7, 0.1), "; pleasant; curious"),
        (Emotion(-0.6, 0.51, -0.5), "; unpleasant"),  # nearest to no mood that has a name
    ],
)
def test_emotional_lines_tell_what_was_felt(emotion: Emotion, mark: str) -> None:
    found = replace(PLAIN, emotion=emotion)
    assert said(found, Style.EMOTIONAL) == f"(2026-06-01, Noor{mark}) The violin is old"


def test_a_wish_stands_by_its_sentences() -> None:
    wish = trace(1, "We met Ruth. Always write dates as day and month. It rained.")
    found = Materials(wishes=[hit(wish)])
    wanted = "Always write dates as day and month."
    structured = packet_of(found).lines[0].text
    assert structured == f"- [mt_0000000001] (2026-06-01, Noor; standing) {wanted}"
    narrative = packet_of(found, style=Style.NARRATIVE).lines[0].text
    assert narrative == f"- [mt_0000000001] On 2026-06-01 Noor said (standing): {wanted}"


ZONE = timezone(timedelta(hours=2), "CEST")


@pytest.mark.parametrize(
    ("given", "mark"),
    [
        ({}, "due 2026-06-03 09:00 UTC"),
        ({"rule": "FREQ=DAILY"}, "due 2026-06-03 09:00 UTC; recurring"),
        ({"at": datetime(2026, 6, 3, 11, 5, 59, tzinfo=ZONE)}, "due 2026-06-03 11:05 CEST"),
        ({"at": None, "event": "the deploy"}, "upon the deploy"),
        ({"at": None, "cue": "the tax (Ana's; 2026)"}, "when it is about the tax Ana's, 2026"),
        ({"at": None}, "to be done"),
    ],
)
def test_a_reminder_tells_when_it_is_due(given: dict[str, object], mark: str) -> None:
    task = trace(1, "Call the bank", type=TraceType.PROSPECTIVE)
    found = Materials(reminders=[reminder(task, **given)])
    line = one_line_of(packet_of(found), Section.REMINDERS)
    assert line == f"- [mt_0000000001] (2026-06-01, Noor; {mark}) Call the bank"
    sentence = one_line_of(packet_of(found, style=Style.NARRATIVE), Section.REMINDERS)
    assert sentence == f"- [mt_0000000001] On 2026-06-01 Noor said ({mark}): Call the bank"


@pytest.mark.parametrize(
    ("tie", "mark"),
    [
        ("co_activated", "related, recalled together"),
        ("supersedes", "related, newer or older"),
        ("Ruth", "related, through Ruth"),
        ("lives_in", "related, through lives_in"),
        ("related", "related"),
        ("();", "related, through ,"),
        ("()", "related"),
    ],
)
def test_what_is_related_tells_by_what(tie: str, mark: str) -> None:
    line = one_line_of(packet_of(Materials(related=[(PLAIN, tie)])), Section.RELATED)
    assert line == f"- [mt_0000000001] (2026-06-01, Noor; {mark}) The violin is old"


def test_what_comes_unbidden_is_marked() -> None:
    line = one_line_of(packet_of(Materials(unbidden=PLAIN)), Section.UNBIDDEN)
    assert line == "- [mt_0000000001] (2026-06-01, Noor; unbidden) The violin is old"


@pytest.mark.parametrize(
    ("given", "structured", "narrative"),
    [
        (
            {},
            "(half remembered; 40 days old) something; ask by its id",
            "There is something, half remembered (40 days old): ask by its id",
        ),
        (
            {"entities": ("Ruth", "Ken", "Olu", "Piet"), "mood": "frustrated", "age_days": 1},
            "(half remembered; 1 day old; frustrated) about Ruth, Ken, Olu; ask by its id",
            "There is something about Ruth, Ken, Olu, half remembered (1 day old, frustrated): "
            "ask by its id",
        ),
        (
            {"entities": ("Ruth",), "kind": "high_confidence"},
            "(half remembered; 40 days old; surely there) about Ruth; ask by its id",
            "There is something about Ruth, half remembered (40 days old, surely there): "
            "ask by its id",
        ),
    ],
)
def test_what_is_half_remembered_is_named_and_not_told(
    given: dict[str, object], structured: str, narrative: str
) -> None:
    found = Materials(partial=[partial(1, **given)])
    assert one_line_of(packet_of(found), Section.PARTIAL) == f"- [mt_0000000001] {structured}"
    emotional = packet_of(found, style=Style.EMOTIONAL)
    assert one_line_of(emotional, Section.PARTIAL) == f"- [mt_0000000001] {structured}"
    told = packet_of(found, style=Style.NARRATIVE)
    assert one_line_of(told, Section.PARTIAL) == f"- [mt_0000000001] {narrative}"


LONG = "The orchestra met on the ferry. " * 40


def test_what_was_not_asked_for_is_cut_at_a_word() -> None:
    old = trace(1, LONG)
    for found, section, most in (
        (Materials(working=[(old, 0.9)]), Section.WORKING, 300),
        (Materials(related=[(old, "x")]), Section.RELATED, 150),
        (Materials(unbidden=old), Section.UNBIDDEN, 150),
        (Materials(reminders=[reminder(old)]), Section.REMINDERS, 300),
    ):
        text = one_line_of(packet_of(found), section).split(") ", 1)[1]
        kept = text.removesuffix(" [...]")
        assert most - 10 < len(kept) <= most
        assert LONG.startswith(kept)
        assert LONG[len(kept)] == " "
    bare = trace(1, "港" * 400)
    assert one_line_of(packet_of(Materials(unbidden=bare)), Section.UNBIDDEN).count("港") == 150


def test_what_is_in_mind_and_answers_is_shown_by_what_answers() -> None:
    old = trace(1, LONG + "The rehearsal is on Monday.")
    found = Materials([hit(old, "The rehearsal is on Monday.")], working=[(old, 0.9)])
    line = one_line_of(packet_of(found), Section.WORKING)
    assert line.endswith("(2026-06-01, Noor) The rehearsal is on Monday.")
    short = fact(2, "A fact " * 60)
    both = Materials([hit(short)], working=[(short, 0.9)])
    assert "[...]" not in one_line_of(packet_of(both), Section.WORKING)


@pytest.mark.parametrize("style", list(Style))
def test_a_packet_knows_its_style_and_each_line_its_date(style: Style) -> None:
    other = trace(1, "The violin", time=datetime(2025, 12, 31, 23, 59, tzinfo=UTC))
    packet = packet_of(of_hits(other), style=style)
    assert packet.style is style
    assert "2025-12-31" in packet.lines[0].text
