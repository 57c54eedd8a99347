"""The table: moves of several actions, clocks, offers, takebacks and results, and the errors of forbidden changes."""

import pytest

import ludus
from ludus.errors import BadInput, BadNotation, IllegalMove
from ludus.seeding import stream
from ludus.site.table.clock import TimeControl
from ludus.site.table.rows import progress_of
from ludus.site.table.table import DRAWN_ON_TIME, Offer, TableResult, new_table

BLITZ = TimeControl(180_000, 2_000, "blitz")


def connect4(control=None, max_plies=2000, waiting=False):
    return new_table(ludus.game("connect4").start(), control, waiting=waiting, max_plies=max_plies)


def wall_game(control=None):
    return new_table(ludus.game("wallgame:classic:5x5:short").start(), control, waiting=False, max_plies=2000)


def first_choices(table, count, now=0):
    """Play the first legal action `count` times."""
    for _ in range(count):
        table = table.act(table.position.to_play, table.position.actions[0], table.ply, now)
    return table


DIALOGUES = {
    "a draw is agreed": ("0 draw, 1 accept draw", TableResult(None, "draw-agreement")),
    "a draw that both offer is agreed": ("0 draw, 1 draw", TableResult(None, "draw-agreement")),
    "a draw that was declined cannot be accepted": ("0 draw, 1 decline draw, 1 accept draw", "no draw offer"),
    "a player cannot accept their own offer": ("0 draw, 0 accept draw", "no draw offer"),
    "an offer cannot be repeated": ("0 draw, 0 draw", "already offered a draw"),
    "a withdrawn offer cannot be accepted": ("0 draw, 0 decline draw, 1 accept draw", "no draw offer"),
    "a move declines a draw offer": ("0 draw, 0 move, 1 move, 1 accept draw", "no draw offer"),
    "a draw may be offered with a move": ("0 draw, 0 move, 1 accept draw", TableResult(None, "draw-agreement")),
    "the end of the game removes offers": ("0 draw, 0 resign, 1 accept draw", "no draw offer"),
    "a player who resigns loses": ("1 resign", TableResult(0, "resignation")),
    "a finished game cannot be resigned": ("1 resign, 0 resign", "game is over"),
    "a game with one move can be aborted": ("0 move, abort", TableResult(None, "aborted")),
    "a game with two moves cannot be aborted": ("0 move, 1 move, abort", "Both sides have moved"),
    "a player cannot move twice": ("0 move, 0 move", "not your turn"),
    "a takeback needs a move": ("0 takeback", "no move to take back"),
    "a takeback needs a move of one's own": ("0 move, 1 takeback", "no move to take back"),
    "a rematch cannot be offered during the game": ("0 rematch", "not over yet"),
    "a draw cannot be offered after the game": ("0 resign, 0 draw", "game is over"),
    "time cannot be given without clocks": ("0 give", "no clocks"),
}


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue_ends_with_the_expected_result_or_error(name):
    script, end = DIALOGUES[name]
    table = connect4()
    *steps, last = script.split(", ")
    for step in steps:
        table = said(table, step)
    if isinstance(end, TableResult):
        assert said(table, last).result == end
    else:
        with pytest.raises(BadInput, match=end):
            said(table, last)


def said(table, step):
    """Return the table after one step of a dialogue, such as `1 accept draw`."""
    match step.split():
        case ["abort"]:
            return table.abort(9)
        case [side, "move"]:
            return table.act(int(side), table.position.actions[0], table.ply, 9)
        case [side, "resign"]:
            return table.resign(int(side), 9)
        case [side, "give"]:
            return table.give_time(int(side), 15, 9)
        case [side, "accept", what]:
            return table.accept(int(side), what, 9)
        case [_side, "decline", what]:
            return table.decline(what)
        case [side, what]:
            return table.offer(int(side), what, 9)


