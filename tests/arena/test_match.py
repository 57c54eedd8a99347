"""Matches are fair, count correctly, and survive faulty players."""

from collections import defaultdict

import msgspec
import numpy as np
import pytest

import ludus
from ludus.arena.match import play_match
from ludus.arena.summary import MatchGame, MatchResult
from ludus.arena.table import Tables
from ludus.errors import BadInput

CONNECT4 = ludus.game("connect4")
TICTACTOE = ludus.game("tictactoe")


class Scripted:
    """A player whose choice is a function of the legal actions."""

    def __init__(self, name, choice):
        self.name, self.choice, self.batches = name, choice, []

    def choose(self, game, states):
        self.batches.append(len(states))
        legal = np.zeros(game.max_legal, np.int16)
        chosen = []
        for state in states.view(game.dtype):
            with np.errstate(over="ignore"):
                count = game.rules.legal(state, legal)
            chosen.append(self.choice(sorted(map(int, legal[:count]))))
        return np.array(chosen, np.int16)


def lowest(name="low"):
    return Scripted(name, lambda legal: legal[0])


def highest(name="high"):
    return Scripted(name, lambda legal: legal[-1])


def play(*args, **options):
    seen: list[MatchGame] = []
    result = play_match(*args, on_game=seen.append, **options)
    return result, sorted(seen, key=lambda game: game.pair)


def replay(game: MatchGame):
    position = ludus.game(game.game).start()
    for action in game.actions:
        position = position.play(action)
    return position


def test_each_opening_is_played_twice_with_sides_swapped():
    _, seen = play([CONNECT4], lowest(), highest(), pairs=20, seed=3, opening_actions=4)
    pairs = defaultdict(list)
    for game in seen:
        pairs[game.pair].append(game)
    assert sorted(pairs) == list(range(20))
    for one, other in pairs.values():
        assert one.actions[:4] == other.actions[:4]
        assert {(one.first, one.second), (other.first, other.second)} == {("low", "high"), ("high", "low")}
    assert len({tuple(one.actions[:4]) for one, _ in pairs.values()}) > 10


def test_every_game_follows_the_rules_to_the_reported_end():
    result, seen = play([CONNECT4, TICTACTOE], lowest(), highest(), pairs=15, seed=1, opening_actions=3)
    assert len(seen) == 30
    for game in seen:
        outcome = replay(game).outcome
        assert outcome is not None
        assert game.winner == (None if outcome.winner is None else (game.first, game.second)[outcome.winner])
        assert (game.opening, game.forfeit) == (3, "")
    assert result.wins == sum(game.winner == "low" for game in seen)
    assert sorted(result.lengths) == sorted(len(game.actions) for game in seen)


def test_the_result_adds_up():
    result, _ = play([CONNECT4], lowest(), highest(), pairs=30, seed=5, opening_actions=5)
    assert result.wins + result.draws + result.losses == 60
    assert sum(result.pairs) == 30
    assert sum(points * count for points, count in enumerate(result.pairs)) / 2 == result.score * 60
    assert result.result.games == 60
    assert msgspec.json.decode(msgspec.json.encode(result), type=MatchResult) == result


def test_exchanging_the_players_turns_the_result_around():
    one, _ = play([CONNECT4], lowest(), highest(), pairs=30, seed=5, opening_actions=5)
    other, _ = play([CONNECT4], highest(), lowest(), pairs=30, seed=5, opening_actions=5)
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
    assert one.pairs == other.pairs[::-1]
    assert one.elo == pytest.approx(-other.elo)


def test_two_equal_players_split_every_pair():
    result, _ = play([CONNECT4], lowest("one"), lowest("other"), pairs=25, seed=2, opening_actions=3)
    assert result.pairs == [0, 0, 25, 0, 0]
    assert result.elo == 0


def test_openings_depend_on_the_seed_and_not_on_the_number_of_pairs():
    def openings(pairs, seed):
        _, seen = play([CONNECT4], lowest(), highest(), pairs=pairs, seed=seed, opening_actions=6)
        return [game.actions[:6] for game in seen[::2]]

    assert openings(5, seed=1) == openings(12, seed=1)[:5]
    assert openings(5, seed=1) != openings(5, seed=2)


def test_pairs_are_shared_evenly_among_the_games():
    _, seen = play([CONNECT4, TICTACTOE], lowest(), highest(), pairs=5, seed=1)
    assert [game.game for game in seen].count("connect4") == 6
    assert sorted({game.pair for game in seen}) == [0, 1, 2, 3, 4]


def test_positions_of_all_games_are_in_one_batch():
    low, high = lowest(), highest()
    play([CONNECT4], low, high, pairs=10, seed=1)
    assert low.batches[0] == high.batches[0] == 10
    assert len(low.batches) <= CONNECT4.max_actions


def test_an_illegal_action_loses_that_game_only():
    # "low" takes cell 0 if it is free; "stubborn" always does
    stubborn = Scripted("stubborn", lambda legal: 0)
    result, seen = play([TICTACTOE], lowest(), stubborn, pairs=1, seed=1)
    assert (result.wins, result.losses) == (2, 0)
    assert sorted(len(game.actions) for game in seen) == [1, 2]
    assert len(result.forfeits) == 2
    assert result.forfeits[0] == "tictactoe, pair 0: stubborn played 0, which is illegal."
    assert all(game.forfeit and game.winner == "low" for game in seen)


@pytest.mark.parametrize("number", [-1, 9, 30000])
def test_an_invalid_action_number_loses_the_game(number):
    result, _ = play([TICTACTOE], Scripted("wild", lambda legal: number), lowest(), pairs=1, seed=1)
    assert result.losses == 2
    assert f"wild played {number}, which is not an action." in result.forfeits[0]


