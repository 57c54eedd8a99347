"""The table: moves of several actions, clocks, offers, takebacks and results; what is not allowed changes nothing."""

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
    """Make the first legal action, so often."""
    for _ in range(count):
        table = table.act(table.position.to_play, table.position.actions[0], table.ply, now)
    return table


DIALOGUES = {
    "a draw is agreed": ("0 draw, 1 accept draw", TableResult(None, "draw-agreement")),
    "a draw that both offer is agreed": ("0 draw, 1 draw", TableResult(None, "draw-agreement")),
    "a draw that was declined cannot be accepted": ("0 draw, 1 decline draw, 1 accept draw", "not offered"),
    "nobody accepts the own offer": ("0 draw, 0 accept draw", "not offered"),
    "an offer is made once": ("0 draw, 0 draw", "offered a draw already"),
    "an offer that is withdrawn is gone": ("0 draw, 0 decline draw, 1 accept draw", "not offered"),
    "the answer to a draw by a move is no": ("0 draw, 0 move, 1 move, 1 accept draw", "not offered"),
    "a draw may be offered with a move": ("0 draw, 0 move, 1 accept draw", TableResult(None, "draw-agreement")),
    "an offer is gone when the game is over": ("0 draw, 0 resign, 1 accept draw", "not offered"),
    "who resigns has lost": ("1 resign", TableResult(0, "resignation")),
    "nobody resigns twice": ("1 resign, 0 resign", "game is over"),
    "a game that has hardly begun is called off": ("0 move, abort", TableResult(None, "aborted")),
    "when both have moved it is too late to call off": ("0 move, 1 move, abort", "Both have moved"),
    "nobody moves twice": ("0 move, 0 move", "not your turn"),
    "there is nothing to take back at first": ("0 takeback", "nothing to take back"),
    "nobody takes back what the other played": ("0 move, 1 takeback", "nothing to take back"),
    "a rematch comes after the game": ("0 rematch", "not over yet"),
    "nothing is offered after the game but a rematch": ("0 resign, 0 draw", "game is over"),
    "time cannot be given without clocks": ("0 give", "no clocks"),
}


@pytest.mark.parametrize("name", DIALOGUES)
def test_the_dialogue_ends_as_it_must(name):
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
    """Return the table after one line of a dialogue."""
    match step.split():
        case ["abort"]:
            return table.abort(9)
        case [side, "move"]:
            return table.act(int(side), table.position.actions[0], table.ply, 9)
        case [side, "resign"]:
            return table.resign(int(side), 9)
        case [side, "give"]:
            return table.give_time(int(side), 15)
        case [side, "accept", what]:
            return table.accept(int(side), what, 9)
        case [_side, "decline", what]:
            return table.decline(what)
        case [side, what]:
            return table.offer(int(side), what, 9)


def test_a_takeback_that_is_accepted_takes_back_one_move_or_two():
    table = first_choices(connect4(), 3)
    assert len(table.offer(0, "takeback", 9).accept(1, "takeback", 9).moves) == 2
    assert len(table.offer(1, "takeback", 9).accept(0, "takeback", 9).moves) == 1
    both = table.offer(0, "takeback", 9).offer(1, "takeback", 9)
    assert both.offers == (Offer("takeback", 0), Offer("takeback", 1))


def test_a_move_of_two_actions_is_staged_until_it_is_whole():
    table = first_choices(wall_game(BLITZ), 1)
    assert (table.staged, table.to_play, len(table.moves), table.clock.running) == (1, 0, 0, None)
    table = first_choices(table, 1)
    assert (table.staged, table.to_play, len(table.moves), table.clock.running) == (0, 1, 1, 1)
    assert (table.moves[0].player, table.moves[0].start, table.moves[0].end) == (0, 0, 2)


def test_undo_takes_back_staged_actions_and_no_more():
    table = first_choices(wall_game(), 3)
    assert (table.staged, table.ply) == (1, 3)
    table = table.undo(1)
    assert (table.staged, table.ply) == (0, 2)
    with pytest.raises(IllegalMove, match="nothing to take back"):
        table.undo(1)
    with pytest.raises(IllegalMove, match="not your turn"):
        table.undo(0)


def test_a_whole_move_takes_the_place_of_what_was_staged():
    table = first_choices(wall_game(), 1)
    table = table.play(0, ">b3.^c3", 9)
    assert ([move.text for move in table.moves], table.staged, table.to_play) == ([">b3.^c3"], 0, 1)


def test_a_move_in_words_arrives_whole_or_not_at_all():
    table = wall_game()
    for text in ("", ">b3.nonsense", "Zz9", "Ca1.Ca1", ">b3.>b3"):
        with pytest.raises((BadNotation, IllegalMove)):
            table.play(0, text, 9)
    assert (table.ply, table.moves) == (0, ())


