"""`mnemic bench`: how well and how fast it recalls, measured through the public API."""
from __future__ import annotations
import typer
def group() -> typer.Typer:
    """The group of commands."""
    app = typer.Typer(no_args_is_help=True, help="Measure recall and speed.")
    @app.callback()
    def nothing() -> None:
        """Measure recall and speed."""
    return app
