"""Brains that differ in their settings and in nothing else."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory, Settings
from tests.conftest import FixedClock, Opener
from tests.settings.brains import Observer, Open

_SEEN: dict[tuple[str, Observer, str], Any] = {}
"""By backend, observer and settings: what was seen once need not be lived through again."""

See = Callable[[Observer, Settings], Any]


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain that holds nothing: to copy it takes a tenth of the time of making one."""
    path = tmp_path_factory.mktemp("settings") / "empty.db"
    Memory.open(path, settings=Settings(), embedder=None, clock=FixedClock()).close()
    return path


@pytest.fixture
def opened_with(open_brain: Opener, tmp_path: Path, empty: Path) -> Callable[[Settings], Open]:
    """Opens brains with some settings, all at the same instant and with the same ids."""
    files = itertools.count(1)

    def with_settings(settings: Settings) -> Open:
        def opened(file: str | None = None, **more: Any) -> Memory:
            if file is None:
                file = f"{next(files)}.db"
                shutil.copy(empty, tmp_path / file)
            numbers = itertools.count(1)
            more.setdefault("clock", FixedClock())
            more.setdefault("ids", lambda: f"mt_{next(numbers):032x}")
            return open_brain(file, settings=settings, **more)

        return opened

    return with_settings


@pytest.fixture
def see(opened_with: Callable[[Settings], Open], backend: str) -> See:
    """What an observer sees with some settings."""

    def look(observe: Observer, settings: Settings) -> Any:
        key = (backend, observe, settings.model_dump_json())
        if key not in _SEEN:
            _SEEN[key] = observe(opened_with(settings))
        return _SEEN[key]

    return look
