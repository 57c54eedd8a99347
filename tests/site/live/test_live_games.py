"""Live games: eviction and loading, restarts, seats, limits, and random setups."""

import asyncio
from types import SimpleNamespace

import pytest

from ludus.errors import Unavailable
from ludus.site.faults import CLOSED, RESTARTING, NotHere, NotYours
from ludus.site.live import asking
from ludus.site.live.broadcast import Declined
from ludus.site.live.opening_limits import OpeningLimits
from ludus.site.live.page_dialect import PageWatcher
from ludus.site.messages.requests import GameConfig, OpenGame, Timing
from ludus.site.people.visitors import Visitor
from ludus.site.settings import SiteSettings


def test_a_finished_game_is_evicted_and_can_be_loaded_again(with_hall):
    async def scenario(scene):
        game = await scene.against_bot()
        await game.do(lambda table, now: table.resign(0, now))
        await scene.later(901)
        assert game.id not in scene.live_games.games
        again = await scene.live_games.find(game.id)
        assert (again.table.result, again.table.moves) == (game.table.result, game.table.moves)

    with_hall(scenario, finished_kept_s=900)


def test_an_idle_game_is_evicted_and_continues_after_it_is_loaded_again(with_hall):
    async def scenario(scene):
        host, _ = await scene.of_two()
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        await scene.later(1801)
        assert not scene.live_games.games
        again = await scene.live_games.find(host.game.id)
        assert again.side_of(host.token) == 0
        await again.do(lambda table, now: table.act(1, 3, 1, now))
        assert len(again.table.moves) == 2

    with_hall(scenario, idle_kept_s=1800)


