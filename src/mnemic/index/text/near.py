"""Near words: "pets" asks for dogs as well. Kept as data, one table a language that has one.

A table says of a stem which other stems mean about the same, and how near: the cosine of their
vectors. It is made by ``scripts/near_words.py``, so that neither writing nor asking needs a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Table:
    """The near words of one language.

    Args:
        places: the place of each stem.
        stems: in the order of their places.
        starts: where the near stems of each place begin, and after the last where they end.
        near: places of near stems, the nearest first.
        cosines: of each, in hundredths.
    """

    places: dict[str, int]
    stems: Sequence[str]
    starts: NDArray[np.uint32]
    near: NDArray[np.uint16]
    cosines: NDArray[np.uint8]

    def of(self, stem: str) -> list[tuple[str, float]]:
        """The stems near to one, with their cosines, the nearest first."""
        place = self.places.get(stem)
        if place is None:
            return []
        span = slice(int(self.starts[place]), int(self.starts[place + 1]))
        pairs = zip(self.near[span].tolist(), self.cosines[span].tolist(), strict=True)
        return [(self.stems[other], cosine / 100) for other, cosine in pairs]


@cache
def tables() -> tuple[Table, ...]:
    """All tables there are. Read when first asked for, in about 20 ms."""
    folder = files("mnemic.index.text") / "data"
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".near.npz")), key=str)
    return tuple(read_table(one) for one in found)


def read_table(file: Traversable) -> Table:
    """A table as `scripts/near_words.py` writes it."""
    with as_file(file) as path, np.load(path, allow_pickle=False) as data:
        stems = data["stems"].tobytes().decode("ascii").split("\n")
        places = {stem: place for place, stem in enumerate(stems)}
        return Table(places, stems, data["starts"], data["near"], data["cosines"])


def near_words(stem: str) -> list[tuple[str, float]]:
    """The stems that mean about the same, with their cosines, the nearest first."""
    return [pair for table in tables() for pair in table.of(stem)]
