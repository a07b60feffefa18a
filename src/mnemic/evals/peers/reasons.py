"""Why a peer has no figures, in words that name no place of this machine."""

from __future__ import annotations

import re

_CHARS = 300
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*)://(?!127\.|localhost)\S+", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w.:/])/(?:[\w@+.~-]+/)+(?=[\w@+.~-])")


class PeerFailed(Exception):
    """A peer, or its environment, did not do what was asked; the message is the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(reason(why))


def reason(text: str) -> str:
    """A text on one line, short, without addresses and without the folders of paths."""
    text = _ADDRESS.sub("(an address)", _COLOURS.sub("", text))
    text = " ".join(_PATH.sub("", text).split())
    return text if len(text) <= _CHARS else f"{text[: _CHARS - 2]} …"


def last_line(text: str) -> str:
    """The last line that says anything: where programs say what stopped them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
