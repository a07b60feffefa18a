"""How a line says what it shows: three styles, chosen by who the agent is.

What holds for each line: it begins with the citation of its trace, what the brain says of the
trace stands before the trace's own words, and names within that part cannot end it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnemic.model.fence import cite, one_line
from mnemic.model.mind import NEUTRAL, Emotion, Mood, Personality
from mnemic.model.origin import Role, SourceType
from mnemic.model.packet import Partial, Style
from mnemic.model.trace import Trace, TraceType
from mnemic.model.trust import Trust

_NAME_CHARS = 80
"""A name is cut here; no name of anybody is that long."""

_MOST_NAMES = 3
_CLEAR, _STRONG = 0.3, 0.6
"""A feeling of this intensity is told of, and one of that is called strong (AgentOS)."""

_OF_MARKS = str.maketrans({";": ",", "(": "", ")": ""})
"""What ends a part of the brain's own words must not stand in a name."""

_TYPES = (TraceType.PROCEDURAL, TraceType.RELATIONAL, TraceType.PROSPECTIVE)
"""Types worth a word: an episode has its date, and a plain fact reads like one."""

_SAID = (TraceType.EPISODIC, TraceType.PROSPECTIVE)
"""Types of what is told on a day; the others are known since one."""

_INFERRED = (SourceType.AGENT_INFERENCE, SourceType.REFLECTION, SourceType.MEMORY_SUMMARY)
"""Nobody said it. What has a role was said, and by whom stands in the line."""

_ROLES = {
    Role.USER: "the user",
    Role.ASSISTANT: "the assistant",
    Role.SYSTEM: "the system",
    Role.TOOL: "a tool",
}


def style_of(personality: Personality) -> Style:
    """The style of the largest of three traits; of equal ones the first, as AgentOS has it."""
    traits = {
        Style.STRUCTURED: personality.conscientiousness,
        Style.NARRATIVE: personality.openness,
        Style.EMOTIONAL: personality.emotionality,
    }
    return max(traits, key=lambda style: traits[style])


def named(text: str) -> str:
    """A name as it can stand among the brain's own words."""
    return one_line(text[:_NAME_CHARS]).translate(_OF_MARKS).strip()


def line(trace: Trace, text: str, marks: Sequence[str], style: Style) -> str:
    """A line that shows a text of a trace.

    Args:
        trace: what is cited.
        text: what of it is shown.
        marks: what there is to say about it, in the brain's own words.
        style: how it is said.
    """
    gist = ["gist"] if trace.is_gist else []
    told = "; ".join((*marks, *gist, *_extra(trace, text, style)))
    if style is Style.NARRATIVE:
        aside = f" ({told})" if told else ""
        return f"- {cite(trace.id)} {_opening(trace)}{aside}: {one_line(text)}"
    who = named(trace.speaker or (trace.role.value if trace.role else ""))
    said = f"{trace.time:%Y-%m-%d}" + (f", {who}" if who else "") + (f"; {told}" if told else "")
    return f"- {cite(trace.id)} ({said}) {one_line(text)}"


def kind(trace: Trace, style: Style) -> list[str]:
    """The type of a trace, where the style tells it and it is worth a word."""
    told = style is Style.STRUCTURED and trace.type in _TYPES
    return [trace.type.value] if told else []


def partial_line(one: Partial, style: Style) -> str:
    """A line that says that there is something, and how to get it; never what it is."""
    names = [name for name in map(named, one.entities) if name][:_MOST_NAMES]
    about = f"about {', '.join(names)}" if names else "something"
    felt = [named(one.mood)] if one.mood else []
    age = f"{one.age_days} day{'' if one.age_days == 1 else 's'} old"
    sure = ["surely there"] if one.kind == "high_confidence" else []
    if style is Style.NARRATIVE:
        told = ", ".join((age, *felt, *sure))
        thing = f"something {about}" if names else about
        return f"- {cite(one.trace_id)} There is {thing}, half remembered ({told}): ask by its id"
    told = "; ".join(("half remembered", age, *felt, *sure))
    return f"- {cite(one.trace_id)} ({told}) {about}; ask by its id"


def _opening(trace: Trace) -> str:
    """When it was said and by whom, as a sentence begins."""
    who = named(trace.speaker or "") or (_ROLES[trace.role] if trace.role else "")
    if trace.type in _SAID:
        return f"On {trace.time:%Y-%m-%d}" + (f" {who} said" if who else "")
    return f"Known since {trace.time:%Y-%m-%d}" + (f" from {who}" if who else "")


def _extra(trace: Trace, text: str, style: Style) -> list[str]:
    """What a style tells besides. Of a plain statement the structured one tells nothing."""
    if style is Style.NARRATIVE:
        return _links(trace, text)
    if style is Style.EMOTIONAL:
        return _feeling(trace.emotion)
    checked = ["verified"] if trace.trust is Trust.VERIFIED else []
    inferred = trace.role is None and trace.source in _INFERRED
    return [*checked, *(["inferred"] if inferred else [])]


def _links(trace: Trace, text: str) -> list[str]:
    """The names that it is about and does not say."""
    spoken = text.casefold()
    silent = (named(name) for name in trace.entities if name.casefold() not in spoken)
    names = [name for name in silent if name][:_MOST_NAMES]
    return [f"about {', '.join(names)}"] if names else []


def _feeling(emotion: Emotion) -> list[str]:
    found = []
    if abs(emotion.valence) >= _CLEAR:
        found.append("pleasant" if emotion.valence > 0 else "unpleasant")
    if emotion.intensity > _CLEAR:
        mood = Mood(emotion.valence, 2 * emotion.arousal - 1, emotion.dominance).label
        strong = "strongly " if emotion.intensity > _STRONG else ""
        found += [f"{strong}{mood}"] if mood != NEUTRAL.label else []
    return found
