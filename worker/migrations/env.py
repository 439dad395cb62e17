"""Run by Alembic, and by nothing else: the caller's connection and transaction, so that an upgrade is done as a whole or not at all."""

from __future__ import annotations

from alembic import context

from worker.store.tables import metadata

# SQLite alters a table by copying it; a batch says so in a way that PostgreSQL understands as ALTER TABLE.
context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True, transactional_ddl=True
)
context.run_migrations()
