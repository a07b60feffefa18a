"""The brain as one caller has it."""

from mnemic.bound.memory import BoundMemory
from mnemic.bound.rooms import Rooms

__all__ = ["BoundMemory", "Rooms"]
