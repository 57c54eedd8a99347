"""The table: turns, staged actions, undo and results, without any socket."""

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove
from ludus.site.table import Table


def connect4(human=0, max_plies=2000):
    return Table("connect4", "Connect Four", ludus.game("connect4").start(), human, "Bo", max_plies)


def wall_game(human=0):
    position = ludus.game("wallgame:classic:5x5:short").start()
    return Table("wallgame:classic:5x5", "Wall Game", position, human, "Bo", 2000)


def first_choices(table, count):
    """Make the first legal action, so often."""
    for _ in range(count):
        table.act(table.position.to_play, table.position.actions[0], table.ply)


def test_a_move_of_two_actions_is_staged_until_it_is_whole():
    table = wall_game()
    first_choices(table, 1)
    state = table.state(0)
    assert (state.staged, state.to_play, state.thinking, len(table.moves)) == (1, 0, False, 0)
    assert [(move.player, move.ply) for move in state.moves] == [(0, 1)]
    first_choices(table, 1)
    state = table.state(0)
    assert (state.staged, state.to_play, state.thinking, len(table.moves)) == (0, 1, True, 1)
    assert [(move.player, move.ply) for move in state.moves] == [(0, 2)]


def test_a_move_of_the_bot_arrives_whole_or_not_at_all():
    table = wall_game(human=1)
    position = table.position
    whole = position.play(position.actions[0])
    text = position.game.move_text(position.state, [position.actions[0], whole.actions[0]])
    with pytest.raises((BadNotation, IllegalMove)):
        table.play_move(0, text + ".nonsense")
    assert (table.ply, table.moves) == (0, [])


def test_undo_takes_back_a_staged_action_first():
    table = wall_game()
    first_choices(table, 3 + 2)  # a move each, and a staged action
    assert (table.staged, table.ply) == (1, 5)
    table.undo()
    assert (table.staged, table.ply) == (0, 4)
    table.undo()
    assert (table.ply, table.moves) == (0, [])
    assert not table.state(0).can_undo


def test_undo_gives_back_the_evaluations_of_that_time():
    table = connect4()
    table.note_evaluation(0, 0.1)
    first_choices(table, 1)
    table.note_evaluation(1, 0.2)
    first_choices(table, 1)
    table.note_evaluation(2, 0.3)
    assert table.state(None).evaluations == [0.1, 0.2, 0.3]
    table.undo()
    assert table.state(None).evaluations == [0.1]


def test_the_bar_shows_the_latest_known_evaluation():
    table = wall_game()
    assert table.state(None).evaluation is None
    table.note_evaluation(0, 0.25)
    first_choices(table, 1)
    assert table.state(None).evaluation == 0.25
    assert table.view(1).evaluation == 0.25


def test_only_the_side_to_play_sees_choices():
    table = connect4()
    assert table.state(0).board.choices
    assert not table.state(1).board.choices
    assert not table.state(None).board.choices
    assert not table.view(0).board.choices


@pytest.mark.parametrize(
    ("player", "action", "ply", "sentence"),
    [(0, 0, 3, "changed since"), (1, 0, 0, "not your turn"), (0, 9, 0, "may not be played")],
)
def test_a_wrong_action_changes_nothing(player, action, ply, sentence):
    table = connect4()
    with pytest.raises(IllegalMove, match=sentence):
        table.act(player, action, ply)
    assert table.ply == 0


def test_a_won_game_is_over_and_its_last_evaluation_is_the_result():
    table = connect4()
    for column in (0, 1, 0, 1, 0, 1, 0):
        table.act(table.position.to_play, column, table.ply)
    state = table.state(0)
    assert (state.status, state.result.winner, state.result.reason) == ("over", 0, "four in a line")
    assert state.evaluations[-1] == 1.0
    assert (state.thinking, state.can_undo, state.board.choices) == (False, False, [])
    for forbidden in (lambda: table.act(1, 0, 7), table.undo, lambda: table.resign(0), lambda: table.play_move(1, "1")):
        with pytest.raises(IllegalMove):
            forbidden()


def test_a_game_without_end_is_called_a_draw():
    table = connect4(max_plies=5)
    first_choices(table, 5)
    assert table.result.winner is None
    assert "5 actions" in table.result.reason