def test_an_accepted_takeback_removes_one_or_two_moves():
    table = first_choices(connect4(), 3)
    assert len(table.offer(0, "takeback", 9).accept(1, "takeback", 9).moves) == 2
    assert len(table.offer(1, "takeback", 9).accept(0, "takeback", 9).moves) == 1
    both = table.offer(0, "takeback", 9).offer(1, "takeback", 9)
    assert both.offers == (Offer("takeback", 0), Offer("takeback", 1))


def test_a_move_of_two_actions_is_recorded_after_the_second():
    table = first_choices(wall_game(BLITZ), 1)
    assert (table.staged, table.to_play, len(table.moves), table.clock.running) == (1, 0, 0, None)
    table = first_choices(table, 1)
    assert (table.staged, table.to_play, len(table.moves), table.clock.running) == (0, 1, 1, 1)
    assert (table.moves[0].player, table.moves[0].start, table.moves[0].end) == (0, 0, 2)


def test_undo_removes_actions_of_the_unfinished_move_only():
    table = first_choices(wall_game(), 3)
    assert (table.staged, table.ply) == (1, 3)
    table = table.undo(1)
    assert (table.staged, table.ply) == (0, 2)
    with pytest.raises(IllegalMove, match="no unfinished move"):
        table.undo(1)
    with pytest.raises(IllegalMove, match="not your turn"):
        table.undo(0)


def test_a_whole_move_replaces_an_unfinished_one():
    table = first_choices(wall_game(), 1)
    table = table.play(0, ">b3.^c3", 9)
    assert ([move.text for move in table.moves], table.staged, table.to_play) == ([">b3.^c3"], 0, 1)


def test_an_illegal_move_in_notation_is_refused_as_a_whole():
    table = wall_game()
    for text in ("", ">b3.nonsense", "Zz9", "Ca1.Ca1", ">b3.>b3"):
        with pytest.raises((BadNotation, IllegalMove)):
            table.play(0, text, 9)
    assert (table.ply, table.moves) == (0, ())


def test_a_takeback_drops_the_opponents_unfinished_move():
    table = first_choices(wall_game(), 3)
    taken = table.taken_back(0, 9)
    assert (taken.ply, taken.moves, taken.to_play) == (0, (), 0)


@pytest.mark.parametrize(
    ("player", "action", "ply", "sentence"),
    [(0, 0, 3, "changed meanwhile"), (1, 0, 0, "not your turn"), (0, 9, 0, "may not be played")],
)
def test_a_wrong_action_is_refused(player, action, ply, sentence):
    with pytest.raises(IllegalMove, match=sentence):
        connect4().act(player, action, ply, 0)


def test_no_move_can_be_played_while_a_seat_is_open():
    table = connect4(waiting=True)
    assert table.to_play is None
    with pytest.raises(IllegalMove, match="no opponent yet"):
        table.act(0, 0, 0, 0)
    assert table.abort(5).result == TableResult(None, "aborted")


def test_a_won_game_accepts_no_further_changes():
    table = connect4()
    for column in (0, 1, 0, 1, 0, 1, 0):
        table = table.act(table.position.to_play, column, table.ply, 0)
    assert (table.over, table.result, table.to_play) == (True, TableResult(0, "four in a line"), None)
    for forbidden in (
        lambda: table.act(1, 0, 7, 0),
        lambda: table.undo(1),
        lambda: table.resign(0, 0),
        lambda: table.play(1, "1", 0),
        lambda: table.taken_back(0, 0),
        lambda: table.abort(0),
    ):
        with pytest.raises(IllegalMove):
            forbidden()


def test_a_game_that_reaches_max_plies_is_a_draw():
    table = first_choices(connect4(max_plies=5), 5)
    assert table.result.winner is None
    assert "5 actions" in table.result.reason


def test_max_plies_ends_a_game_even_during_a_move():
    start = ludus.game("wallgame:classic:5x5:short").start()
    table = new_table(start, None, waiting=False, max_plies=3)
    for _ in range(2):
        first = table.position.play(table.position.actions[0])
        whole = first.play(first.actions[0])
        table = table.play(table.position.to_play, whole.moves[-1], 0)
    assert (table.ply, len(table.moves), table.over) == (3, 2, True)
    assert [move.player for move in table.moves] == [0, 1]


