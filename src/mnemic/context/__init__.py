"""What goes into a prompt."""

from mnemic.context.materials import Materials
from mnemic.context.packet import assemble, in_order, written
from mnemic.context.style import style_of

__all__ = ["Materials", "assemble", "in_order", "style_of", "written"]
