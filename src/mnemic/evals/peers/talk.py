"""A conversation with a worker process, within a bound of time.

Whatever goes wrong (it ends, hangs, or answers what is no answer) is raised as `PeerFailed`, and
the worker's whole process group is ended: some peers start servers of their own.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from mnemic.evals.peers.reasons import PeerFailed, last_line

_WORKER = Path(__file__).with_name("worker.py")
_LAST_SECONDS = 20.0
"""What a process is given to end by itself after its last answer."""

_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
_KEPT_PREFIXES = ("OPENBLAS_", "OMP_", "MKL_")

_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "MEM0_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "OTEL_SDK_DISABLED": "true",
    "LOGFIRE_SEND_TO_LOGFIRE": "false",
    # A port that nothing listens on, should a library want out all the same.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


def environment(folder: Path) -> dict[str, str]:
    """What a peer sees: none of the caller's keys and settings, and no way out."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    lower = {name.lower(): value for name, value in _OFFLINE.items() if name.endswith("PROXY")}
    home = str(folder / "home")
    return {**kept, **_OFFLINE, **lower, "HOME": home, "TMPDIR": str(folder / "tmp")}


class Talk:
    """A worker that was started; ends it when left.

    Args:
        python: the interpreter of the peer's environment.
        adapter: the adapter's file.
        folder: where the peer keeps everything; "store", "home" and "tmp" are made in it.
        server: the address of the embedding server; empty for peers that use none.
        bound: seconds for the whole conversation.
    """

    def __init__(
        self, python: Path, adapter: Path, folder: Path, server: str, bound: float
    ) -> None:
        for name in ("store", "home", "tmp"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._bound, self._until = bound, monotonic() + bound
        self._errors = folder / "stderr.txt"
        arguments = [str(python), "-I", str(_WORKER), str(adapter), str(folder / "store"), server]
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env=environment(folder),
                start_new_session=True,
                encoding="utf-8",
            )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Talk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # it ended with a request unread
            self._process.stdin.close()
        if kind is None:
            with suppress(subprocess.TimeoutExpired):  # then it is ended below
                self._process.wait(_LAST_SECONDS)
        self._end_group()
        self._reader.join()
        self._process.stdout.close()

    def _end_group(self) -> None:
        """End the processes that this worker started, itself included."""
        with suppress(ProcessLookupError):  # all of them are gone
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def ask(self, what: str, **details: Any) -> dict[str, Any]:
        """What the worker answers to a request.

        Raises:
            PeerFailed: it ended, took too long, answered junk, or says what went wrong.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": what, **details}) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=max(0.0, self._until - monotonic()))
        except (BrokenPipeError, ConnectionResetError):
            line = None
        except queue.Empty:
            raise PeerFailed(f"{what} was not done within the bound of {self._bound:g} s") from None
        if line is None:
            code = self._process.wait()
            raise PeerFailed(f"the process ended with code {code}: {self._last_words()}")
        return self._checked(what, line)

    def _checked(self, what: str, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PeerFailed(f"{what} was answered with {line.strip()[:80]!r}, which is no answer")
        if "error" in answer:
            raise PeerFailed(f"{what} failed: {answer['error']}")
        return answer

    def _last_words(self) -> str:
        return last_line(self._errors.read_text("utf-8", "replace")) or "it said nothing"


def number(answer: Mapping[str, Any], key: str) -> float:
    """A number of an answer. Raises PeerFailed when there is none."""
    value = answer.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PeerFailed(f"the answer has {value!r} where {key} should be a number")
    return float(value)


def names(answer: Mapping[str, Any], *, count: int | None = None) -> list[str | None]:
    """The names in an answer, `count` of them if given. Raises PeerFailed when there are none."""
    value = answer.get("names")
    if not isinstance(value, list) or not all(isinstance(one, str | None) for one in value):
        raise PeerFailed(f"the answer has {str(value)[:80]!r} where names should be")
    if count is not None and len(value) != count:
        raise PeerFailed(f"the answer names {len(value)} items of {count}")
    return value


def interpreter() -> Path:
    """The interpreter that this process runs in."""
    return Path(sys.executable)
