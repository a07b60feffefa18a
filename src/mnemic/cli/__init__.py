"""The command line: a thin second face of `mnemic.Memory`.

Nothing heavy is imported until a command runs, so that ``--help`` answers at once.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line on the arguments of this process; exits with its code."""
    import sys

    from mnemic.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        # A console that cannot write a character gets its number; it is no reason to stop.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    app(prog_name="mnemic")
