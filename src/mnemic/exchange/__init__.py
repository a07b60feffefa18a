"""Import: files of other programs, read into drafts, one file a format."""

from mnemic.exchange.common import Item
from mnemic.exchange.detect import READERS, detect, read

__all__ = ["READERS", "Item", "detect", "read"]
