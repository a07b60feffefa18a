"""The key ring: the secret keys of a brain's digests.

A digest stands for a text where the text itself must not stand: in tombstones and in the audit
log. It is keyed (HMAC-SHA-256, RFC 2104), so that a short text cannot be guessed from it by
anyone who does not hold the brain. Every version of the key is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from mnemic.store.schema import key_ring

DIGEST_BYTES = 32
"""Length of a key, and of a digest."""

NewKey = Callable[[], bytes]
"""Makes a new secret key of 32 bytes."""


def random_key() -> bytes:
    """32 bytes of the operating system's randomness."""
    return secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Every version of a brain's key, the newest first; there is at least one."""

    keys: tuple[tuple[int, bytes], ...]

    @property
    def newest(self) -> bytes:
        """The key that new digests are made with."""
        return self.keys[0][1]

    @property
    def version(self) -> int:
        """The number of the newest key."""
        return self.keys[0][0]

    def digests(self, *parts: str) -> list[bytes]:
        """The digest of some texts under each key, the newest first."""
        return [digest(key, *parts) for _, key in self.keys]

    def of(self, version: int) -> bytes:
        """The key of a version."""
        return next(key for number, key in self.keys if number == version)


_c = key_ring.c
_RING = (
    select(_c.version, _c.key)
    .where(_c.brain_id == bindparam("of_brain"))
    .order_by(_c.version.desc())
)


def load(connection: Connection, brain_id: str) -> KeyRing | None:
    """The key ring, or None for a brain that has none yet."""
    keys = connection.execute(_RING, {"of_brain": brain_id}).all()
    return KeyRing(tuple((row[0], row[1]) for row in keys)) if keys else None


def ensure(connection: Connection, brain_id: str, at: int, new_key: NewKey) -> KeyRing:
    """The key ring; a brain that has none gets its first key."""
    return load(connection, brain_id) or add(connection, brain_id, at, new_key())


def add(connection: Connection, brain_id: str, at: int, key: bytes) -> KeyRing:
    """Put a key on the ring; it is the newest from then on, and the older ones stay."""
    ring = load(connection, brain_id)
    version = 1 if ring is None else ring.version + 1
    connection.execute(
        insert(key_ring).values(brain_id=brain_id, version=version, key=key, created_at=at)
    )
    return KeyRing(((version, key), *(ring.keys if ring else ())))


def add_older(connection: Connection, brain_id: str, at: int, key: bytes) -> KeyRing:
    """Put another brain's key on the ring, with a number below all others: it makes no digests."""
    ring = load(connection, brain_id)
    lowest = min((number for number, _ in ring.keys), default=1) if ring else 1
    connection.execute(
        insert(key_ring).values(brain_id=brain_id, version=lowest - 1, key=key, created_at=at)
    )
    return KeyRing((*(ring.keys if ring else ()), (lowest - 1, key)))


def digest(key: bytes, *parts: str) -> bytes:
    """The keyed digest of some texts; 32 bytes. Parts cannot run into each other."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        mac.update(len(data).to_bytes(8, "big"))
        mac.update(data)
    return mac.digest()