def test_a_takeback_drops_what_the_other_side_has_staged():
    table = first_choices(wall_game(), 3)
    taken = table.taken_back(0, 9)
    assert (taken.ply, taken.moves, taken.to_play) == (0, (), 0)


@pytest.mark.parametrize(
    ("player", "action", "ply", "sentence"),
    [(0, 0, 3, "changed since"), (1, 0, 0, "not your turn"), (0, 9, 0, "may not be played")],
)
def test_a_wrong_action_changes_nothing(player, action, ply, sentence):
    with pytest.raises(IllegalMove, match=sentence):
        connect4().act(player, action, ply, 0)


def test_nothing_is_played_while_a_seat_is_open():
    table = connect4(waiting=True)
    assert table.to_play is None
    with pytest.raises(IllegalMove, match="Nobody sits"):
        table.act(0, 0, 0, 0)
    assert table.abort(5).result == TableResult(None, "aborted")


def test_a_won_game_is_over_for_everybody():
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


def test_a_game_without_end_is_called_a_draw():
    table = first_choices(connect4(max_plies=5), 5)
    assert table.result.winner is None
    assert "5 actions" in table.result.reason


def test_the_limit_of_actions_ends_a_game_in_the_middle_of_a_move():
    start = ludus.game("wallgame:classic:5x5:short").start()
    table = new_table(start, None, waiting=False, max_plies=3)
    for _ in range(2):
        first = table.position.play(table.position.actions[0])
        whole = first.play(first.actions[0])
        table = table.play(table.position.to_play, whole.moves[-1], 0)
    assert (table.ply, len(table.moves), table.over) == (3, 2, True)
    assert [move.player for move in table.moves] == [0, 1]


def test_a_game_of_go_goes_on_to_its_real_end_and_is_found_again_move_by_move():
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


def test_clocks_stand_until_the_first_move_and_each_move_brings_its_increment():
    table = connect4(BLITZ)
    assert table.flag(10**9) is table
    table = first_choices(table, 1, now=50_000)
    assert table.clock.left_at(50_000) == (182_000, 180_000)
    table = first_choices(table, 1, now=60_000)
    assert table.clock.left_at(60_000) == (182_000, 172_000)
    assert [move.left for move in table.moves] == [(182_000, 180_000), (182_000, 172_000)]


def test_who_has_no_time_left_has_lost_at_that_moment():
    table = first_choices(connect4(BLITZ), 1, now=1_000)
    assert table.flag(180_999) is table
    fallen = table.flag(200_000)
    assert fallen.result == TableResult(0, "timeout")
    assert fallen.clock.left == (182_000, 0)


@pytest.mark.parametrize(
    ("piece", "result"), [("p", TableResult(1, "timeout")), ("n", TableResult(None, DRAWN_ON_TIME))]
)
def test_who_runs_out_of_time_against_one_who_cannot_win_has_drawn(piece, result):
    first = ludus.game("chess").start(f"4k3/8/8/8/8/8/{piece}7/6QK w - - 0 1")
    table = new_table(first, BLITZ, waiting=False, max_plies=2000)
    for move in ("g1g2", "e8d8"):
        table = table.play(table.position.to_play, move, 1_000)
    assert table.flag(10**9).result == result


def test_time_can_be_given_and_is_not_taken_back_by_a_takeback():
    table = first_choices(connect4(BLITZ), 1, now=0).give_time(0, 15)
    assert table.clock.left_at(5_000) == (182_000, 190_000)
    back = table.taken_back(0, 5_000)
    assert (back.clock.left, back.clock.running) == ((182_000, 190_000), None)
    for seconds in (0, -5, 601):
        with pytest.raises(IllegalMove, match="1 to 600"):
            table.give_time(0, seconds)


def test_a_rematch_is_agreed_when_both_want_it():
    table = connect4().resign(0, 0).offer(0, "rematch", 0)
    assert not table.rematch_agreed
    assert table.accept(1, "rematch", 0).rematch_agreed
    assert table.offer(1, "rematch", 0).rematch_agreed


def test_a_rematch_that_is_agreed_is_agreed_once_and_for_all():
    table = connect4().resign(0, 0).offer(0, "rematch", 0).accept(1, "rematch", 0)
    for again in (
        lambda: table.accept(1, "rematch", 0),
        lambda: table.accept(0, "rematch", 0),
        lambda: table.decline("rematch"),
    ):
        with pytest.raises(IllegalMove, match="Both sides have agreed to a rematch"):
            again()


def test_the_positions_of_a_long_game_keep_no_lists_of_one_another():
    table = connect4()
    for ply, column in enumerate([0, 1, 2, 3, 4, 5, 6] * 2):
        table = table.act(ply % 2, column, ply, 0)
        assert not progress_of(table).staged
    for ply in range(table.ply + 1):
        position = table.at(ply)
        assert position.num_actions_played == ply
        assert "history" not in vars(position)
        assert len(table.actions_since(ply)) == table.ply - ply
