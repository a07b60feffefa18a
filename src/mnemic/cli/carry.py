"""Commands that carry memory in and out: import, sources, export, migrate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import line, progress_bar, show, write_json
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic import Exported, ImportResult, Memory, Migrated
    from mnemic.exchange.programs.registry import Source

_PANEL = "Carry"
_ERRORS_SHOWN = 10

_Project = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="A project whose own files are read too."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "import", panel=_PANEL, whole=True)(import_)
    command(app, "sources", panel=_PANEL, brain=False, model=False)(sources)
    command(app, "export", panel=_PANEL, whole=True, model=False)(export)
    command(app, "migrate", panel=_PANEL, brain=False, model=False)(migrate)


def import_(
    call: Call,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A file, an archive, or a folder."),
    ] = None,
    program: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="A program whose sessions and files are read."),
    ] = None,
    format: Annotated[
        str, typer.Option(metavar="NAME", help="auto, chatgpt, claude_ai, obsidian, json, ...")
    ] = "auto",
    branches: Annotated[
        bool, typer.Option("--branches", help="Of a ChatGPT export every branch, not the last.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would come in, and store nothing.")
    ] = False,
    project: _Project = None,
) -> int:
    """Import chats, notes, or a memory from a file, an archive, a folder or a program.

    What is known already is left as it is, what was forgotten or rejected is refused. An import
    that was interrupted goes on when it is begun again. With --whole the file is the owner's: it
    is for all whom it names, and an export of a whole brain is restored into an empty one. Exit 1
    when nothing in it could be read.
    """
    if file is None and program is None:
        raise InvalidInput("name a PATH to import, or a program with --from NAME")
    with opened(call, create=True) as memory, progress_bar("import") as progress:
        options: dict[str, Any] = {"timezone": call.timezone, "progress": progress}
        options |= {"embed": not call.no_embedder, "dry_run": dry_run}
        if program is not None:
            places = None if file is None else [file]
            result = memory.import_program(
                program, bind=call.bind(memory), places=places, project=project, **options
            )
        else:
            result = _import_file(call, memory, file, format, branches, options)
    if call.as_json:
        write_json({"file": None if file is None else str(file), "from": program} | _data(result))
    else:
        show(*_imported(result, dry_run))
    read = result.imported + result.held + result.skipped + result.refused
    return Exit.OK if read else Exit.NO


def _import_file(
    call: Call,
    memory: Memory,
    file: Path | None,
    format: str,
    branches: bool,
    options: dict[str, Any],
) -> ImportResult:
    assert file is not None
    bind = None if call.whole else call.bind(memory)
    return memory.import_from(file, bind=bind, format=format, branches=branches, **options)


def _data(result: ImportResult) -> dict[str, Any]:
    return {
        "imported": result.imported,
        "held": result.held,
        "skipped": result.skipped,
        "refused": result.refused,
        "failed": result.failed,
        "passed_over": dict(result.passed_over),
        "errors": [{"where": where, "message": message} for where, message in result.errors],
        "traces": result.traces,
    }


def _imported(result: ImportResult, dry_run: bool) -> list[RenderableType]:
    counts = {"would be imported" if dry_run else "imported": str(result.imported)}
    if not dry_run:
        counts |= {
            "held": f"{result.held} (wait for a reviewer: mnemic review)",
            "skipped": f"{result.skipped} (known already)",
            "refused": f"{result.refused} (forgotten or rejected before)",
        }
    counts["errors"] = str(result.failed)
    if result.passed_over:
        parts = [f"{count} {reason}" for reason, count in result.passed_over.items()]
        counts["no memories"] = ", ".join(parts)
    shown: list[RenderableType] = [views.pairs(counts)]
    for where, message in result.errors[:_ERRORS_SHOWN]:
        shown.append(Text.assemble((printable(f"{where}: "), "bad"), printable(message)))
    if result.failed > _ERRORS_SHOWN:
        more = result.failed - _ERRORS_SHOWN
        shown.append(Text(f"... and {more} more (--json lists them)", "quiet"))
    return shown


def sources(call: Call, project: _Project = None) -> int:
    """Look for what other programs on this machine remember, and count it.

    Nothing is changed. 'mnemic import --from NAME' takes it in. Exit 1 when there is nothing.
    """
    from mnemic.exchange.sources import note_of
    from mnemic.exchange.sources import sources as scanned

    found = scanned(project)
    if call.as_json:
        write_json({"sources": [_source(one) for one in found]})
    elif found:
        rows = views.table("program", "place", "sessions", "items", "newest", right=("items",))
        for one in found:
            newest = "" if one.newest is None else views.minute(one.newest)
            cells = (one.program, str(one.place), str(one.sessions), str(one.items), newest)
            rows.add_row(*(views.said(cell) for cell in cells))
        notes = {one.program: note_of(one.program) for one in found}
        told = [Text(f"{name}: {note}", "quiet") for name, note in notes.items() if note]
        show(rows, *told)
    else:
        line(Text("nothing found", "quiet"))
    return Exit.OK if found else Exit.NO


def _source(one: Source) -> dict[str, Any]:
    return {
        "program": one.program,
        "place": str(one.place),
        "files": one.files,
        "sessions": one.sessions,
        "items": one.items,
        "bytes": one.bytes,
        "newest": one.newest,
        "passed_over": dict(one.skipped),
        "failed": one.failed,
        "errors": [{"where": where, "message": message} for where, message in one.errors],
    }


def export(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The new file, or the folder.")],
    format: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="sqlite, json, markdown or obsidian; else by the path."),
    ] = None,
    withheld: Annotated[
        bool, typer.Option("--withheld", help="With --whole: with what no reader is given.")
    ] = False,
    known_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="As the brain was then; else as it is.")
    ] = None,
    embeddings: Annotated[
        bool, typer.Option("--embeddings", help="Vectors in a JSON export as well.")
    ] = False,
    no_conversations: Annotated[
        bool, typer.Option("--no-conversations", help="No conversations in a JSON export.")
    ] = False,
) -> int:
    """Export your memory, or with --whole the whole brain, to a file or a folder of notes.

    A file that is there is not written over. An export of the whole brain holds its secret keys:
    keep it as you keep the brain. Exit 1 when notes had to be left out.
    """
    with opened(call, words_only=True) as memory, progress_bar("export") as progress:
        exported = memory.export(
            path,
            format=format,
            bind=None if call.whole else call.bind(memory),
            withheld=withheld,
            known_at=known_at,
            embeddings=embeddings,
            conversations=not no_conversations,
            progress=progress,
        )
    if call.as_json:
        write_json(exported)
    else:
        show(*_exported(exported))
    return Exit.NO if exported.refused else Exit.OK


def _exported(exported: Exported) -> list[RenderableType]:
    told = Text.assemble(
        ("exported: ", "good"),
        f"{exported.traces} traces as {exported.format} to ",
        (printable(exported.path), "head"),
    )
    left = [
        Text.assemble(("left out: ", "bad"), printable(f"{one.id} ({one.field}: {one.problem})"))
        for one in exported.refused
    ]
    return [told, *left]


def migrate(
    call: Call,
    source: Annotated[Path, typer.Argument(metavar="FROM", help="The brain that is there.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="Where it is to be.")],
    brain_id: Annotated[
        str, typer.Option(metavar="ID", help="Which of the brains of FROM.")
    ] = "main",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the rows, and write nothing.")
    ] = False,
) -> None:
    """Move a brain into a new store, and read every row back before it is called verified.

    FROM stays as it is. A migration that was interrupted goes on when it is begun again.
    """
    from mnemic import migrate as moved

    with progress_bar("migrate") as progress:
        result = moved(source, target, brain=brain_id, dry_run=dry_run, progress=progress)
    if call.as_json:
        write_json(result)
    else:
        show(*_migrated(result))


def _migrated(result: Migrated) -> list[RenderableType]:
    rows = views.pairs({name: str(count) for name, count in result.rows.items()})
    if not result.verified:
        return [rows, Text(), Text("nothing was written", "quiet")]
    told = ("verified: ", "good"), "every row was read back from ", (printable(result.path), "head")
    return [rows, Text(), Text.assemble(*told)]
