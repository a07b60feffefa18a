"""`mnemic remind`, `mnemic due` and `mnemic reminders`: what has to be remembered to be done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, Opening, command, opened
from mnemic.cli.failures import Exit, printable
from mnemic.cli.options import listed
from mnemic.cli.output import line, plain, show, write_json
from mnemic.cli.receipts import tell
from mnemic.cli.writers import given_text
from mnemic.model.answer import Status
from mnemic.model.scope import Scope

if TYPE_CHECKING:
    from mnemic import Reminder


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "remind", panel="Write")(remind)
    command(app, "due", panel="Read")(due)


def group() -> typer.Typer:
    """The group of commands about what waits."""
    text = "List what waits to be done, and say that something is done."
    app = typer.Typer(cls=Opening, help=text)
    command(app, "list")(list_)
    command(app, "done")(done)
    return app


def remind(
    call: Call,
    content: Annotated[
        str,
        typer.Argument(metavar="CONTENT", help="What is to be done; '-' reads stdin."),
    ],
    at: Annotated[str | None, typer.Option(metavar="TIME", help="At this time.")] = None,
    rule: Annotated[
        str | None,
        typer.Option(metavar="RRULE", help="Again and again, such as FREQ=WEEKLY;BYDAY=MO."),
    ] = None,
    event: Annotated[
        str | None, typer.Option(metavar="EVENT", help="When 'due' is told of this event.")
    ] = None,
    cue: Annotated[
        str | None, typer.Option(metavar="WORDS", help="When 'due' is told of talk about this.")
    ] = None,
    lasting: Annotated[
        bool, typer.Option("--lasting", help="An event or a cue brings it up each time.")
    ] = False,
    importance: Annotated[
        float, typer.Option(metavar="0..1", help="What is more important comes first.")
    ] = 0.5,
    threshold: Annotated[
        float, typer.Option(metavar="0..1", help="Cosine from which talk is about the cue.")
    ] = 0.7,
    tier: Annotated[
        int | None, typer.Option(metavar="N", help="Held back from 'due' with a lower --most-tier.")
    ] = None,
    scope: Annotated[
        Scope | None,
        typer.Option(
            metavar="AXIS", help=f"The axis to file it under: {listed(Scope)}; else the user's."
        ),
    ] = None,
    derived_from: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A trace that it rests on; repeatable."),
    ] = None,
) -> int:
    """Remember to do something. The brain is made if it is not there.

    Without --at, --event and --cue, CONTENT says when: "call Marta tomorrow at 5", "every Monday
    at 9 water the plants", "when Tom writes, ask about the invoice".
    """
    text = given_text(content)
    with opened(call, create=True) as memory:
        reminders = call.bind(memory).reminders
        receipt = reminders.add(
            text,
            at=at,
            rule=rule,
            event=event,
            cue=cue,
            lasting=lasting,
            importance=importance,
            threshold=threshold,
            tier=tier,
            scope=scope,
            derived_from=derived_from or (),
        )
        known = receipt.trace.id if receipt.trace else None
        made = next((one for one in reminders.list() if one.trace.id == known), None)
    if call.as_json:
        write_json({**plain(receipt), "reminder": made})
    else:
        tell(receipt)
        if made is not None:
            line(views.said(f"{_when(made)} {made.rule or ''}".rstrip(), "quiet"))
    return Exit.NO if receipt.status is Status.REFUSED else Exit.OK


def due(
    call: Call,
    event: Annotated[
        list[str] | None,
        typer.Option(metavar="EVENT", help="This has just happened; repeatable."),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="TEXT", help="What is being talked about."),
    ] = None,
    most_tier: Annotated[
        int | None, typer.Option(metavar="N", help="Leave out what has a higher tier.")
    ] = None,
    peek: Annotated[
        bool, typer.Option("--peek", help="Only look; else what comes once is done with.")
    ] = False,
) -> None:
    """Show what is to be done now, the most important first, and note that it was brought up."""
    with opened(call, words_only=query is None) as memory:
        found = call.bind(memory).reminders.due(
            events=event or (), query=query, most_tier=most_tier, fire=not peek
        )
    _tell(call, found, "nothing is due")


def list_(
    call: Call,
    done: Annotated[bool, typer.Option("--done", help="What is done as well.")] = False,
) -> None:
    """List what waits, the next in time first; this is 'mnemic reminders' without a command."""
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).reminders.list(done=done)
    _tell(call, found, "nothing waits")


def done(
    call: Call,
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of the reminder's trace.")],
) -> None:
    """Say that nothing is left to do of it; what it says stays remembered."""
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).reminders.done(id)
    if call.as_json:
        write_json({"reminder": found})
    else:
        line(Text.assemble(("done ", "good"), (printable(found.trace.id), "id")))


def _tell(call: Call, found: Sequence[Reminder], nothing: str) -> None:
    if call.as_json:
        write_json({"reminders": found})
    elif found:
        show(_listed(found))
    else:
        show(Text(nothing, "quiet"))


def _listed(found: Sequence[Reminder]) -> RenderableType:
    made = views.table("when", "what")
    for one in found:
        fired = f" · brought up {_often(one.fired)}" if one.fired else ""
        facts = Text.assemble(
            (f"importance {one.importance:.2f}{fired} · ", "quiet"),
            (printable(one.trace.id), "id"),
        )
        made.add_row(_state(one), Group(views.said(one.trace.content), facts))
    return made


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _state(one: Reminder) -> Text:
    if one.done_at is not None:
        return Text(f"done {views.minute(one.done_at)}", "quiet")
    late = one.at is not None and one.at <= datetime.now(UTC)
    again = f"\n{one.rule.replace(';', ' ')}" if one.rule else ""
    return Text.assemble(
        (printable(_when(one)), "old" if late else ""), (printable(again), "quiet")
    )


def _when(one: Reminder) -> str:
    """What it waits for."""
    if one.event is not None:
        return f"event: {one.event}"
    if one.cue is not None:
        return f"talk of: {one.cue}"
    return views.minute(one.at)
