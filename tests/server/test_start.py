"""How the server starts: what it loads first, and how it says that it cannot."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mnemic import Memory, Principal
from mnemic.cli import mcp
from mnemic.cli.calls import Group
from mnemic.errors import InvalidInput
from mnemic.server.mcp.held import of_client
from mnemic.server.mcp.http import is_loopback, serve_http
from tests.server.launch import environment

HEAVY = "{'numpy', 'onnxruntime', 'sqlalchemy', 'tokenizers', 'alembic'}"
ANA = '{"ana-0123456789abcdef": {"user": "ana"}}'


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program that ends by itself."""
    arguments = [sys.executable, "-c", code]
    return subprocess.run(
        arguments, capture_output=True, text=True, input="", env=environment(), check=False
    )


def alone() -> typer.Typer:
    """A command line of this one command."""
    app = typer.Typer(cls=Group, add_completion=False)
    app.callback()(lambda: None)
    mcp.register(app)
    return app


def said(code: str) -> list[str]:
    """The lines that a Python program prints."""
    done = run(code)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_nothing_heavy_is_loaded_before_the_handshake() -> None:
    before, after = said(
        "import sys, mnemic.server.mcp.stdio\n"
        f"print(sorted({HEAVY} & set(sys.modules)))\n"
        "import mnemic.memory\n"
        f"print(sorted({HEAVY} & set(sys.modules)))"
    )
    assert before == "[]"
    assert "numpy" in after  # or the names are not what they were


def test_the_library_and_the_command_line_do_not_load_the_protocol() -> None:
    code = (
        "import sys, mnemic, mnemic.tools, mnemic.cli.app\nfrom mnemic import Memory\n"
        "print('mcp' in sys.modules, 'starlette' in sys.modules)"
    )
    assert said(code) == ["False False"]


def test_without_the_package_it_says_what_to_install(tmp_path: Path) -> None:
    brain = str(tmp_path / "brain.db")
    code = (
        "import sys\nsys.modules['mcp'] = None\n"
        f"sys.argv = ['mnemic', 'mcp', '--brain', {brain!r}]\n"
        "from mnemic.cli import main\nmain()"
    )
    done = run(code)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "pip install 'mnemic[mcp]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "env", "words"),
    [
        (["--http"], {}, "say who the clients are"),
        (["--http"], {"MNEMIC_USER": "ana"}, "say who the clients are"),
        (["--port", "9000"], {}, "add --http"),
        (["--http", "--user", "ana"], {"MNEMIC_MCP_TOKENS": ANA}, "leave out --user"),
        (["--http"], {"MNEMIC_MCP_TOKENS": "ana"}, "MNEMIC_MCP_TOKENS is no JSON"),
        (["--http", "--tokens", "nowhere.json"], {}, "cannot be read"),
        (["--http", "--user", "ana", "--host", "example.org"], {}, "without tokens"),
        (["--http", "--user", "ana", "--port", "70000"], {}, "port 70000 must be"),
        (["--user", ""], {}, "user is blank"),
    ],
)
def test_a_start_that_cannot_be_is_one_line(
    tmp_path: Path, options: list[str], env: dict[str, str], words: str
) -> None:
    brain = tmp_path / "brain.db"
    given = ["mcp", "--brain", str(brain), *options]
    with socket.create_server(("localhost", 0)) as taken:
        # A server that starts though it must not fails here at once, and does not go on for ever.
        last = [] if "--port" in options else ["--port", str(taken.getsockname()[1])]
        given += last if "--http" in options else []
        done = CliRunner().invoke(alone(), given, env={"MNEMIC_MCP_TOKENS": None, **env})
    assert done.exit_code == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert "0123456789" not in done.stderr
    assert not brain.exists()


def test_a_port_that_is_taken_is_told() -> None:
    with (
        socket.create_server(("localhost", 0)) as taken,
        pytest.raises(InvalidInput, match="cannot listen on port"),
    ):
        serve_http(_never, Principal(user="ana"), port=taken.getsockname()[1])


def test_only_this_machine_is_loopback() -> None:
    assert is_loopback("localhost")
    assert not is_loopback("example.org")
    assert not is_loopback("")
    for host in ("example.org", "", ".".join("0000")):
        with pytest.raises(InvalidInput, match="without tokens"):
            serve_http(_never, Principal(user="ana"), host=host, port=0)


def _never() -> Memory:
    raise AssertionError("the brain was opened")


def test_a_client_never_speaks_for_a_person() -> None:
    made = of_client(Principal(user="ana", thread="monday", namespace="acme"))
    assert made == Principal(
        user="ana",
        thread="monday",
        namespace="acme",
        channel="mcp",  # type: ignore[arg-type]
    )
    assert of_client(Principal(user="ana", actor="editor")).actor == "editor"
    assert made.authority == "machine"
