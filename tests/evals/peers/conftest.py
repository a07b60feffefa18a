"""Peers of our own making: adapters written to a file, each with a flaw or none."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemic.evals.peers.catalogue import Peer
from mnemic.evals.peers.run import Options
from tests.evals import shapes

GOOD = """
    import json, os, re

    def load():
        pass

    def open_store(folder, server, embed):
        return Store(folder)

    class Store:
        '''Finds the items that share most words with the question.'''

        def __init__(self, folder):
            self.path = os.path.join(folder, "items.json")
            self.items = json.load(open(self.path)) if os.path.exists(self.path) else []

        def add(self, item):
            self.items.append([item["user"], item["id"], item["text"]])
            return item["id"]

        def ask(self, user, question, limit):
            words = set(re.findall("[a-z]+", question.lower()))
            own = [(len(words & set(re.findall("[a-z]+", text.lower()))), name)
                   for owner, name, text in self.items if owner == user]
            return [name for count, name in sorted(own, reverse=True) if count][:limit]

        def close(self):
            json.dump(self.items, open(self.path, "w"))
"""

MakePeer = Callable[..., Peer]


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    """A LoCoMo file with small stories in it: two dialogues, eight turns, four questions."""
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps(shapes.locomo()), encoding="utf-8")
    return file


@pytest.fixture
def options(tmp_path: Path) -> Options:
    """Quick: one start is timed."""
    work = tmp_path / "work"
    work.mkdir()
    return Options(folder=work, bound=30.0, starts=1)


@pytest.fixture
def make_peer(tmp_path: Path) -> MakePeer:
    """A peer with the good adapter, and what comes after it in the file."""

    def make(name: str, after: str = "", *, embeds: bool = False) -> Peer:
        file = tmp_path / f"{name}.py"
        file.write_text(textwrap.dedent(GOOD) + textwrap.dedent(after), encoding="utf-8")
        return Peer(name, file, "made up", embeds=embeds)

    return make
