"""The command line: a thin second face of `mnemic.Memory`.

Nothing heavy is imported until a command runs, so that ``--help`` answers at once.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line on the arguments of this process; exits with its code."""
    from mnemic.cli.app import app

    app(prog_name="mnemic")
