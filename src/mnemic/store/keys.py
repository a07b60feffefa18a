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

from sqlalchemy import Connection, insert, select

from mnemic.store.schema import key_ring

NewKey = Callable[[], bytes]
"""Makes a new secret key of 32 bytes."""


def random_key() -> bytes:
    """32 bytes of the operating system's randomness."""
    return secrets.token_bytes(32)


def newest(connection: Connection, brain_id: str) -> bytes | None:
    """The newest key, or None for a brain that has none yet."""
    query = (
        select(key_ring.c.key)
        .where(key_ring.c.brain_id == brain_id)
        .order_by(key_ring.c.version.desc())
        .limit(1)
    )
    key: bytes | None = connection.execute(query).scalar()
    return key


def ensure(connection: Connection, brain_id: str, at: int, new_key: NewKey) -> bytes:
    """The newest key; a brain that has none gets its first."""
    found = newest(connection, brain_id)
    if found is not None:
        return found
    key = new_key()
    connection.execute(
        insert(key_ring).values(brain_id=brain_id, version=1, key=key, created_at=at)
    )
    return key


def digest(key: bytes, *parts: str) -> bytes:
    """The keyed digest of some texts; 32 bytes. Parts cannot run into each other."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        mac.update(len(data).to_bytes(8, "big"))
        mac.update(data)
    return mac.digest()
