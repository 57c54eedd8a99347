"""The opening explorer: the index of openings, and what it answers about a position."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select, update

from ludus.errors import BadInput
from ludus.games.registry import game
from ludus.site.archive import opening_index
from ludus.site.archive.opening_index import BATCH, MAX_MOVES, NUM_SAMPLES, OpeningIndex, position_key, steps_of
from ludus.site.archive.openings import OpeningBook
from ludus.site.database.database import Database
from ludus.site.database.games import GameStore
from ludus.site.database.people_schema import rated_games
from ludus.site.database.records import GameProgress, GameRow, MoveRow, SeatRow
from ludus.site.database.schema import games
from ludus.site.messages.study import StudyLine
from ludus.site.safety.fair_queue import WorkerThreads

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANN, BO = SeatRow("person", "Ann", host=True), SeatRow("person", "Bo")


def finished(name, moves, spec="chess", winner=0, reason="resignation", day=0, **changes):
    short, _, rest = spec.partition(":")
    progress = GameProgress("over", winner=winner, reason=reason, ended_at=NOON + timedelta(days=day))
    values = {
        "id": name, "spec": spec, "game": short, "variant": rest.split(":")[0] or "standard", "width": 8, "height": 8,
        "setup": None, "kind": "friend", "rated": False, "initial_ms": None, "increment_ms": None, "preset": None,
        "series": name, "score_0": 0.0, "score_1": 0.0, "created_at": NOON, "seats": (ANN, BO), "progress": progress,
        "moves": [MoveRow(text, None, None, NOON) for text in moves.split()],
    }  # fmt: skip
    return GameRow(**values | changes)


@pytest.fixture
def with_openings(fresh_url):
    """Return a function that counts games and runs `async def (look_up, database, count)`."""

    def run(scenario, *rows):
        async def opened():
            database, threads = await Database.open(fresh_url), WorkerThreads()
            index, book = OpeningIndex(threads), OpeningBook(lambda: database, threads)

            async def count():
                while await index.count(database):
                    pass

            async def look_up(spec, *moves, **more):
                return await book.look_up(StudyLine(spec=spec, moves=list(moves), **more), "a")

            try:
                for row in rows:
                    await GameStore(database).add(row)
                await count()
                await scenario(look_up, database, count)
            finally:
                threads.close()
                await database.close()

        asyncio.run(opened())

    return run


def test_moves_come_with_counts_results_and_sample_games(with_openings):
    async def scenario(look_up, _database, _count):
        found = await look_up("chess")
        told = [(move.text, move.games, move.wins) for move in found.moves]
        assert told == [("e4", 3, (1, 1)), ("d4", 1, (1, 0))]
        assert (found.games, found.to_play, found.complete, found.most_moves) == (4, 0, True, MAX_MOVES)
        assert [(each.move, each.game.id) for each in found.samples] == [
            ("e4", "g3"), ("d4", "g4"), ("e4", "g2"), ("e4", "g1"),
        ]  # fmt: skip
        assert [player.name for player in found.samples[0].game.players] == ["Ann", "Bo"]
        after = await look_up("chess", "e4")
        assert ([(move.text, move.games) for move in after.moves], after.to_play) == ([("e5", 2), ("c5", 1)], 1)
        assert [move.actions for move in after.moves] == [
            game("chess").start().play("e4").parse(t) for t in ("e5", "c5")
        ]
        nothing = await look_up("chess", "h3")
        assert (nothing.games, nothing.moves, nothing.samples) == (0, [], [])
        with pytest.raises(BadInput):
            await look_up("chess", "e5")

    with_openings(
        scenario,
        finished("g1", "e4 e5 Nf3", winner=0),
        finished("g2", "e4 c5", winner=1, day=1),
        finished("g3", "e4 e5", winner=None, reason="agreement", day=2),
        finished("g4", "d4 d5", day=3),
    )


def test_a_position_is_the_same_whatever_the_order_of_its_moves(with_openings):
    async def scenario(look_up, _database, _count):
        found = await look_up("chess", "c4", "Nf6", "d4")
        assert [(move.text, move.games) for move in found.moves] == [("e6", 1), ("g6", 1)]
        assert found.games == 2

    with_openings(scenario, finished("g1", "d4 Nf6 c4 e6"), finished("g2", "c4 Nf6 d4 g6", day=1))


def test_positions_differ_if_their_choices_do():
    start = game("chess").start()

    def key(moves):
        position = start
        for move in moves.split():
            position = position.play(move)
        return position_key(position)

    assert key("Nf3 Nf6 Ng1 Ng8") == key("")
    assert key("e4") != key("e3")
    # the same pieces, but White's king may no longer castle
    assert key("e4 e5 Ke2 Ke7 Ke1 Ke8") != key("e4 e5")
    # the same pieces, but a pawn may be taken in passing
    assert key("e4 a6 e5 d5") != key("e3 d6 e4 d5 e5 a6")
    other = game("gomoku:freestyle:15x15").start(), game("gomoku:renju:15x15").start()
    assert position_key(other[0]) != position_key(other[1])


def test_a_move_of_several_actions_can_be_looked_up_in_its_middle(with_openings):
    spec = "wallgame:classic:5x5"

    async def scenario(look_up, _database, _count):
        whole = await look_up(spec)
        assert [(move.text, len(move.actions), move.games) for move in whole.moves] == [("Cb5.>c3", 2, 1)]
        first = whole.moves[0].actions[:1]
        half = await look_up(spec, actions=first)
        assert [(move.text, move.actions) for move in half.moves] == [("Cb5.>c3", whole.moves[0].actions[1:])]
        other = next(each for each in game(spec).start().actions if each != first[0])
        assert (await look_up(spec, actions=[other])).moves == []

    row = finished("g1", "Cb5.>c3 Cd5", spec, game="wallgame", variant="classic", width=5, height=5)
    with_openings(scenario, row)


def test_games_that_nobody_may_find_are_not_counted(with_openings):
    async def scenario(look_up, database, count):
        assert (await look_up("chess")).games == 0
        uncounted = select(games.c.id).where(games.c.in_openings.is_(None))
        rows = await database.read(lambda connection: connection.execute(uncounted).scalars().all())
        assert rows == ["running"], "the others are not looked at again"
        await count()

    with_openings(
        scenario,
        finished("aborted", "e4", reason="aborted", winner=None),
        finished("private", "e4", kind="private"),
        finished("running", "e4", progress=GameProgress("playing")),
        finished("damaged", "e4 Ke7 e5"),
    )


def test_a_game_is_counted_once_and_in_its_first_moves_only(with_openings):
    there_and_back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"

    async def scenario(look_up, database, count):
        assert [(move.text, move.games) for move in (await look_up("chess")).moves] == [("Nf3", 1)]
        await database.write(lambda connection: connection.execute(update(games).values(in_openings=None)))
        await count()
        assert [move.games for move in (await look_up("chess")).moves] == [2], "counted again only after this reset"
        await count()
        assert [move.games for move in (await look_up("chess")).moves] == [2]

    with_openings(scenario, finished("g1", there_and_back))
    apart = [f"{column}{row}" for row in (1, 4, 7, 10) for column in "acegikmo"]
    assert len(steps_of(game("gomoku:freestyle:15x15").start(), apart)) == MAX_MOVES


def test_many_games_are_counted_in_small_batches_and_the_latest_are_samples(with_openings):
    rows = [finished(f"g{number}", "e4", day=number) for number in range(BATCH + 3)]

    async def scenario(look_up, database, count):
        found = await look_up("chess")
        assert found.games == BATCH + 3
        assert [each.game.id for each in found.samples] == [f"g{BATCH + 2 - back}" for back in range(NUM_SAMPLES)]
        await GameStore(database).add(finished("new", "d4", day=99))
        assert not (await look_up("chess")).complete
        await count()
        found = await look_up("chess")
        assert (found.games, found.complete) == (BATCH + 4, True)

    with_openings(scenario, *rows)


def test_ratings_are_averages_of_the_players_of_a_move(with_openings):
    def rated(game_id, first, second):
        values = {"game_id": game_id, "before_0": first, "before_1": second, "at": NOON}
        return lambda connection: connection.execute(insert(rated_games).values(**values))

    async def scenario(look_up, database, count):
        for name, day, ratings in (("g1", 0, (1500.0, 1700.0)), ("g2", 1, (1600.0, 1800.0))):
            await GameStore(database).add(finished(name, "e4 e5", rated=True, day=day))
            await database.write(rated(name, *ratings))
        await count()
        assert [move.rating for move in (await look_up("chess")).moves] == [1550, None]
        assert [move.rating for move in (await look_up("chess", "e4")).moves] == [1750]

    with_openings(scenario, finished("unrated", "d4"))


def test_a_rated_game_waits_for_its_ratings(with_openings, monkeypatch):
    async def scenario(look_up, database, count):
        ended = GameProgress("over", reason="resignation", ended_at=datetime.now(UTC))
        await GameStore(database).add(finished("g1", "e4", rated=True, progress=ended))
        await count()
        assert (await look_up("chess")).games == 0
        monkeypatch.setattr(opening_index, "RATING_WAIT", timedelta(0))
        await count()
        assert (await look_up("chess")).games == 1

    with_openings(scenario)


def test_a_game_on_the_site_is_counted_after_its_end(at_site, guest_at):
    async def scenario(address, _site):
        host = await guest_at(address).invite(config={"game": "tictactoe", "boardWidth": 3, "boardHeight": 3})
        other = await guest_at(address).sit_down(host.id)
        for player, action in ((host, 4), (other, 0)):
            await player.play(action)
        await host.my_turn()
        await host.say(type="resign")
        await host.over()
        for _ in range(600):
            found = await host.ask("POST", "/api/study/openings", {"spec": "tictactoe"})
            if found["games"]:
                break
            await asyncio.sleep(0.05)
        assert [(move["actions"], move["wins"]) for move in found["moves"]] == [([4], [0, 1])]
        assert found["samples"][0]["game"]["id"] == host.id

    at_site(scenario)


def test_counting_ends_although_a_game_ends_in_the_same_moment(monkeypatch):
    class NoGames:
        async def read(self, _query):
            return []

    async def scenario():
        index = OpeningIndex(threads)
        counting = asyncio.create_task(index.run(NoGames()))
        await asyncio.sleep(0.1)  # it waits for the next game
        index.wake()
        counting.cancel()
        await asyncio.wait({counting}, timeout=5.0)
        assert counting.cancelled(), "a site that stops would wait for it forever"

    monkeypatch.setattr(opening_index, "LEAST_PAUSE_S", 0.0)
    threads = WorkerThreads()
    try:
        asyncio.run(scenario())
    finally:
        threads.close()