def test_a_game_with_a_running_clock_is_not_evicted_before_its_time_is_up(with_hall):
    async def scenario(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=3600, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        await scene.later(3000)
        assert host.game.id in scene.live_games.games
        scene.ms += 700_000
        await host.game.do(lambda table, _now: table)
        assert host.game.table.result.reason == "timeout"

    with_hall(scenario)


def test_a_game_with_a_bot_that_nobody_opens_is_aborted(with_hall):
    async def scenario(scene):
        unvisited, visited = await scene.against_bot(), await scene.against_bot()
        await scene.visit(visited)
        await scene.later(61)
        assert (unvisited.table.result.reason, visited.table.over) == ("aborted", False)

    with_hall(scenario, unvisited_kept_s=60)


def test_an_open_game_is_aborted_after_its_host_has_left(with_hall):
    async def scenario(scene):
        host, friend = await scene.waiting("matchmaking"), await scene.waiting("friend")
        watcher = await scene.visit(host.game, host.token)
        await scene.later(600)
        assert host.game.table.waiting
        host.game.go(watcher)
        await scene.later(61)
        assert (host.game.table.over, friend.game.table.over) == (True, False)

    with_hall(scenario, host_gone_s=60)


def test_at_most_max_games_finished_games_stay_in_memory(with_hall):
    async def scenario(scene):
        for _ in range(6):
            scene.ms += 1000
            game = await scene.against_bot()
            await game.do(lambda table, now: table.resign(0, now))
        await scene.evictor.sweep()
        assert len(scene.live_games.games) == 3
        assert game.id in scene.live_games.games

    with_hall(scenario, max_games=3)


def test_a_finished_game_with_a_spectator_does_not_count_against_the_limit(with_hall):
    async def scenario(scene):
        games = []
        for _ in range(6):
            games.append(await scene.against_bot())
            await games[-1].do(lambda table, now: table.resign(0, now))
            if len(games) == 1:
                watcher = await scene.visit(games[0])
            scene.ms += 1000
        await scene.evictor.sweep()
        assert list(scene.live_games.games) == [games[0].id, *(game.id for game in games[-3:])]
        assert watcher.closing is None

    with_hall(scenario, max_games=3)


def test_a_socket_that_comes_to_an_evicted_game_is_closed_and_must_reconnect(with_hall):
    async def scenario(scene):
        host, _ = await scene.of_two()
        late = PageWatcher(host.game, 0, host.token)
        await scene.later(1801)
        await host.game.come(late)
        assert late.closing == CLOSED
        assert not host.game.visited
        with pytest.raises(Unavailable, match=r"closed\. Try again"):
            await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        again = await scene.live_games.find(host.game.id)
        await scene.visit(again, host.token)
        await again.do(lambda table, now: table.act(0, 3, 0, now))
        assert (await scene.store.load(again.id)).moves

    with_hall(scenario, idle_kept_s=1800)


def test_a_game_with_pending_writes_is_not_evicted(with_hall, monkeypatch):
    async def scenario(scene):
        host, _ = await scene.of_two()
        save, disk = scene.store.save, asyncio.Event()

        async def slowly(*what):
            await disk.wait()
            await save(*what)

        monkeypatch.setattr(scene.store, "save", slowly)
        moving = asyncio.create_task(host.game.do(lambda table, now: table.act(0, 3, 0, now)))
        await asyncio.sleep(0)
        await scene.later(1801)
        assert await scene.live_games.find(host.game.id) is host.game
        disk.set()
        await moving
        await scene.later(1801)
        assert len((await scene.live_games.find(host.game.id)).table.moves) == 1

    with_hall(scenario, idle_kept_s=1800)


def test_no_game_is_opened_while_the_site_shuts_down(with_hall):
    async def scenario(scene):
        game = await scene.against_bot()
        watcher = await scene.visit(game)
        await scene.live_games.drain(RESTARTING)
        assert watcher.closing.code == 1012
        with pytest.raises(Unavailable, match="restarting"):
            await scene.against_bot()

    with_hall(scenario)


def test_a_restart_restores_moves_offers_seats_and_clocks(with_hall):
    kept = {}

    async def before(scene):
        host, guest = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=2))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        await host.game.do(lambda table, now: table.offer(0, "draw", now))
        scene.ms += 7_000
        kept.update(host=host, guest=guest, waiting=await scene.waiting(), bot=await scene.against_bot())

    async def after(scene):
        assert len(scene.live_games.games) == 3
        game = scene.live_games.games[kept["host"].game.id]
        assert game.table.moves == kept["host"].game.table.moves
        assert game.table.offers == kept["host"].game.table.offers
        assert game.seats == kept["host"].game.seats
        # Seven seconds had passed before the shutdown; the clock pauses from then until the player returns.
        assert game.table.clock.left_at(scene.ms) == (182_000, 173_000)
        scene.ms += 10_000
        assert game.table.clock.left_at(scene.ms) == (182_000, 173_000)
        await scene.visit(game, kept["guest"].token)
        scene.ms += 1_000
        assert game.table.clock.left_at(scene.ms) == (182_000, 172_000)
        assert scene.live_games.games[kept["waiting"].game.id].table.waiting
        assert scene.live_games.games[kept["bot"].id].seats[1].kind == "bot"

    with_hall(before, after)


