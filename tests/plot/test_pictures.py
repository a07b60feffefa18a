"""The pictures: what is in them, the same every time, and no text breaks them."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemic import BoundMemory, Memory
from mnemic.errors import InvalidInput, MnemicError, NotFound
from mnemic.plot import plot_decay, plot_graph, plot_timeline
from mnemic.plot.graph import MOST
from mnemic.plot.timeline import bars_of, timeline
from tests.conftest import START, FixedClock
from tests.lived import DAYS, HIVES, RIGHT, SAID, SECRET, TRAM, WALNUTS, live

HOSTILE = (
    "Marta paid $100 or $200, $x_{2}^{3}$ for \\frac{1}{0}",
    "Marta wrote $\\frac{1}{$",
    "_hidden Marta",
    'Marta </text><script>alert(1)</script> & "quotes"',
    "Marta\nline\nbreak\ttab",
    "Marta " + "verylongword" * 40,
    "Marta \u202egnp.exe \x1b[31m",
    "Marta 我爱你",
    "مرحبا Marta",
    "Marta %s {0} 😀",
)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain that has lived until START; pictures only read it."""
    path = tmp_path_factory.mktemp("pictures") / "brain.db"
    live(path, START)
    return path


def draw(path: Path, folder: Path, ending: str) -> dict[str, bytes]:
    """All three pictures of a brain."""
    with Memory.open(path, embedder=None, clock=FixedClock()) as memory:
        me = memory.bind(user="me")
        made = [folder / f"{name}.{ending}" for name in ("decay", "graph", "timeline")]
        plot_decay(me, made[0], now=START)
        plot_graph(me, "Tom", made[1], depth=3)
        plot_timeline(me, made[2], runs=memory.consolidations())
    return {file.stem: file.read_bytes() for file in made}


def texts(svg: bytes) -> list[str]:
    """The texts of a picture."""
    root = ET.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_svg_is_the_same_every_time_and_holds_its_text(brain: Path, tmp_path: Path) -> None:
    made = draw(brain, tmp_path, "svg")
    assert draw(brain, tmp_path, "svg") == made
    decay, graph, line = (texts(made[name]) for name in ("decay", "graph", "timeline"))
    assert {SAID[60][0], SAID[5][0], "How memories fade", "now", "strength"} <= set(decay)
    assert "┄ may be set aside below 0.05" in decay
    assert {"Tom", "Sintra", "Marta Ruiz", RIGHT, "lives in", "person", "place"} <= set(graph)
    assert "Around Tom" in graph
    assert {"corrected (1)", "consolidated (2)", "memories a week"} <= set(line)
    assert {"■ episodic 4", "■ semantic 3"} <= set(line)
    for shown in (decay, graph, line):
        assert not [text for text in shown if "Bob" in text or SECRET in text]


def test_png_is_the_same_every_time(brain: Path, tmp_path: Path) -> None:
    made = draw(brain, tmp_path, "png")
    assert draw(brain, tmp_path, "png") == made
    for held in made.values():
        assert held.startswith(PNG)
        assert len(held) > 10_000


def test_another_process_draws_the_same(brain: Path, tmp_path: Path) -> None:
    here = tmp_path / "here.svg"
    there = tmp_path / "there.svg"
    script = (
        "import sys\nfrom mnemic import Memory\nfrom mnemic.plot import plot_graph\n"
        "with Memory.open(sys.argv[1], embedder=None) as memory:\n"
        "    plot_graph(memory.bind(user='me'), 'Tom', sys.argv[2], depth=3)\n"
    )
    with Memory.open(brain, embedder=None) as memory:
        plot_graph(memory.bind(user="me"), "Tom", here, depth=3)
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", script, brain, there], check=True, env=env)
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_no_text_breaks_a_picture(ana: BoundMemory, tmp_path: Path, ending: str) -> None:
    for number, text in enumerate(HOSTILE):
        ana.remember(text, entities=["Marta", text[:60]], type=("episodic", "semantic")[number % 2])
    files = [tmp_path / f"{name}.{ending}" for name in "abc"]
    assert len(plot_decay(ana, files[0], limit=20, now=START)) == len(HOSTILE)
    assert len(plot_graph(ana, "Marta", files[1])) > len(HOSTILE)
    assert plot_timeline(ana, files[2]) == len(HOSTILE)
    if ending == "png":
        return
    decay, graph, _ = (texts(file.read_bytes()) for file in files)
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2]} <= set(decay)
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2], "Marta line break tab"} <= set(graph)
    assert "Marta gnp.exe \ufffd[31m" in decay
    assert not [text for text in [*decay, *graph] if "verylong" in text and "…" not in text]


# --- what is drawn ---------------------------------------------------------------------------


def drawn(brain: Path, draw_it: Callable[[BoundMemory], object]) -> object:
    with Memory.open(brain, embedder=None, clock=FixedClock()) as memory:
        return draw_it(memory.bind(user="me"))


