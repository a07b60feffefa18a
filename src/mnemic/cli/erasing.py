"""`mnemic erase`: what is erased is gone for good, and a certificate says so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import show, write_json
from mnemic.errors import InvalidInput, NotFound
from mnemic.model.trust import ASKABLE

if TYPE_CHECKING:
    from mnemic import Certificate, Memory

_Erasure = tuple[str, Callable[["Memory"], "Certificate"]]
"""What is meant, in words, and how it is done."""

_RESIDUES_SHOWN = 10
_EXCERPT_CHARS = 240


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    command(app, "erase", panel="Govern")(erase)


def erase(
    call: Call,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="The id of a trace, to erase it alone.")
    ] = None,
    user_data: Annotated[
        bool, typer.Option("--user-data", help="All that the user filed, and all their scopes.")
    ] = False,
    of_thread: Annotated[
        str | None, typer.Option(metavar="ID", help="What the user filed in this conversation.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="All from this document, page or file, whoever filed it."
        ),
    ] = None,
    forget_user: Annotated[
        bool,
        typer.Option(
            "--forget-user", help="As --user-data, and nothing more is taken from that user."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
) -> int:
    """Erase for good: one trace, or what a user, a conversation or a source left.

    It goes from the past as well, with all that rested on it alone; the file is written anew and
    searched for what is left. The same texts are not learned again. Exit 1 when something is left.
    """
    meant = {
        "ID": id,
        "--user-data": user_data,
        "--of-thread": of_thread,
        "--source": source,
        "--forget-user": forget_user,
    }
    given = [name for name, value in meant.items() if value not in (None, False)]
    if len(given) != 1:
        got = " and ".join(given) or "none of them"
        raise InvalidInput(f"erase takes one of {', '.join(meant)}; got {got}")
    what, carry_out = _erasure(call, given[0], id or "", of_thread or "", source or "")
    with opened(call, words_only=True) as memory:
        if not yes and not _confirmed(what, _excerpt(call, memory, id)):
            show(Text("nothing was erased", "quiet"))
            return Exit.NO
        made = carry_out(memory)
    if call.as_json:
        write_json(made)
    else:
        show(*certificate(made))
    return Exit.OK if made.ok else Exit.NO


def _erasure(call: Call, what: str, id: str, thread: str, source: str) -> _Erasure:
    who, space = f"user {call.user!r}", call.namespace
    if what == "ID":
        return f"trace {id!r}", lambda memory: call.bind(memory).erase(id)
    if what == "--source":
        return (
            f"all that came from source {source!r}, whoever filed it",
            lambda memory: memory.erase(source=source, actor="cli"),
        )
    if what == "--of-thread":
        return (
            f"all that {who} filed in thread {thread!r}",
            lambda memory: memory.erase(
                user=call.user, thread=thread, namespace=space, actor="cli"
            ),
        )
    if what == "--user-data":
        return (
            f"all that {who} filed, and all in that user's scopes",
            lambda memory: memory.erase(user=call.user, namespace=space, actor="cli"),
        )
    return (
        f"all of {who}, and take nothing more from them",
        lambda memory: memory.forget_user(call.user, namespace=space, actor="cli"),
    )


def _excerpt(call: Call, memory: Memory, id: str | None) -> str:
    """What a trace says, so that nobody erases another one than they mean."""
    if id is None:
        return ""
    try:
        content = call.bind(memory).show(id, trust=ASKABLE).content
    except NotFound:
        return ""
    return content if len(content) <= _EXCERPT_CHARS else f"{content[:_EXCERPT_CHARS]} …"


def _confirmed(what: str, excerpt: str) -> bool:
    """Ask the person at the terminal; on stderr, so that stdout holds the answer alone.

    Raises:
        InvalidInput: there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise InvalidInput("erase asks before it erases, and there is no terminal; give --yes")
    if excerpt:
        print(printable(excerpt), file=sys.stderr)
    question = f"Erase {printable(what)}? It cannot be undone. [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def certificate(made: Certificate) -> list[RenderableType]:
    """A certificate for a person: what went, what was looked for, what was found."""
    rows = views.table("rows taken out", "count", right=("count",))
    for name, count in made.counts.items():
        rows.add_row(name, f"{count:,}")
    looked = made.searched
    parts: list[RenderableType] = [
        views.pairs(
            {
                "erased": f"{len(made.erased):,} traces ({made.target}), {views.second(made.at)}",
                "returned": f"{len(made.returned):,} wait for a reviewer: they lost a support"
                if made.returned
                else None,
                "audit": f"entry {made.audit_seq} {made.audit_hash}",
                "file": "written anew"
                if made.compacted
                else Text("not written anew: close its other users, then 'mnemic compact'", "bad"),
                "looked for": f"{looked['pieces']:,} pieces in {looked['bytes']:,} bytes, "
                f"{looked['questions']:,} questions to readers",
            }
        ),
        Text(),
        rows,
        Text(),
    ]
    return [*parts, *_found(made)]


def _found(made: Certificate) -> list[RenderableType]:
    """What the search found, what nothing accounts for first."""
    parts: list[RenderableType] = []
    rows = sorted(made.residues, key=lambda one: one.shared)
    if rows:
        found = views.table("found", "accounted for")
        for one in rows[:_RESIDUES_SHOWN]:
            why = Text("by what stays") if one.shared else Text("no", "bad")
            found.add_row(views.said(one.where), why)
        parts += [found, Text()]
    if len(rows) > _RESIDUES_SHOWN:
        more = len(rows) - _RESIDUES_SHOWN
        parts.append(Text(f"... and {more} more (--json lists all)", "quiet"))
    if made.ok:
        return [*parts, Text("nothing of it is left", "good")]
    return [*parts, Text("something of it may be left", "bad")]
