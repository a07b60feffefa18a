"""The page about the server: its configurations start, its table is whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from mnemic.cli import mcp
from mnemic.server.mcp.tokens import tokens_from
from mnemic.tools import named_specs

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S)]


def servers() -> list[dict[str, Any]]:
    """Every server that a client is configured with."""
    named = [block.get("mcpServers") or block.get("servers") or {} for block in BLOCKS]
    return [server for one in named for server in one.values()]


def test_what_clients_are_to_start_is_a_command_of_ours() -> None:
    app = typer.Typer(add_completion=False)
    mcp.register(app)
    known = {option for one in get_command(app).params for option in one.opts}
    started = [server for server in servers() if "command" in server]
    assert len(started) == 4
    for server in started:
        program, (name, *options) = server["command"], server["args"]
        assert (program, name) == ("mnemic", "mcp")
        assert {one for one in options if one.startswith("-")} <= known
    called = re.findall(r"^(?:.*-- )?mnemic mcp (.*)$", PAGE, re.M)
    assert len(called) == 3
    assert {word for line in called for word in line.split() if word.startswith("-")} <= known


def test_what_clients_are_to_send_is_a_token() -> None:
    sent = [server["headers"]["Authorization"] for server in servers() if "url" in server]
    assert len(sent) == 3
    assert all(re.fullmatch(r"Bearer \$\{[\w:-]+\}", header) for header in sent)
    tokens = tokens_from(json.dumps(BLOCKS[-1]), "the page")
    assert [one.user for one in tokens.principals] == ["ana", "bob"]


def test_the_table_names_every_tool_and_what_it_changes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes|no)[^|]*\|$", PAGE, re.M)
    assert {name: changes == "no" for name, changes in rows} == {
        name: spec.read_only for name, spec in named_specs().items()
    }
