"""Reports: limited, kept once, and without addresses after they are closed."""

import asyncio

import pytest
from sqlalchemy import select

from ludus.errors import Unavailable
from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import reports as table
from ludus.site.faults import NotHere, TooOften
from ludus.site.moderation import reports as module
from ludus.site.moderation.reports import LIMIT, Reported, Reports

ANN = ("account a", "Ann", "192.0.2.1")
BOB = Reported("guest b", "Bob", "192.0.2.2", "g1", "rude words")


def opened(url, scenario):
    async def run():
        database = await Database.open(url)
        try:
            await scenario(Reports(database, {"127.0.0.1"}, lambda: 0.0), database)
        finally:
            await database.close()

    asyncio.run(run())


def test_a_report_is_kept_once_and_loses_its_addresses_when_it_is_closed(fresh_url):
    async def scenario(reports, database):
        for _ in range(2):
            await reports.add(ANN, BOB, "He insults me.")
        (report,) = await reports.open_ones()
        assert (report.subject_name, report.subject_address, report.text) == ("Bob", "192.0.2.2", "rude words")
        assert await database.write(lambda connection: reports.close(connection, report.id)) == "Bob"
        assert await reports.open_ones() == []
        with pytest.raises(NotHere, match="closed already"):
            await database.write(lambda connection: reports.close(connection, report.id))
        rows = await database.read(lambda connection: connection.execute(select(table)).all())
        assert [(row.reporter_address, row.subject_address) for row in rows] == [("", "")]

    opened(fresh_url, scenario)


def test_reports_are_limited_for_each_address_and_in_all(fresh_url, monkeypatch):
    monkeypatch.setattr(module, "MAX_OPEN", int(LIMIT.most) + 1)

    async def scenario(reports, _database):
        for number in range(int(LIMIT.most)):
            await reports.add(ANN, BOB._replace(text=str(number)), "")
        with pytest.raises(TooOften, match="Too many reports came from your address"):
            await reports.add(ANN, BOB, "")
        own = ("guest c", "Guest", "127.0.0.1")
        await reports.add(own, BOB, "")
        with pytest.raises(Unavailable, match="Too many reports are waiting"):
            await reports.add(own, BOB._replace(text="x"), "")

    opened(fresh_url, scenario)
