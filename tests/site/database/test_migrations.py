"""The migrations create the tables that the code declares."""

import asyncio

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Column, String, text

from ludus.errors import BadInput, Unavailable
from ludus.site.database import migrate
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import GameStore
from ludus.site.database.moderation_schema import operator_acts
from ludus.site.database.schema import metadata
from ludus.site.safety.names import skeleton


def test_migrations_create_the_declared_tables(with_games):
    async def scenario(_games, database):
        def differences(connection):
            return compare_metadata(MigrationContext.configure(connection, opts={"render_as_batch": True}), metadata)

        assert await database.read(differences) == []

    with_games(scenario)


def test_a_database_of_a_newer_version_is_refused(fresh_url):
    async def scenario():
        database = await Database.open(fresh_url)
        await database.write(
            lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9'"))
        )
        await database.close()
        with pytest.raises(Unavailable, match="newer Ludus"):
            await Database.open(fresh_url)

    asyncio.run(scenario())


def test_opening_again_changes_nothing(fresh_url):
    async def scenario():
        for _ in range(2):
            assert await (await Database.open(fresh_url)).close()

    asyncio.run(scenario())


@pytest.mark.parametrize("address", ["mysql://host/db", "nonsense", "sqlite:///x"])
def test_an_address_that_is_not_postgresql_is_refused(address):
    with pytest.raises(BadInput, match=r"postgresql://"):
        database_url(address=address)


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="--data"):
        database_url(tmp_path / "file" / "data")


def test_a_file_that_is_not_a_database_is_reported(tmp_path):
    url = database_url(tmp_path)
    (tmp_path / "site.sqlite3").write_bytes(b"something else" * 1000)
    with pytest.raises(Unavailable, match="cannot be used"):
        asyncio.run(Database.open(url))


def without_the_clocks(connection):
    """Undo migrations 15 and 14."""
    connection.execute(text("DROP TABLE mail_addresses"))
    connection.execute(text("DROP INDEX ix_games_deadline"))
    names = ("period_ms", "bot_ms", "periods", "period_moves", "periods_0", "periods_1", "played_0", "played_1")
    for name in (*names, "deadline"):
        connection.execute(text(f"ALTER TABLE games DROP COLUMN {name}"))


def without_the_archive(connection):
    """Undo migration 7 and all later ones."""
    without_the_clocks(connection)
    for table, column in (("games", "with_evaluation"), ("seats", "device_hash"), ("evaluations", "lead")):
        connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    for name in ("begun_reviews", "reviews", "solvers", "puzzle_ratings", "puzzle_tries", "openings"):
        connection.execute(text(f"DROP TABLE {name}"))
    connection.execute(text("DROP INDEX ix_games_uncounted"))
    connection.execute(text("ALTER TABLE games DROP COLUMN in_openings"))
    for table in ("restrictions", "blocks", "reports", operator_acts.name):
        connection.execute(text(f"DROP TABLE {table}"))
    if connection.dialect.name == "postgresql":
        connection.execute(text("DROP FUNCTION refuse_change"))
    for name in (
        "ix_accounts_folded_prefix",
        "ix_games_archive",
        "ix_seats_bot_game_id",
        "ix_seats_lower_name_kind_game_id",
    ):
        connection.execute(text(f"DROP INDEX {name}"))
    connection.execute(text("CREATE INDEX ix_seats_bot ON seats (bot)"))
    connection.execute(text("ALTER TABLE seats DROP COLUMN lower_name"))


def test_the_migration_computes_skeletons_of_old_accounts(fresh_url):
    old = (
        "INSERT INTO accounts (id, name, folded, password_hash, settings, made_at)"
        " VALUES ('a1', 'Zo\u00eb', 'zo\u00eb', '-', '{}', '2026-11-21 00:00:00')"
    )

    def undone(connection):
        connection.execute(text("DROP INDEX ix_accounts_skeleton"))
        connection.execute(text("ALTER TABLE accounts DROP COLUMN skeleton"))
        without_the_archive(connection)
        connection.execute(text("DROP TABLE lease"))
        connection.execute(text("ALTER TABLE games DROP COLUMN to_play"))
        connection.execute(text(old))
        connection.execute(text("UPDATE alembic_version SET version_num = '0003'"))

    async def scenario():
        database = await Database.open(fresh_url)
        await database.write(undone)
        await database.close()
        database = await Database.open(fresh_url)
        assert await GameStore(database).has_account("-", skeleton("Z\u03bfe\u0308"))
        assert not await GameStore(database).has_account("-", skeleton("Zoe"))
        await database.close()

    asyncio.run(scenario())


def test_the_migration_fills_lower_names_of_old_seats(fresh_url, a_game):
    def undone(connection):
        without_the_archive(connection)
        connection.execute(text("UPDATE seats SET name = '\u00c9loise \u0130' WHERE side = 0"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0006'"))

    async def scenario():
        database = await Database.open(fresh_url)
        await GameStore(database).add(a_game("g"))
        await database.write(undone)
        await database.close()
        database = await Database.open(fresh_url)
        found = text("SELECT name, lower_name FROM seats ORDER BY side")
        rows = await database.read(lambda connection: [tuple(row) for row in connection.execute(found)])
        assert rows[0] == ("\u00c9loise \u0130", "\u00e9loise i\u0307")
        assert all(lower == name.lower() for name, lower in rows)
        await database.close()

    asyncio.run(scenario())


def test_a_migration_that_replaces_a_table_keeps_rows_with_foreign_keys_to_it(tmp_path, a_game, monkeypatch):
    url = database_url(tmp_path)

    def replace_games(config, _revision):
        operations = Operations(MigrationContext.configure(config.attributes["connection"]))
        with operations.batch_alter_table("games", recreate="always") as games:
            games.add_column(Column("mood", String, nullable=True))

    async def scenario():
        database = await Database.open(url)
        await GameStore(database).add(a_game("g"))
        assert await database.close()
        with monkeypatch.context() as patch:
            patch.setattr(migrate.command, "upgrade", replace_games)
            database = await Database.open(url)
        for table, rows in (("games", 1), ("seats", 2)):
            count = text(f"SELECT count(*) FROM {table}")
            assert await database.read(lambda connection, count=count: connection.execute(count).scalar_one()) == rows
        assert await database.close()

    asyncio.run(scenario())
