"""The rules of moves run in worker threads, in the order of a game's changes, and in turns for the addresses."""

import asyncio
import threading
from contextlib import contextmanager

import pytest

from ludus.errors import BadInput
from ludus.games.calls import Calls
from ludus.games.game import Position
from ludus.site.live.view import ply_view
from ludus.site.messages.requests import Timing
from ludus.site.safety.fair_queue import AT_ONCE
from ludus.site.table.table import Table
from ludus.site.wallgame_io.dialect import WallgameIoWatcher


@pytest.fixture
def work(monkeypatch):
    """Return a list of the threads in which rules run and positions are described."""
    threads = []

    def noted(function):
        def outer(*what):
            threads.append(threading.current_thread())
            return function(*what)

        return outer

    monkeypatch.setattr(Calls, "_call", noted(Calls._call))
    monkeypatch.setattr(Position, "describe", noted(Position.describe))
    return threads


class Gate:
    """Makes moves wait in their threads, and notes them as they begin."""

    def __init__(self, monkeypatch):
        self.begun, self._open = [], threading.Event()
        self._open.set()
        act = Table.act

        def waits(table, side, action, *more):
            self.begun.append(action)
            assert self._open.wait(60)
            return act(table, side, action, *more)

        monkeypatch.setattr(Table, "act", waits)

    async def until_begun(self, number=1):
        while len(self.begun) < number:
            await asyncio.sleep(0.001)

    @contextmanager
    def shut(self):
        self._open.clear()
        self.begun.clear()
        try:
            yield
        finally:
            self._open.set()


@pytest.fixture
def gate(monkeypatch):
    return Gate(monkeypatch)


def moved(game, action, address=""):
    """Begin a move of the side to move."""
    side, ply = game.table.position.to_play, game.table.ply
    return asyncio.create_task(game.play(lambda table, now: table.act(side, action, ply, now), address))


def test_the_event_loop_applies_no_rules_for_moves_takebacks_results_and_views(with_hall, work):
    async def scenario(scene):
        game, here = (await scene.of_two())[0].game, threading.current_thread()
        watchers = [await scene.visit(game)]
        programs = [WallgameIoWatcher(game, side, "t") for side in (0, 1)]
        work.clear()
        for column in (3, 3, 4, 4, 5, 5):
            await moved(game, column)
        assert work, "the moves were counted"
        for side, text in ((0, "1"), (1, "1")):
            await programs[side].obey(f'{{"type": "submit-move", "move": "{text}"}}')
        with pytest.raises(BadInput, match="names no action"):
            await programs[0].obey('{"type": "submit-move", "move": "Zz9"}')
        for ply in range(8):
            await ply_view(game, ply, scene.live_games._openings, "192.0.2.1")
        await game.do(lambda table, now: table.taken_back(0, now))
        await game.do(lambda table, now: table.taken_back(1, now))
        watchers[0].take()
        await game.do(lambda table, now: table.resign(0, now))
        watchers[0].take()
        assert here not in work

    with_hall(scenario)


def test_the_move_of_a_bot_is_played_in_a_worker_thread(at_site, scripted_bot, guest_at, monkeypatch):
    played = []
    play = Table.play
    monkeypatch.setattr(Table, "play", lambda *what: played.append(threading.current_thread()) or play(*what))

    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.my_turn()
        assert len(played) == 1
        assert threading.current_thread() not in played

    at_site(scenario)


def test_changes_of_a_game_keep_their_order_while_a_move_is_computed(with_hall, gate):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        with gate.shut():
            tasks = [moved(game, 3)]
            await gate.until_begun()
            tasks += [moved(game, 4), asyncio.create_task(game.do(lambda table, now: table.resign(1, now)))]
            await asyncio.sleep(0)
            assert (game.table.ply, game.table.over) == (0, False)
        first, late, resigned = await asyncio.gather(*tasks, return_exceptions=True)
        assert (first, resigned) == (None, None)
        assert str(late) == "It is not your turn."
        assert ([move.text for move in game.table.moves], game.table.result.winner) == (["4"], 0)

    with_hall(scenario)


