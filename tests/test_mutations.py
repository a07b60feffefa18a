"""Each mutation of `scripts/mutate.py` still finds the one place that it takes a guarantee from."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_mutation_has_its_place() -> None:
    listed = tomllib.loads((ROOT / "scripts" / "mutations.toml").read_text("utf-8"))["mutation"]
    assert len(listed) > 60
    lost = {
        one["name"]: found
        for one in listed
        if (
            found := (ROOT / "src" / "mnemic" / one["file"]).read_text("utf-8").count(one["before"])
        )
        != 1
    }
    assert lost == {}
