"""The screen: which texts wait for a person instead of being believed at once."""

from mnemic.model.concern import Concern, Finding
from mnemic.cognition.screen.screen import screen

__all__ = ["Concern", "Finding", "screen"]
