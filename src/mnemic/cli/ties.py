"""How names, and what ties them together, look to a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.failures import printable
from mnemic.model.graph import UNDIRECTED

if TYPE_CHECKING:
    from mnemic import Alias, Region, Thing, Tied, Way

TRACE = "trace"
"""The kind of a thing that is a memory."""

_BOTH_WAYS = frozenset(kind.value for kind in UNDIRECTED)


def thing(one: Thing) -> Text:
    """A name with what it is the name of, or the text of a memory with its id."""
    if one.kind == TRACE:
        return Text.assemble(printable(one.label), " ", (printable(one.id), "id"))
    return Text.assemble((printable(one.label), "head"), (f" ({printable(one.kind)})", "quiet"))


def tie(kind: str, *, forward: bool | None) -> Text:
    """The kind of a tie, and which way it leads; None is for one of which that is not told."""
    arrow = "–" if forward is None or kind in _BOTH_WAYS else "→" if forward else "←"
    return Text(f"{arrow} {printable(kind.replace('_', ' '))}")


def ties(found: Sequence[Tied], most: int | None = None) -> RenderableType:
    """What something is tied to; beyond `most` they are counted."""
    made = views.table("tie", "weight", "what", right=("weight",))
    for one in found[:most]:
        made.add_row(tie(one.kind, forward=one.forward), f"{one.weight:.2f}", thing(one.thing))
    rest = len(found) - len(found[:most])
    notes = [f"and {rest:,} more; --json has all"] if rest else []
    memories = _memories(found)
    if memories.endswith("+"):
        notes.append(f"of the memories that mention it the newest {memories[:-1]} are looked at")
    return Group(made, *(Text(note, "quiet") for note in notes))


def _memories(found: Iterable[Tied]) -> str:
    """How many memories mention a name; with a plus where only the newest are looked at."""
    from mnemic.graph.seen import MOST_TIES

    count = sum(one.thing.kind == TRACE and not one.forward for one in found)
    return f"{count:,}+" if count >= MOST_TIES else f"{count:,}"


def names(found: Iterable[Thing]) -> RenderableType:
    """Names, each with its id."""
    made = views.table("name", "kind", "id")
    for one in found:
        made.add_row(views.said(one.label, "head"), one.kind, Text(one.id, "id"))
    return made


def with_ties(found: Mapping[Thing, Sequence[Tied]], most: int) -> RenderableType:
    """Names, in how many memories each one is, and its first `most` ties to other things."""
    made = views.table("name", "kind", "memories", "tied to", right=("memories",))
    for one, several in found.items():
        rest = [other for other in several if other.thing.kind != TRACE]
        lines = [
            Text.assemble(
                tie(other.kind, forward=other.forward), f" {printable(other.thing.label)}"
            )
            for other in rest[:most]
        ]
        if len(rest) > most:
            lines.append(Text(f"and {len(rest) - most:,} more", "quiet"))
        made.add_row(views.said(one.label, "head"), one.kind, _memories(several), Group(*lines))
    return made


def region(found: Region) -> RenderableType:
    """Things by how far they are away, each with the heaviest tie that leads to it."""
    far = {one.id: distance for one, distance in found.things}
    labels = {one.id: one.label for one, _ in found.things}
    lead: dict[str, tuple[float, str, str]] = {}
    for start, end, kind, weight in found.ties:
        for one, other in ((start, end), (end, start)):
            if far[other] == far[one] - 1:
                lead[one] = max(lead.get(one, (0.0, "", "")), (weight, kind, other))
    made = views.table("away", "what", right=("away",))
    for away, distance in found.things:
        what: RenderableType = thing(away)
        if away.id in lead:
            _, kind, other = lead[away.id]
            by = Text.assemble(tie(kind, forward=None), f" {printable(_short(labels[other]))}")
            what = Group(what, _indented(by))
        made.add_row(str(distance), what)
    return made


def path(found: Sequence[Way]) -> RenderableType:
    """The things of a way, one under the other, and what leads from each to the next."""
    lines: list[RenderableType] = [thing(found[0].start)]
    for step in found:
        lines += [_indented(tie(step.kind, forward=step.forward)), thing(step.end)]
    return Group(*lines)


def clusters(found: Iterable[Sequence[Thing]]) -> RenderableType:
    """Groups of things that hang together."""
    lines: list[RenderableType] = []
    for number, several in enumerate(found, 1):
        lines.append(Text(f"{number}  {len(several)} together", "quiet"))
        lines += [_indented(thing(one)) for one in several]
    return Group(*lines)


def aliases(found: Iterable[Alias]) -> RenderableType:
    """Names that seem to be short for others."""
    made = views.table("name", "seems short for")
    for one in found:
        made.add_row(views.said(one.name.label, "head"), views.said(one.stands_for.label, "head"))
    return made


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 3))


def _short(label: str, most: int = 24) -> str:
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"
