"""How the demonstration looks on a terminal, and what it is as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.demo.story import CHAT, PHYSIO, TUNER, Answer, Forgotten, Moment

if TYPE_CHECKING:
    from mnemic import AuditReport, ImportResult

_CLOCKS = {
    "now": "what is true, as far as is known",
    "as_of last month": "what was true then, as is known now",
    "known_at before": "what this brain held before the change",
    "known_at last month": "it was made a moment ago",
}


def heading(number: int, text: str) -> RenderableType:
    """The title of a step."""
    title = Text.assemble((f"{number}  ", "quiet"), (text, "head"))
    return Group(Text(), Rule(title, align="left", style="quiet"))


def note(text: str) -> RenderableType:
    """A sentence that explains."""
    return Padding(Text(text, "quiet"), (0, 0, 0, 3))


def imported(result: ImportResult, threads: int) -> RenderableType:
    """What the import did."""
    return Padding(Text(f"{CHAT}: {result.imported} lines in {threads} threads."), (0, 0, 0, 3))


def answered(answer: Answer) -> RenderableType:
    """A question, the line that answers it, and the reason."""
    question = Text.assemble(("?  ", "old"), (answer.question.text, "bold yellow"))
    if answer.hit is None:
        return Group(Text(), question, note("nothing found"))
    hit = answer.hit
    lines = Group(
        views.marked(hit.trace.content, hit.why.terms),
        views.source_line(hit.trace),
        views.why_line(hit),
    )
    return Group(Text(), question, Padding(lines, (0, 0, 0, 3)))


def moments(rows: Sequence[Moment]) -> RenderableType:
    """The same two questions on several clocks, side by side."""
    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="head")
    made.add_column("", ratio=5)
    made.add_column(PHYSIO.text, ratio=6)
    made.add_column(TUNER.text, ratio=6)
    for moment in rows:
        if moment is not rows[0]:
            made.add_row()
        label = Group(Text(moment.label, "old"), Text(_CLOCKS[moment.label], "quiet"))
        made.add_row(label, *(_cell(answer) for answer in moment.answers))
    return Padding(made, (1, 0, 0, 3))


def _cell(answer: Answer) -> Text:
    if answer.hit is None:
        return Text("nothing yet", "quiet")
    text = views.said(answer.hit.trace.content)
    text.highlight_words([answer.question.holds or ""], "match")
    return text


def forgotten(result: Forgotten) -> RenderableType:
    """What became of a line that was forgotten, before and after the chat came in again."""
    before, again = result.before.hit, result.again
    text = before.trace.content if before else ""
    rows = {
        "the line": views.said(text),
        "asked after that": _there(result.after),
        "chat imported again": Text(
            f"{again.imported} new, {again.skipped} known, {again.refused} refused"
        ),
        "asked once more": _there(result.after_import),
    }
    return Padding(views.pairs(rows), (0, 0, 0, 3))


def _there(answer: Answer) -> Text:
    return Text("it is there", "bad") if answer.right else Text("it is gone", "good")


def verified(report: AuditReport) -> RenderableType:
    """What the audit chain says."""
    verdict = Text("holds", "good") if report.ok else Text("is broken", "bad")
    rows = {"chain": verdict, "entries": report.entries, "head": report.head}
    return Padding(views.pairs(rows), (0, 0, 0, 3))


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer as data."""
    hit = answer.hit
    return {
        "question": answer.question.text,
        "answer": hit.trace.content if hit else None,
        "score": hit.score if hit else None,
        "trace": hit.trace if hit else None,
        "why": hit.why if hit else None,
        "reason": str(hit.why) if hit else None,
        "right": answer.right,
    }


def moment_data(moment: Moment) -> dict[str, Any]:
    """What was asked on one pair of clocks, as data."""
    return {
        "label": moment.label,
        "as_of": moment.as_of,
        "known_at": moment.known_at,
        "answers": [answer_data(answer) for answer in moment.answers],
    }
