"""Commands for whoever holds a brain: freeze, thaw, rotate-key, compact, rejections."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mnemic.cli.calls import Call, Group, command, opened
from mnemic.cli.failures import Exit
from mnemic.cli.receipts import done

_PANEL = "Govern"


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "freeze", panel=_PANEL, whole=True)(freeze)
    command(app, "thaw", panel=_PANEL, whole=True)(thaw)
    command(app, "rotate-key", panel=_PANEL)(rotate_key)
    command(app, "compact", panel=_PANEL)(compact)


def rejections() -> typer.Typer:
    """The group of commands about what was rejected, as a file."""
    app = typer.Typer(
        cls=Group, no_args_is_help=True, help="Carry what was rejected to another brain."
    )
    command(app, "export")(export)
    command(app, "import")(import_)
    return app


def freeze(
    call: Call,
    suspend: Annotated[
        bool, typer.Option("--suspend", help="Take writes, but learn nothing from them.")
    ] = False,
) -> None:
    """Take no more writes for this caller, or with --whole for anybody, until 'thaw'."""
    _set(call, "suspended" if suspend else "frozen")


def thaw(call: Call) -> None:
    """Take writes again; what was frozen with --whole is thawed with --whole."""
    _set(call, "on")


def _set(call: Call, mode: str) -> None:
    with opened(call, words_only=True) as memory:
        memory.freeze(bind=None if call.whole else call.bind(memory), mode=mode)
    whose = "the whole brain" if call.whole else f"user {call.user!r}"
    words = {"on": "writes are taken again", "frozen": "frozen", "suspended": "suspended"}
    done(call, f"{words[mode]}: {whose}", mode=mode, whole=call.whole)


def rotate_key(call: Call) -> None:
    """Put a new secret key on the ring. What was rejected under older keys stays rejected."""
    with opened(call, words_only=True) as memory:
        version = memory.rotate_key()
    done(call, f"key {version} is in use", version=version)


def compact(call: Call) -> int:
    """Write the file anew, so that no free page of it holds anything.

    Exit 1 when another program keeps it from being done wholly.
    """
    with opened(call, words_only=True) as memory:
        whole = memory.compact()
    sentence = "written anew" if whole else "not done wholly: another program uses the file"
    done(call, sentence, compacted=whole)
    return Exit.OK if whole else Exit.NO


def export(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.")],
) -> None:
    """Write what was rejected into a new file: digests and their secret keys, no texts."""
    with opened(call, words_only=True) as memory:
        count = memory.export_rejections(file)
    done(call, f"{count:,} rejections written to {str(file)!r}", tombstones=count, file=str(file))


def import_(
    call: Call,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A file of 'export'."),
    ],
) -> None:
    """Reject here what a file says was rejected elsewhere. Nothing is lifted by it."""
    with opened(call, words_only=True) as memory:
        count = memory.import_rejections(file)
    done(call, f"{count:,} rejections are new", tombstones=count, file=str(file))
