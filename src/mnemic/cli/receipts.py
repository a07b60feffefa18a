"""What a command that changes something says at its end, and the exit code of it."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from mnemic.cli.calls import Call
from mnemic.cli.failures import Exit, printable
from mnemic.cli.output import line, write_json
from mnemic.cli.views import said
from mnemic.model.answer import Receipt, Status

_STYLES = {
    Status.REFUSED: "bad",
    Status.REINFORCED: "old",
    Status.CANDIDATE: "old",
    Status.WITHHELD: "old",
}


def told(call: Call, receipt: Receipt) -> int:
    """Say what came of a write; 1 when it was refused."""
    if call.as_json:
        write_json(receipt)
    else:
        tell(receipt)
    return Exit.NO if receipt.status is Status.REFUSED else Exit.OK


def tell(receipt: Receipt) -> None:
    """A receipt for a person: the status and the id, and a sentence where there is more."""
    status = (receipt.status.value, _STYLES.get(receipt.status, "good"))
    trace = (f" {printable(receipt.trace.id)}", "id") if receipt.trace else ""
    line(Text.assemble(status, trace))
    if receipt.message != receipt.status.value:
        hint = " (mnemic review)" if receipt.status is Status.CANDIDATE else ""
        line(said(receipt.message + hint, "quiet"))


def done(call: Call, sentence: str, **data: Any) -> None:
    """Say that something is done: in a sentence, or as data."""
    if call.as_json:
        write_json(data)
    else:
        line(said(sentence, "good"))
