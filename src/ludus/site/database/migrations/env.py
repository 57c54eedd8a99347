"""Alembic's environment: runs over the connection that is open already, for all tables of the site."""

from alembic import context

from ludus.site.database.people_schema import metadata  # which adds its tables to the others

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
