"""How Alembic meets the database: over the connection that is open already, for all tables of the site."""

from alembic import context

from ludus.site.database import people_schema  # noqa: F401 - its tables are added to the others
from ludus.site.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
