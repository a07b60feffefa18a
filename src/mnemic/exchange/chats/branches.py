"""The line through a conversation that was edited and answered anew: a tree, read as a chat.

Exports link each message to the one before it. The links are a stranger's: they may lead nowhere
or in a circle, so nothing here recurses and every message is in exactly one of the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def active_line(
    parents: Mapping[str, str | None], current: str | None, times: Mapping[str, float]
) -> tuple[list[str], list[str]]:
    """The messages of the branch last seen, in order, and all the others.

    From `current`, or else the last leaf by its time, up to the root. Messages that are not
    linked to it at all are no other branch of it, so they stay, each such group with a line of
    its own, in the order of the file.

    Args:
        parents: the message before each one, in the order of the file.
        current: the message that was last seen, if the export says.
        times: seconds of the messages that have a time.
    """
    groups = _groups(parents)
    line: list[str] = []
    for members in groups:
        end = current if current in members else _last_leaf(members, parents, times)
        line.extend(_upward(end, parents))
    on_line = set(line)
    return line, [key for key in parents if key not in on_line]


def whole_tree(parents: Mapping[str, str | None]) -> list[str]:
    """Every message once, each after the one before it, branch after branch."""
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    for key, parent in parents.items():
        if parent is None or parent not in parents:
            roots.append(key)
        else:
            children.setdefault(parent, []).append(key)
    found: dict[str, None] = {}
    for start in (*roots, *parents):  # the latter for those in a circle, which has no root
        waiting = [start]
        while waiting:
            key = waiting.pop()
            if key not in found:
                found[key] = None
                waiting.extend(reversed(children.get(key, ())))
    return list(found)


def _groups(parents: Mapping[str, str | None]) -> list[dict[str, None]]:
    """The messages by the root that they lead to, in the order of the file."""
    root_of: dict[str, str] = {}
    for start in parents:
        walked: dict[str, None] = {}
        key = start
        while key not in root_of and key not in walked:
            walked[key] = None
            parent = parents[key]
            if parent is None or parent not in parents:
                break
            key = parent
        root = root_of.get(key, key)
        root_of.update(dict.fromkeys(walked, root))
    groups: dict[str, dict[str, None]] = {}
    for key in parents:
        groups.setdefault(root_of[key], {})[key] = None
    return list(groups.values())


def _last_leaf(
    members: Mapping[str, None], parents: Mapping[str, str | None], times: Mapping[str, float]
) -> str:
    followed = {parents[key] for key in members}
    leaves: Sequence[str] = [key for key in members if key not in followed] or list(members)
    places = {key: place for place, key in enumerate(leaves)}
    return max(leaves, key=lambda key: (times.get(key, float("-inf")), places[key]))


def _upward(end: str, parents: Mapping[str, str | None]) -> list[str]:
    found: dict[str, None] = {}
    key: str | None = end
    while key is not None and key in parents and key not in found:
        found[key] = None
        key = parents[key]
    return list(reversed(found))
