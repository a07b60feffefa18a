"""Every error that mnemic raises on purpose.

A message says what was wrong, with which value, and what to do about it.
"""

from __future__ import annotations


class MnemicError(Exception):
    """The base of all errors that mnemic raises on purpose."""


class InvalidInput(MnemicError, ValueError):
    """A value given by the caller cannot be used; nothing was stored."""


class ImportFormatError(InvalidInput):
    """A file is of no format that can be imported."""


class NotFound(MnemicError, LookupError):
    """No such trace within the caller's reach. A foreign id reads the same as an unknown one."""


class NotAllowed(MnemicError):
    """The channel of the caller may not do this; nothing was changed."""


class StorageError(MnemicError):
    """The database could not be read or written."""


class NotABrain(StorageError):
    """The file is not a brain of mnemic's."""


class BrainTooNew(StorageError):
    """The brain was written by a newer version of mnemic than this one."""


class EmbedderError(MnemicError):
    """An embedder could not be loaded, or gave vectors that cannot be used."""


class EmbedderMismatch(EmbedderError):
    """The brain's vectors were made by another model than the one it is opened with."""
