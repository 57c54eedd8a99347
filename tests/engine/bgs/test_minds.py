"""The choice of a session's player: one trained on the board, or one trained on a board with the same rules."""

import random
from pathlib import Path

import pytest

import ludus
from ludus.bot.levels import ModelGames, bots_of_models
from ludus.engine.bgs.minds import sit_down
from ludus.errors import BadInput
from ludus.games.registry import BUILT_IN, about, game
from ludus.protocol.bgs import SessionConfig


class Willing:
    """A player that accepts every position."""

    def __init__(self, *games):
        self.name, self.games = "willing", games

    def seat(self, position, *, seed=0):
        return position.game.name


@pytest.mark.parametrize(
    ("model", "config", "played"),
    [
        ("wallgame:standard:12x10", SessionConfig("freestyle", 12, 10), "wallgame:freestyle:12x10:short"),
        ("wallgame:freestyle:12x10", SessionConfig("standard", 8, 8), "wallgame:standard:8x8@12x10:short"),
        ("wallgame:standard:8x8", SessionConfig("standard", 8, 8), "wallgame:standard:8x8:short"),
        ("wallgame:classic:12x10", SessionConfig("freestyle", 12, 10), None),
        ("gomoku:standard:15x15", SessionConfig("freestyle", 15, 15, game="gomoku"), None),
        ("gomoku:freestyle:15x15", SessionConfig("standard", 15, 15, game="gomoku"), None),
        ("gomoku:15x15", SessionConfig("freestyle", 15, 15, game="gomoku"), "gomoku:15x15"),
        ("gomoku:standard:15x15", SessionConfig("standard", 15, 15, game="gomoku"), "gomoku:standard:15x15"),
        ("go:9x9@19x19:pass-lock", SessionConfig("standard", 13, 13, game="go"), "go:13x13@19x19"),
        ("go:9x9:chinese", SessionConfig("standard", 7, 7, game="go"), None),
    ],
)
def test_a_player_takes_variants_with_the_same_rules(model, config, played):
    if played:
        assert sit_down([Willing(model)], config)[1] == played
    else:
        with pytest.raises(BadInput, match="No model here plays"):
            sit_down([Willing(model)], config)


def test_no_variant_of_gomoku_substitutes_for_another():
    assert {variant.plays_as for variant in about("gomoku").variants} == {""}
    line = ["a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9", "f1", "f9", "e1"]  # six in a row
    ends = {}
    for variant in ("freestyle", "standard"):
        position = ludus.game(f"gomoku:{variant}:9x9").start()
        for move in line:
            position = position.play(move)
        ends[variant] = position.outcome and position.outcome.winner
    assert ends == {"freestyle": 0, "standard": None}


@pytest.mark.parametrize("seed", range(3))
def test_variants_declared_alike_have_the_same_rules(seed):
    assert about("wallgame").variant("freestyle").plays_as == "standard"
    setup = (start := game("wallgame:freestyle:6x6").start(f"random:{seed}")).game.setup(start.state)
    pair = [game(f"wallgame:{variant}:6x6").start(setup) for variant in ("freestyle", "standard")]
    chance = random.Random(seed)
    while not pair[0].outcome:
        assert pair[0].actions == pair[1].actions
        action = chance.choice(pair[0].actions)
        pair = [position.play(action) for position in pair]
    assert pair[0].outcome == pair[1].outcome


def test_only_declared_variants_substitute_for_others():
    pairs = {(name, each.value, each.plays_as) for name in BUILT_IN for each in about(name).variants if each.plays_as}
    assert pairs == {("chess", "960", "standard"), ("wallgame", "freestyle", "standard")}


def test_a_bot_for_many_boards_of_go_plays_every_registered_size():
    games = ("go:9x9@19x19", "go:19x19")
    support = bots_of_models([ModelGames(Path("many"), games)]).bots[0].variants["standard"]
    sizes = range(support.board_width.min, support.board_width.max + 1)
    played = [sit_down([Willing(*games)], SessionConfig("standard", size, size, game="go"))[1] for size in sizes]
    assert played == [*(f"go:{size}x{size}@19x19" for size in range(9, 19)), "go:19x19"]
