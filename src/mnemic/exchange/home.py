"""In whose memory an imported record is filed.

A file has no say in that. An import for a caller files what names no scope, or one of the
caller's own, in the caller's memory, and nothing elsewhere. The owner of a brain may import a
file for all whom it names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from mnemic.exchange.common import Item
from mnemic.model.errors import InvalidInput
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal, Scope, principal_of
from mnemic.model.trace import Draft


class Homes(Protocol):
    """Says whose memory an item is for."""

    def of(self, item: Item) -> tuple[Draft, Principal]:
        """The draft of an item, with its scope, and in whose name it is written.

        Raises:
            InvalidInput: it belongs to somebody for whom this import files nothing.
        """
        ...


class OneHome:
    """Everything is for one caller.

    Args:
        principal: the caller.
    """

    def __init__(self, principal: Principal) -> None:
        # A file has no authority of its own, whoever hands it in.
        self._principal = replace(principal, channel=Channel.IMPORT)
        self._own = set(principal.reach())

    def of(self, item: Item) -> tuple[Draft, Principal]:
        """The draft in the caller's own scopes."""
        draft = _draft(item)
        if item.home is None:
            return draft, self._principal
        scope, scope_id = item.home
        if not scope_id:
            mine = self._principal.scope_id(scope) is not None
            return replace(draft, scope=scope if mine else None), self._principal
        if (scope, scope_id) not in self._own:
            allowed = ", ".join(f"{one.value} {of!r}" for one, of in sorted(self._own))
            raise InvalidInput(
                f"it belongs to {scope.value} {scope_id!r}, and this import files what belongs "
                f"to {allowed}; have the brain's owner import it"
            )
        thread = self._principal.thread if scope is Scope.THREAD else draft.thread
        return replace(draft, scope=scope, thread=thread), self._principal


class EveryHome:
    """Everything is for whom the file names; what names nobody is for nobody."""

    def __init__(self) -> None:
        self._callers: dict[tuple[Scope, str], Principal] = {}

    def of(self, item: Item) -> tuple[Draft, Principal]:
        """The draft in the scope that the file names."""
        draft = _draft(item)
        if item.home is None or not item.home[1]:
            raise InvalidInput("it names nobody whose memory it is; bind the import to a caller")
        if item.home not in self._callers:
            self._callers[item.home] = replace(principal_of(*item.home), channel=Channel.IMPORT)
        caller = self._callers[item.home]
        scope = item.home[0]
        thread = caller.thread if scope is Scope.THREAD else draft.thread
        return replace(draft, scope=scope, thread=thread), caller


def _draft(item: Item) -> Draft:
    assert item.draft is not None
    return item.draft
