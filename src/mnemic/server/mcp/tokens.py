"""Who a client of the HTTP server is: the token it sends says so, and nothing else.

Only the digests of tokens are kept, and a token that comes in is compared with every one of them
in constant time: how long an answer takes tells nothing about a token.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from mnemic.model.errors import InvalidInput
from mnemic.model.scope import Principal

_LEAST_CHARS = 16
_IDS = ("user", "thread", "persona", "organization", "namespace", "actor")
_SCHEME = "bearer"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens and the principals they stand for. Two tokens may stand for one principal."""

    digests: tuple[tuple[bytes, Principal], ...]

    @classmethod
    def of(cls, principals: Mapping[str, Principal]) -> Tokens:
        """Tokens from a mapping of each to its principal.

        Raises:
            InvalidInput: there is none, or one is so short that it could be guessed.
        """
        if not principals:
            raise InvalidInput("there is no token; give each client one, or serve without tokens")
        for number, (token, principal) in enumerate(principals.items(), 1):
            if len(token) < _LEAST_CHARS or not token.isascii() or not token.isprintable():
                whose = principal.owner or principal.actor
                raise InvalidInput(
                    f"token {number} (of {whose!r}) must have at least {_LEAST_CHARS} printable "
                    "ASCII characters; make one with: python -c 'import secrets; "
                    "print(secrets.token_urlsafe(32))'"
                )
        return cls(tuple((_digest(token), one) for token, one in principals.items()))

    @property
    def principals(self) -> tuple[Principal, ...]:
        """The principals, each once."""
        return tuple(dict.fromkeys(principal for _, principal in self.digests))

    def principal_of(self, authorization: str | None) -> Principal | None:
        """The principal that an Authorization header stands for; None if it stands for none."""
        scheme, _, token = (authorization or "").partition(" ")
        given, found = _digest(token.strip()), None
        for digest, principal in self.digests:  # all of them, whichever fits
            if hmac.compare_digest(digest, given):
                found = principal
        return found if scheme.lower() == _SCHEME else None


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def tokens_in(path: Path) -> Tokens:
    """The tokens of a file; see `tokens_from`.

    Raises:
        InvalidInput: it cannot be read, or holds no tokens.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the file of tokens {str(path)!r} cannot be read: {error}") from error
    return tokens_from(text, f"the file {str(path)!r}")


def tokens_from(text: str, where: str) -> Tokens:
    """Tokens from JSON: an object of each token and the ids of its principal.

    Args:
        text: such as ``{"TOKEN": {"user": "ana"}}``.
        where: it stands, for messages. No message repeats a token.

    Raises:
        InvalidInput: it is no such JSON, names a token twice, or ids that cannot be.
    """
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is no JSON: {_place(error)}") from error
    if not isinstance(pairs, _Pairs):
        raise InvalidInput(f'{where} must hold an object such as {{"TOKEN": {{"user": "ana"}}}}')
    found: dict[str, Principal] = {}
    for number, (token, ids) in enumerate(pairs.items, 1):
        if token in found:
            raise InvalidInput(f"{where}: token {number} is there twice; keep one of them")
        found[token] = _principal(ids, f"{where}: token {number}")
    return Tokens.of(found)


class _Pairs:
    """A JSON object with all of its pairs: a plain dict would drop a token that comes twice."""

    def __init__(self, items: list[tuple[str, Any]]) -> None:
        self.items = items


def _place(error: Exception) -> str:
    """Where JSON ends to be JSON, without what stands there."""
    at = (getattr(error, "lineno", None), getattr(error, "colno", None))
    return "it cannot be read" if None in at else f"line {at[0]}, column {at[1]}"


def _principal(ids: object, where: str) -> Principal:
    if not isinstance(ids, _Pairs):
        raise InvalidInput(f'{where} must have ids such as {{"user": "ana"}}')
    given = dict(ids.items)
    unknown = [name for name in given if name not in _IDS]
    if unknown:
        raise InvalidInput(f"{where} has {unknown[0]!r}; the ids are: {', '.join(_IDS)}")
    try:
        return Principal(**given)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from error
