"""Commands that change what is remembered: remember, correct, forget, restore."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from mnemic.cli.calls import Call, command, opened
from mnemic.cli.options import listed
from mnemic.cli.receipts import told
from mnemic.errors import InvalidInput
from mnemic.model.origin import Role, SourceType
from mnemic.model.scope import Scope
from mnemic.model.trace import TraceType

_PANEL = "Write"

_Reason = Annotated[str, typer.Option("--reason", help="Why, in your words; kept in the history.")]
_Id = Annotated[str, typer.Argument(metavar="ID", help="The id of the trace.")]
_From = Annotated[
    str | None, typer.Option(metavar="TIME", help="True since then; 'none' leaves it open.")
]
_To = Annotated[
    str | None, typer.Option(metavar="TIME", help="True until then; 'none' leaves it open.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "remember", panel=_PANEL)(remember)
    command(app, "correct", panel=_PANEL)(correct)
    command(app, "forget", panel=_PANEL)(forget)
    command(app, "restore", panel=_PANEL)(restore)


def remember(
    call: Call,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What to remember; '-' or nothing reads stdin."),
    ] = None,
    type: Annotated[
        TraceType, typer.Option(metavar="TYPE", help=f"The kind of memory: {listed(TraceType)}.")
    ] = TraceType.EPISODIC,
    scope: Annotated[
        Scope | None,
        typer.Option(
            metavar="AXIS", help=f"The axis to file it under: {listed(Scope)}; else the user's."
        ),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="A label; repeatable.")
    ] = None,
    entity: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who or what it is about; repeatable."),
    ] = None,
    meta: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A value of your own; repeatable."),
    ] = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Who said it.")] = None,
    role: Annotated[
        Role | None, typer.Option(metavar="ROLE", help=f"Who spoke: {listed(Role)}.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it was said or happened; else now.")
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option(metavar="TIME", help="Since when it is true.")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option(metavar="TIME", help="Until when it was true.")
    ] = None,
    source: Annotated[
        SourceType,
        typer.Option(metavar="SOURCE", help=f"Where it comes from: {listed(SourceType)}."),
    ] = (SourceType.USER_STATEMENT),
    strength: Annotated[
        float | None, typer.Option(metavar="0..1", help="How firmly it is held.")
    ] = None,
    derived_from: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A trace that it rests on; repeatable."),
    ] = None,
    source_id: Annotated[
        str | None, typer.Option(metavar="NAME", help="The document, page or file it is from.")
    ] = None,
) -> int:
    """Remember one thing. The brain is made if it is not there.

    Saying the same again makes it stronger. What was rejected or forgotten is refused (exit 1).
    What reads like an instruction, a secret or sensitive waits for a person ('mnemic review').
    """
    content = given_text(text)
    metadata = _metadata(meta or [])
    with opened(call, create=True) as memory:
        receipt = call.bind(memory).remember(
            content,
            type=type,
            scope=scope,
            tags=tag or (),
            entities=entity or (),
            metadata=metadata,
            speaker=speaker,
            role=role,
            time=time,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            strength=strength,
            derived_from=derived_from or (),
            source_id=source_id,
        )
    return told(call, receipt)


def correct(
    call: Call,
    *,
    id: _Id,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What is right; '-' reads stdin."),
    ] = None,
    reason: _Reason,
    valid_from: _From = None,
    valid_to: _To = None,
) -> int:
    """Put right what a trace says, or since when it is true.

    The old text stays in the history and does not come back by another way. Without TEXT only
    the dates change: end what was true once with --valid-to.
    """
    changes: dict[str, Any] = {
        name: None if value.lower() == "none" else value
        for name, value in (("valid_from", valid_from), ("valid_to", valid_to))
        if value is not None
    }
    content = given_text(text) if text is not None else None
    with opened(call) as memory:
        receipt = call.bind(memory).correct(id, content, reason=reason, **changes)
    return told(call, receipt)


def forget(
    call: Call,
    id: _Id,
    reason: Annotated[
        str | None,
        typer.Option(help="Why; the word 'wrong' also rejects the value wherever it comes from."),
    ] = None,
) -> int:
    """Take a trace out of every reader's sight.

    The text does not come back by itself, as by importing the same chat again.
    """
    with opened(call) as memory:
        receipt = call.bind(memory).forget(id, reason=reason)
    return told(call, receipt)


def restore(call: Call, id: _Id, reason: _Reason) -> int:
    """Bring back a trace that was forgotten.

    One that was rejected takes a reviewer: 'mnemic review lift'.
    """
    with opened(call) as memory:
        receipt = call.bind(memory).restore(id, reason=reason)
    return told(call, receipt)


def given_text(text: str | None) -> str:
    """The text of an argument, or of stdin for '-' or None, less its last line end."""
    if text is not None and text != "-":
        return text
    if sys.stdin.isatty():
        print("reading stdin; end with Ctrl-D on a line of its own", file=sys.stderr)
    try:
        return sys.stdin.read().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"stdin is not text: {error}; convert it to UTF-8 first") from error


def _metadata(entries: list[str]) -> dict[str, Any]:
    values = {}
    for entry in entries:
        key, separator, value = entry.partition("=")
        if not separator or not key:
            raise InvalidInput(f"--meta {entry!r} must be written KEY=VALUE")
        values[key] = value
    return values
