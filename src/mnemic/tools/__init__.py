"""The memory as tools that a language model calls: any agent framework can use them.

Importing this opens nothing and loads no model: what the tools are can be told before there is a
brain. Whose memory they write and read is that of the `BoundMemory` they are made with; no
argument of a tool can change it.
"""

from mnemic.tools.make import named_specs, tools
from mnemic.tools.spec import Spec, Tool, error_of

__all__ = ["Spec", "Tool", "error_of", "named_specs", "tools"]
