"""Runs the revisions on the connection that `upgrade` hands over."""

from alembic import context

import mnemic.store.mind_schema  # noqa: F401  # its tables belong to the metadata
from mnemic.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
