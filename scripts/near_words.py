"""Makes the table of near words of English (src/mnemic/index/text/data/en.near.npz).

    python scripts/near_words.py WORDS

WORDS is a list of words, the most frequent first, a word and whatever follows it on each line;
the packaged model's own vocabulary is added. Each word is embedded by the packaged model; the
stems of two words are near when the cosine of the words is at least LEAST. Which list the table
in the repository was made from is in docs/decisions/010-near-words.md.
"""

from __future__ import annotations

import argparse
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np

from mnemic.index.embed.minilm import MiniLM
from mnemic.index.text.tokens import stem

WORDS = 45_000
"""Words taken from the list."""
LEAST = 0.55
MOST = 16
"""Near stems kept of each."""
WORD = re.compile(r"[a-z]{3,16}")
TABLE = Path(__file__).parent.parent / "src/mnemic/index/text/data/en.near.npz"


def vocabulary(path: Path) -> list[str]:
    """The words of a list and of the model, each once, the most frequent first."""
    lines = path.read_text("utf-8-sig").splitlines()
    listed = [line.split()[0].lower() for line in lines if line.strip()][:WORDS]
    tokenizer = json.loads(
        (files("mnemic.index.embed") / "assets" / "minilm-tokenizer.json").read_text("utf-8")
    )
    several = dict.fromkeys([*listed, *tokenizer["model"]["vocab"]])
    return [word for word in several if WORD.fullmatch(word)]


def table(words: list[str]) -> dict[str, np.ndarray]:
    """The arrays of `mnemic.index.text.near.Table`. A stem means what its commonest word does."""
    commonest: dict[str, str] = {}
    for word in words:
        commonest.setdefault(stem(word), word)
    stems = sorted(commonest)
    model = MiniLM()
    asked = [commonest[one] for one in stems]
    vectors = np.concatenate(
        [model.embed(asked[at : at + 2_000]) for at in range(0, len(asked), 2_000)]
    )
    starts, places, hundredths = [0], [], []
    for at in range(0, len(stems), 1_000):
        for row, cosines in enumerate(vectors[at : at + 1_000] @ vectors.T):
            cosines[at + row] = 0  # itself
            near = np.argsort(-cosines, kind="stable")[:MOST]
            near = near[cosines[near] >= LEAST]
            places += near.tolist()
            hundredths += np.rint(100 * cosines[near]).astype(int).tolist()
            starts.append(len(places))
    return {
        "stems": np.frombuffer("\n".join(stems).encode("ascii"), np.uint8),
        "starts": np.array(starts, np.uint32),
        "near": np.array(places, np.uint16),
        "cosines": np.array(hundredths, np.uint8),
    }


def main() -> None:
    """Read the list, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", type=Path)
    arguments = parser.parse_args()
    made = table(vocabulary(arguments.words))
    np.savez_compressed(TABLE, **made)
    print(f"{len(made['starts']) - 1} stems, {len(made['near'])} near ones: {TABLE}")


if __name__ == "__main__":
    main()
