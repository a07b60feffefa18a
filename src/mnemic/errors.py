"""Every error that mnemic raises on purpose, under one name."""

from mnemic.model.errors import (
    BrainTooNew,
    EmbedderError,
    EmbedderMismatch,
    ImportFormatError,
    InvalidInput,
    MnemicError,
    NotABrain,
    NotAllowed,
    NotFound,
    StorageError,
)

__all__ = [
    "BrainTooNew",
    "EmbedderError",
    "EmbedderMismatch",
    "ImportFormatError",
    "InvalidInput",
    "MnemicError",
    "NotABrain",
    "NotAllowed",
    "NotFound",
    "StorageError",
]
