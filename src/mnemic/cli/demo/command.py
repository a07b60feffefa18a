"""`mnemic demo`, the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import typer
from rich.console import RenderableType
from rich.text import Text

from mnemic.cli.calls import Call, command
from mnemic.cli.failures import Exit
from mnemic.cli.output import show, write_json

Tell = Callable[..., None]
"""Prints what it is given, or with --json nothing."""


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "demo", panel="Start", brain=False)(demo)


def demo(call: Call) -> int:
    """See what it does, in seconds, on a brain that is thrown away.

    A small conversation is imported, asked about, corrected and partly forgotten. Exit 1 if any
    answer is not what it should be.
    """
    from mnemic import Memory

    embedder = None if call.no_embedder else "auto"
    began = perf_counter()
    with (
        TemporaryDirectory(prefix="mnemic-demo-", ignore_cleanup_errors=True) as folder,
        Memory.open(Path(folder) / "brain.db", embedder=embedder) as memory,
    ):
        data, well = _told(memory, _silent if call.as_json else _aloud)
    data |= {"ok": well, "seconds": round(perf_counter() - began, 3)}
    if call.as_json:
        write_json(data)
    else:
        _closing(well, data["seconds"])
    return Exit.OK if well else Exit.NO


def _aloud(*parts: RenderableType) -> None:
    show(*parts)


def _silent(*_: RenderableType) -> None:
    """Say nothing: the whole is written at the end."""


def _told(memory: Any, tell: Tell) -> tuple[dict[str, Any], bool]:
    """Run the story, tell it step by step, and return it as data and whether all went well."""
    from mnemic.cli.demo import view
    from mnemic.cli.demo.story import PHYSIO, QUESTIONS, REFUSED, TUNER, Story

    story = Story(memory)
    tell(view.heading(1, "Import three conversations of Pilar, who repairs bicycles"))
    first = story.import_chat()
    threads = story.pilar.stats().threads
    tell(view.imported(first, threads))

    tell(view.heading(2, "Ask"))
    answers = {}
    for question in QUESTIONS:
        answers[question] = story.ask(question)
        tell(view.answered(answers[question]))
    foreign = story.ask_as_another(QUESTIONS[0])
    tell(Text(), view.note(f"Another user who asks the same gets {foreign} lines."))

    physio, tuner = answers[PHYSIO].hit, answers[TUNER].hit
    if physio is None or tuner is None:
        return {"questions": [view.answer_data(one) for one in answers.values()]}, False
    tell(
        view.heading(3, "Change two things, and ask again"),
        view.note(
            "Her physio moved last week: the old line ends, a new one begins. The tuner's town "
            "was a slip: its line is corrected. Nothing is overwritten."
        ),
    )
    moments = story.change(physio, tuner)
    tell(view.moments(moments))

    tell(view.heading(4, "Forget one line, then import the chat again"))
    forgotten = story.forget()
    tell(
        view.forgotten(forgotten),
        view.note("What is refused: the line that was forgotten, and the slip that was corrected."),
    )

    tell(view.heading(5, "Verify the audit chain"))
    report = story.verify()
    tell(view.verified(report))

    checks = (
        all(answer.right for answer in answers.values()),
        foreign == 0,
        all(moment.right for moment in moments),
        forgotten.stays and forgotten.again.refused == REFUSED,
        report.ok,
    )
    data = {
        "imported": {**_counts(first), "threads": threads},
        "questions": [view.answer_data(answer) for answer in answers.values()],
        "lines_for_another_user": foreign,
        "changes": [view.moment_data(moment) for moment in moments],
        "forgotten": {
            "before": view.answer_data(forgotten.before),
            "after": view.answer_data(forgotten.after),
            "imported_again": _counts(forgotten.again),
            "after_import": view.answer_data(forgotten.after_import),
            "stays_forgotten": forgotten.stays,
        },
        "audit": report,
    }
    return data, all(checks)


def _counts(result: Any) -> dict[str, int]:
    return {name: getattr(result, name) for name in ("imported", "skipped", "refused")}


def _closing(well: bool, seconds: float) -> None:
    show(Text())
    if well:
        show(Text(f"All as it should be, in {seconds:.1f} s. The brain is gone again.", "good"))
        show(Text("Yours: mnemic import chat.jsonl, then mnemic recall 'a question'", "quiet"))
    else:
        show(Text("Something above is not as it should be.", "bad"))
