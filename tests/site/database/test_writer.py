"""The database writer: shared transactions, retries, timeouts and cancellation."""

import asyncio
import sqlite3
import threading
from random import Random

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError, OperationalError

from ludus.errors import Unavailable
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import GameStore
from ludus.site.database.records import GameProgress
from ludus.site.database.writer import Writer
from ludus.site.people.accounts import Accounts


@pytest.fixture
def locked(tmp_path):
    """Return a function that runs `async def (games, database, lock)` on SQLite; another program holds `lock`."""

    def run(scenario):
        async def opened():
            url = database_url(tmp_path)
            database = await Database.open(url)
            lock = sqlite3.connect(url.database, isolation_level=None)
            try:
                async with asyncio.timeout(240):
                    await scenario(GameStore(database), database, lock)
            finally:
                lock.close()
                await database.close()

        asyncio.run(opened())

    return run


def test_a_move_waits_while_another_program_locks_the_database(locked, a_game, a_move):
    async def scenario(games, database, lock):
        await games.add(a_game())
        lock.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(games.save("g1", GameProgress("playing"), 0, [a_move(1)]))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        assert not saving.done()
        assert (await games.load("g1")).moves == []  # reading still works
        lock.execute("COMMIT")
        await saving
        assert (await games.load("g1")).moves == [a_move(1)]
        assert database.stalled_s == 0

    locked(scenario)


def test_a_cancelled_wait_loses_no_write(locked, a_game, a_move):
    async def scenario(games, database, lock):
        await games.add(a_game())
        lock.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(games.save("g1", GameProgress("playing"), 0, [a_move(1)]))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        saving.cancel()
        lock.execute("COMMIT")
        assert await database.close()
        again = await Database.open(database._reader._engine.url)
        assert (await GameStore(again).load("g1")).moves == [a_move(1)]
        await again.close()

    locked(scenario)


def test_a_write_that_times_out_is_refused_and_never_done(locked, a_game):
    async def scenario(games, database, lock):
        lock.execute("BEGIN IMMEDIATE")

        def insert(connection):
            connection.exec_driver_sql("INSERT INTO pulse VALUES (0, '2026-11-21')")

        with pytest.raises(Unavailable, match="busy"):
            await database.write(insert, patience_s=0.1)
        lock.execute("COMMIT")
        await games.add(a_game())
        assert await games.last_beat() is None

    locked(scenario)


def test_unwritten_data_is_reported_when_the_database_is_closed(locked, a_game):
    async def scenario(games, database, lock):
        lock.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(games.add(a_game()))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        assert not await database.close(patience_s=0.1)
        waiting.cancel()

    locked(scenario)


def test_an_error_in_one_transaction_does_not_stop_the_writer(locked, a_game):
    async def scenario(games, database, _lock):
        def broken(connection):
            connection.exec_driver_sql("INSERT INTO pulse VALUES (0, '2026-11-21 00:00:00')")
            raise ValueError("a mistake")

        with pytest.raises(ValueError, match="a mistake"):
            await database.write(broken)
        assert await games.last_beat() is None
        await games.add(a_game())

    locked(scenario)


def test_a_commit_without_confirmation_is_not_repeated(locked, a_game, monkeypatch):
    transact = Writer._transact

    async def scenario(games, database, _lock):
        lost = iter([True])

        def unconfirmed(writer, jobs):
            results = transact(writer, jobs)
            if next(lost, False):
                raise OperationalError("COMMIT", {}, OSError("the line broke"))
            return results

        monkeypatch.setattr(Writer, "_transact", unconfirmed)
        await games.add(a_game())
        accounts, lost = Accounts(database), iter([True])
        account = await accounts.register("Ada", "correct horse")
        lost = iter([True])
        secret = await accounts.open_session(account)
        assert next(lost, None) is None, "that its word was lost"
        assert (await accounts.of_session(secret))[0].name == "Ada"
        assert (await games.load("g1")).id == "g1"

    locked(scenario)


@pytest.fixture
def slow_commits():
    """Return a function that delays commits; it returns an event for their begin and one that lets them end."""

    def slow(database):
        begun, over = threading.Event(), threading.Event()

        @event.listens_for(database._writing, "commit")
        def wait(_connection):
            begun.set()
            assert over.wait(240)

        return begun, over

    return slow


def test_a_slow_commit_is_awaited_beyond_the_timeout(locked, slow_commits):
    async def scenario(_games, database, _lock):
        begun, over = slow_commits(database)
        writing = asyncio.create_task(database.write(pulse(1), patience_s=0.05))
        assert await asyncio.to_thread(begun.wait, 240)
        await asyncio.sleep(0.2)
        assert not writing.done(), "nobody knows yet whether it is done"
        with pytest.raises(Unavailable, match="busy"):
            await database.write(pulse(2), patience_s=0.05)
        over.set()
        assert await writing == 1
        assert await pulses(database) == [1]

    locked(scenario)


