"""Animal-cycle: the compiled rules against a slow reference on cells and sets, and its rules one by one."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.check.guard import Guarded
from ludus.games.check.laws import look
from ludus.games.check.twin import check_answers

RIGHT, DOWN, LEFT, UP = (0, 1), (1, 0), (0, -1), (-1, 0)
DIRECTIONS = (RIGHT, DOWN, LEFT, UP)
CYCLE = ("cat", "mouse", "elephant", "dog")  # each hunts the next, the dog the cat
OWN = (("cat", "elephant"), ("mouse", "dog"))
JUMPS = [(RIGHT, RIGHT), (DOWN, DOWN), (LEFT, LEFT), (UP, UP), (RIGHT, DOWN), (DOWN, LEFT), (LEFT, UP), (UP, RIGHT)]
SPECS = ["wallgame:animal-cycle:5x4@6x6", "wallgame:animal-cycle:4x4:short"]
SPECS += [
    pytest.param(f"wallgame:animal-cycle:{size}", marks=pytest.mark.full) for size in ("3x3:search-short", "9x7@11x9")
]


def plus(cell, direction):
    return cell[0] + direction[0], cell[1] + direction[1]


class SlowCycle:
    """A position: cells of the animals by name, and walls as pairs of cells."""

    def __init__(self, spec):
        _, _, size, *options = spec.split(":")
        board, _, frame = size.partition("@")
        self.columns, self.rows = map(int, board.split("x"))
        self.frame_columns, self.frame_rows = map(int, (frame or board).split("x"))
        self.short = bool({"short", "search-short"} & set(options))
        bottom, last = self.rows - 1, self.columns - 1
        self.at = {"cat": (0, 0), "mouse": (0, last), "elephant": (bottom, last), "dog": (bottom, 0)}
        self.cells = [(row, column) for column in range(self.columns) for row in range(self.rows)]
        self.board = set(self.cells)
        self.walls, self.player, self.made, self.came_from, self.winner = set(), 0, 0, None, None

    @property
    def stop(self):
        return 2 * self.frame_columns * self.frame_rows + 8

    def steps(self, cell, walls):
        """Return the directions in which no wall and no border stops a pawn."""
        there = {direction: plus(cell, direction) for direction in DIRECTIONS}
        return [way for way, to in there.items() if to in self.board and frozenset((cell, to)) not in walls]

    def reaches(self, start, goal, walls):
        known, queue = {start}, deque([start])
        while queue:
            cell = queue.popleft()
            for to in (plus(cell, way) for way in self.steps(cell, walls)):
                if to not in known:
                    known.add(to)
                    queue.append(to)
        return goal in known

    def hunts(self):
        return [(hunter, CYCLE[(place + 1) % 4]) for place, hunter in enumerate(CYCLE)]

    def mate(self, pawn):
        return next(other for other in OWN[self.player] if other != pawn)

    def ways(self, pawn, jump):
        """Return the cells that a jump may pass: one for each way of two steps along which no wall is."""
        here, orders = self.at[pawn], {jump, jump[::-1]}
        ways = [(plus(here, one), two) for one, two in orders if one in self.steps(here, self.walls)]
        found = [between for between, two in ways if two in self.steps(between, self.walls)]
        return [cell for cell in found if cell != self.at[self.mate(pawn)]]

    def legal(self):
        found = []
        frame = self.frame_rows * self.frame_columns
        for kind, direction in enumerate((RIGHT, DOWN)):
            for cell in self.cells:
                wall = frozenset((cell, plus(cell, direction)))
                walls = self.walls | {wall}
                if direction in self.steps(cell, self.walls) and all(
                    self.reaches(self.at[hunter], self.at[prey], walls) for hunter, prey in self.hunts()
                ):
                    found.append(kind * frame + cell[1] * self.frame_rows + cell[0])
        for number, pawn in enumerate(OWN[self.player]):
            for index, direction in enumerate(DIRECTIONS):
                to = plus(self.at[pawn], direction)
                is_free = to != self.at[self.mate(pawn)] and (pawn, to) != self.came_from
                if direction in self.steps(self.at[pawn], self.walls) and is_free:
                    found.append(2 * frame + 4 * number + index)
        if self.short or not found:
            found.append(self.stop)
        if self.made == 0:
            enemies = {self.at[pawn] for pawn in OWN[1 - self.player]}
            for number, pawn in enumerate(OWN[self.player]):
                for index, jump in enumerate(JUMPS):
                    to = plus(plus(self.at[pawn], jump[0]), jump[1])
                    ways = self.ways(pawn, jump)
                    if ways and to != self.at[self.mate(pawn)] and enemies.issuperset(ways):
                        found.append(self.stop + 1 + 8 * number + index)
        return sorted(found)

    def play(self, action):
        frame = self.frame_rows * self.frame_columns
        self.made += 1
        came_from, pawn = None, None
        if action < 2 * frame:
            cell = action % frame % self.frame_rows, action % frame // self.frame_rows
            self.walls.add(frozenset((cell, plus(cell, RIGHT if action < frame else DOWN))))
        elif action < self.stop:
            number, index = divmod(action - 2 * frame, 4)
            pawn, ways = OWN[self.player][number], (DIRECTIONS[index],)
        elif action > self.stop:
            number, index = divmod(action - self.stop - 1, 8)
            pawn, ways = OWN[self.player][number], JUMPS[index]
        if pawn:
            came_from = pawn, self.at[pawn]
            for direction in ways:
                self.at[pawn] = plus(self.at[pawn], direction)
            caught = [hunter for hunter, prey in self.hunts() if self.at[hunter] == self.at[prey]]
            self.winner = next((0 if hunter in OWN[0] else 1 for hunter in caught), None)
        self.came_from = came_from
        if self.winner is not None or self.made == 2 or action >= self.stop:
            self.player, self.made, self.came_from = 1 - self.player, 0, None

    def planes(self):
        planes = np.zeros((9, self.frame_columns, self.frame_rows), np.uint8)
        first, second = OWN[self.player]
        hunted = dict(self.hunts())
        planes[:4] = min(255, self.frame_columns * self.frame_rows)
        for plane, pawn in enumerate((first, hunted[first], hunted[second], second)):
            front, steps = {self.at[pawn]}, 0
            known = set()
            while front:
                for row, column in front:
                    planes[plane, column, row] = steps
                known |= front
                front = {plus(cell, way) for cell in front for way in self.steps(cell, self.walls)} - known
                steps += 1
        for plane, direction in ((4, RIGHT), (5, DOWN)):
            planes[plane] = 1
            for cell in self.cells:
                if direction in self.steps(cell, self.walls):
                    planes[plane, cell[1], cell[0]] = 0
        planes[6], planes[7] = self.made, self.player == 0
        if self.came_from:
            pawn, (row, column) = self.came_from
            planes[8, column, row] = 1 + OWN[self.player].index(pawn)
        return planes


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
def test_the_rules_agree_with_the_reference(spec, data):
    """Play a random game in which pawn actions are likely, since jumps and captures are rare."""
    game = ludus.game(spec)
    fast = Calls(game.rules, game.max_legal, compiled=True)
    slow, state, position = SlowCycle(spec), game.start().state, game.start()
    for _ in range(data.draw(st.integers(0, 12))):
        legal = slow.legal()
        assert fast.legal(state) == legal
        assert game.rules.to_play(state) == slow.player
        assert (position.planes == slow.planes()).all()
        pawns = [action for action in legal if action >= slow.stop - 8]
        jumps = [action for action in legal if action > slow.stop]
        action = data.draw(
            st.sampled_from(data.draw(st.sampled_from([each for each in (legal, pawns, jumps) if each])))
        )
        slow.play(action)
        state, position = fast.play(state, action), position.play(action)
        assert state.tobytes() == position.state.tobytes()
        assert fast.outcome(state) == (0 if slow.winner is None else 1 + slow.winner)
        if slow.winner is not None:
            assert (position.outcome.winner, position.outcome.reason) == (slow.winner, "capture")
            break


@pytest.mark.parametrize("spec", SPECS)
def test_every_compiled_rule_agrees_bit_by_bit_with_the_plain_one(spec, walks, rng):
    game = ludus.game(spec)
    fast, plain = Guarded(game, compiled=True), Guarded(game, compiled=False)
    for position in walks(spec, rng, 12):
        check_answers(fast, plain, position.state, look(plain, position.state))
        for symmetry in range(1, game.num_symmetries):
            mirrored = fast.symmetric_state(position.state, symmetry)
            assert mirrored.tobytes() == plain.symmetric_state(position.state, symmetry).tobytes()


def play(*moves, pawns=None, size="5x5:short"):
    setup = pawns and {"pawns": pawns, "walls": []}
    position = ludus.game(f"wallgame:animal-cycle:{size}").start(setup)
    for move in moves:
        position = position.play(move)
    return position


NEAR = {"p1": {"cat": [2, 1], "elephant": [4, 4]}, "p2": {"mouse": [2, 2], "dog": [4, 0]}}


def test_each_animal_catches_the_next_one_at_once():
    over = play("Cc3.>a1", pawns=NEAR)
    assert (over.outcome.winner, over.moves) == (0, ["Cc3"])


def test_an_animal_that_steps_onto_its_hunter_is_caught():
    pawns = {"p1": {"cat": [2, 1], "elephant": [4, 4]}, "p2": {"mouse": [0, 0], "dog": [2, 2]}}
    assert play("Cc3", pawns=pawns).outcome.winner == 1


def test_one_term_jumps_over_an_enemy_and_two_terms_catch_it():
    over = play("Cc3.Cd3", pawns=NEAR)
    assert (over.outcome.winner, over.moves) == (0, ["Cc3"])
    jumped = play("Cd3", pawns=NEAR)
    assert (jumped.outcome, jumped.moves, jumped.to_play) == (None, ["Cd3"], 1)
    around = play("Cc2", pawns=NEAR)  # a way around the mouse is open, so these are two steps
    assert (around.parent.to_play, around.moves) == (0, ["Cc2"])


def test_a_jump_takes_both_actions():
    with pytest.raises(IllegalMove, match="a move has at most two actions"):
        play("Cd3.>a1", pawns=NEAR)
    with pytest.raises(IllegalMove, match="a double step takes both actions"):
        play(">a1.Cd3", pawns=NEAR)


@pytest.mark.parametrize(("move", "reason"), [("Ec3", "the cat is there"), ("Eb3", "walls are in the way")])
def test_teammates_stop_each_other(move, reason):
    pawns = {"p1": {"cat": [2, 2], "elephant": [2, 3]}, "p2": {"mouse": [0, 0], "dog": [4, 0]}}
    with pytest.raises(IllegalMove, match=reason):
        play(move, pawns=pawns)


def test_a_wall_that_cuts_any_hunter_off_is_refused_with_its_name():
    position = play(">a5.>a4", ">a3.>a2")
    with pytest.raises(
        IllegalMove, match="cut off the cat from the mouse and it would cut off the elephant from the dog"
    ):
        position.play(">a1")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("wallgame:animal-cycle:8x8:2026-01", "animal-cycle has no option 2026-01; leave it out"),
        ("wallgame:animal-cycle:8x8:ways", "animal-cycle has no option ways; leave it out"),
    ],
)
def test_options_of_the_other_variants_are_refused(spec, complaint):
    with pytest.raises(BadGame) as refusal:
        ludus.game(spec)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize("size", ["4x4", "8x8", "9x7@11x9", "12x10"])
def test_a_random_start_is_its_own_quarter_turn(size):
    game = ludus.game(f"wallgame:animal-cycle:{size}")
    seen = set()
    for seed in range(12):
        setup = game.setup(game.start(f"random:{seed}").state)
        assert (game.start(setup).state == game.start(f"random:{seed}").state).all()
        cat, elephant = (setup["pawns"]["p1"][name] for name in OWN[0])
        mouse, dog = (setup["pawns"]["p2"][name] for name in OWN[1])
        side = elephant[0] - cat[0]
        assert mouse == [cat[0], cat[1] + side]
        assert dog == [cat[0] + side, cat[1]]
        assert len(setup["walls"]) % 4 == 0
        seen.add(str(setup))
    assert len(seen) > 3


def test_a_random_start_needs_room():
    with pytest.raises(BadNotation, match="needs at least 4 rows and 4 columns"):
        ludus.game("wallgame:animal-cycle:3x8").start("random:1")


def test_a_setup_names_the_animals_and_keeps_teammates_apart():
    pawns = {"p1": {"cat": [0, 0], "elephant": [0, 0]}, "p2": {"mouse": [0, 4], "dog": [4, 0]}}
    with pytest.raises(BadNotation, match="p1's cat and elephant are on the same cell"):
        play(pawns=pawns)
    with pytest.raises(BadNotation, match=r"pawns\.p2: 'dog' is missing"):
        play(pawns=pawns | {"p2": {"mouse": [0, 4]}})


def test_the_board_shows_all_four_animals_and_the_capture():
    over = play("Cc3", pawns=NEAR)
    assert {(piece.shape, piece.owner) for piece in over.describe().pieces} == {
        *(("cat", 0), ("elephant", 0)),
        *(("mouse", 1), ("dog", 1)),
    }
    assert {mark.kind for mark in over.describe().marks} == {"last", "win"}
