"""The screen: which texts wait for a person instead of being believed at once."""

from mnemic.cognition.screen.screen import screen
from mnemic.model.concern import Concern, Finding

__all__ = ["Concern", "Finding", "screen"]