def test_the_memories_that_are_asked_for_are_drawn(brain: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    two = drawn(brain, lambda me: plot_decay(me, file, ids=[TRAM, WALNUTS], now=START))
    assert two == (TRAM, WALNUTS)
    assert SAID[0][0] not in texts(file.read_bytes())
    ends = drawn(brain, lambda me: plot_decay(me, file, limit=3, now=START))
    assert isinstance(ends, tuple)
    with Memory.open(brain, embedder=None, clock=FixedClock()) as memory:
        order = [one.trace.id for one in memory.bind(user="me").mind.strengths()]
    assert list(ends) == [*order[:2], order[-1]]
    everything = drawn(brain, lambda me: plot_decay(me, file, limit=50, now=START))
    assert len(set(everything)) == len(SAID)  # type: ignore[call-overload]


def test_without_fading_there_is_no_threshold(brain: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    drawn(brain, lambda me: plot_decay(me, file, threshold=None, now=START))
    assert not [text for text in texts(file.read_bytes()) if "set aside" in text]


def test_the_graph_is_as_large_as_is_asked_for(brain: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    small = drawn(brain, lambda me: plot_graph(me, "Tom", file, depth=1))
    large = drawn(brain, lambda me: plot_graph(me, "Tom", file, depth=3))
    few = drawn(brain, lambda me: plot_graph(me, "Tom", file, depth=3, limit=4))
    assert isinstance(small, tuple)
    assert isinstance(large, tuple)
    assert isinstance(few, tuple)
    assert HIVES in small
    assert set(small) < set(large)
    assert len(few) == 4
    only = drawn(brain, lambda me: plot_graph(me, TRAM, file))
    assert only == (TRAM,)


def test_a_graph_that_could_not_be_read_is_refused(brain: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=f"at most {MOST}"):
        drawn(brain, lambda me: plot_graph(me, "Tom", tmp_path / "a.svg", limit=MOST + 1))


def test_without_networkx_it_says_what_to_install(
    brain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MnemicError, match=r"pip install 'mnemic\[plot\]'"):
        drawn(brain, lambda me: plot_graph(me, "Tom", tmp_path / "a.svg"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_draw_is_told(brain: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    with Memory.open(brain, embedder=None, clock=FixedClock()) as memory:
        nobody = memory.bind(user="carla")
        for draw_it in (plot_decay, plot_timeline):
            with pytest.raises(NotFound, match="remember something"):
                draw_it(nobody, file)
        with pytest.raises(NotFound, match="'Tom' within reach"):
            plot_graph(nobody, "Tom", file)
        with pytest.raises(NotFound, match=TRAM):
            plot_decay(nobody, file, ids=[TRAM])
        assert not file.exists()
        plot_timeline(memory.bind(user="bob"), file)
        assert file.exists()


def test_a_timeline_counts_every_memory_once(brain: Path) -> None:
    with Memory.open(brain, embedder=None, clock=FixedClock()) as memory:
        me = memory.bind(user="me")
        line = timeline(me, me.list(), memory.consolidations(), recorded=True)
        assert {kind.value: sum(counts) for kind, counts in line.counts.items()} == {
            "episodic": 4,
            "semantic": 3,
        }
        assert list(line.marks) == ["corrected", "consolidated"]
        [at] = line.marks["corrected"]
        assert at == START - timedelta(days=DAYS - 50)
        memory.undo_consolidation(2)
        line = timeline(me, me.list(), memory.consolidations(), recorded=False)
        assert [len(line.marks[name]) for name in ("consolidated", "consolidated, undone")] == [
            1,
            1,
        ]
        assert list(timeline(me, me.list(), [], recorded=False).marks) == ["corrected"]


def test_a_timeline_goes_by_either_clock(ana: BoundMemory) -> None:
    ana.remember("Marta was born.", time="1990-03-04")
    ana.remember("Marta called.")
    spans = {
        recorded: timeline(ana, ana.list(), (), recorded=recorded) for recorded in (False, True)
    }
    assert [spans[False].edges[0].year, spans[True].edges[0].year] == [1990, START.year]
    assert sum(map(sum, spans[True].counts.values())) == 2


@pytest.mark.parametrize(
    ("days", "size", "first"),
    [
        (0, "hour", "2025-12-30T23"),
        (3, "hour", "2025-12-30T23"),
        (4, "day", "2025-12-30T00"),
        (63, "week", "2025-12-29T00"),
        (431, "month", "2025-12-01T00"),
        (3_701, "year", "2025-01-01T00"),
    ],
)
def test_bars_are_as_long_as_their_number_asks(days: int, size: str, first: str) -> None:
    start = datetime(2025, 12, 30, 23, 30, tzinfo=UTC)
    end = start + timedelta(days=days)
    name, edges = bars_of(start, end)
    assert (name, edges[0].isoformat()[:13]) == (size, first)
    assert edges[-2] <= end < edges[-1]
    assert list(edges) == sorted(set(edges))
    assert len(edges) < 80
    assert {edge.minute for edge in edges} == {0}
    if size in ("month", "year"):
        assert {edge.day for edge in edges} == {1}
    if size == "week":
        assert {edge.weekday() for edge in edges} == {0}
