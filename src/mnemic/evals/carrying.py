"""`mnemic bench import`: how near an import is to the floor.

With vectors it is measured against the bare embedder making the same ones. Without, against a
bare bulk insert of all rows that it made into tables of the same shape, indexes included. Memory
is that of a process that imports a small file, and of one that imports a larger one.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mnemic.evals import process
from mnemic.evals.corpus import make
from mnemic.evals.measure import Measure, at_most, timed
from mnemic.evals.speed import Recorder, SpeedResult
from mnemic.index.embed.minilm import MiniLM
from mnemic.memory import Memory
from mnemic.model.trace import Draft
from mnemic.settings import Settings

Progress = Callable[[int, int, str], None]

_TURNS_A_CHAT = 40


def bench_import(
    messages: int = 3_000,
    *,
    megabytes: tuple[int, int] = (10, 40),
    progress: Progress | None = None,
) -> SpeedResult:
    """Measure everything; takes some minutes.

    Args:
        messages: in the ChatGPT export that is imported.
        megabytes: sizes of the two exports whose import's memory is compared.
        progress: is told how far it is.
    """
    measures: list[Measure] = []
    steps: list[Callable[[Path], Measure]] = [
        lambda folder: _with_vectors(folder, messages),
        lambda folder: _without(folder, messages),
        lambda folder: _memory(folder, megabytes),
    ]
    with tempfile.TemporaryDirectory() as name:
        for done, step in enumerate(steps):
            if progress is not None:
                progress(done, len(steps), "import")
            measures.append(step(Path(name)))
    return SpeedResult(tuple(measures))


def write_chats(path: Path, turns: Sequence[Draft]) -> None:
    """A ChatGPT export of made-up turns, in conversations of 40 messages."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for at in range(0, len(turns), _TURNS_A_CHAT):
            file.write(",\n" if at else "")
            file.write(json.dumps(_chat(at, turns[at : at + _TURNS_A_CHAT])))
        file.write("]")


def _chat(number: int, turns: Sequence[Draft]) -> dict[str, Any]:
    root: dict[str, Any] = {"id": "root", "parent": None, "children": [], "message": None}
    mapping: dict[str, Any] = {"root": root}
    last = "root"
    for at, draft in enumerate(turns):
        name = f"n{number + at}"
        mapping[last]["children"].append(name)
        mapping[name] = {
            "id": name,
            "parent": last,
            "children": [],
            "message": {
                "id": name,
                "author": {"role": "assistant" if at % 2 else "user"},
                "create_time": 1_700_000_000 + number + at,
                "content": {"content_type": "text", "parts": [draft.content]},
            },
        }
        last = name
    return {
        "conversation_id": f"chat-{number}",
        "title": f"Chat {number}",
        "create_time": 1_700_000_000 + number,
        "current_node": last,
        "mapping": mapping,
    }


def _with_vectors(folder: Path, messages: int) -> Measure:
    """Messages a second, against the bare embedder making the same vectors."""
    model = MiniLM()
    recorder = Recorder(model)
    path = folder / "chats.json"
    write_chats(path, make(messages, 1).turns)
    model.embed(["what is loaded once, is loaded"])
    with Memory.open(folder / "vectors.db", embedder=recorder, settings=Settings()) as memory:
        ours = timed(lambda: memory.import_from(path, bind=memory.bind(user="bench")))
    size = Settings().encoding.batch_size
    floor = timed(
        lambda: [
            model.embed_parts(recorder.seen[at : at + size])
            for at in range(0, len(recorder.seen), size)
        ]
    )
    return _rate("import / bare embedder", messages, ours, floor, 0.8)


def _rate(what: str, count: int, ours: float, floor: float, bound: float) -> Measure:
    ratio = floor / ours
    good = ratio >= bound
    return Measure(what, "/s", count / ours, count / floor, ratio, f">= {bound}", good)


def _without(folder: Path, messages: int) -> Measure:
    """Messages a second, vectors deferred, against a bare bulk insert of the same rows."""
    path, file, bare = folder / "chats.json", folder / "words.db", folder / "bare.db"
    with Memory.open(file, embedder=None, settings=Settings()) as memory:
        ours = timed(lambda: memory.import_from(path, bind=memory.bind(user="bench")))
    with Memory.open(bare, embedder=None, settings=Settings()):
        pass
    rows = _rows(file)
    floor = timed(lambda: _bulk(bare, rows))
    return _rate("import without vectors / bulk insert", messages, ours, floor, 0.25)


def _rows(file: Path) -> list[tuple[str, list[Any]]]:
    """All rows of a brain's file, table by table, in an order that keeps references whole."""
    connection = sqlite3.connect(file)
    names = [
        row[0]
        for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT IN ('alembic_version', 'key_ring', 'brain_meta') ORDER BY rowid"
        )
    ]
    found = [(name, connection.execute(f"SELECT * FROM {name}").fetchall()) for name in names]
    connection.close()
    return [(name, rows) for name, rows in found if rows]


def _bulk(file: Path, rows: Sequence[tuple[str, list[Any]]]) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")  # as a brain's own connection has them
    connection.execute("BEGIN IMMEDIATE")
    for table, several in rows:
        marks = ", ".join("?" * len(several[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", several)
    connection.execute("COMMIT")
    connection.close()


def _memory(folder: Path, megabytes: tuple[int, int]) -> Measure:
    """The memory that an import takes at most, of the larger file over that of the smaller."""
    turns = make(4_000, 1).turns
    peaks = []
    for size in megabytes:
        path = folder / f"{size}.json"
        write_chats(path, turns)
        _grow(path, size << 20)
        command = [sys.executable, "-m", "mnemic.evals.carrying", str(path), f"{path}.db"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        peaks.append(int(done.stdout) / (1 << 20))
        path.unlink()
    what = f"memory, {megabytes[1]} MB / {megabytes[0]} MB imported"
    return at_most(what, "MB", peaks[1], peaks[0], 1.25)


def _grow(path: Path, size: int) -> None:
    """Repeat the conversations of a file under other names until it has a size."""
    chats = json.loads(path.read_text("utf-8"))
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        written = number = 0
        while written < size:
            chat = chats[number % len(chats)] | {"conversation_id": f"chat-{number}"}
            for node in chat["mapping"].values():
                if node["message"]:
                    text = node["message"]["content"]["parts"][0].split(" #")[0]
                    node["message"]["content"]["parts"][0] = f"{text} #{number}"
            written += file.write((",\n" if number else "") + json.dumps(chat))
            number += 1
        file.write("]")


def _import_and_tell(path: str, brain: str) -> int:
    """Import a file, vectors deferred; the most memory that this process has had, in bytes."""
    with Memory.open(brain, embedder=None, settings=Settings()) as memory:
        memory.import_from(path, bind=memory.bind(user="bench"))
    return process.most_resident()


if __name__ == "__main__":
    sys.stdout.write(str(_import_and_tell(*sys.argv[1:3])))
