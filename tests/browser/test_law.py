"""A game's module searches as machine code does: the same visits, values, proofs and lines, to the last bit."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.browser.conftest import SETTINGS, Question, ask_natively

import ludus
from ludus.games.game import Game, Position
from ludus.games.registry import own_game
from ludus.players.thinking.thought import Thought
from ludus.search.settings import SearchSettings

EXAMPLES = sorted(
    path for path in Path(__file__).parents[2].joinpath("examples").glob("*.py") if "def legal" in path.read_text()
)
BOARDS = (
    "tictactoe",
    "connect4:ahead",
    "wallgame:classic:8x8:ways",
    "wallgame:standard:5x5",
    "wallgame:freestyle:12x10",
    "wallgame:animal-cycle:8x8",
    "chess",
    "go:9x9:chinese:liberties",
    "go:13x13",
    "gomoku:15x15:threats:fours",
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


def compare(asked: list[Question], found: list[dict[str, Any]], expected: list[Thought]) -> None:
    for (_, limits), ours, theirs in zip(asked, found, expected, strict=True):
        assert "error" not in ours, ours
        by_chance = limits.get("temperature", 0.0) > 0.0
        for name in ("value", "draw", "visits", "proof", "kept", *(() if by_chance else ("best",))):
            assert ours[name] == getattr(theirs, name), (name, ours, theirs)
        assert by_chance or ours["action"] == theirs.best[0]
        lines = [
            tuple(each[name] for name in ("action", "visits", "value", "draw", "prior", "proof", "actions", "winsIn"))
            for each in ours["lines"]
        ]
        assert lines == [
            (each.action, each.visits, each.value, each.draw, each.prior, each.proof, each.line, each.wins_in)
            for each in theirs.candidates
        ]


def agree(
    ask_module,
    game: Game,
    limits: list[dict[str, Any]],
    walks: int,
    plies: int,
    room: int = 0,
    settings: SearchSettings = SETTINGS,
) -> list[Thought]:
    asked = questions(game, limits, walks, plies)
    with_room = {"visits": room or 2 * max(each["visits"] for each in limits), "settings": settings}
    expected = ask_natively(game, asked, **with_room)
    compare(asked, ask_module(game, asked, **with_room), expected)
    return expected


def test_a_built_in_game_is_searched_alike(ask_module):
    limits = [
        {"visits": 200, "lines": LINES},
        {"visits": 150, "lines": 1, "breadth": 5},
        {"visits": 300, "lines": LINES, "mayStop": True},
        {"visits": 100, "lines": 0, "temperature": 0.5},
    ]
    agree(ask_module, ludus.game("connect4:ahead"), limits, walks=2, plies=6)


def test_full_trees_and_deadlines_end_a_search_alike(ask_module):
    limits = [
        {"visits": 1000, "lines": LINES, "prunes": True},
        {"visits": 150, "lines": 1, "seconds": 1e-9},
        {"visits": 150, "lines": 1, "seconds": 1e-9, "extension": 1e9},  # used if the search is unsure
    ]
    found = agree(ask_module, ludus.game("connect4:ahead"), limits, walks=3, plies=6, room=200)
    assert max(each.visits for each in found) >= 1000
    assert {2, 150} <= {each.visits for each in found}


@pytest.mark.parametrize(
    "settings",
    [
        {"cpuct": 1.25, "cpuct_base": 30.0, "fpu_reduction": 0.3, "choice": "visits"},
        {"proofs": False, "policy_temperature": 1.0, "cache_entries": 0},
    ],
    ids=["growing weight of priors", "no proofs"],
)
def test_other_settings_are_searched_alike(ask_module, settings):
    changed = msgspec.structs.replace(SETTINGS, **settings)
    limits = [{"visits": 300, "lines": LINES}]
    agree(ask_module, ludus.game("connect4:ahead"), limits, walks=2, plies=3, settings=changed)


def test_only_some_actions_are_considered(ask_module):
    game = ludus.game("connect4:ahead")
    asked = [(game.start(), {"visits": 60, "lines": 1, "only": only}) for only in ([2, 6], [0])]
    found = ask_module(game, asked, visits=200)
    compare(asked, found, ask_natively(game, asked, visits=200))
    assert [sorted(line["action"] for line in each["lines"]) for each in found] == [[2, 6], [0]]


def test_a_game_of_a_users_file_is_searched_alike(ask_module, own):
    agree(ask_module, own, [{"visits": 100, "lines": LINES}], walks=2, plies=5)


def test_the_length_of_a_proved_win_is_counted_alike(ask_module, own):
    asked = [(own.start(stones), {"visits": 300, "lines": LINES}) for stones in (9, 7, 8)]
    expected = ask_natively(own, asked, visits=600)
    compare(asked, ask_module(own, asked, visits=600), expected)
    assert [each.candidates[0].wins_in for each in expected] == [3, 2, 2]  # the other side wins with 8 stones


def test_an_error_of_the_rules_is_told_and_the_next_search_works(ask_module, own):
    asked = [(own.start(each), {"visits": 100, "lines": 1}) for each in (200, 20)]
    broken, whole = ask_module(own, asked, visits=200)
    assert broken["kind"] == "RulesError"
    assert (
        broken["error"]
        == f"The rules of {own.name.rpartition('/')[2]} raised an error (ValueError: there are too many stones)."
    )
    compare(asked[1:], [whole], ask_natively(own, asked[1:], visits=200))


@pytest.mark.full
@pytest.mark.parametrize("spec", BOARDS)
def test_every_built_in_game_is_searched_alike(ask_module, spec):
    agree(ask_module, ludus.game(spec), [{"visits": 400, "lines": LINES}], walks=10, plies=5)


@pytest.mark.full
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_is_searched_alike(ask_module, file):
    agree(ask_module, own_game(str(file)), [{"visits": 400, "lines": LINES}], walks=10, plies=5)


@pytest.mark.full
@pytest.mark.parametrize("spec", ["connect4:ahead", "wallgame:classic:8x8:ways", "chess"])
def test_chromium_searches_alike(ask_chromium, spec):
    agree(ask_chromium, ludus.game(spec), [{"visits": 400, "lines": LINES}], walks=2, plies=5)


@pytest.mark.full
def test_long_sums_round_alike(ask_module):
    agree(ask_module, ludus.game("connect4"), [{"visits": 6_000, "lines": LINES}], walks=1, plies=2)
