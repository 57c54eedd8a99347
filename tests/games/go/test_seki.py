"""Seki: which groups are recognised, and their value under territory scoring."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.go import seki
from ludus.games.go.describe import margin, worthless
from ludus.games.go.seki import in_seki

EYE_AGAINST_EYE = """
.X.O.OX..
XXXOOOX..
OOOXXXX..
..OX.....
..OX.....
..OX.....
..OX.....
..OX.....
..OX.....
"""
NO_EYES = """
X.OOOO.XO
XXXXXXXXO
OOOOOOOOO
.........
OOOOOOOOO
XXXXXXXXX
.........
.........
.........
"""
TWO_STONES_IN_FOUR_POINTS = """
X.OO.XO..
XXXXXXO..
OOOOOOO..
.........
OOOOOOOOO
XXXXXXXXX
.........
.........
.........
"""
BOTH_HAVE_TWO_EYES = """
.X.X.OO.O
XXXX.O.OO
...X.OOOO
...X.O...
...X.O...
...X.O...
...X.O...
...X.O...
...X.O...
"""


def stones(text):
    rows = text.strip().splitlines()
    return {(r, c): "XO".index(each) for r, row in enumerate(rows) for c, each in enumerate(row) if each != "."}


def position(text, spec="go:9x9:japanese:komi=0"):
    names = {0: [], 1: []}
    for (row, column), owner in stones(text).items():
        names[owner].append(f"{'ABCDEFGHJ'[column]}{9 - row}")
    return ludus.game(spec).start({"black": " ".join(names[0]), "white": " ".join(names[1]), "bonus": 0})


def groups_at(text, *cells):
    """Return the stones of the groups at some cells."""
    every, found = stones(text), list(cells)
    for row, column in found:
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near in every and every[near] == every[row, column] and near not in found:
                found.append(near)
    return set(found)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (EYE_AGAINST_EYE, [(0, 1), (0, 3)]),
        (NO_EYES, [(0, 0), (0, 2)]),
        (TWO_STONES_IN_FOUR_POINTS, []),
        (BOTH_HAVE_TWO_EYES, []),
        (".\n", []),
    ],
)
def test_groups_in_seki_are_recognised(text, cells):
    assert in_seki(stones(text), 9) == groups_at(text, *cells)


def test_large_regions_are_examined_once(monkeypatch):
    looked, around = [], seki._around
    monkeypatch.setattr(seki, "_around", lambda cell, size: looked.append(cell) or around(cell, size))
    cells = [(row, column) for row in range(0, 19, 3) for column in range(0, 19, 3)]
    assert in_seki({cell: number % 2 for number, cell in enumerate(cells)}, 19) == set()
    assert len(looked) < 4 * 19 * 19


def test_eyes_in_seki_count_nothing_by_territory_and_are_not_marked():
    there = position(EYE_AGAINST_EYE)
    assert worthless(there.state) == {(0, 0): 0, (0, 4): 1}
    # Black surrounds 6 points at the top right and 30 below, White 12; counting eyes in seki would add one to each
    assert margin(there.state) == 36 - 12
    no_white_eye = position(EYE_AGAINST_EYE.replace(".X.O.O", ".X.OOO", 1))
    assert worthless(no_white_eye.state) == {(0, 0): 0}
    assert margin(no_white_eye.state) == 36 - 12
    over = there.play("pass").play("pass")
    marked = {mark.at for mark in over.describe().marks if mark.kind.startswith("territory")}
    assert (8, 8) in marked
    assert not marked & {(0, 0), (0, 4)}


def test_eyes_in_seki_count_under_area_scoring():
    there = position(EYE_AGAINST_EYE, "go:9x9:chinese:komi=0")
    assert worthless(there.state) == {}
    black, white = (list(stones(EYE_AGAINST_EYE).values()).count(player) for player in (0, 1))
    assert margin(there.state) == (black + 36 + 1) - (white + 12 + 1)


def test_unfilled_neutral_points_do_not_reduce_territory():
    there = position(BOTH_HAVE_TWO_EYES)
    assert worthless(there.state) == {}
    assert margin(there.state) == (2 + 3 * 7) - (2 + 3 * 6)


def test_marked_dead_stones_enlarge_an_eye_to_life():
    text = EYE_AGAINST_EYE.replace(".X.O.O", ".X.O.O", 1)
    there = position(text, "go:9x9:japanese:komi=0:marking").play("pass").play("pass")
    for point in ("D9",):  # the white group is dead, so Black lives by capturing it
        there = there.play(point)
    assert worthless(there.state) == {}


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 1 << 32), st.integers(2, 6))
def test_random_boards_agree_with_a_slow_count_of_seki_eyes(referee, seed, size):
    rng = random.Random(seed)
    board = {}
    for row in range(size):
        for column in range(size):
            owner = rng.choice((0, 1, None))
            if owner is not None:
                board[row, column] = owner
    slow = referee(size)
    for cell in list(board):  # remove groups without liberties
        if cell in board and not slow.group(board, cell)[1]:
            for stone in slow.group(board, cell)[0]:
                del board[stone]
    slow.stones = board
    owners = slow.area()
    names = [
        " ".join(f"{'ABCDEF'[c]}{size - r}" for (r, c), who in board.items() if who == player) for player in (0, 1)
    ]
    setup = {"black": names[0], "white": names[1], "bonus": 0}
    state = ludus.game(f"go:{size}x{size}:japanese:komi=0").start(setup).state
    assert worthless(state) == slow_worthless(slow, owners, size)


def slow_worthless(slow, owners, size):
    cells = [(row, column) for row in range(size) for column in range(size)]
    neutral = {cell for cell in cells if cell not in owners}
    found = {}
    for cell in cells:
        if cell in slow.stones or cell not in owners:
            continue
        group = walk(slow, cell, lambda each, who=owners[cell]: owners.get(each) == who)
        eyes = [each for each in group if each not in slow.stones]
        region = walk(slow, cell, lambda each, eyes=eyes: each in eyes)
        touches = any(near in neutral for each in group for near in slow.around(each))
        if touches and len(eyes) <= 2 and len(region) == len(eyes):
            found[cell] = owners[cell]
    return found


def walk(slow, cell, within):
    found = [cell]
    for each in found:
        found += [near for near in slow.around(each) if within(near) and near not in found]
    return found
