"""Undo, cleanup, scores and SGF records of the Go engine, also in games beyond the length cap of training."""

import numpy as np
import pytest

import ludus
from ludus.games.go.sgf_game import write_game
from ludus.games.go.view import cell_of, stones_of
from ludus.seeding import stream


def test_a_game_beyond_the_length_cap_is_played_undone_scored_and_loaded(desk_of, white_has_all, tmp_path):
    desk = desk_of(evaluator=white_has_all)
    for line in ("boardsize 4", "clear_board", "komi 0"):
        assert desk.ask(line) == "="
    position, rng = ludus.game("go:4x4:komi=0").start(), stream(3, "test", "gtp")
    moves, drawn = [], []
    while len(moves) < 80 or not banned(position):
        some = position.actions[:-1] or position.actions  # the pass comes last
        moves.append((("b", "w")[position.to_play], position.text(some[int(rng.integers(len(some)))])))
        position = position.play(moves[-1][1])
        assert [desk.ask(f"play {moves[-1][0]} {moves[-1][1]}"), position.outcome] == ["=", None]
        drawn.append(desk.ask("showboard"))
    for kept in (79, 40, 20):  # undo to before the first renewal, then replay
        assert desk.ask(f"gg-undo {len(moves) - kept}") == "="
        assert desk.ask("showboard") == drawn[kept - 1]
        for colour, move in moves[kept:]:
            assert desk.ask(f"play {colour} {move}") == "="
    mover = "bw"[position.to_play]
    assert {desk.ask(f"play {mover} {position.text(action)}") for action in banned(position)} == {"? illegal move"}
    for command in (f"genmove {mover}", "final_score", "final_status_list dead", "undo"):
        assert desk.ask(command).startswith("=")
    path = tmp_path / "long.sgf"
    path.write_text(write_game(position))
    assert desk.ask(f"loadsgf {path}") == "="
    assert desk.ask("showboard") == drawn[-1]
    for colour in (mover, "bw"["wb".index(mover)]):
        assert desk.ask(f"play {colour} pass") == "="
    assert desk.ask("final_score") == "= W+16"


def banned(position):
    """Return the empty points at which a move is illegal."""
    stones = stones_of(position.state)
    return [a for a in range(16) if cell_of(position.state, a) not in stones and a not in position.actions]


def test_komi_set_after_a_move_stays_when_the_move_is_undone(desk):
    for line in ("boardsize 5", "komi 7.5", "clear_board", "play b C3", "play w C4", "komi 0.5", "undo", "undo"):
        assert desk.ask(line) == "="
    assert desk.ask("get_komi") == "= 0.5"
    assert desk.ask("final_score") == "= W+0.5"
    assert desk.ask("play b C3") == "="
    assert desk.ask("final_score") == "= B+24.5"


def set_up_a_dead_stone(desk):
    """Divide a 5x5 board by two walls, with a dead white stone behind Black's wall."""
    for line in ("boardsize 5", "komi 0.5", "clear_board"):
        desk.ask(line)
    for row in range(1, 6):
        desk.ask(f"play b C{row}")
        desk.ask(f"play w D{row}")
    desk.ask("play w A1")
    desk.ask("play b B2")


def test_the_score_is_counted_without_dead_stones(desk):
    set_up_a_dead_stone(desk)
    assert desk.ask("final_score") == "= B+4.5"
    assert desk.ask("final_status_list dead") == "= A1"
    assert sorted(desk.ask("final_status_list alive").split("\n")[-1].split()) == [f"D{row}" for row in range(1, 6)]
    assert desk.ask("final_status_list seki") == "="


def test_cleanup_does_not_pass_while_the_opponent_has_dead_stones(desk):
    set_up_a_dead_stone(desk)
    for player in "bw":
        assert desk.ask(f"kgs-genmove_cleanup {player}").startswith("= ")
        desk.ask("undo")
    cleaner, other = (limits.only for limits, *_ in desk.asked)
    assert cleaner
    assert 25 not in cleaner, "the pass"
    assert other == (), "Black has no dead stones"