def test_a_takeback_during_a_move_takes_that_move_back(with_hall, gate):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        await moved(game, 0)
        with gate.shut():
            playing = moved(game, 3)
            await gate.until_begun()
            taking = asyncio.create_task(game.do(lambda table, now: table.taken_back(1, now)))
            await asyncio.sleep(0)
        await asyncio.gather(playing, taking)
        assert [move.text for move in game.table.moves] == ["1"]

    with_hall(scenario)


def test_a_move_before_the_flag_falls_counts_although_its_rules_take_longer(with_hall, gate):
    async def scenario(scene):
        timing = Timing(initial_seconds=60, increment_seconds=0)
        game = (await scene.of_two(timing=timing))[0].game
        await moved(game, 0)
        await moved(game, 1)
        scene.ms += 59_000
        with gate.shut():
            playing = moved(game, 2)
            await gate.until_begun()
            scene.ms += 2_000
            falling = asyncio.create_task(game.do(lambda table, _now: table))
            await asyncio.sleep(0)
        await asyncio.gather(playing, falling)
        assert (len(game.table.moves), game.table.over) == (3, False)
        assert game.table.clock.left_at(scene.ms) == (1_000, 60_000)

    with_hall(scenario)


def test_nothing_is_shown_before_it_is_stored(with_hall, monkeypatch):
    async def scenario(scene):
        game, order = (await scene.of_two())[0].game, []
        save = scene.store.save

        async def stored(*what):
            await save(*what)
            order.append("stored")

        monkeypatch.setattr(game._store, "save", stored)
        game.listeners.append(lambda _game, _event: order.append("shown"))
        await moved(game, 3)
        assert order == ["stored", "shown"]

    with_hall(scenario)


def test_addresses_take_turns_and_one_game_never_blocks_others(with_hall, gate):
    async def scenario(scene):
        games = [(await scene.of_two())[0].game for _ in range(8)]
        other = (await scene.of_two())[0].game
        with gate.shut():
            flood = [moved(game, 1, "192.0.2.1") for game in games]
            await gate.until_begun(AT_ONCE)
            mine = moved(other, 6, "192.0.2.2")
            await asyncio.sleep(0.01)
        await asyncio.gather(*flood, mine)
        assert gate.begun.index(6) == AT_ONCE
        with gate.shut():
            slow = moved(games[0], 2, "192.0.2.1")
            await gate.until_begun()
            await other.do(lambda table, now: table.resign(0, now))
            assert other.table.over, "resigning needs no rules"
        await slow

    with_hall(scenario)


def test_requests_for_the_same_earlier_position_share_one_description(with_hall, work):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        for column in (0, 1, 2, 3, 4, 5, 6, 0):
            await moved(game, column)
        work.clear()
        views = [ply_view(game, 1, scene.live_games._openings, f"192.0.2.{each}") for each in range(20)]
        boards = [view.board for view in await asyncio.gather(*views)]
        assert all(board is boards[0] for board in boards)
        assert len(work) <= 3, "one description, and what it asks of the rules"

    with_hall(scenario)


def test_an_unlimited_number_of_games_may_have_moves_waiting(with_hall, gate, monkeypatch):
    monkeypatch.setattr("ludus.site.safety.fair_queue.MAX_WAITING", 2)
    monkeypatch.setattr("ludus.site.safety.fair_queue.MAX_OWN", 2)

    async def scenario(scene):
        games = [(await scene.of_two())[0].game for _ in range(12)]
        with gate.shut():
            moves = [moved(game, 1, "192.0.2.1") for game in games]
            await gate.until_begun(AT_ONCE)
        await asyncio.gather(*moves)
        assert [game.table.ply for game in games] == [1] * 12

    with_hall(scenario)
