"""A cached vector is the vector the model gave, and the model is asked once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mnemic import Embedder
from mnemic.errors import EmbedderError
from mnemic.evals.embed_cache import CachedEmbedder


class Noise:
    """An embedder that never gives the same vector twice, and counts what it is asked."""

    def __init__(self, name: str = "noise/v1:small", dimension: int = 5) -> None:
        self.name = name
        self.dimension = dimension
        self.asked: list[str] = []
        self._random = np.random.default_rng(7)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return self._random.standard_normal((len(texts), self.dimension)).astype(np.float32)


def test_it_is_an_embedder_with_the_name_of_its_model(tmp_path: Path) -> None:
    cached = CachedEmbedder(Noise(), tmp_path / "new" / "folder")
    assert isinstance(cached, Embedder)
    assert (cached.name, cached.dimension) == ("noise/v1:small", 5)
    assert cached.embed([]).shape == (0, 5)
    assert cached.embed(["a"]).dtype == np.float32


def test_a_text_is_embedded_once_ever(tmp_path: Path) -> None:
    first_model, second_model = Noise(), Noise()
    first = CachedEmbedder(first_model, tmp_path).embed(["a", "b", "a"])
    assert first_model.asked == ["a", "b"]
    assert (first[0] == first[2]).all()
    again = CachedEmbedder(second_model, tmp_path)
    assert again.embed(["b", "a", "b"]).tobytes() == first[[1, 0, 1]].tobytes()
    assert second_model.asked == []
    again.embed(["b", "c"])
    assert second_model.asked == ["c"]


@given(st.lists(st.lists(st.text(max_size=6), max_size=6), max_size=6))
def test_batches_never_matter(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    model = Noise()
    given_first: dict[str, bytes] = {}
    for batch in batches:
        rows = CachedEmbedder(model, folder).embed(batch)
        for text, row in zip(batch, rows, strict=True):
            assert given_first.setdefault(text, row.tobytes()) == row.tobytes()
    assert sorted(model.asked) == sorted(given_first)


def test_models_do_not_share_a_file(tmp_path: Path) -> None:
    models = [Noise("a/b"), Noise("a_b"), Noise("a/b", dimension=3)]
    cached = [CachedEmbedder(model, tmp_path) for model in models]
    for one in cached:
        one.embed(["text"])
    assert len({one.path for one in cached}) == len(list(tmp_path.iterdir())) == 3
    assert [model.asked for model in models] == [["text"]] * 3


def test_a_record_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    model = Noise()
    cached = CachedEmbedder(model, tmp_path)
    kept = cached.embed(["a", "b"])
    cached.path.write_bytes(cached.path.read_bytes()[:-3])
    again = CachedEmbedder(model, tmp_path)
    again.embed(["b"])
    assert model.asked == ["a", "b", "b"]
    assert again.embed(["a"]).tobytes() == kept[:1].tobytes()
    last = CachedEmbedder(model, tmp_path)
    assert last.embed(["a", "b"]).tobytes() == again.embed(["a", "b"]).tobytes()


def test_lone_surrogates_have_a_place_too(tmp_path: Path) -> None:
    assert CachedEmbedder(Noise(), tmp_path).embed(["\ud800"]).shape == (1, 5)


def test_vectors_of_another_shape_are_refused_and_not_kept(tmp_path: Path) -> None:
    model = Noise()
    cached = CachedEmbedder(model, tmp_path)
    model.dimension = 4
    with pytest.raises(EmbedderError, match=r"\(1, 4\) .* \(1, 5\)"):
        cached.embed(["a"])
    assert not cached.path.exists()


class Grouped(Noise):
    """One that reads texts with their parts."""

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        self.asked += ["+".join(group) for group in groups]
        return [
            self._random.standard_normal((len(group), self.dimension)).astype(np.float32)
            for group in groups
        ]


def test_a_group_is_embedded_once_ever_and_its_text_is_known_alone(tmp_path: Path) -> None:
    model, later = Grouped(), Grouped()
    groups = [("a b", "a", "b"), ("c",), ("a b", "a", "b"), ("a d", "a", "d")]
    first = CachedEmbedder(model, tmp_path).embed_parts(groups)
    assert model.asked == ["a b+a+b", "c", "a d+a+d"]
    assert (first[0] == first[2]).all()
    assert (first[0][1] != first[3][1]).any()  # "a" in another text is another part
    again = CachedEmbedder(later, tmp_path)
    for one, other in zip(again.embed_parts(groups[::-1]), first[::-1], strict=True):
        assert one.tobytes() == other.tobytes()
    assert again.embed(["a b", "c"]).tobytes() == np.array([first[0][0], first[1][0]]).tobytes()
    assert later.asked == []
    again.embed(["a"])
    assert later.asked == ["a"]


def test_groups_of_a_model_that_reads_none_are_embedded_one_by_one(tmp_path: Path) -> None:
    model = Noise()
    cached = CachedEmbedder(model, tmp_path)
    [found] = cached.embed_parts([("a b", "a", "b")])
    assert model.asked == ["a b", "a", "b"]
    assert found.shape == (3, 5)
