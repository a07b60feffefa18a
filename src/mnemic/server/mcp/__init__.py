"""The MCP server: the tools of `mnemic.tools` for clients of the Model Context Protocol.

It needs the package ``mcp`` (``pip install 'mnemic[mcp]'``). Whose memory a client writes and
reads is fixed before its first message, by how the server was started or by its token; nothing in
a message can change it.
"""
