"""How a command is registered, and what it is called with.

A command is a function of a `Call` and of its own options. `command` adds the shared options to
its signature, gathers them into the `Call`, and turns errors into a line and an exit code.
"""

from __future__ import annotations

import getpass
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from mnemic.cli.failures import Exit, exit_code, report
from mnemic.cli.options import BASE, CLOCKS, FILTERS, MODEL, REVIEWER, STATES, WHOLE, WHOSE
from mnemic.errors import InvalidInput, MnemicError, NotFound, StorageError
from mnemic.model.origin import Channel

if TYPE_CHECKING:
    from mnemic import BoundMemory, Memory, Reviewer


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a command: the shared options as they were given.

    `filters`, `states` and `clocks` are keyword arguments for the readers of `BoundMemory`; each
    is empty for commands that do not take such options.
    """

    as_json: bool
    debug: bool
    no_embedder: bool = False
    brain: str | None = None
    brain_id: str = "main"
    user: str = "me"
    thread: str | None = None
    persona: str | None = None
    organization: str | None = None
    namespace: str | None = None
    timezone: str | None = None
    whole: bool = False
    reviewer: str | None = None
    filters: Mapping[str, Any] = field(default_factory=dict)
    states: Mapping[str, Any] = field(default_factory=dict)
    clocks: Mapping[str, Any] = field(default_factory=dict)

    def path(self) -> str:
        """Where the brain is: the option, else MNEMIC_BRAIN, else the default file."""
        return self.brain if self.brain else str(default_brain())

    def bind(self, memory: Memory) -> BoundMemory:
        """The memory of the principal that the options name."""
        return memory.bind(
            user=self.user,
            thread=self.thread,
            persona=self.persona,
            organization=self.organization,
            namespace=self.namespace,
            channel=Channel.CLI,
        )

    def judge(self, memory: Memory) -> Reviewer:
        """The person at the terminal as a reviewer: of the caller's memory, or of all."""
        return memory.reviewer(
            login_name() if self.reviewer is None else self.reviewer,
            bind=None if self.whole else self.bind(memory),
        )


def login_name() -> str:
    """Who is logged in.

    Raises:
        InvalidInput: the machine does not say.
    """
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise InvalidInput("this machine has no login name for you; give --as NAME") from error


class Group(TyperGroup):
    """A group of commands whose help is quick.

    Typer checks the value of every option that is not a plain bool by pydantic, which takes
    longer to load than all the rest; ``--help`` of the group is None when it was not given.
    """

    def get_help_option(self, ctx: Any) -> Any:
        """The option ``--help``, False when it was not given."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option


class Opening(Group):
    """A group that runs its first command when none is named.

    Options that stand before a command's name belong to that first command, so that none is
    taken and then ignored.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the first command in front where no name is."""
        first = args[0] if args else "-"
        if first.startswith("-") and first not in ctx.help_option_names:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


Body = Callable[..., int | None]


def command(
    app: typer.Typer,
    name: str,
    *,
    panel: str | None = None,
    brain: bool = True,
    model: bool = True,
    filters: bool = False,
    states: bool = False,
    clocks: bool = False,
    whole: bool = False,
    judges: bool = False,
) -> Callable[[Body], Body]:
    """Register a function as a command of `app`.

    Args:
        app: the group it belongs to.
        name: the name of the command.
        panel: the heading it stands under in the help of the group.
        brain: whether it opens the caller's brain, and takes the options that say which.
        model: whether it takes ``--no-embedder``.
        filters: whether it takes the filter options.
        states: whether it takes ``--trust``.
        clocks: whether it takes ``--as-of`` and ``--known-at``.
        whole: whether it takes ``--whole``.
        judges: whether it takes the options that say who judges, and ``--whole``.

    The function takes a `Call` and its own options; it returns an exit code, None for 0.
    """
    which = FILTERS if filters else ()
    state = STATES if states else ()
    when = CLOCKS if clocks else ()
    beyond = REVIEWER if judges else WHOLE if whole else ()
    shared = (*(WHOSE if brain else ()), *beyond, *(MODEL if model else ()), *BASE)

    def register(body: Body) -> Body:
        def run(**given: Any) -> None:
            found = _named(given, which)
            if "in_thread" in found:
                found["thread"] = found.pop("in_thread")
            call = Call(
                filters=found,
                states=_named(given, state),
                clocks=_taken(given, when),
                **_taken(given, shared),
            )
            if code := _guarded(call, lambda: body(call, **given)):
                raise typer.Exit(code)

        own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
        keyword = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own]
        signature = inspect.Signature([*keyword, *which, *state, *when, *shared])
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
        run.__doc__ = body.__doc__
        app.command(name, rich_help_panel=panel)(run)
        return body

    return register


def _taken(given: dict[str, Any], options: tuple[inspect.Parameter, ...]) -> dict[str, Any]:
    return {option.name: given.pop(option.name) for option in options}


def _named(given: dict[str, Any], options: tuple[inspect.Parameter, ...]) -> dict[str, Any]:
    """What was taken, without repeatable options that were not given."""
    return {key: value for key, value in _taken(given, options).items() if value != []}


def _guarded(call: Call, body: Callable[[], int | None]) -> int:
    try:
        return body() or Exit.OK
    except MnemicError as error:
        if call.debug:
            raise
        code = exit_code(error)
        report(type(error).__name__, str(error), code, as_json=call.as_json)
        return code


@contextmanager
def opened(call: Call, *, create: bool = False, words_only: bool = False) -> Iterator[Memory]:
    """The brain of a call, closed at the end.

    Args:
        call: says where it is and whether a model is loaded.
        create: make the file and its folder if they are not there; otherwise a brain that is
            not there is `NotFound`, so that a mistyped path does not read as an empty brain.
        words_only: load no model, whatever the call says.
    """
    path = Path(call.path()).expanduser()
    _prepare(path, create=create)
    from mnemic import Memory, Settings

    settings = Settings(timezone=call.timezone) if call.timezone else None
    embedder = None if call.no_embedder or words_only else "auto"
    memory = Memory.open(path, brain=call.brain_id, settings=settings, embedder=embedder)
    try:
        yield memory
    finally:
        memory.close()


def _prepare(path: Path, *, create: bool) -> None:
    try:
        if path.exists():
            return
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
            return
    except (OSError, ValueError) as error:
        raise StorageError(f"the path {str(path)!r} cannot be used: {error}") from error
    raise NotFound(
        f"there is no brain at {str(path)!r}; 'mnemic init' makes one, "
        "--brain or MNEMIC_BRAIN names another file"
    )


def default_brain() -> Path:
    """The brain that is meant when none is named: ``brain.db`` in the platform's data folder."""
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "mnemic" / "brain.db"
