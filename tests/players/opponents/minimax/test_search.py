"""Minimax agrees with a reference, with brute force and with solved games, and respects its limits."""

import gzip
import itertools
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.rules import DRAW, FIRST_WINS
from ludus.players.opponents.minimax import Minimax, MinimaxPlayer, MinimaxSettings, deepening
from ludus.players.opponents.minimax.walk import SCALE

EXACT = MinimaxSettings(full_width=True, reduces=False, table_entries=0)
WITH_TABLE = MinimaxSettings(full_width=True, reduces=False, table_entries=1 << 14)
TICTACTOE, CONNECT4 = (ludus.game(name).compile() for name in ("tictactoe", "connect4"))
SMALL = ludus.game("wallgame:classic:3x3").compile()
SMALL_MICE = ludus.game("wallgame:standard:3x3").compile()
GAMES = [TICTACTOE, CONNECT4, SMALL, SMALL_MICE]


def after(game, draws):
    """Return the position after random actions, none of which ends the game."""
    position = game.start()
    for draw in draws:
        following = position.play(position.actions[draw % len(position.actions)])
        if following.outcome:
            break
        position = following
    return position


def reference(position, depth, *, survey=True, ply=0):
    """Return the plain minimax value of a position, seen by player 0."""
    game = position.game
    outcome = game.calls.outcome(position.state)
    if outcome:
        return 0 if outcome == DRAW else 30_000 - ply if outcome == FIRST_WINS else ply - 30_000
    if depth == 0:
        nothing = np.zeros(game.max_legal, np.int16)
        with np.errstate(over="ignore"):
            return round(SCALE * game.rules.survey(position.state, nothing, 0, nothing)) if survey else 0
    values = [reference(position.play(action), depth - 1, survey=survey, ply=ply + 1) for action in position.actions]
    return max(values) if position.to_play == 0 else min(values)


def words(position):
    return position.state.view(np.uint64)


def as_value(number):
    return number / SCALE if abs(number) < 29_000 else float(np.sign(number))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=15, deadline=None)
@given(draws=st.lists(st.integers(0, 1000), max_size=20), depth=st.integers(1, 3))
def test_without_a_table_it_returns_the_plain_minimax_value(game, draws, depth):
    position = after(game, draws)
    found = Minimax(game, EXACT).search(words(position), depth=depth)
    expected = reference(position, found.depth)
    assert found.value == as_value(expected)
    following = reference(position.play(found.action), found.depth - 1, ply=1)
    assert following == expected, "the chosen action is one of the best"
    assert found.depth == depth or abs(expected) > 29_000 or found.depth == game.max_actions


@pytest.mark.parametrize("game", [SMALL, SMALL_MICE], ids=lambda game: game.name)
@settings(max_examples=15, deadline=None)
@given(draws=st.lists(st.integers(0, 1000), min_size=4, max_size=30))
def test_it_agrees_with_brute_force_on_tiny_boards(game, draws):
    position = after(game, draws)
    found = Minimax(game, WITH_TABLE).search(words(position), depth=4)
    brute = reference(position, 4, survey=False)
    if brute:
        assert found.value == np.sign(brute), "a win within four actions is found"
    elif abs(found.value) == 1.0:
        assert found.depth >= 4, "a win that needs more than four actions is not claimed at a lower depth"
        assert reference(position, 5, survey=False) * found.value >= 0


def solve(position, known):
    """Return the value of a position of Tic-tac-toe under best play."""
    key = position.state.tobytes()
    if key not in known:
        outcome = TICTACTOE.calls.outcome(position.state)
        values = [solve(position.play(action), known) for action in position.actions] if not outcome else []
        best = max if position.to_play == 0 else min
        known[key] = best(values) if values else {1: 1, 2: -1, 3: 0}[outcome]
    return known[key]


@pytest.mark.parametrize(
    "minimax", [MinimaxSettings(), WITH_TABLE, EXACT], ids=["default", "exact with table", "exact"]
)
def test_it_solves_tictactoe(minimax):
    known = {}
    search = Minimax(TICTACTOE, minimax)
    for opening in itertools.permutations(range(9), 2):
        position = TICTACTOE.start()
        for action in opening:
            position = position.play(action)
        found = search.search(words(position))
        assert found.value == solve(position, known)
        assert solve(position.play(found.action), known) == found.value


