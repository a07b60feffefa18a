"""A memory cut down to its gist, and its words put back.

The words stay in the history, as every earlier version does: the version that holds them is
noted with the trace, so that they can be given again, whole.
"""

from __future__ import annotations

from mnemic.encode.known import text_digests
from mnemic.encode.revise.case import Case, told, words_of
from mnemic.encode.revise.change import draft_of, validity_of
from mnemic.encode.revise.reword import index_anew
from mnemic.encode.revise.versions import append_version
from mnemic.encode.write import Writer
from mnemic.index.write import Packed
from mnemic.model.answer import Receipt, Status
from mnemic.store.engrams import Cause, put

GIST = "gist"
VERBATIM = "verbatim"


def shorten(writer: Writer, case: Case, gist: str, vectors: Packed | None) -> Receipt:
    """Put the gist of a trace in place of its words; its facts and its trust stay.

    Args:
        writer: of the brain.
        case: the trace, which must not be a gist already.
        gist: what is left.
        vectors: of the gist; None when they are to be made later.
    """
    assert case.row.verbatim_version is None
    receipt = _say(writer, case, gist, vectors, GIST)
    _note(case, case.row.version)
    return receipt


def put_back(writer: Writer, case: Case, vectors: Packed | None) -> Receipt:
    """Put the words of a gist back in its place."""
    text = words_of(case)
    receipt = _say(writer, case, text, vectors, VERBATIM)
    _note(case, None)
    return receipt


def _say(writer: Writer, case: Case, text: str, vectors: Packed | None, cause: str) -> Receipt:
    deed, row = case.deed, case.row
    principal = deed.principal
    draft = draft_of(row, text, validity_of(row, {}), principal)
    changes = {
        "content": text,
        "content_version": row.version + 1,
        "digest": text_digests(deed.brain, draft)[0],
    }
    version = append_version(deed.connection, deed.brain, row, case.now, cause, None, changes)
    index_anew(writer, case, draft, vectors)
    return told(case, version, Status.UPDATED, cause)


def _note(case: Case, version: int | None) -> None:
    cause = Cause.REHYDRATED if version is None else Cause.GIST
    deed, trace_id = case.deed, case.row.id
    put(deed.connection, deed.brain.id, trace_id, cause, case.now, verbatim_version=version)
