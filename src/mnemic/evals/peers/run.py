"""`mnemic bench peers`: runs the chosen systems in turn and gathers figures or reasons."""

from __future__ import annotations

import json
import os
import platform
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemic.errors import EmbedderError, InvalidInput, StorageError
from mnemic.evals.peers import venvs
from mnemic.evals.peers.catalogue import OURS, PEERS, Peer
from mnemic.evals.peers.embedding import EmbeddingServer
from mnemic.evals.peers.material import Material, read
from mnemic.evals.peers.measure import STARTS, Where, about, measure
from mnemic.evals.peers.reasons import PeerFailed
from mnemic.evals.peers.talk import interpreter

Progress = Callable[[int, int, str], None]

BOUND = 1_800.0
"""Seconds that a phase of one peer may take: installing, filling, a process that is asked."""

_REFERENCE_TEXTS = 100

Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Options:
    """How the systems are run.

    Args:
        folder: for environments and stores; environments stay there and are used again.
        pythons: interpreters that environments may be made of, before those of the PATH.
        bound: seconds for each phase of each system.
        machine: what to call this machine in the results; None says cores and kind.
        starts: fresh processes that are timed.
        command: what asked for this, for the record.
    """

    folder: Path
    pythons: tuple[Path, ...] = ()
    bound: float = BOUND
    machine: str | None = None
    starts: int = STARTS
    command: str = ""

    def __post_init__(self) -> None:
        if self.bound <= 0:
            raise InvalidInput(f"the bound must be above 0 seconds, not {self.bound:g}")


def chosen(names: Sequence[str] | None) -> tuple[Peer, ...]:
    """The systems of these names; all for none. Ours is always among them, and first.

    Raises:
        InvalidInput: there is no system of such a name.
    """
    known = {peer.name: peer for peer in PEERS}
    for name in names or ():
        if name not in known:
            raise InvalidInput(f"{name!r} is no peer; they are {', '.join(known)}")
    return tuple(peer for peer in PEERS if not names or peer is OURS or peer.name in names)


def bench_peers(
    file: str | Path,
    peers: Sequence[Peer],
    options: Options,
    *,
    dialogues: int | None = None,
    questions: int | None = None,
    progress: Progress | None = None,
    out: Path | None = None,
) -> list[Result]:
    """Measure systems on a LoCoMo file, one after the other.

    Args:
        file: of the dialogues, plain or packed.
        peers: which.
        options: how.
        dialogues: only the first so many dialogues.
        questions: only the first so many questions of each.
        progress: is told how far each system is.
        out: a folder that is given a file a system as soon as it is measured.

    Returns:
        a record a system, with its figures or with the reason why there are none.

    Raises:
        ImportFormatError: the file is not LoCoMo's.
        EmbedderError: a system needs the packaged model and that cannot be used.
        InvalidInput: an option is out of its bounds, or this is not a POSIX system.
    """
    if os.name != "posix":
        raise InvalidInput("peers can be measured on Linux and macOS only")
    for name, value in (("dialogues", dialogues), ("questions", questions)):
        if value is not None and value < 1:
            raise InvalidInput(f"{name} must be at least 1, not {value}; leave it out for all")
    material = read(file, dialogues, questions)
    results = []
    with _server(any(peer.embeds for peer in peers)) as server:
        for peer in peers:
            record = _one(peer, material, options, server, progress)
            results.append(record)
            if out is not None:
                _write(out / f"{peer.name}.json", record)
    return results


@contextmanager
def _server(needed: bool) -> Iterator[EmbeddingServer | None]:
    """The embedding server, with its model loaded; None when no system asks for vectors."""
    if not needed:
        yield None
        return
    from mnemic.index.embed.choose import choose

    choice = choose("auto")
    if choice.embedder is None:
        raise EmbedderError(f"peers need the model: {choice.problem}")
    choice.embedder.embed(["warm"])
    with EmbeddingServer(choice.embedder) as server:
        yield server


def _one(
    peer: Peer,
    material: Material,
    options: Options,
    server: EmbeddingServer | None,
    progress: Progress | None,
) -> Result:
    def tell(done: int, total: int, stage: str) -> None:
        if progress is not None:
            progress(done, total, f"{peer.name}: {stage}")

    record = _record(peer, material, options)
    try:
        tell(0, 0, "install")
        python, megabytes = _environment(peer, options)
        where = Where(
            python=python,
            adapter=peer.adapter,
            folder=options.folder / "stores" / peer.name,
            server=server.address if server is not None and peer.embeds else "",
            bound=options.bound,
        )
        record["figures"]["install_megabytes"] = megabytes
        record.update(about(where))
        if server is not None:
            texts = [question.text for question in material.questions[:_REFERENCE_TEXTS]]
            record["embedder_p50_ms"] = round(server.milliseconds(texts), 2)
        record["load"] = round(os.getloadavg()[0], 2)
        record["figures"] |= measure(where, material, tell, starts=options.starts)
    except PeerFailed as failure:
        record["reason"] = str(failure)
    return record


def _environment(peer: Peer, options: Options) -> tuple[Path, float]:
    """The interpreter for a system, and what its installation weighs."""
    if not peer.requirements:
        return interpreter(), round(venvs.own_megabytes() if peer is OURS else 0.0, 1)
    folder = options.folder / "environments" / peer.name
    made = venvs.make(folder, peer.needs, peer.requirements, options.pythons, options.bound)
    return made.python, round(made.megabytes, 1)


def _record(peer: Peer, material: Material, options: Options) -> Result:
    machine = f"{os.cpu_count()} {platform.machine().replace('_', '-')} cores"
    commands = [options.command] if options.command else []
    if peer.requirements:
        commands.insert(0, f"pip install {shlex.join(peer.requirements)}")
    return {
        "peer": peer.name,
        "settings": peer.settings,
        "requirements": list(peer.requirements),
        "commands": commands,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": options.machine or machine,
        "bound_seconds": options.bound,
        "dropped": dict(material.dropped),
        "reason": None,
        "figures": {},
    }


def kept(out: Path) -> list[Result]:
    """The records in a folder, ours first, then as the catalogue has them.

    Raises:
        StorageError: one of them cannot be read.
    """
    results = []
    for peer in PEERS:
        file = out / f"{peer.name}.json"
        if file.is_file():
            try:
                results.append(json.loads(file.read_text("utf-8")))
            except (OSError, ValueError) as error:
                raise StorageError(f"{str(file)!r} cannot be read: {error}") from error
    return results


def _write(file: Path, record: Mapping[str, Any]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{str(file)!r} cannot be written: {error}") from error


@contextmanager
def work_folder(given: Path | None) -> Iterator[Path]:
    """The folder that was given, made if it is not there; else one that is gone afterwards."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="mnemic-peers-") as folder:
        # A database server that refuses to be root runs as another user: it must get through.
        Path(folder).chmod(0o711)
        yield Path(folder)
