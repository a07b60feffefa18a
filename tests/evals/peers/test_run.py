"""The whole path: real processes, real files, and a reason for whatever goes wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.evals.peers import run
from mnemic.evals.peers.catalogue import OURS, PEERS, Peer
from mnemic.evals.peers.run import Options, bench_peers, chosen
from tests.evals.peers.conftest import MakePeer

FTS5 = next(peer for peer in PEERS if peer.name == "fts5")


def figures(result: dict[str, Any]) -> dict[str, Any]:
    assert result["reason"] is None, result["reason"]
    return dict(result["figures"])


def test_the_baseline_and_ours_side_by_side(locomo: Path, options: Options, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    out = tmp_path / "out"
    ours, fts5 = bench_peers(
        locomo,
        [OURS, FTS5],
        options,
        progress=lambda done, total, stage: told.append((done, total, stage)),
        out=out,
    )
    assert (ours["peer"], fts5["peer"]) == ("mnemic", "fts5")
    for result in (ours, fts5):
        found = figures(result)
        assert (found["items"], found["questions"], found["refused"]) == (8, 4, 0)
        assert found["quality"]["n"] == 4
        assert found["disk_bytes_per_item"] > 0
        assert found["first_answer_seconds"] > 0
        assert result["dropped"]["questions without usable evidence"] == 3
        assert result["versions"]["numpy"]
    # One of the two turns that tell of the keel shares no word with the question.
    assert figures(fts5)["quality"]["mean"] == {"recall@5": 0.875, "recall@10": 0.875, "hit@10": 1}
    assert figures(ours)["quality"]["mean"]["hit@10"] == 1
    assert figures(ours)["install_megabytes"] > 10
    assert (8, 8, "fts5: add") in told
    assert told[-1] == (4, 4, "fts5: ask")
    assert run.kept(out) == [ours, fts5]
    for file in out.iterdir():
        assert not re.search(r"(^|[^\w.])/\w+/", file.read_text("utf-8"))


def test_a_peer_without_a_batch_call_adds_one_by_one(
    locomo: Path, options: Options, make_peer: MakePeer
) -> None:
    found = figures(bench_peers(locomo, [make_peer("plain")], options)[0])
    assert found["added_one_by_one"] == 8
    assert found["batch_per_second"] is None
    assert found["one_by_one_per_second"] > 0
    assert found["quality"]["mean"]["hit@10"] == 1


def test_what_is_beyond_the_first_items_goes_in_by_batch(
    locomo: Path, options: Options, make_peer: MakePeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemic.evals.peers.measure.SINGLES", 3)
    batch = "def add_many(self, items): return [self.add(item) for item in items]\n"
    peer = make_peer("batches", f"{batch}Store.add_many = add_many\n")
    found = figures(bench_peers(locomo, [peer], options)[0])
    assert found["added_one_by_one"] == 3
    assert found["batch_per_second"] > 0
    assert found["quality"]["mean"]["hit@10"] == 1


def test_an_item_that_is_refused_stays_in_the_count(
    locomo: Path, options: Options, make_peer: MakePeer
) -> None:
    def picky(name: str, word: str) -> Peer:
        refusing = f"lambda self, item: None if {word!r} in item['text'] else add(self, item)"
        return make_peer(name, f"add = Store.add\nStore.add = {refusing}\n")

    peers = [make_peer("plain"), picky("found", "keel"), picky("unfound", "compass")]
    plain, found, unfound = (figures(one) for one in bench_peers(locomo, peers, options))
    assert [one["refused"] for one in (plain, found, unfound)] == [0, 1, 1]
    # Both turns answer the question for the keel; "keel" alone is found, by who has it.
    recalls = [one["quality"]["mean"]["recall@10"] for one in (plain, found, unfound)]
    assert recalls == [0.875, 0.75, 0.875]


def test_vectors_come_from_the_server_on_loopback(
    locomo: Path, options: Options, make_peer: MakePeer
) -> None:
    peer = make_peer(
        "dense",
        """
        def open_store(folder, server, embed):
            store = Store(folder)
            store.embed = embed
            return store

        def ask(self, user, question, limit):
            own = [item for item in self.items if item[0] == user]
            asked, *given = self.embed([question] + [item[2] for item in own])
            near = [sum(a * b for a, b in zip(asked, one)) for one in given]
            return [item[1] for _, item in sorted(zip(near, own), reverse=True)][:limit]

        Store.ask = ask
        """,
        embeds=True,
    )
    [result] = bench_peers(locomo, [peer], options)
    assert figures(result)["quality"]["mean"]["recall@10"] == 1
    assert result["embedder_p50_ms"] > 0


FLAWS = {
    "load": ("def load(): raise ImportError('no libfrob.so')\n", "no libfrob.so"),
    "ends": ("import os\nStore.add = lambda self, item: os._exit(7)\n", "ended with code 7"),
    "speaks": (
        "import os, sys\n"
        "def add(self, item):\n"
        "    print('last words', file=sys.stderr, flush=True)\n"
        "    os._exit(1)\n"
        "Store.add = add\n",
        "last words",
    ),
    "hangs": (
        "import threading\nStore.ask = lambda *_: threading.Event().wait()\n",
        "ask was not done within the bound of 2 s",
    ),
    "junk": ("Store.ask = lambda *_: 'all of them'\n", "where names should be"),
    "numbers": ("Store.add = lambda *_: 7\n", "where names should be"),
    "short": ("Store.add_many = lambda *_: []\n", "names 0 items of"),
    "outside": (
        "import socket\nStore.ask = lambda *_: socket.create_connection(('2001:db8::1', 80), 5)\n",
        "2001:db8::1 is not this machine",
    ),
    "named": (
        "import socket\nStore.ask = lambda *_: socket.getaddrinfo('example.org', 80)\n",
        "example.org is not this machine",
    ),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_a_reason_and_the_others_are_measured(
    locomo: Path,
    options: Options,
    make_peer: MakePeer,
    flaw: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, why = FLAWS[flaw]
    if flaw == "short":
        monkeypatch.setattr("mnemic.evals.peers.measure.SINGLES", 3)
    quick = Options(folder=options.folder, bound=2.0, starts=1)
    bad, good = bench_peers(locomo, [make_peer("bad", code), make_peer("good")], quick)
    assert why in bad["reason"]
    assert "quality" not in bad["figures"]
    assert figures(good)["quality"]["mean"]["hit@10"] == 1


def test_what_a_peer_prints_is_no_answer(
    locomo: Path, options: Options, make_peer: MakePeer
) -> None:
    chatty = make_peer(
        "chatty",
        """
        import os, sys
        print("welcome!")
        os.write(1, b"{}")
        assert sys.stdin.read() == ""
        """,
    )
    assert figures(bench_peers(locomo, [chatty], options)[0])["quality"]["n"] == 4


def test_a_peer_that_cannot_be_installed_has_a_reason(
    locomo: Path,
    options: Options,
    make_peer: MakePeer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    missing = Peer("missing", tmp_path / "none.py", "made up", ("no-such-peer==1",))
    bad, good = bench_peers(locomo, [missing, make_peer("good")], options)
    assert "no-such-peer==1" in bad["reason"]
    assert str(tmp_path) not in json.dumps(bad)
    assert bad["commands"] == ["pip install no-such-peer==1"]
    assert figures(good)


def test_parts_of_the_file(locomo: Path, options: Options, make_peer: MakePeer) -> None:
    part = bench_peers(locomo, [make_peer("good")], options, dialogues=1, questions=2)
    assert (figures(part[0])["items"], figures(part[0])["questions"]) == (6, 2)
    with pytest.raises(InvalidInput, match="dialogues"):
        bench_peers(locomo, [], options, dialogues=0)
    with pytest.raises(InvalidInput, match="bound"):
        Options(folder=options.folder, bound=0)
    locomo.write_text("[]", encoding="utf-8")
    with pytest.raises(ImportFormatError):
        bench_peers(locomo, [make_peer("good")], options)


def test_ours_is_always_there_and_first() -> None:
    assert chosen(None) == PEERS
    assert chosen(["chroma", "fts5"])[0] is OURS
    assert {peer.name for peer in chosen(["chroma"])} == {"mnemic", "chroma"}
    with pytest.raises(InvalidInput, match="'chromadb' is no peer"):
        chosen(["chromadb"])


def test_the_catalogue_is_pinned_and_its_adapters_are_there() -> None:
    assert len({peer.name for peer in PEERS}) == len(PEERS) == 10
    for peer in PEERS:
        assert peer.adapter.is_file()
        assert all(re.fullmatch(r"[\w.\[\]-]+==[\w.]+", one) for one in peer.requirements)
        assert "mnemic" not in peer.adapter.read_text("utf-8") or peer is OURS
