"""Why a text should be seen by a person before it is believed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Concern(StrEnum):
    """What a text seems to be, in order of gravity."""

    SECRET = "secret"
    INSTRUCTION = "instruction"
    SENSITIVE = "sensitive"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sign of a concern. `sign` names the rule, never the text that it found."""

    concern: Concern
    sign: str
