"""Alembic's environment: run migrations of all tables over the open connection."""

from alembic import context

from ludus.site.database.puzzle_schema import metadata  # importing it adds the tables of people and of puzzles

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