def test_an_uncertain_commit_is_retried_until_it_is_certain(locked, a_game, monkeypatch):
    transact, give_up, impatient = Writer._transact, Writer._given_up, threading.Event()

    def told(writer, job):
        impatient.set()
        return give_up(writer, job)

    async def scenario(games, database, _lock):
        await games.add(a_game("g0"))
        fates = iter(["lost", "refused", "refused"])

        def failing(writer, jobs):
            fate = next(fates, "well")
            if fate == "refused":
                assert impatient.wait(240)
                raise OperationalError("BEGIN", {}, OSError("nobody answers"))
            results = transact(writer, jobs)
            if fate == "lost":
                raise OperationalError("COMMIT", {}, OSError("the line broke"))
            return results

        monkeypatch.setattr(Writer, "_transact", failing)
        monkeypatch.setattr(Writer, "_given_up", told)
        monkeypatch.setattr("ludus.site.database.games.PATIENCE_S", 1.0)
        await games.add(a_game())
        assert next(fates, None) is None
        assert (await games.load("g1")).id == "g1"
        assert database.stalled_s == 0

    locked(scenario)


def test_results_of_writes_agree_with_the_database(locked):
    luck = Random("patience")

    async def scenario(_games, database, lock):
        async def one(number):
            await asyncio.sleep(luck.random() / 5)
            try:
                return await database.write(pulse(number), patience_s=luck.random() ** 3 / 20)
            except Unavailable:
                return None

        writing = asyncio.gather(*(one(number) for number in range(200)))
        for _ in range(4):
            await asyncio.sleep(0.02)
            lock.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(0.02)
            lock.execute("COMMIT")
        told = [number for number in await writing if number is not None]
        assert await pulses(database) == told
        assert len(told) < 200, "somebody lost patience"

    locked(scenario)


def pulse(number):
    """Return a function that fails when it runs a second time."""

    def insert(connection):
        connection.exec_driver_sql(f"INSERT INTO pulse VALUES ({number}, '2026-11-21 00:00:00')")
        return number

    return insert


async def pulses(database):
    query = "SELECT id FROM pulse ORDER BY id"
    return await database.read(lambda connection: [row.id for row in connection.exec_driver_sql(query)])


@pytest.fixture
def transactions(monkeypatch):
    """Return a list with the number of functions in each transaction so far."""
    sizes, transact = [], Writer._transact

    def counted(writer, jobs):
        sizes.append(len(jobs))
        return transact(writer, jobs)

    monkeypatch.setattr(Writer, "_transact", counted)
    return sizes


def test_queued_writes_share_a_transaction(locked, transactions):
    async def scenario(_games, database, lock):
        lock.execute("BEGIN IMMEDIATE")
        first = asyncio.create_task(database.write(pulse(0)))
        while not transactions:
            await asyncio.sleep(0.01)
        others = [asyncio.create_task(database.write(pulse(number))) for number in range(1, 9)]
        await asyncio.sleep(0)
        lock.execute("COMMIT")
        assert await asyncio.gather(first, *others) == [*range(9)]
        assert transactions[-1] == 8
        assert set(transactions[:-1]) == {1}  # the first write, repeated while the database refused
        assert await pulses(database) == [*range(9)]

    locked(scenario)


def test_an_error_does_not_affect_other_writes_of_its_transaction(locked, transactions):
    async def scenario(_games, database, _lock):
        work = [pulse(1), pulse(2), pulse(1), pulse(3)]
        found = await asyncio.gather(*(database.write(each) for each in work), return_exceptions=True)
        assert found[:2] == [1, 2]
        assert isinstance(found[2], IntegrityError)
        assert found[3] == 3
        assert await pulses(database) == [1, 2, 3]
        assert transactions == [4, 1, 1, 1, 1]

    locked(scenario)


def test_a_timed_out_write_does_not_affect_other_writes(locked):
    async def scenario(_games, database, lock):
        lock.execute("BEGIN IMMEDIATE")
        patient = [asyncio.create_task(database.write(pulse(number))) for number in (1, 2)]
        with pytest.raises(Unavailable, match="busy"):
            await database.write(pulse(3), patience_s=0.1)
        lock.execute("COMMIT")
        assert await asyncio.gather(*patient) == [1, 2]
        assert await pulses(database) == [1, 2]

    locked(scenario)
