"""A draft on its way in, with all that was made of it before anything was locked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mnemic.encode.admit import Read
from mnemic.encode.resolve import Resolved
from mnemic.index.analysis import Analysis
from mnemic.index.write import Packed


@dataclass(frozen=True, slots=True)
class Pending:
    """A draft on its way in."""

    draft: Resolved
    digests: Sequence[bytes]
    text: Read
    analysis: Analysis | None
    vectors: Packed | None

    @property
    def digest(self) -> bytes:
        """Under which its text is filed."""
        return self.digests[0]
