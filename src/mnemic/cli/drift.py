"""`mnemic review drift`: how the agent's personality might drift, and what a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, opened
from mnemic.cli.output import line, show, write_json
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic.model.insight import DriftProposal


def drift(
    call: Call,
    accept: Annotated[
        int | None, typer.Option(metavar="N", help="Let proposal N hold from now on.")
    ] = None,
    decline: Annotated[
        int | None, typer.Option(metavar="N", help="Leave the personality as it is.")
    ] = None,
) -> None:
    """Show the changes of personality that wait for a decision, or decide on one.

    Consolidation proposes them where mind.drift.enabled is set; nothing changes until one is
    accepted.
    """
    if accept is not None and decline is not None:
        raise InvalidInput("--accept and --decline exclude each other; give one")
    with opened(call, words_only=True) as memory:
        dana = call.judge(memory)
        if accept is not None:
            _decided(call, dana.accept_drift(accept), "accepted")
        elif decline is not None:
            _decided(call, dana.decline_drift(decline), "declined")
        else:
            _listed(call, dana.drift())


def _decided(call: Call, one: DriftProposal, what: str) -> None:
    if call.as_json:
        write_json({"proposal": one, "state": what})
    else:
        line(Text(f"{what}: {one.trait} {one.delta:+.3f} in {one.scope} {one.scope_id}", "good"))


def _listed(call: Call, several: list[DriftProposal]) -> None:
    if call.as_json:
        write_json({"proposals": several})
    elif not several:
        show(Text("nothing is proposed", "quiet"))
    else:
        made = views.table("n", "where", "change", "why", right=("n",))
        for one in several:
            change = f"{one.trait} {one.delta:+.3f}, to {one.value:.3f}"
            why = f"{one.reason}; {one.traces} memories"
            where = views.said(f"{one.scope} {one.scope_id}")
            made.add_row(str(one.number), where, change, why)
        show(made)
