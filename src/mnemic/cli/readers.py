"""Commands that read: recall, context, show, list, why, history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from mnemic.cli import changes, views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.options import listed
from mnemic.cli.output import plain, write_json, write_raw
from mnemic.cli.output import show as display
from mnemic.errors import NotFound
from mnemic.model.answer import SearchMode
from mnemic.model.packet import Style

if TYPE_CHECKING:
    from mnemic import BoundMemory, Strength, Trace
    from mnemic.model.answer import History

_PANEL = "Read"

_Query = Annotated[str, typer.Argument(metavar="QUERY", help="The question, in any words.")]
_Id = Annotated[str, typer.Argument(metavar="ID", help="The id of the trace.")]
_Depth = Annotated[int, typer.Option(metavar="N", help="How deep to look for it.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    command(app, "recall", panel=_PANEL, filters=True, states=True, clocks=True)(recall)
    command(app, "context", panel=_PANEL, filters=True, clocks=True)(context)
    command(app, "show", panel=_PANEL, states=True, clocks=True)(show)
    command(app, "list", panel=_PANEL, filters=True, states=True, clocks=True)(list_)
    command(app, "why", panel=_PANEL, filters=True, states=True, clocks=True)(why)
    command(app, "history", panel=_PANEL)(history)


def recall(
    call: Call,
    query: _Query,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most hits.")] = 10,
    mode: Annotated[
        SearchMode, typer.Option(metavar="MODE", help=f"Which arms search: {listed(SearchMode)}.")
    ] = SearchMode.HYBRID,
    asked_at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it is asked, for 'last week' in it; else now."),
    ] = None,
    operators: Annotated[
        bool,
        typer.Option(
            "--operators",
            help='Read "a phrase", +must, -not, this OR that and begin* in QUERY. '
            "Put -- before a QUERY that begins with -.",
        ),
    ] = False,
    beside: Annotated[
        int, typer.Option(metavar="N", help="Traces before and after each hit to show with it.")
    ] = 0,
    no_touch: Annotated[
        bool, typer.Option("--no-touch", help="Do not count this as a use of the hits.")
    ] = False,
) -> None:
    """Ask a question: the traces that answer it, each with the reason."""
    with opened(call) as memory:
        found = call.bind(memory).recall(
            query,
            limit=limit,
            mode=mode,
            asked_at=asked_at,
            operators=operators,
            beside=beside,
            touch=not no_touch,
            **call.filters,
            **call.states,
            **call.clocks,
        )
    if call.as_json:
        hits = [
            {"rank": rank, "score": h.score, "trace": h.trace, "why": h.why}
            | ({"beside": h.beside} if beside else {})
            for rank, h in enumerate(found, 1)
        ]
        write_json({"query": query, "hits": hits})
    elif found:
        display(views.hits(found))
    else:
        display(Text("nothing found", "quiet"))


def context(
    call: Call,
    query: _Query,
    budget: Annotated[
        int, typer.Option("--budget", "-b", metavar="TOKENS", help="Most tokens.")
    ] = 800,
    style: Annotated[
        Style | None,
        typer.Option(metavar="STYLE", help=f"{listed(Style)}; else as the personality has it."),
    ] = None,
) -> None:
    """Write what to put into a prompt about QUERY.

    It is recalled, ranked, fenced as data, cites trace ids and keeps within a budget.
    """
    with opened(call) as memory:
        packet = call.bind(memory).context(
            query, budget_tokens=budget, style=style, **call.filters, **call.clocks
        )
    if call.as_json:
        write_json({"query": query, **plain(packet)})
    elif packet.text:
        write_raw(packet.text)


def show(call: Call, id: _Id) -> None:
    """Show one trace with all that is known of it."""
    with opened(call, words_only=True) as memory:
        bound = call.bind(memory)
        trace = bound.show(id, **call.states, **call.clocks)
        strength = _strength(bound, trace.id)
    if call.as_json:
        write_json({"trace": trace})
    else:
        display(views.said(trace.content), Text(), views.pairs(_facts(trace, strength)))


def _strength(bound: BoundMemory, trace_id: str) -> Strength | None:
    """How a trace stands at present; None for one that is withheld."""
    try:
        return bound.mind.strength(trace_id)
    except NotFound:
        return None


def _facts(trace: Trace, strength: Strength | None) -> dict[str, object]:
    return {
        "id": views.said(trace.id, "id"),
        "type": trace.type.value,
        "scope": f"{trace.scope.value} {trace.scope_id}",
        "said by": " · ".join(
            part for part in (trace.speaker, trace.role.value if trace.role else None) if part
        ),
        "time": views.minute(trace.time),
        "thread": trace.thread,
        "true": views.valid(trace.valid_from, trace.valid_to),
        "tags": ", ".join(trace.tags),
        "entities": ", ".join(trace.entities),
        "metadata": "; ".join(f"{key}={value}" for key, value in trace.metadata.items()),
        "source": views.came(trace),
        "trust": trace.trust.value + _checked(trace),
        **changes.standing(trace, strength),
        "believed": f"since {views.second(trace.recorded_at)}"
        + (f" until {views.second(trace.retired_at)}" if trace.retired_at else ""),
        "version": trace.version,
        "recalled": changes.recalled(trace),
    }


def _checked(trace: Trace) -> str:
    return f", checked {views.minute(trace.verified_at)}" if trace.verified_at else ""


def list_(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most traces.")] = 50,
    offset: Annotated[int, typer.Option(metavar="N", help="Skip so many first.")] = 0,
) -> None:
    """List traces by their time, newest first."""
    with opened(call, words_only=True) as memory:
        bound = call.bind(memory)
        asked = {**call.filters, **call.states, **call.clocks}
        total = bound.count(**asked)
        rows = bound.list(limit=limit, offset=offset, **asked)
    if call.as_json:
        write_json({"count": total, "offset": offset, "traces": rows})
        return
    if rows:
        display(views.traces(rows), Text())
    first = offset + 1 if rows else 0
    display(Text(f"{first}-{offset + len(rows)} of {total}" if rows else f"0 of {total}", "quiet"))


def history(call: Call, id: _Id) -> None:
    """Show the versions of a trace, what use made of it, and the audit entries about it."""
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).history(id)
    if call.as_json:
        write_json(found)
    else:
        display(*_history(found), *_changes(found))


def _changes(found: History) -> list[RenderableType]:
    """What use and consolidation changed; nothing for a trace that neither has touched."""
    if not found.changes:
        return []
    return [Text(), Text("Mind", "head"), changes.changes(found.changes)]


def _history(found: History) -> list[RenderableType]:
    return [
        Text("Versions", "head"),
        views.versions(found.versions),
        Text(),
        Text("Audit", "head"),
        views.audit_entries(found.audit, ids=False),
    ]


def why(
    call: Call,
    id: _Id,
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="TEXT", help="Explain the hit for this question."),
    ] = None,
    depth: _Depth = 200,
) -> None:
    """Say why a trace is believed, or why it is a hit (--query).

    The filters hold for --query only.
    """
    if query is None:
        _why_believed(call, id)
    else:
        _why_hit(call, id, query, depth)


def _why_believed(call: Call, id: str) -> None:
    with opened(call, words_only=True) as memory:
        bound = call.bind(memory)
        trace, past = bound.show(id, **call.states, **call.clocks), bound.history(id)
    if call.as_json:
        write_json({"trace": trace, "versions": past.versions, "audit": past.audit})
        return
    who = trace.speaker or (trace.role.value if trace.role else "somebody unnamed")
    where = f" in {trace.thread}" if trace.thread else ""
    first = past.versions[0]
    told = {
        "said": f"by {who} on {views.minute(trace.time)}{where}",
        "source": views.came(trace),
        "true": views.valid(trace.valid_from, trace.valid_to),
        "known": f"since {views.second(first.recorded_at)}",
        "in this form": f"since {views.second(trace.recorded_at)} (version {trace.version})",
        "strength": f"{trace.strength:.2f}, recalled {changes.recalled(trace)}",
    }
    display(views.said(trace.content, "head"), Text(), views.pairs(told), Text(), *_history(past))


def _why_hit(call: Call, id: str, query: str, depth: int) -> None:
    with opened(call) as memory:
        bound = call.bind(memory)
        bound.show(id, **call.states, **call.clocks)
        asked = {**call.filters, **call.states, **call.clocks}
        found = bound.recall(query, limit=depth, touch=False, **asked)
    rank, hit = next(((at, h) for at, h in enumerate(found, 1) if h.trace.id == id), (0, None))
    if hit is None:
        raise NotFound(f"trace {id!r} is not among the first {len(found)} hits for {query!r}")
    if call.as_json:
        write_json(
            {"query": query, "rank": rank, "score": hit.score, "trace": hit.trace, "why": hit.why}
        )
    else:
        display(views.explained(hit, rank, len(found), query))
