"""Bans and silences: in force for their time, for IPv6 networks as a whole, and after a restart."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.exc import DBAPIError

from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import operator_acts
from ludus.site.moderation import acts
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.safety.limits import neighbourhood


def opened(url, scenario):
    async def run():
        database = await Database.open(url)
        try:
            await scenario(database)
        finally:
            await database.close()

    asyncio.run(run())


async def restricted(restrictions, database, *what):
    restrictions.note(await database.write(lambda connection: restrictions.write(connection, *what)))


def test_a_ban_for_a_time_ends_and_one_for_good_survives_restarts(fresh_url):
    now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    here = neighbourhood("2001:db8:1:2:3::4")

    async def scenario(database):
        nonlocal now
        restrictions = Restrictions(lambda: now)
        await restrictions.open(database)
        await restricted(restrictions, database, "ban", "account a1", "Ann", "spam", 24.0)
        await restricted(restrictions, database, "ban", f"address {here}", here, "a flood.", None)
        await restricted(restrictions, database, "silence", "guest g1", "Guest g1", "rude", 1.0)
        assert restrictions.of("ban", "account b2", "account a1").sentence == (
            "The operator has banned you from this site until 30 November 2026, 12:00 UTC. Reason: spam."
        )
        assert restrictions.ban_of(neighbourhood("2001:db8:1:2:ffff::")) == (
            "The operator has banned you from this site for good. Reason: a flood."
        )
        assert restrictions.ban_of(neighbourhood("2001:db8:1:3::")) is None
        assert "silenced you in chats until" in restrictions.silence_of("guest g1", "192.0.2.1")
        assert restrictions.ban_of("192.0.2.1") is None
        now += timedelta(hours=2)
        again = Restrictions(lambda: now)
        await again.open(database)
        assert again.silence_of("guest g1", "") is None
        assert again.of("ban", "account a1")
        now += timedelta(days=400)
        assert again.of("ban", "account a1") is None
        assert [each.name for each in again.all()] == [here]

    opened(fresh_url, scenario)


def test_a_second_ban_replaces_the_first_and_lifting_ends_it(fresh_url):
    async def scenario(database):
        restrictions = Restrictions()
        await restrictions.open(database)
        for hours in (1.0, None):
            await restricted(restrictions, database, "ban", "account a1", "Ann", "spam", hours)
        (ban,) = restrictions.all()
        assert ban.until is None
        await database.write(lambda connection: restrictions.lift(connection, ban))
        restrictions.forget(ban)
        assert restrictions.all() == []
        await restrictions.open(database)
        assert restrictions.all() == []

    opened(fresh_url, scenario)


@pytest.mark.parametrize("change", [operator_acts.delete(), operator_acts.update().values(who="nobody")])
def test_the_log_of_acts_can_only_grow(fresh_url, change):
    async def scenario(database):
        await database.write(lambda connection: acts.note(connection, "Olga", "192.0.2.1", "ban", "Ann", "spam"))
        with pytest.raises(DBAPIError, match="append-only"), database._writing.begin() as connection:
            connection.execute(change)
        (act,) = await acts.latest(database)
        assert (act.who, act.act, act.subject, act.why) == ("Olga", "ban", "Ann", "spam")

    opened(fresh_url, scenario)
