"""Pictures of a mind: how memories fade, what is tied to what, when it all came.

Needs the extra ``plot``. The same brain at the same instant gives the same bytes.
"""

from mnemic.plot.decay import plot_decay
from mnemic.plot.graph import plot_graph
from mnemic.plot.timeline import plot_timeline

__all__ = ["plot_decay", "plot_graph", "plot_timeline"]
