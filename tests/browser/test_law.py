"""A game's module searches as machine code does: the same visits, values, proofs and lines, to the last bit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.conftest import Question, ask_natively

import ludus
from ludus.games.game import Game, Position
from ludus.games.registry import own_game
from ludus.players.thinking.thought import Thought

EXAMPLES = sorted(
    path for path in Path(__file__).parents[2].joinpath("examples").glob("*.py") if "def legal" in path.read_text()
)
BOARDS = (
    "tictactoe",
    "connect4:ahead",
    "wallgame:8x8",
    "wallgame:classic:6x6",
    "chess",
    "go:9x9",
    "gomoku:9x9",
)
LINES = 3


def walk(game: Game, rng: np.random.Generator, first: int, count: int) -> list[Position]:
    """Return `count` successive positions of a random game, from the one after `first` actions on."""
    position, found = game.start(game.draw_setup(rng)), []
    for ply in range(first + count):
        if position.outcome:
            break
        found += [position] if ply >= first else []
        position = position.play(int(rng.choice(position.actions)))
    return found


def questions(game: Game, limits: list[dict[str, Any]], walks: int, plies: int) -> list[Question]:
    """Return questions about successive positions of several games, under these limits in turn."""
    rng = np.random.default_rng(1)
    game.compile()
    found: list[Question] = []
    for number in range(walks):
        found += [
            (position, limits[(number + ply) % len(limits)])
            for ply, position in enumerate(walk(game, rng, 2 * number, plies))
        ]
    return found


def compare(found: list[dict[str, Any]], expected: list[Thought]) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert "error" not in ours, ours
        for name in ("best", "value", "draw", "visits", "proof", "kept"):
            assert ours[name] == getattr(theirs, name), (name, ours, theirs)
        assert ours["action"] == theirs.best[0]
        lines = [
            (each["action"], each["visits"], each["value"], each["draw"], each["prior"], each["proof"], each["actions"])
            for each in ours["lines"]
        ]
        assert lines == [
            (each.action, each.visits, each.value, each.draw, each.prior, each.proof, each.line)
            for each in theirs.candidates
        ]


def agree(ask_module, game: Game, visits: int, walks: int, plies: int) -> None:
    asked = questions(game, [{"visits": visits, "lines": LINES}], walks, plies)
    compare(ask_module(game, asked, visits=2 * visits), ask_natively(game, asked, visits=2 * visits))


def test_a_built_in_game_is_searched_alike(ask_module):
    agree(ask_module, ludus.game("connect4:ahead"), visits=200, walks=2, plies=5)


def test_a_game_of_a_users_file_is_searched_alike(ask_module, own):
    agree(ask_module, own, visits=100, walks=2, plies=5)


@pytest.mark.full
@pytest.mark.parametrize("spec", BOARDS)
def test_every_built_in_game_is_searched_alike(ask_module, spec):
    agree(ask_module, ludus.game(spec), visits=400, walks=10, plies=5)


@pytest.mark.full
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_is_searched_alike(ask_module, file):
    agree(ask_module, own_game(str(file)), visits=400, walks=10, plies=5)


@pytest.mark.full
def test_long_sums_round_alike(ask_module):
    agree(ask_module, ludus.game("connect4"), visits=6_000, walks=1, plies=2)
