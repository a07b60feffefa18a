"""Basic Memory: a Markdown note a text, a project a user, its hybrid search.

One note is written by the function of its MCP tool; many are written as files and then taken in
by its own reindexing, which is how it takes over a folder. Where Python's sqlite3 cannot load
extensions, pysqlite3 stands in for it, here and in the process that reindexes.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

_SETTINGS = {
    "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "true",
    "BASIC_MEMORY_SEMANTIC_EMBEDDING_PROVIDER": "openai",
    "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": "minilm",
    "BASIC_MEMORY_SEMANTIC_EMBEDDING_API_KEY": "none",
    "BASIC_MEMORY_SEMANTIC_EMBEDDING_DIMENSIONS": "384",
    "BASIC_MEMORY_AUTO_UPDATE": "false",
    "BASIC_MEMORY_LOG_LEVEL": "ERROR",
    "LOGFIRE_IGNORE_NO_CONFIG": "1",
}
_FOLDER = "chat"


def load() -> None:
    """Import the tools, over a sqlite3 that loads extensions."""
    os.environ.update(_SETTINGS)
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        other = importlib.import_module("pysqlite3")
        sys.modules["sqlite3"] = other
        sys.modules["sqlite3.dbapi2"] = importlib.import_module("pysqlite3.dbapi2")
    importlib.import_module("loguru").logger.remove()
    importlib.import_module("basic_memory.mcp.tools")


def open_store(folder: str, server: str, _embed: object) -> Store:
    """The projects in a folder."""
    os.environ["BASIC_MEMORY_SEMANTIC_EMBEDDING_API_BASE"] = server
    os.environ["BASIC_MEMORY_HOME"] = f"{folder}/main"
    os.environ["BASIC_MEMORY_CONFIG_DIR"] = f"{folder}/config"
    for name in ("main", "config"):
        Path(folder, name).mkdir(exist_ok=True)
    return Store(Path(folder))


class Store:
    """Notes are titled by the items' ids."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tools = importlib.import_module("basic_memory.mcp.tools")
        self._loop = asyncio.new_event_loop()
        self._unread = False

    def _project(self, user: str) -> Path:
        """The folder of a user's project, which is made when it is not there."""
        path = self._folder / "projects" / user
        if not path.exists():
            path.mkdir(parents=True)
            self._run(self._tools.create_memory_project(project_name=user, project_path=str(path)))
        return path

    def _run(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def add(self, item: dict[str, Any]) -> str:
        """Write one note."""
        self._project(item["user"])
        told = self._run(
            self._tools.write_note(
                title=item["id"],
                content=item["text"],
                directory=_FOLDER,
                project=item["user"],
                output_format="json",
            )
        )
        if not isinstance(told, dict) or told.get("action") not in {"created", "updated"}:
            raise RuntimeError(str(told))
        return str(item["id"])

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Write a user's notes as files."""
        folder = self._project(items[0]["user"]) / _FOLDER
        folder.mkdir(exist_ok=True)
        for item in items:
            head = f"---\ntitle: '{item['id']}'\ntype: note\n---\n\n"
            (folder / f"{item['id']}.md").write_text(f"{head}{item['text']}\n", "utf-8")
        self._unread = True
        return [str(item["id"]) for item in items]

    def finish(self) -> None:
        """Let its own background work end, and have the files that were written taken in."""
        index = "basic_memory.index"
        notes = importlib.import_module(f"{index}.note_content_materialization")
        self._run(notes.drain_pending_materializations())
        self._run(importlib.import_module(f"{index}.local_schedulers").drain_background_tasks())
        if self._unread:
            command = [sys.executable, "-I", __file__, "reindex"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"reindex: {done.stdout[-300:]} {done.stderr[-300:]}")
            self._unread = False

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Titles of the best notes."""
        found = self._run(
            self._tools.search_notes(
                query=question,
                project=user,
                page_size=limit,
                search_type="hybrid",
                output_format="json",
            )
        )
        if not isinstance(found, dict):
            raise RuntimeError(str(found))
        return [str(one["title"]) for one in found["results"]]

    def close(self) -> None:
        """It writes as it goes; there is nothing to be closed."""


if __name__ == "__main__":
    load()
    importlib.import_module("basic_memory.cli.main").app(sys.argv[1:])
