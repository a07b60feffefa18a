"""An environment a peer: made once under a folder, with pinned requirements, and weighed.

pip stays outside of it and no byte code is made, so that its size is the peer's own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from mnemic.evals.peers.reasons import PeerFailed, last_line

_PROBE = (
    "import json, sqlite3, sys; print(json.dumps([list(sys.version_info[:2]), "
    "hasattr(sqlite3.connect(':memory:'), 'enable_load_extension')]))"
)
_PROBE_SECONDS = 20
_PACKAGE = Path(__file__).parents[2]
"""That of mnemic, where ours is weighed."""

_NEWEST = 14
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Needs:
    """What a peer asks of its Python: the least version, and a sqlite3 that loads extensions."""

    version: tuple[int, int] = (3, 11)
    extensions: bool = False

    def __str__(self) -> str:
        extra = " whose sqlite3 loads extensions" if self.extensions else ""
        return f"a Python from {self.version[0]}.{self.version[1]}{extra}"


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment that is there: its interpreter, and its size in MB of 1,000,000 bytes."""

    python: Path
    megabytes: float


def make(
    folder: Path, needs: Needs, requirements: Sequence[str], extra: Sequence[Path], bound: float
) -> Environment:
    """The environment in `folder`, made anew unless it is there with these requirements.

    Args:
        folder: of the environment.
        needs: what its Python must have.
        requirements: as pip takes them, pinned.
        extra: interpreters to be looked at before those of the PATH.
        bound: seconds that the installation may take.

    Raises:
        PeerFailed: no such Python is there, or the requirements cannot be installed.
    """
    python = folder / "bin" / "python"
    mark = folder / "made.json"
    wanted = json.dumps(list(requirements))
    if not mark.is_file() or mark.read_text("utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        base = find_python(needs, extra)
        _run([str(base), "-m", "venv", "--without-pip", str(folder)], bound)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-compile"]
        _run([*pip, "--quiet", "--disable-pip-version-check", *requirements], bound)
        mark.write_text(wanted, "utf-8")
    return Environment(python, _megabytes((folder / "lib").rglob("*")))


def find_python(needs: Needs, extra: Sequence[Path] = ()) -> Path:
    """An interpreter with what is needed: given ones, then this one, then those of the PATH.

    Raises:
        PeerFailed: none of them has it.
    """
    for python in (*extra, Path(sys.executable), *_on_path()):
        found = _probe(python)
        if found is None or found[0] < needs.version or (needs.extensions and not found[1]):
            continue
        return python
    raise PeerFailed(f"it needs {needs}, and none is on this machine")


def _on_path() -> Iterator[Path]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for minor in range(11, _NEWEST + 1):
            python = Path(folder) / f"python3.{minor}"
            if python.is_file():
                yield python


@cache
def _probe(python: Path) -> tuple[tuple[int, int], bool] | None:
    """The version of an interpreter and whether its sqlite3 loads extensions; None: no answer."""
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", _PROBE],
            capture_output=True,
            check=True,
            text=True,
            timeout=_PROBE_SECONDS,
        )
        (major, minor), extensions = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return (major, minor), extensions


def _run(command: list[str], bound: float) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=bound, check=False)
    except subprocess.TimeoutExpired:
        raise PeerFailed(f"its installation took more than the bound of {bound:g} s") from None
    except OSError as error:
        raise PeerFailed(f"its environment could not be made: {error}") from error
    if done.returncode:
        raise PeerFailed(f"its environment could not be made: {_told(done.stderr)}")


def _told(errors: str) -> str:
    """What pip says went wrong; what it says after the first error is advice."""
    first = next((line for line in errors.splitlines() if line.startswith("ERROR:")), None)
    return first or last_line(errors)


def own_megabytes() -> float:
    """The size of mnemic and of everything that it requires, weighed as the peers are."""
    seen: dict[str, metadata.Distribution] = {}
    _gather("mnemic", seen)
    paths = {
        Path(str(distribution.locate_file(file)))
        for name, distribution in seen.items()
        if name != "mnemic"  # which may be a checkout: its files are not where it is listed
        for file in distribution.files or ()
    }
    return _megabytes({*paths, *_PACKAGE.rglob("*")})


def _gather(name: str, seen: dict[str, metadata.Distribution]) -> None:
    """Put the installed distributions that `name` requires, extras aside, under `seen`."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    try:
        seen[key] = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return  # required elsewhere only, by a marker
    for requirement in seen[key].requires or ():
        if "extra ==" not in requirement:
            _gather(re.split(r"[\s\[(<>=!~;]", requirement, maxsplit=1)[0], seen)


def _megabytes(paths: Iterable[Path]) -> float:
    """Files at these paths together, byte code aside; links count nothing."""
    return (
        sum(
            path.stat().st_size
            for path in paths
            if path.is_file() and not path.is_symlink() and path.suffix != ".pyc"
        )
        / _MEGABYTE
    )