def test_an_exception_in_one_position_does_not_lose_the_others():
    class Fragile(Scripted):
        def choose(self, game, states):
            centres_taken = np.count_nonzero(states.view(game.dtype)[:, 4])
            if centres_taken:
                raise RuntimeError(f"{centres_taken} centres")
            return super().choose(game, states)

    fragile = Fragile("fragile", lambda legal: legal[-1])
    result, seen = play([TICTACTOE], fragile, lowest(), pairs=40, seed=1, opening_actions=1)
    failed = [game for game in seen if game.forfeit]
    assert 0 < len(failed) < len(seen)
    assert all(game.winner == "low" and 4 in game.actions for game in failed)
    assert "fragile failed: RuntimeError: 1 centres" in result.forfeits[0]
    assert any(4 not in game.actions or game.winner == "fragile" for game in seen)


def test_an_answer_of_the_wrong_size_is_a_failure_of_the_player():
    class Short(Scripted):
        def choose(self, game, states):
            return np.zeros(0, np.int16)

    result, _ = play([TICTACTOE], Short("short", None), lowest(), pairs=2, seed=1)
    assert result.losses == 4
    assert "short failed: ValueError: actions of shape (0,) for 1 positions" in result.forfeits[0]


@pytest.mark.parametrize(("answer", "type_of_it"), [(None, "object"), ("a", "<U1"), (0.5, "float64")])
def test_an_answer_that_is_not_an_integer_loses_the_game_and_not_the_match(answer, type_of_it):
    class Odd(Scripted):
        def choose(self, game, states):
            return [answer] * len(states)

    result, _ = play([TICTACTOE], Odd("odd", None), lowest(), pairs=2, seed=1)
    assert result.losses == 4
    assert f"odd failed: TypeError: actions of type {type_of_it}, which are not integers" in result.forfeits[0]


def test_a_player_cannot_change_the_states_of_the_match():
    class Vandal(Scripted):
        def choose(self, game, states):
            chosen = super().choose(game, states)
            states[:] = 0
            return chosen

    result, seen = play([CONNECT4], Vandal("vandal", min), highest(), pairs=4, seed=1, opening_actions=2)
    expected, _ = play([CONNECT4], lowest("vandal"), highest(), pairs=4, seed=1, opening_actions=2)
    assert result == expected
    assert all(replay(game).outcome for game in seen)


@pytest.mark.parametrize(
    "error", [MemoryError("too much"), RuntimeError("DefaultCPUAllocator: not enough memory: you tried 9 bytes.")]
)
def test_too_little_memory_is_not_the_players_fault(error):
    class Large:
        name = "large"

        def choose(self, game, states):
            raise error

    with pytest.raises(type(error), match=str(error)):
        play([TICTACTOE], Large(), lowest(), pairs=1, seed=1)


def test_interrupting_a_match_interrupts_it():
    def interrupt(_legal):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play([TICTACTOE], Scripted("human", interrupt), lowest(), pairs=1, seed=1)


# ---- boards ----------------------------------------------------------------------------------------------------------


def test_openings_are_never_over():
    tables = Tables(TICTACTOE, 200)
    tables.open_with(6, seed=1)
    assert len(tables.ongoing) == 200
    assert all(len(actions) == 6 for actions in tables.actions)


def test_openings_longer_than_the_game_are_refused():
    with pytest.raises(BadInput, match="tictactoe: 9 random actions end the game; choose shorter openings"):
        Tables(TICTACTOE, 4).open_with(9, seed=1)


def test_boards_agree_with_the_positions_of_the_public_face():
    rng = np.random.default_rng(5)
    tables = Tables(CONNECT4, 6)
    positions = [CONNECT4.start()] * 6
    while len(tables.ongoing):
        actions = [rng.choice(position.actions) if position.actions else -1 for position in positions]
        assert not tables.play(np.array(actions, np.int16)).any()
        positions = [
            position.play(int(action)) if action >= 0 else position
            for position, action in zip(positions, actions, strict=True)
        ]
        for board, position in enumerate(positions):
            assert (tables.words[board] == position.state.view(np.uint64)).all()
            assert (board in tables.ongoing) == (position.outcome is None)


def test_a_game_that_reaches_its_length_cap_is_a_draw():
    def start(state):
        state[0] = 0

    def to_play(state):
        return int(state[0]) & 1

    def legal(state, actions):
        actions[0] = 0
        return 1

    def play_on(state, action):
        state[0] = (int(state[0]) + 1) & 1

    def outcome(state):
        return 0

    def encode(state, planes):
        planes[0, 0, 0] = 1

    endless = ludus.Game(
        name="endless",
        state_size=1,
        num_actions=1,
        planes=(1, 1, 1),
        max_actions=7,
        start=start,
        to_play=to_play,
        legal=legal,
        play=play_on,
        outcome=outcome,
        encode=encode,
    )
    result, _ = play([endless], lowest("one"), lowest("other"), pairs=3, seed=1, opening_actions=2)
    assert result.draws == 6
    assert result.lengths == [7] * 6


def test_games_that_repeat_others_are_counted():
    result, _ = play([TICTACTOE], lowest(), highest(), pairs=4, seed=1)
    assert result.repeats == 6, "without random actions, the first pair is repeated three times"
    result, seen = play([CONNECT4], lowest(), highest(), pairs=4, seed=1, opening_actions=6)
    assert len({(game.first, tuple(game.actions)) for game in seen}) == 8
    assert result.repeats == 0
