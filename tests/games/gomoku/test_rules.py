"""Gomoku against the slow reference: wins, draws and renju's forbidden points."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadGame
from ludus.games.gomoku.forbidden import forbidden_cells
from ludus.seeding import stream


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("size", [6, 9])
def test_random_games_agree_with_the_reference(rule, size, referee):
    rng = stream(0, "test", "gomoku", rule, size)
    game = ludus.game(f"gomoku:{rule}:{size}x{size}")
    for _ in range(6):
        position, judge = game.start(), referee(size, rule)
        while not position.outcome:
            free = [(cell % size, cell // size) for cell in position.actions]
            assert {*free} == {(x, y) for x in range(size) for y in range(size)} - judge.stones.keys()
            # near the existing stones, so that rows arise
            near = [each for each in free if any(max(abs(each[0] - x), abs(each[1] - y)) == 1 for x, y in judge.stones)]
            point = near[int(rng.integers(len(near)))] if near else free[int(rng.integers(len(free)))]
            colour = position.to_play
            banned = rule == "renju" and colour == 0 and judge.is_forbidden(point)
            judge.stones[point] = colour
            position = position.play(point[1] * size + point[0])
            winner = colour if judge.wins(point) else 1 - colour if banned else None
            full = len(judge.stones) == size * size
            assert bool(position.outcome) == (winner is not None or full)
            if position.outcome:
                assert position.outcome.winner == winner


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_forbidden_points_agree_with_the_reference(referee, named, seed):
    rng, size = np.random.default_rng(seed), 9
    black, white = 4 + int(rng.integers(6)), int(rng.integers(6))
    cells = rng.choice(25, black, replace=False) if seed % 2 else rng.choice(81, black, replace=False)
    points = [
        (2 + int(cell) % 5, 2 + int(cell) // 5) if seed % 2 else (int(cell) % 9, int(cell) // 9) for cell in cells
    ]
    judge = referee(size, "renju")
    judge.stones = dict.fromkeys(points, 0)
    free = [(x, y) for x in range(size) for y in range(size) if (x, y) not in judge.stones]
    for index in rng.choice(len(free), white, replace=False):
        judge.stones[free[int(index)]] = 1
    assume(not any(judge.wins(point) for point in judge.stones))
    setup = {
        name: [named(size, point) for point in judge.stones if judge.stones[point] == colour]
        for colour, name in enumerate(("black", "white"))
    }
    state = ludus.game("gomoku:renju:9x9").start_state(setup)
    found = {(cell % size, cell // size) for cell in forbidden_cells(state)}
    every = {(x, y) for x in range(size) for y in range(size)} - judge.stones.keys()
    assert found == {point for point in every if judge.is_forbidden(point)}


def test_six_in_a_row_wins_in_freestyle_only(play):
    moves = "a1 a9 b1 b9 c1 c9 e1 e9 f1 g9 d1"
    assert play("gomoku:9x9", moves).outcome == ludus.Outcome(winner=0, reason="five in a row")
    assert play("gomoku:standard:9x9", moves).outcome is None
    assert play("gomoku:renju:9x9", moves).outcome == ludus.Outcome(winner=1, reason="forbidden point")


def test_white_may_make_six_in_renju(play):
    moves = "a9 a1 b9 b1 d9 c1 e9 e1 g9 f1 h7 d1"
    assert play("gomoku:renju:9x9", moves).outcome == ludus.Outcome(winner=1, reason="five in a row")
    assert play("gomoku:standard:9x9", moves).outcome is None


def test_a_five_wins_even_if_it_also_makes_an_overline(play):
    setup = {"black": ["e1", "e2", "e3", "e4", "a5", "b5", "c5", "d5", "f5"], "white": ["a9", "b9", "c9"]}
    game = ludus.game("gomoku:renju:9x9").start(setup)
    assert game.play("e5").outcome == ludus.Outcome(winner=0, reason="five in a row")


@pytest.mark.parametrize(
    ("black", "white", "point", "forbidden"),
    [
        ("h9 h10 f8 g8", "", "h8", True),  # two open threes
        ("h9 h10 f8 g8", "e8 i8", "h8", False),  # one of them is closed
        ("c15 d15 e14 e13", "", "e15", False),  # on the border, no three is open
        ("d8 e8 f8 j8 k8 l8", "", "h8", True),  # two fours in one line
        ("e8 f8 i8 h9 h10", "", "h8", False),  # a four and a three are allowed
        ("e8 f8 g8 h9 h10 h11", "d8", "h8", True),  # two fours
        ("d8 e8 f8 h8 i8", "", "g8", True),  # six in a row
    ],
)
def test_shapes_agree_with_the_reference(black, white, point, forbidden, referee, named):
    judge = referee(15, "renju")
    setup = {"black": black.split(), "white": white.split()}
    for colour, name in enumerate(("black", "white")):
        for text in setup[name]:
            judge.stones["abcdefghijklmno".index(text[0]), 15 - int(text[1:])] = colour
    state = ludus.game("gomoku:renju:15x15").start_state(setup)
    found = {named(15, (cell % 15, cell // 15)) for cell in forbidden_cells(state)}
    every = {(x, y) for x in range(15) for y in range(15)} - judge.stones.keys()
    assert found == {named(15, each) for each in every if judge.is_forbidden(each)}
    assert (point in found) == forbidden


def test_two_open_threes_are_forbidden_to_black_only(play):
    moves = "h9 a1 h10 a3 f8 a5 g8 a7"
    lost = play("gomoku:renju:15x15", f"{moves} h8")
    assert lost.outcome == ludus.Outcome(winner=1, reason="forbidden point")
    assert play("gomoku:standard:15x15", f"{moves} h8").outcome is None


def test_a_full_board_is_a_draw():
    size = 5
    game = ludus.game("gomoku:5x5")
    pattern = ["xxoxo", "ooxox", "xxoxo", "ooxox", "xxoxo"]
    black = [(x, y) for y in range(5) for x in range(5) if pattern[y][x] == "x"]
    white = [(x, y) for y in range(5) for x in range(5) if pattern[y][x] == "o"]
    position = game.start()
    while black or white:
        x, y = (black if position.to_play == 0 else white).pop()
        position = position.play(y * size + x)
    assert position.outcome == ludus.Outcome(winner=None, reason="board full")


def test_swap2_offers_its_choices(play):
    opened = play("gomoku:9x9:swap2", "e5.d4.f6")
    assert opened.to_play == 1
    assert [opened.text(action) for action in opened.actions[-2:]] == ["black", "two"]
    swapped = opened.play("black")
    assert (swapped.to_play, swapped.planes[2].max()) == (0, 0), "the first player continues as White"
    stayed = opened.play("a1")
    assert (stayed.to_play, stayed.planes[2].min()) == (0, 1), "the first player continues as Black"
    more = opened.play("two.a1.b2")
    assert more.to_play == 0
    assert [more.text(action) for action in more.actions[-1:]] == ["black"]
    assert more.play("black").to_play == 1, "the second player plays White"
    assert more.play("c3").to_play == 1, "the second player plays Black"
    assert more.moves == ["e5.d4.f6", "two.a1.b2"]


def test_the_winner_in_swap2_is_the_player_of_the_winning_colour(play):
    won = play("gomoku:9x9:swap2", "a1.a9.b1 black b9 c1 c9 d1 d9 e1")
    assert won.outcome == ludus.Outcome(winner=1, reason="five in a row")


@pytest.mark.parametrize(
    "spec",
    [
        "gomoku:4x4",
        "gomoku:21x21",
        "gomoku:9x8",
        "gomoku:caro:15x15",
        "gomoku:9x9:swap3",
        "gomoku:9x9:9x9",
        "gomoku:swap2:9x9",
        "gomoku:9x9:threats:swap2",
        "gomoku:9x9:threats:threats",
    ],
)
def test_invalid_names_are_refused(spec):
    with pytest.raises(BadGame, match=f"^{spec}: "):
        ludus.game(spec)


def test_the_default_board_is_15x15():
    assert ludus.game("gomoku").planes == (3, 15, 15)
    assert ludus.game("gomoku:renju:swap2").planes == (7, 15, 15)
