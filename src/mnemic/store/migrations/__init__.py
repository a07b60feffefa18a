"""The history of the tables, as Alembic revisions.

`HEAD` is the newest revision. A brain that is already there opens without loading Alembic.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

HEAD = "0004"


def upgrade(
    connection: Connection, revision: str = HEAD, scripts: Path = Path(__file__).parent
) -> None:
    """Bring the tables up to `revision`, inside the transaction of `connection`."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
