"""Games over days: they need accounts, leave memory, and end at their deadlines, after a restart too."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select

from ludus.errors import BadInput
from ludus.site.database.people_schema import accounts
from ludus.site.database.records import DAY_MS
from ludus.site.faults import NotLoggedIn
from ludus.site.lobby.own_games import own_games
from ludus.site.messages.requests import JoinGame, Timing
from ludus.site.people.accounts import Account
from ludus.site.people.visitors import Visitor

DAY_S = DAY_MS // 1000
THREE_DAYS = Timing(days_per_move=3)


async def account(scene, name):
    """Return a visitor with an account."""
    at = datetime.now(UTC)
    row = {"id": name, "name": name, "settings": {}, "made_at": at}
    compared = {"folded": name.lower(), "skeleton": name, "password_hash": "-"}

    def work(connection):
        if not connection.execute(select(accounts.c.id).where(accounts.c.id == name)).first():
            connection.execute(insert(accounts).values(**row, **compared))

    await database_of(scene).write(work)
    return Visitor("guest", Account(**row), "session", needs_cookie=False)


def database_of(scene):
    return scene.store._database


async def of_two(scene):
    """Open a game over days between the accounts Ann and Bob."""
    placed = await scene.waiting(timing=THREE_DAYS, visitor=await account(scene, "Ann"))
    assert await scene.reception.join(placed.game, JoinGame(), await account(scene, "Bob"))
    return placed.game


async def after_two_moves(scene):
    game = await of_two(scene)
    for side, column in ((0, 3), (1, 4)):
        await game.do(lambda table, now, side=side, column=column: table.act(side, column, table.ply, now))
    return game


def test_both_players_need_an_account(with_hall):
    async def scenario(scene):
        with pytest.raises(NotLoggedIn, match="over days"):
            await scene.waiting(timing=THREE_DAYS)
        placed = await scene.waiting(timing=THREE_DAYS, visitor=await account(scene, "Ann"))
        with pytest.raises(NotLoggedIn, match="over days"):
            await scene.join(placed.game, "Bob")
        with pytest.raises(BadInput, match="already have the other seat"):
            await scene.reception.join(placed.game, JoinGame(), await account(scene, "Ann"))

    with_hall(scenario)


def test_the_first_clock_runs_when_both_seats_are_taken(with_hall):
    async def scenario(scene):
        game = await of_two(scene)
        assert game.table.clock.falls_at == scene.ms + 3 * DAY_MS
        assert game.presence.claimable_at(0) is None, "who is away loses at the deadline, not before"

    with_hall(scenario)


def test_an_unattended_game_leaves_memory_and_loses_its_time_nevertheless(with_hall):
    async def scenario(scene):
        game = await after_two_moves(scene)
        begun = scene.ms
        await scene.later(3600)
        assert game.id not in scene.live_games.games
        await scene.later(3 * DAY_S - 3601)
        assert game.id not in scene.live_games.games
        await scene.later(1)
        ended = scene.live_games.games[game.id]
        await ended.do(lambda table, _now: table)
        assert (ended.table.result.winner, ended.table.result.reason) == (1, "timeout")
        assert ended.table.ended_at == begun + 3 * DAY_MS

    with_hall(scenario)


def test_a_move_after_a_day_gives_the_other_player_all_days(with_hall):
    async def scenario(scene):
        game = await of_two(scene)
        await scene.later(DAY_S)
        again = await scene.live_games.find(game.id)
        await again.do(lambda table, now: table.act(0, 3, 0, now))
        assert again.table.clock.falls_at == scene.ms + 3 * DAY_MS
        assert again.table.clock.left == (3 * DAY_MS, 3 * DAY_MS)

    with_hall(scenario)


def test_after_a_restart_a_game_stays_in_the_database_until_its_deadline(with_hall):
    kept = {}

    async def before(scene):
        game = await after_two_moves(scene)
        kept["id"], kept["falls_at"] = game.id, game.table.clock.falls_at
        scene.ms += 1000

    async def after(scene):
        assert not scene.live_games.games, "idle games over days are loaded when they are needed"
        scene.ms = kept["falls_at"] + 59_000 - 1  # the time in which the site was down does not count
        await scene.evictor.sweep()
        assert not scene.live_games.games
        await scene.later(0.001)
        game = scene.live_games.games[kept["id"]]
        await game.do(lambda table, _now: table)
        assert game.table.result.reason == "timeout"

    with_hall(before, after, idle_kept_s=0.0)


def test_a_seat_waits_a_week_for_its_second_player(with_hall):
    async def scenario(scene):
        placed = await scene.waiting("matchmaking", THREE_DAYS, await account(scene, "Ann"))
        await scene.later(6 * DAY_S)
        assert placed.game.table.waiting
        await scene.later(2 * DAY_S)
        assert placed.game.table.result.reason == "aborted"

    with_hall(scenario)


def test_an_account_has_a_limited_number_of_games(with_hall):
    async def scenario(scene):
        for _ in range(2):
            await scene.waiting(timing=THREE_DAYS, visitor=await account(scene, "Ann"))
        with pytest.raises(BadInput, match="2 unfinished games over days"):
            await scene.waiting(timing=THREE_DAYS, visitor=await account(scene, "Ann"))
        await scene.waiting(timing=Timing(initial_seconds=60), visitor=await account(scene, "Ann"))

    with_hall(scenario, max_days_games=2)


def test_a_players_list_has_the_deadline(with_hall):
    async def scenario(scene):
        await of_two(scene)
        (game,) = (await own_games(database_of(scene), "Ann", {})).games
        assert game.deadline == (scene.ms + 3 * DAY_MS) / 1000

    with_hall(scenario)