SEKI = """
.OX......
OOX......
.OXXXXXXX
XXOOOOOOO
.XO......
XXO......
OOO......
.........
.........
"""


@pytest.mark.parametrize(("rules", "score"), [("japanese", "W+24"), ("chinese", "W+26")])
def test_groups_in_seki_are_listed_and_alive_despite_the_networks_prediction(desk_of, rules, score):
    class WhoeverStandsThere:
        """Predicts that stones stay, except that White's group in seki is dead."""

        def maps(self, planes):
            rows = SEKI.split()
            black = np.array([[each == "X" for each in row] for row in rows], np.float32)
            white = np.array([[each == "O" for each in row] for row in rows], np.float32)
            for row, column in ((0, 1), (1, 0), (1, 1), (2, 1)):
                black[row, column], white[row, column] = 1.0, 0.0
            return np.stack([black, white])[None]

    desk = desk_of(evaluator=WhoeverStandsThere())
    for line in (f"kgs-rules {rules}", "komi 0"):
        assert desk.ask(line) == "="
    for row, text in enumerate(SEKI.split()):
        for column, each in enumerate(text):
            if each != ".":
                assert desk.ask(f"play {'bw'['XO'.index(each)]} {'ABCDEFGHJ'[column]}{9 - row}") == "="
    desk.ask("play w pass")  # Black is to move
    assert desk.ask("final_status_list dead") == "="
    assert sorted(desk.ask("final_status_list seki").removeprefix("= ").split("\n")) == [
        "A6 B6 B5 A4 B4",
        "B9 A8 B8 B7",
    ]
    assert "B9" not in desk.ask("final_status_list alive").split()
    assert desk.ask("final_score") == f"= {score}"


def test_a_record_is_loaded_up_to_a_move(desk, tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[9:9]KM[3.5]HA[2];W[ee];B[dd];W[ff])")
    assert desk.ask(f"loadsgf {path} 2") == "="
    assert desk.ask("list_stones w") == "= E5"
    assert desk.ask("get_komi") == "= 3.5"
    assert desk.ask(f"loadsgf {path}") == "="
    assert desk.ask("list_stones w") == "= E5 F4"
    path.write_text("(;SZ[9];B[ee];W[ee])")
    assert desk.ask(f"loadsgf {path}") == "? cannot load file"
    assert desk.ask("list_stones w") == "= E5 F4"


def test_the_moves_of_a_loaded_record_can_be_undone(desk, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]KM[5.5]AB[cc];W[ee];B[];W[dd];W[ff])")
    assert desk.ask(f"loadsgf {path}") == "="
    left = []
    while desk.ask("undo") == "=":
        left.append(desk.ask("list_stones w").removeprefix("= "))
    assert left == ["D6 E5", "E5", "E5", "="]
    assert [desk.ask("list_stones b"), desk.ask("get_komi")] == ["= C7", "= 5.5"]
    assert desk.ask("play w E5") == "="


@pytest.mark.parametrize(("player", "sign"), [("b", -1.0), ("w", 1.0)])
def test_a_network_predicts_ownership_and_score(desk_of, white_has_all, player, sign):
    desk = desk_of(evaluator=white_has_all)
    desk.ask("komi 6.5")
    line = desk.ask(f"kata-analyze {player} interval 20 maxmoves 1 ownership true").split("\n")[1]
    head, _, owners = line.partition(" ownership ")
    assert {float(each) for each in owners.split()} == {sign}
    assert f"scoreLead {sign * (81 + 6.5):.2f}" in head, "the same lead before and after the move"
    desk.ask("play b E5")
    assert desk.ask("final_status_list dead") == "= E5"
    assert desk.ask("final_score") == "= W+6.5", "without the dead stone, neither side has points"
