"""Imported games take a limited amount of memory, however many and however long they are."""

import asyncio

import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.annotations import MAX_ACTIONS
from ludus.games.records import RecordedGame
from ludus.site.archive import replay
from ludus.site.archive.link import write_link
from ludus.site.archive.replay import Lines
from ludus.site.archive.texts import read_text
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.study import weight
from ludus.site.study.weight import weight_of

MOVES = ["4 4", "4 3", "3 3", "5 5"]


def link_of(moves):
    last = ludus.game("connect4").start()
    for move in moves.split():
        last = last.play(move)
    return write_link(last, names=("a", "b"), winner=None, reason="", ended=None)


@pytest.fixture
def lines():
    threads = WorkerThreads()
    yield Lines(threads)
    threads.close()


def looked_at(lines, links):
    """Look at games one after the other, and return which of them are kept then."""

    async def scenario():
        return [await lines.of_link(link, "") for link in links]

    shown = asyncio.run(scenario())
    return [shown.index(line) for line in lines._kept.values()]


def test_kept_games_are_weighed_and_not_only_counted(lines, monkeypatch):
    links = [link_of(moves) for moves in MOVES]
    one = weight_of(replay._play_link(links[0]).last)
    assert one > 3 * weight.OVERHEAD_BYTES
    monkeypatch.setattr(replay, "KEPT_BYTES", 2 * one)
    assert looked_at(lines, links) == [2, 3]
    assert sum(lines._weights.values()) == 2 * one
    assert lines._weights.keys() == lines._kept.keys()


def test_a_game_heavier_than_all_that_is_kept_is_kept_alone(lines, monkeypatch):
    monkeypatch.setattr(replay, "KEPT_BYTES", 1)
    assert looked_at(lines, [link_of(moves) for moves in MOVES]) == [3]


def test_a_game_that_is_looked_at_again_weighs_once(lines):
    link = link_of(MOVES[0])
    looked_at(lines, [link, link])
    assert [*lines._weights.values()] == [weight_of(next(iter(lines._kept.values())).last)]


def test_a_text_brings_no_game_whose_states_grow_by_its_name():
    with pytest.raises(BadInput, match="has the option `plies=`, which this site does not allow; leave it out"):
        read_text('[Game "go:19x19:plies=8191"]\n\n1. A1 *')


def test_a_text_of_too_many_moves_is_refused_before_it_is_played(monkeypatch):
    monkeypatch.setattr(RecordedGame, "positions", lambda *_: pytest.fail("it was played"))
    with pytest.raises(BadInput, match=f"has {MAX_ACTIONS + 1} moves; a link can contain at most {MAX_ACTIONS}"):
        read_text('[Game "go:19x19"]\n\n' + "pass " * (MAX_ACTIONS + 1))