def test_it_plays_solved_endgames_of_connect_four_correctly():
    lines = gzip.decompress(Path("tests/golden/connect4-solved.jsonl.gz").read_bytes()).splitlines()
    solved = [each for each in map(msgspec.json.decode, lines) if each["ply"] >= 26]
    assert len(solved) > 50
    search = Minimax(CONNECT4, WITH_TABLE)
    for each in solved:
        position = CONNECT4.start()
        for column in each["moves"]:
            position = position.play(int(column) - 1)
        found = search.search(words(position))
        assert found.action in each["optimal_outcome"], each["moves"]
        assert found.value == each["value"] * (1 if position.to_play == 0 else -1), each["moves"]


@settings(max_examples=25, deadline=None)
@given(draws=st.lists(st.integers(0, 1000), max_size=25))
def test_exactly_the_walls_of_negative_rank_are_omitted(draws):
    game = ludus.game("wallgame:standard:5x5").compile()
    position = after(game, draws)
    actions, ranks = np.array(position.actions, np.int16), np.zeros(game.max_legal, np.int16)
    with np.errstate(over="ignore"):
        game.rules.survey(position.state, actions, len(actions), ranks)
    kept = {int(action) for action, rank in zip(actions, ranks, strict=False) if rank >= 0}
    left_out = set(position.actions) - kept
    assert all(action < 2 * 25 for action in left_out), "steps are never omitted"
    search = Minimax(game, msgspec.structs.replace(EXACT, full_width=False))
    best, worst = max, min
    found = search.search(words(position), depth=1).value
    values = [as_value(reference(position.play(action), 0, ply=1)) for action in sorted(kept)]
    assert found == (best if position.to_play == 0 else worst)(values)


@pytest.mark.parametrize("variant", ["classic", "standard"])
def test_searches_without_the_omitted_walls_find_the_same_value(variant):
    game, rng = ludus.game(f"wallgame:{variant}:5x5").compile(), np.random.default_rng(3)
    wide, narrow = (Minimax(game, msgspec.structs.replace(EXACT, full_width=full)) for full in (True, False))
    nodes = [0, 0]
    for _ in range(12):
        state = words(after(game, rng.integers(0, 1000, size=rng.integers(0, 10)).tolist()))
        everything, few = wide.search(state, depth=3), narrow.search(state, depth=3)
        assert (few.value, few.depth) == (everything.value, everything.depth)
        nodes = [nodes[0] + everything.nodes, nodes[1] + few.nodes]
    assert nodes[1] < nodes[0], "fewer positions are searched"


def test_a_repeated_search_gives_the_same_result():
    game = ludus.game("wallgame:classic:5x5")
    search = Minimax(game)
    state = game.start_state().view(np.uint64)
    first = search.search(state, depth=5)
    search.search(game.start().play(3).state.view(np.uint64), depth=4)
    again = search.search(state, depth=5)
    assert (first.action, first.value, first.nodes) == (again.action, again.value, again.nodes)


def test_a_limit_of_nodes_is_exact():
    game = ludus.game("wallgame:classic:5x5")
    found = Minimax(game).search(game.start_state().view(np.uint64), nodes=7_777)
    assert found.nodes == 7_777
    assert found.action in game.start().actions


class Clock:
    """A clock that advances by a step with each reading."""

    def __init__(self, step_s):
        self.now, self.step_s = 0.0, step_s

    def perf_counter(self):
        self.now += self.step_s
        return self.now


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.5])
def test_a_search_ends_at_the_first_check_of_the_clock_after_its_time(monkeypatch, seconds):
    clock = Clock(0.001)
    monkeypatch.setattr(deepening, "time", clock)
    game = ludus.game("wallgame:classic:5x5")
    found = Minimax(game).search(game.start_state().view(np.uint64), seconds=seconds)
    assert found.depth >= 1, "depth 1 is always completed"
    assert found.seconds <= max(seconds, 0.005) + 0.006
    assert found.action in game.start().actions


def test_a_forced_move_takes_no_time():
    position = after(TICTACTOE, [0, 0, 0, 0])
    while len(position.actions) > 1:
        following = [position.play(action) for action in position.actions]
        position = next(each for each in following if not each.outcome)
    found = Minimax(TICTACTOE).search(words(position), seconds=1e9)
    assert found.depth == 1


def test_the_player_returns_an_action_for_every_position():
    positions = [after(CONNECT4, range(length)) for length in range(6)]
    player = MinimaxPlayer("minimax@3", depth=3)
    chosen = player.choose(CONNECT4, np.stack([words(position) for position in positions]))
    assert [int(action) in position.actions for action, position in zip(chosen, positions, strict=True)] == [True] * 6
