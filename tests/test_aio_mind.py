"""The mind, the graph and the reminders of a caller, awaited: one story has the same answers."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemic import AsyncMemory, Memory, Settings
from mnemic.errors import InvalidInput, NotFound
from tests.conftest import START, FixedClock, WordVectors
from tests.test_aio import counted, tid

TOLD = (
    "Marta Ruiz lives in Lisbon and rows.",
    "Tom met Marta Ruiz in Porto.",
    "Tom keeps bees.",
)
QUESTION = "Where does Marta Ruiz live?"
REPLY = "Marta Ruiz lives in Lisbon."


def options(clock: FixedClock) -> dict[str, Any]:
    return {
        "clock": clock,
        "ids": counted(),
        "settings": Settings(),
        "embedder": WordVectors(),
        "new_key": lambda: b"k" * 32,
        "summarizer": None,
        "chance": lambda: 0.5,
    }


def sync_story(file: Path) -> dict[str, object]:
    clock = FixedClock()
    with Memory.open(file, **options(clock)) as memory:
        ana = memory.bind(user="ana", thread="monday")
        ana.remember_many(TOLD)
        hits = ana.recall(QUESTION)
        added = ana.reminders.add("Call Marta Ruiz", at=START + timedelta(hours=1))
        told: dict[str, object] = {"added": added, "in mind": ana.mind.working()}
        ana.mind.rehearse(tid(0))
        told |= {
            "rehearsed": ana.mind.working(),
            "ignored": ana.mind.feedback([tid(1)], "ignored", query=QUESTION),
            "judged": ana.mind.feedback_from_reply(hits, REPLY, query=QUESTION),
            "not yet": ana.reminders.due(),
        }
        clock.advance(days=2)
        told |= {
            "due": ana.reminders.due(fire=False),
            "waiting": ana.reminders.list(),
            "done": ana.reminders.done(tid(3)),
            "all": ana.reminders.list(done=True),
            "strengths": ana.mind.strengths(limit=2),
            "strength": ana.mind.strength(tid(0)),
            "no gist": ana.mind.rehydrate(tid(0)),
        }
        ana.mind.let_go()
        told |= {
            "let go": ana.mind.working(),
            "names": ana.graph.names(),
            "ties": ana.graph.neighbours("Marta Ruiz"),
            "around": ana.graph.around("Tom", depth=2),
            "path": ana.graph.path("Tom", "Lisbon"),
            "activated": ana.graph.activate("Tom"),
            "no aliases": ana.graph.aliases(),
        }
        ana.graph.merge("Porto", "Lisbon")
        return told | {
            "merged": ana.graph.neighbours("Porto"),
            "unmerged": ana.graph.unmerge("Porto"),
            "would": ana.mind.reflect(dry_run=True),
            "run": memory.consolidate(steps=["reinforce", "merge"]),
            "runs": memory.consolidations(limit=1),
            "undone": memory.undo_consolidation(1),
            "log": memory.consolidations(),
        }


async def async_story(file: Path) -> dict[str, object]:
    clock = FixedClock()
    async with await AsyncMemory.open(file, **options(clock)) as memory:
        ana = memory.bind(user="ana", thread="monday")
        await ana.remember_many(TOLD)
        hits = await ana.recall(QUESTION)
        added = await ana.reminders.add("Call Marta Ruiz", at=START + timedelta(hours=1))
        told: dict[str, object] = {"added": added, "in mind": await ana.mind.working()}
        await ana.mind.rehearse(tid(0))
        told |= {
            "rehearsed": await ana.mind.working(),
            "ignored": await ana.mind.feedback([tid(1)], "ignored", query=QUESTION),
            "judged": await ana.mind.feedback_from_reply(hits, REPLY, query=QUESTION),
            "not yet": await ana.reminders.due(),
        }
        clock.advance(days=2)
        told |= {
            "due": await ana.reminders.due(fire=False),
            "waiting": await ana.reminders.list(),
            "done": await ana.reminders.done(tid(3)),
            "all": await ana.reminders.list(done=True),
            "strengths": await ana.mind.strengths(limit=2),
            "strength": await ana.mind.strength(tid(0)),
            "no gist": await ana.mind.rehydrate(tid(0)),
        }
        await ana.mind.let_go()
        told |= {
            "let go": await ana.mind.working(),
            "names": await ana.graph.names(),
            "ties": await ana.graph.neighbours("Marta Ruiz"),
            "around": await ana.graph.around("Tom", depth=2),
            "path": await ana.graph.path("Tom", "Lisbon"),
            "activated": await ana.graph.activate("Tom"),
            "no aliases": await ana.graph.aliases(),
        }
        await ana.graph.merge("Porto", "Lisbon")
        return told | {
            "merged": await ana.graph.neighbours("Porto"),
            "unmerged": await ana.graph.unmerge("Porto"),
            "would": await ana.mind.reflect(dry_run=True),
            "run": await memory.consolidate(steps=["reinforce", "merge"]),
            "runs": await memory.consolidations(limit=1),
            "undone": await memory.undo_consolidation(1),
            "log": await memory.consolidations(),
        }


def test_one_story_of_the_mind_has_the_same_answers(tmp_path: Path) -> None:
    here = sync_story(tmp_path / "sync.db")
    there = asyncio.run(async_story(tmp_path / "async.db"))
    empty = {name for name, answer in here.items() if not answer}
    assert empty == {"not yet", "no gist", "let go", "no aliases"}
    assert list(here) == list(there)
    for name, answer in here.items():
        assert answer == there[name], name


def test_clusters_are_the_same(tmp_path: Path) -> None:
    pytest.importorskip("networkx")

    async def story() -> None:
        async with await AsyncMemory.open(tmp_path / "brain.db", embedder=None) as memory:
            ana = memory.bind(user="ana")
            await ana.remember_many(TOLD)
            found = await ana.graph.clusters("Marta Ruiz")
            assert found
            assert found == memory._sync.bind(user="ana").graph.clusters("Marta Ruiz")

    asyncio.run(story())


def test_errors_are_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with await AsyncMemory.open(tmp_path / "brain.db", embedder=None) as memory:
            ana = memory.bind(user="ana")
            await ana.remember(TOLD[0])
            assert await ana.graph.neighbours("Lisbon")
            with pytest.raises(NotFound, match="Oslo"):
                await ana.graph.neighbours("Oslo")
            with pytest.raises(InvalidInput, match="says no time"):
                await ana.reminders.add("Marta")
            with pytest.raises(NotFound, match="no consolidation 7"):
                await memory.undo_consolidation(7)

    asyncio.run(story())
