"""Adapters, one a peer, run by path inside the peer's environment, where mnemic is not installed.

An adapter imports the standard library only. It has two functions: `load` imports what the peer
is, and `open_store(folder, server, embed)` gives an object with

- `add(item)`: stores one item and gives the name that hits will call it by; None when refused;
- `add_many(items)` (left out where the peer has no such call): the same for many of one user;
- `finish()` (may be left out): ends a run of adds, for peers that index or save afterwards;
- `ask(user, question, limit)`: names of the hits, best first;
- `close()`.

An item has "id", "user" and "text", and for those who take them apart "content", "speaker",
"session", and "time" in ISO 8601 or None. `server` is the address of an OpenAI-compatible
embedding server on loopback, `embed` a function that asks it.
"""
