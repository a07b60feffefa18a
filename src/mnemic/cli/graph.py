"""`mnemic graph`: what memories name, and how it hangs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from mnemic.cli import ties
from mnemic.cli.calls import Call, Opening, command, opened
from mnemic.cli.failures import Exit
from mnemic.cli.output import show, write_json
from mnemic.cli.receipts import done
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic import BoundGraph

_LIMIT = 50
_Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most of them.")]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, or its id.")]


class Naming(Opening):
    """A group whose first word is one of its commands, or else the name that is asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the first command in front of a word that is no command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


def group() -> typer.Typer:
    """The group of commands."""
    text = (
        "Show what memories name, and how it hangs together.\n\n"
        "'mnemic graph' lists the names, 'mnemic graph NAME' what one is tied to."
    )
    app = typer.Typer(cls=Naming, help=text)
    command(app, "show", clocks=True)(show_)
    command(app, "merge")(merge)
    command(app, "unmerge")(unmerge)
    command(app, "aliases")(aliases)
    return app


def show_(
    call: Call,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A name, or the id of a name or a trace.")
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="List the names; so does leaving NAME out.")
    ] = False,
    depth: Annotated[
        int, typer.Option(metavar="N", help="All that is up to so many ties away.")
    ] = 1,
    path: Annotated[
        str | None, typer.Option(metavar="OTHER", help="The shortest way from NAME to OTHER.")
    ] = None,
    clusters: Annotated[
        bool, typer.Option("--clusters", help="What hangs together around NAME.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", help="Most of them; 50.")
    ] = None,
) -> int:
    """Show what a name or a trace is tied to; this is 'mnemic graph NAME'.

    Put 'show' before a NAME that is the name of a command. Exit 1 when there is no such way.
    """
    asked = [path is not None, clusters, depth != 1]
    if name is None or names:
        if name is not None or any(asked) or any(call.clocks.values()):
            raise InvalidInput("the list of names takes neither NAME nor what goes with it")
        return _names(call, _LIMIT if limit is None else limit)
    if sum(asked) > 1:
        raise InvalidInput("--depth, --path and --clusters exclude each other; give one")
    if limit is not None and (path is not None or clusters):
        raise InvalidInput("--limit does not go with --path and --clusters; leave it out")
    most = _LIMIT if limit is None else limit
    with opened(call, words_only=True) as memory:
        graph = call.bind(memory).graph
        if path is not None:
            return _path(call, graph, name, path)
        if clusters:
            return _clusters(call, graph, name)
        if depth != 1:
            return _around(call, graph, name, depth, most)
        found = graph.neighbours(name, **call.clocks)
    if call.as_json:
        write_json({"name": name, "ties": found})
    elif found:
        show(ties.ties(found, most))
    else:
        show(Text("tied to nothing", "quiet"))
    return Exit.OK


def _names(call: Call, limit: int) -> int:
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).graph.names(limit=limit)
    if call.as_json:
        write_json({"names": found})
    elif found:
        show(ties.names(found))
    else:
        show(Text("no names", "quiet"))
    return Exit.OK


def _path(call: Call, graph: BoundGraph, name: str, other: str) -> int:
    found = graph.path(name, other, **call.clocks)
    if call.as_json:
        write_json({"from": name, "to": other, "path": found})
    elif found:
        show(ties.path(found))
    else:
        show(Text("no way leads there" if found is None else "they are one", "quiet"))
    return Exit.NO if found is None else Exit.OK


def _clusters(call: Call, graph: BoundGraph, name: str) -> int:
    if any(call.clocks.values()):
        raise InvalidInput("--clusters are those of the present; leave --as-of and --known-at out")
    found = graph.clusters(name)
    if call.as_json:
        write_json({"name": name, "clusters": found})
    elif found:
        show(ties.clusters(found))
    else:
        show(Text("nothing hangs together there", "quiet"))
    return Exit.OK


def _around(call: Call, graph: BoundGraph, name: str, depth: int, limit: int) -> int:
    found = graph.around(name, depth=depth, limit=limit, **call.clocks)
    if call.as_json:
        write_json({"name": name, "depth": depth, "around": found})
    else:
        show(ties.region(found))
    return Exit.OK


def merge(
    call: Call,
    name: _Name,
    into: Annotated[
        str, typer.Argument(metavar="OTHER", help="The name that it stands for from now on.")
    ],
) -> None:
    """Have one name stand for another, as "Marta" for "Marta Ruiz"; 'unmerge' takes it back."""
    with opened(call, words_only=True) as memory:
        call.bind(memory).graph.merge(name, into)
    done(call, f"{name!r} stands for {into!r} from now on", name=name, into=into)


def unmerge(call: Call, name: _Name) -> int:
    """Have a name stand for itself again; exit 1 when it stood for no other."""
    with opened(call, words_only=True) as memory:
        undone = call.bind(memory).graph.unmerge(name)
    said = "stands for itself again" if undone else "stood for no other"
    done(call, f"{name!r} {said}", name=name, unmerged=undone)
    return Exit.OK if undone else Exit.NO


def aliases(call: Call, limit: _Limit = _LIMIT) -> None:
    """List names that seem to be short for others, for 'merge'."""
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).graph.aliases(limit=limit)
    if call.as_json:
        write_json({"aliases": found})
    elif found:
        show(ties.aliases(found))
    else:
        show(Text("no name seems to be short for another", "quiet"))
