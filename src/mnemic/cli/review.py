"""`mnemic review`: what waits for a person, and what a reviewer decides."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from mnemic.cli import items, views
from mnemic.cli.calls import Body, Call, Opening, command, opened
from mnemic.cli.drift import drift
from mnemic.cli.failures import Exit
from mnemic.cli.output import show, write_json
from mnemic.cli.receipts import done, told
from mnemic.cli.session import Session, from_terminal
from mnemic.cli.writers import given_text
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic import ReviewItem

_Number = Annotated[
    int, typer.Argument(metavar="N", help="The number of the item, as 'review list' shows it.")
]
_Id = Annotated[str, typer.Argument(metavar="ID", help="The id of the trace.")]
_Reason = Annotated[str, typer.Option("--reason", help="Why, in your words; kept in the history.")]
_Until = Annotated[str | None, typer.Option(metavar="TIME", help="Only until then; else for good.")]
_Digest = Annotated[
    str | None,
    typer.Option(metavar="HEX", help="Of the text that you have read; no other is judged."),
]
_Kind = Annotated[
    str | None,
    typer.Option(metavar="KIND", help=f"Only items of this kind: {', '.join(items.KINDS)}."),
]
_Deferred = Annotated[bool, typer.Option("--deferred", help="Those that were put off as well.")]
_Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most items.")]


def group() -> typer.Typer:
    """The group of commands."""
    text = (
        "Judge what waits for a person. Without a command it asks about one item after the "
        "other; the commands are for scripts."
    )
    app = typer.Typer(cls=Opening, help=text)
    for name, body in _COMMANDS.items():
        command(app, name, judges=True)(body)
    return app


def session(call: Call, kind: _Kind = None, deferred: _Deferred = False, limit: _Limit = 50) -> int:
    """Go through the queue, item by item; this is 'mnemic review' without a command.

    It needs a terminal. With --json the queue is written as by 'review list', to which --limit
    belongs.
    """
    if call.as_json:
        return list_(call, kind, deferred, limit)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidInput(
            "'mnemic review' asks questions and needs a terminal; scripts use 'review list', "
            "'review approve N --reason WHY' and the like"
        )
    with opened(call) as memory:
        walk = Session(call.judge(memory), from_terminal, show, kind, deferred)
        walk.run()
    answers = ", ".join(f"{count} {answer}" for answer, count in walk.done.items())
    show(Text(), Text(answers or "nothing was decided", "quiet"))
    return Exit.OK


def list_(call: Call, kind: _Kind = None, deferred: _Deferred = False, limit: _Limit = 50) -> int:
    """List what waits, the oldest first."""
    with opened(call, words_only=True) as memory:
        found = call.judge(memory).queue(limit=limit, kind=kind, deferred=deferred)
    if call.as_json:
        write_json({"items": found})
    elif found:
        show(items.listed(found))
    else:
        show(Text("nothing waits", "quiet"))
    return Exit.OK


def show_(call: Call, number: _Number) -> None:
    """Show one item, settled or not, with all that a judgement needs."""
    with opened(call, words_only=True) as memory:
        found = call.judge(memory).item(number)
    _item(call, found)


def _item(call: Call, found: ReviewItem) -> None:
    if call.as_json:
        write_json({"item": found})
    else:
        show(items.shown(found))


def approve(
    call: Call,
    number: _Number,
    *,
    reason: _Reason,
    both: Annotated[
        bool, typer.Option("--both", help="What it contradicts is true as well, and stays.")
    ] = False,
    digest: _Digest = None,
) -> int:
    """Believe what an item asks about; what it replaces gives way."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).approve(number, reason=reason, digest=digest, both=both)
    return told(call, receipt)


def reject(
    call: Call, number: _Number, *, reason: _Reason, until: _Until = None, digest: _Digest = None
) -> int:
    """Reject what an item asks about: its value does not come back by any way."""
    with opened(call, words_only=True) as memory:
        judge = call.judge(memory)
        receipt = judge.reject(number, reason=reason, digest=digest, until=until)
    return told(call, receipt)


