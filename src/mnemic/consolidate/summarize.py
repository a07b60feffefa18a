"""A language model that puts texts in fewer words, if there is one; nothing here needs it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

log = logging.getLogger("mnemic")


@runtime_checkable
class Summarizer(Protocol):
    """Says several texts in one short one."""

    name: str

    def summarize(self, texts: Sequence[str], about: str, most_words: int) -> str:
        """What the texts say about something, in at most so many words."""
        ...


def summarized(
    summarizer: Summarizer | None, texts: Sequence[str], about: str, most_words: int, own: str
) -> str:
    """A summary; `own`, which was made without a model, where there is none or it fails.

    A reply that is blank, or longer than what it should shorten, counts as a failure.
    """
    if summarizer is None:
        return own
    try:
        said = summarizer.summarize(texts, about, most_words)
    except Exception as error:  # noqa: BLE001  # somebody else's code, and nothing hangs on it
        log.warning("summarizer %s failed: %s; its words are not used", summarizer.name, error)
        return own
    if not str(said).strip():
        log.warning("summarizer %s said nothing; its words are not used", summarizer.name)
        return own
    if len(said) > sum(map(len, texts)) or len(said.split()) > 2 * most_words:
        log.warning("summarizer %s made it no shorter; its words are not used", summarizer.name)
        return own
    return said.strip()
