"""Positions: immutable, with a history, read and written in the game's notation."""

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove

TICTACTOE = ludus.game("tictactoe")


def race(target=3, **parts):
    """Return a game of two actions per move, won by the player who brings the sum to `target`."""

    def start(state):
        state[0] = state[1] = 0

    def to_play(state):
        return (int(state[1]) // 2) % 2

    def legal(state, actions):
        actions[0], actions[1] = 0, 1
        return 2

    def play(state, action):
        state[0] += action
        state[1] += 1

    def outcome(state):
        if state[0] < target:
            return 3 if state[1] >= 12 else 0
        return 1 + ((int(state[1]) - 1) // 2) % 2

    def encode(state, planes):
        planes[0, 0, 0] = state[0]

    return ludus.Game(
        name="race", state_size=2, num_actions=2, planes=(1, 1, 1), max_actions=12, start=start, to_play=to_play,
        legal=legal, play=play, outcome=outcome, encode=encode, **parts,
    )  # fmt: skip


def test_playing_does_not_change_the_position():
    start = TICTACTOE.start()
    after = start.play("b2")
    assert start.state.sum() == 0
    assert start.actions == list(range(9))
    assert after.actions == [0, 1, 2, 3, 5, 6, 7, 8]
    with pytest.raises(ValueError, match="read-only"):
        after.state[0] = 1


def test_a_move_is_an_action_or_a_text():
    assert TICTACTOE.start().play(4).state.tobytes() == TICTACTOE.start().play("b2").state.tobytes()


def test_the_history_leads_from_the_start_to_the_position():
    position = TICTACTOE.start().play("a1").play("b2").play("c3")
    assert [before.num_actions_played for before in position.history] == [0, 1, 2, 3]
    assert position.history[-1] is position
    assert [before.action for before in position.history] == [None, 6, 4, 2]


def test_a_long_history_needs_no_deep_recursion():
    position = race(target=255).start()
    for _ in range(3000):
        position = ludus.Position(position.game, position.state.copy(), parent=position, action=0)
    assert len(position.history) == 3001


def test_renew_passes_a_memory_from_position_to_position():
    def renew(state, past):
        if state[0] < 2:
            return state, past
        emptied = state.copy()
        emptied[0] = 0
        return emptied, [*(past or []), int(state[0])]

    position = race(target=9, renew=renew).start().play(1).play(1)
    assert (position.is_renewed, position.past, position.state.tolist()[0]) == (True, [2], 0)
    later = position.play(0)
    assert (later.is_renewed, later.past) == (False, [2])
    assert (later.instead(later.state.copy()).past, later.instead(later.state).parent) == ([2], position)
    assert race().start().play(0).past is None


def test_moves_of_two_actions_are_written_as_one():
    position = race().start().play(0).play(1).play(1)
    assert position.to_play == 1
    assert position.moves == ["0.1", "1"]  # the second move is not finished
    assert position.play(1).moves == ["0.1", "1.1"]


def test_a_game_can_end_within_a_move():
    position = race(target=1).start().play(1)
    assert position.outcome == ludus.Outcome(winner=0, reason="")
    assert position.outcome.value == 1.0
    assert position.moves == ["1"]
    assert position.actions == []


def test_the_result_of_the_second_player_is_minus_one():
    position = race(target=2).start().play(0).play(0).play(1).play(1)
    assert position.outcome.winner == 1
    assert position.outcome.value == -1.0


def test_an_illegal_action_and_an_unknown_text_are_refused():
    position = TICTACTOE.start().play(4)
    with pytest.raises(IllegalMove, match="tictactoe: action 4 may not be played here"):
        position.play(4)
    with pytest.raises(IllegalMove, match="action -1 may not be played"):
        position.play(-1)
    with pytest.raises(BadNotation, match="'z9' names no action"):
        position.play("z9")


@pytest.mark.parametrize(
    ("spec", "text", "last"),
    [
        ("go:5x5", "C3.A1.D4", "'C3'"),  # the player to move alone does not show where the turn ended
        ("go:5x5", "pass.pass.C3", "'pass'"),
        ("go:5x5:free=2", "C3.D4.A1", "'D4'"),
        ("gomoku:5x5", "c3.a1.d4", "'c3'"),
        ("gomoku:5x5:swap2", "a1.a2.a3.black", "'a3'"),
    ],
)
def test_a_move_with_actions_of_the_opponent_is_refused(spec, text, last):
    with pytest.raises(BadNotation, match=f"the move ends with {last}; '.*' cannot follow"):
        ludus.game(spec).start().play(text)


def test_a_move_in_a_games_own_notation_with_actions_of_the_opponent_is_refused():
    position = race(parse_move=lambda _, text: [int(digit) for digit in text]).start()
    assert position.play("01").moves == ["0.1"]
    with pytest.raises(BadNotation, match="race: the move ends with '1'; '0' cannot follow"):
        position.play("010")
    with pytest.raises(BadNotation, match="race: the move ends with '1'; '0' cannot follow"):
        race(target=1, parse_move=lambda *_: [1, 0]).start().play("the end of the game within a move")


def test_no_move_is_accepted_after_the_end():
    position = TICTACTOE.start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        position = position.play(move)
    with pytest.raises(IllegalMove, match=r"the game is over \(three in a line\)"):
        position.play("c3")
    with pytest.raises(IllegalMove, match="action 2 may not be played here"):
        position.play(2)


def test_compiled_games_reach_the_same_positions():
    plain, compiled = ludus.game("connect4").start(), race().compile().start()
    assert plain.play("4").actions == [0, 1, 2, 3, 4, 5, 6]
    assert compiled.play(0).play(1).to_play == 1
    assert compiled.play(1).play(1).play(1).outcome.winner == 1