def test_a_paused_clock_runs_again_after_return_grace_s_without_its_player(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        kept["id"] = host.game.id

    async def after(scene):
        scene.ms += 40_000
        assert scene.live_games.games[kept["id"]].table.clock.left_at(scene.ms) == (180_000, 170_000)

    with_hall(before, after, return_grace_s=30)


def test_the_end_of_a_clocks_pause_is_broadcast(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        kept["host"] = host

    async def after(scene):
        game = scene.live_games.games[kept["host"].game.id]
        await scene.visit(game, kept["host"].token)
        told = []
        game.listeners.append(lambda _game, event: told.append(event))
        scene.ms += 100
        await asyncio.sleep(0.5)
        assert [type(event).__name__ for event in told] == ["Seated"]

    with_hall(before, after, return_grace_s=0.1)


def test_a_seat_opens_with_its_token_only(with_hall):
    async def scenario(scene):
        host, guest = await scene.of_two()
        assert (host.game.side_of(host.token), host.game.side_of(guest.token)) == (0, 1)
        assert host.game.side_of(None) is None
        for stranger in ("", "x", host.token + "x", "\ud800"):
            with pytest.raises(NotYours):
                host.game.side_of(stranger)
        assert host.token not in repr(host.game.seats)
        with pytest.raises(NotHere):
            await scene.live_games.find("nothing")

    with_hall(scenario)


def test_only_one_of_two_concurrent_joins_gets_the_seat(with_hall):
    async def scenario(scene):
        host = await scene.waiting()
        both = await asyncio.gather(*(scene.join(host.game, name) for name in ("Bob", "Cid")))
        seated = [placed for placed in both if placed]
        assert (len(seated), None in both) == (1, True), "the other one becomes a spectator"
        assert host.game.side_of(seated[0].token) == 1

    with_hall(scenario)


def test_a_draw_offer_to_a_bot_is_declined_although_the_bot_moves_concurrently(with_hall):
    async def scenario(scene):
        game = await scene.against_bot()
        await game.do(lambda table, now: table.act(0, 3, 0, now))
        told = []
        game.listeners.append(lambda _game, event: told.append(event))
        move = game.do(lambda table, now: table.act(1, 3, 1, now))
        await asyncio.gather(asking.offer(game, 0, "draw"), move)
        assert Declined("draw", 1) in told
        assert (len(game.table.moves), game.table.offers) == (2, ())

    with_hall(scenario)


def test_the_count_of_games_being_opened_forgets_an_address_afterwards(with_hall):
    async def scenario(scene):
        await scene.waiting()
        assert not scene.live_games._limits._opening

    with_hall(scenario)


@pytest.mark.parametrize(("kinds", "taken"), [(("person", "bot"), 1), (("bot", "bot"), 2), (("person", "person"), 1)])
def test_a_match_of_two_bots_counts_as_two_games(kinds, taken):
    table, seats = SimpleNamespace(over=False), [SimpleNamespace(kind=kind) for kind in kinds]
    games = {"g": SimpleNamespace(table=table, seats=seats, opener="")}
    for most in (taken, taken + 1):
        places = OpeningLimits(games, SiteSettings(max_games=most), lambda: 0)
        if most == taken:
            with pytest.raises(Unavailable, match=f"maximum of {most} games"), places.taken("192.0.2.1"):
                pass
        else:
            with places.taken("192.0.2.1"):
                pass


DRAWN = """
from ludus import Game
from ludus.games import tictactoe
from ludus.games.tictactoe import *


def start(state, setup=None):
    tictactoe.start(state)
    if setup:
        state[setup["cross"]], state[9] = 1, 1


game = Game(name="drawn", state_size=10, num_actions=9, planes=(2, 3, 3), max_actions=9, start=start, to_play=to_play,
    legal=legal, play=play, outcome=outcome, encode=encode, draw_setup=lambda rng: {"cross": int(rng.integers(9))})
"""


async def opened(scene, game, setup=None):
    request = OpenGame(config=GameConfig(**game, setup=setup), match_type="friend", host_is_first=True)
    guest = Visitor("guest", None, None, needs_cookie=False)
    return (await scene.reception.open_game(request, guest)).game


def test_a_random_setup_is_stored_for_games_that_cannot_derive_it_from_a_state(with_hall, tmp_path):
    file = tmp_path / "drawn.py"
    file.write_text(DRAWN)
    game = {"game": "drawn", "board_width": 3, "board_height": 3}

    async def before(scene):
        for _ in range(4):
            each = await opened(scene, game)
            drawn[each.id] = each.table.position.state.tobytes()
        assert len(set(drawn.values())) > 1

    async def after(scene):
        for number, state in drawn.items():
            assert (await scene.live_games.store.load(number)).spec == "drawn"
            found = await scene.live_games.find(number)
            assert found.row.spec == str(file)
            assert found.table.position.state.tobytes() == state

    drawn = {}
    with_hall(before, after, games=(str(file),))


@pytest.mark.parametrize(("game", "variant", "sides"), [("wallgame", "freestyle", (6, 5)), ("chess", "960", (8, 8))])
def test_games_with_a_random_setup_start_from_different_positions(with_hall, game, variant, sides):
    chosen = {"game": game, "variant": variant, "board_width": sides[0], "board_height": sides[1]}

    async def scenario(scene):
        drawn = [await opened(scene, chosen) for _ in range(3)]
        assert len({repr(each.row.setup) for each in drawn}) > 1
        for each in drawn:
            again = await opened(scene, chosen, each.row.setup)
            assert again.row.setup == each.row.setup
            assert (again.table.position.state == each.table.position.state).all()

    with_hall(scenario)