def test_a_game_of_go_is_played_to_two_passes_and_replayed_from_its_moves():
    start, rng = ludus.game("go:4x4:komi=0").start(), stream(1, "test", "table")
    table = new_table(start, None, waiting=False, max_plies=2000)
    while table.ply < 50:
        some = table.position.actions[:-1] or table.position.actions  # the pass comes last
        table = table.act(table.position.to_play, some[int(rng.integers(len(some)))], table.ply, 0)
    again = start
    for move in table.moves:
        again = again.play(move.text)
    assert (again.state == table.position.state).all()
    taken = table.taken_back(0, 0)
    assert taken.play(0, table.moves[48].text, 0).play(1, table.moves[49].text, 0).moves == table.moves
    for _ in range(2):
        table = table.play(table.position.to_play, "pass", 0)
    assert table.result.reason.startswith("two passes, ")


def test_clocks_start_with_the_first_move_and_each_move_adds_the_increment():
    table = connect4(BLITZ)
    assert table.flag(10**9) is table
    table = first_choices(table, 1, now=50_000)
    assert table.clock.left_at(50_000) == (182_000, 180_000)
    table = first_choices(table, 1, now=60_000)
    assert table.clock.left_at(60_000) == (182_000, 172_000)
    assert [move.left for move in table.moves] == [(182_000, 180_000), (182_000, 172_000)]


def test_a_player_without_time_left_loses():
    table = first_choices(connect4(BLITZ), 1, now=1_000)
    assert table.flag(180_999) is table
    fallen = table.flag(200_000)
    assert fallen.result == TableResult(0, "timeout")
    assert fallen.clock.left == (182_000, 0)


@pytest.mark.parametrize(
    ("piece", "result"), [("p", TableResult(1, "timeout")), ("n", TableResult(None, DRAWN_ON_TIME))]
)
def test_a_timeout_is_a_draw_if_the_opponent_cannot_win(piece, result):
    first = ludus.game("chess").start(f"4k3/8/8/8/8/8/{piece}7/6QK w - - 0 1")
    table = new_table(first, BLITZ, waiting=False, max_plies=2000)
    for move in ("g1g2", "e8d8"):
        table = table.play(table.position.to_play, move, 1_000)
    assert table.flag(10**9).result == result


def test_given_time_survives_a_takeback():
    table = first_choices(connect4(BLITZ), 1, now=0).give_time(0, 15, 0)
    assert table.clock.left_at(5_000) == (182_000, 190_000)
    back = table.taken_back(0, 5_000)
    assert (back.clock.left, back.clock.running) == ((182_000, 190_000), None)
    for seconds in (0, -5, 601):
        with pytest.raises(IllegalMove, match="1 to 600"):
            table.give_time(0, seconds, 0)


def test_a_rematch_is_agreed_when_both_sides_offer_or_accept_it():
    table = connect4().resign(0, 0).offer(0, "rematch", 0)
    assert not table.rematch_agreed
    assert table.accept(1, "rematch", 0).rematch_agreed
    assert table.offer(1, "rematch", 0).rematch_agreed


def test_an_agreed_rematch_can_be_neither_accepted_again_nor_declined():
    table = connect4().resign(0, 0).offer(0, "rematch", 0).accept(1, "rematch", 0)
    for again in (
        lambda: table.accept(1, "rematch", 0),
        lambda: table.accept(0, "rematch", 0),
        lambda: table.decline("rematch"),
    ):
        with pytest.raises(IllegalMove, match="rematch is already agreed"):
            again()


def test_a_table_does_not_store_the_history_of_its_positions():
    table = connect4()
    for ply, column in enumerate([0, 1, 2, 3, 4, 5, 6] * 2):
        table = table.act(ply % 2, column, ply, 0)
        assert not progress_of(table).staged
    for ply in range(table.ply + 1):
        position = table.at(ply)
        assert position.num_actions_played == ply
        assert "history" not in vars(position)
        assert len(table.actions_since(ply)) == table.ply - ply