def edit(
    call: Call,
    number: _Number,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What it should say; '-' reads stdin.")
    ],
    *,
    reason: _Reason,
    digest: _Digest = None,
) -> int:
    """Believe other words in place of those that an item asks about."""
    content = given_text(text)
    with opened(call) as memory:
        receipt = call.judge(memory).edit(number, content, reason=reason, digest=digest)
    return told(call, receipt)


def merge(
    call: Call,
    number: _Number,
    into: Annotated[
        str, typer.Argument(metavar="ID", help="The trace that stands for both from now on.")
    ],
    *,
    reason: _Reason,
    digest: _Digest = None,
) -> int:
    """Let another trace stand for the one that an item asks about."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).merge(number, into, reason=reason, digest=digest)
    return told(call, receipt)


def defer(
    call: Call,
    number: _Number,
    until: Annotated[str, typer.Option(metavar="TIME", help="Ask again from then on.")],
    *,
    reason: _Reason,
) -> None:
    """Put an item off; what it asks about stays withheld until then."""
    with opened(call, words_only=True) as memory:
        found = call.judge(memory).defer(number, until=until, reason=reason)
    if call.as_json:
        write_json({"item": found})
    else:
        show(Text(f"put off until {views.minute(found.deferred_until)}", "good"))


def sweep(call: Call) -> None:
    """Expire what has waited longer than the setting review.expire_days; approves nothing."""
    with opened(call, words_only=True) as memory:
        count = call.judge(memory).sweep()
    done(call, f"{count:,} expired", expired=count)


def verify(call: Call, id: _Id, reason: _Reason) -> int:
    """Say that a trace was checked; --reason names by what."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).verify(id, reason=reason)
    return told(call, receipt)


def quarantine(call: Call, id: _Id, reason: _Reason) -> int:
    """Withhold a trace, and what rests on it alone, without rejecting its value."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).quarantine(id, reason=reason)
    return told(call, receipt)


def lift(call: Call, id: _Id, reason: _Reason) -> int:
    """Let a rejected or forgotten trace, and its value, back in."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).lift(id, reason=reason)
    return told(call, receipt)


def reject_trace(call: Call, id: _Id, *, reason: _Reason, until: _Until = None) -> int:
    """Reject a trace and its value, whether or not an item asks about it."""
    with opened(call, words_only=True) as memory:
        receipt = call.judge(memory).reject_trace(id, reason=reason, until=until)
    return told(call, receipt)


def reject_source(
    call: Call,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The document, page or file, as it was named.")
    ],
    *,
    reason: _Reason,
    until: _Until = None,
) -> None:
    """Take nothing more from a source for this caller; put away what came from it."""
    with opened(call, words_only=True) as memory:
        bind = call.bind(memory).principal
        judge = call.judge(memory)
        count = judge.reject_source(source, bind=bind, reason=reason, until=until)
    done(call, f"source rejected; {count:,} traces put away", traces=count)


def readmit(call: Call, reason: _Reason) -> None:
    """Let a caller who was forgotten in again, and lift all that was rejected for them."""
    with opened(call, words_only=True) as memory:
        count = call.judge(memory).readmit(call.bind(memory).principal, reason=reason)
    done(call, f"readmitted; {count:,} rejections lifted", tombstones=count)


def undo_link(
    call: Call,
    newer: Annotated[
        str, typer.Argument(metavar="NEWER", help="The id of the trace that ended the other one.")
    ],
    older: Annotated[
        str, typer.Argument(metavar="OLDER", help="The id of the trace that was ended.")
    ],
    reason: _Reason,
) -> int:
    """Take back that one trace ended or contradicts another; exit 1 if it did not."""
    with opened(call, words_only=True) as memory:
        count = call.judge(memory).undo_link(newer, older, reason=reason)
    done(call, f"{count:,} links undone", links=count)
    return Exit.OK if count else Exit.NO


_COMMANDS: dict[str, Body] = {
    "session": session,
    "list": list_,
    "show": show_,
    "approve": approve,
    "reject": reject,
    "edit": edit,
    "merge": merge,
    "defer": defer,
    "sweep": sweep,
    "verify": verify,
    "quarantine": quarantine,
    "lift": lift,
    "reject-trace": reject_trace,
    "reject-source": reject_source,
    "readmit": readmit,
    "undo-link": undo_link,
    "drift": drift,
}
"""The first one runs when no command is named."""
