"""A slow and simple reference implementation of the Wall Game, on cells and sets."""

from collections import deque

import numpy as np
import pytest

import ludus
from ludus.games.wallgame.view import WallgameView

RIGHT, DOWN, LEFT, UP = (0, 1), (1, 0), (0, -1), (-1, 0)
SPECS = [
    "wallgame:classic:5x5@6x6",  # one word
    "wallgame:standard:8x8",
    "wallgame:survival:4x6:2026-01:short",
    pytest.param("wallgame:freestyle:12x10:2026-01", marks=pytest.mark.full),  # two words
    "wallgame:classic:9x7@11x9:short",
    pytest.param("wallgame:standard:13x11@20x20:search-short", marks=pytest.mark.full),  # seven words
]


def plus(cell, direction):
    return cell[0] + direction[0], cell[1] + direction[1]


class Reference:
    """A position; walls are pairs of cells.  `legal` and `play` use action numbers, everything else cells."""

    def __init__(self, spec, position):
        _, self.variant, size, *options = spec.split(":")
        board, _, frame = size.partition("@")
        self.columns, self.rows = map(int, board.split("x"))
        self.frame_columns, self.frame_rows = map(int, (frame or board).split("x"))
        self.old = "2026-01" in options
        self.short = bool({"short", "search-short"} & set(options))
        view = WallgameView.read(position.state)
        at = [view.at(pawn) for pawn in view.pawns]
        self.cats, self.goals = [at[0], at[2]], [at[1], at[3]]
        self.turns_left = view.turns_left
        self.walls = {frozenset(self.sides(*wall)) for wall in view.walls}
        self.player, self.made, self.came_from = 0, 0, None
        self.result = None

    def sides(self, cell, orientation):
        """Return the two cells that a wall separates, from its name on the site."""
        return cell, plus(cell, RIGHT if orientation == "vertical" else UP)

    @property
    def cells(self):
        return [(row, column) for column in range(self.columns) for row in range(self.rows)]

    def number(self, cell):
        return cell[1] * self.frame_rows + cell[0]

    def neighbours(self, cell, walls):
        around = [plus(cell, direction) for direction in (RIGHT, DOWN, LEFT, UP)]
        return [to for to in around if to in self.board and frozenset((cell, to)) not in walls]

    @property
    def board(self):
        return set(self.cells)

    def distances(self, start, walls=None):
        walls = self.walls if walls is None else walls
        known, queue = {start: 0}, deque([start])
        board = self.board
        while queue:
            cell = queue.popleft()
            for direction in (RIGHT, DOWN, LEFT, UP):
                to = plus(cell, direction)
                if to in board and to not in known and frozenset((cell, to)) not in walls:
                    known[to] = known[cell] + 1
                    queue.append(to)
        return known

    def hunts(self):
        return list(zip(self.cats, self.goals, strict=True))[: 1 if self.variant == "survival" else 2]

    def may_wall(self, a, b):
        walls = self.walls | {frozenset((a, b))}
        return all(goal in self.distances(cat, walls) for cat, goal in self.hunts())

    def own_pawns(self):
        """Return (first action number, cell) of the mover's pawns that can move."""
        cat, mouse = self.cats[self.player], self.goals[1 - self.player]
        pawns = {0: cat, 4: mouse}
        if self.variant == "classic":
            del pawns[4]
        if self.variant == "survival":
            del pawns[4 if self.player == 0 else 0]
        return pawns

    def legal(self):
        frame = self.frame_rows * self.frame_columns
        found = []
        for cell in self.cells:
            for first, direction in ((0, RIGHT), (frame, DOWN)):
                to = plus(cell, direction)
                if to in self.board and frozenset((cell, to)) not in self.walls and self.may_wall(cell, to):
                    found.append(first + self.number(cell))
        for first, cell in self.own_pawns().items():
            for index, direction in enumerate((RIGHT, DOWN, LEFT, UP)):
                to = plus(cell, direction)
                returns = not self.old and self.came_from == (first, to)
                if to in self.neighbours(cell, self.walls) and not returns:
                    found.append(2 * frame + first + index)
        if self.short or not found:
            found.append(2 * frame + 8)
        return sorted(found)

    def play(self, action):
        frame = self.frame_rows * self.frame_columns
        self.made += 1
        came_from = None
        if action < 2 * frame:
            cell = action % frame % self.frame_rows, action % frame // self.frame_rows
            self.walls.add(frozenset((cell, plus(cell, RIGHT if action < frame else DOWN))))
        elif action < 2 * frame + 8:
            first, index = divmod(action - 2 * frame, 4)
            pawns, who = (self.cats, self.player) if first == 0 else (self.goals, 1 - self.player)
            came_from = 4 * first, pawns[who]
            pawns[who] = plus(pawns[who], (RIGHT, DOWN, LEFT, UP)[index])
        self.came_from = came_from
        if self.made == 2 or action == 2 * frame + 8:
            self.end_move()

    def end_move(self):
        mover, other = self.player, 1 - self.player
        caught = [cat == goal for cat, goal in zip(self.cats, self.goals, strict=True)]
        if self.variant == "survival":
            caught[1] = False
        if caught[mover]:
            self.result = (mover, "capture")
            near = self.distances(self.cats[1]).get(self.goals[1], 99) <= 2
            if self.old and mover == 0 and near and self.variant in ("standard", "freestyle"):
                self.result = (None, "one-move-rule")
        elif caught[other]:
            self.result = (other, "capture")
        elif self.variant == "survival" and mover == 0:
            self.turns_left -= 1
            if self.turns_left == 0:
                self.result = (1, "survival")
        self.player, self.made, self.came_from = other, 0, None

    def planes(self):
        shape = (self.frame_columns, self.frame_rows)
        planes = np.zeros((9, *shape), np.uint8)
        me, far = self.player, min(255, shape[0] * shape[1])
        for plane, (owner, kind) in enumerate([(me, "cat"), (me, "goal"), (1 - me, "cat"), (1 - me, "goal")]):
            planes[plane] = far
            if self.variant == "survival" and owner == 1:
                continue
            start = (self.cats if kind == "cat" else self.goals)[owner]
            for (row, column), steps in self.distances(start).items():
                planes[plane, column, row] = min(255, steps)
        for plane, direction in ((4, RIGHT), (5, DOWN)):
            planes[plane] = 1
            for cell in self.cells:
                to = plus(cell, direction)
                if to in self.board and frozenset((cell, to)) not in self.walls:
                    planes[plane, cell[1], cell[0]] = 0
        planes[6] = self.made
        planes[7] = me == 0
        planes[8] = self.variant != "classic"
        return planes


def wander(position, rng, *, steps=0.4):
    """Return a random action, with pawn steps more likely than their number alone would make them."""
    frame = (position.game.num_actions - 9) // 2
    pawns = [action for action in position.actions if action >= 2 * frame]
    return int(rng.choice(pawns if pawns and rng.random() < steps else position.actions))


def random_positions(spec, rng, count, *, steps=0.4):
    """Return positions from random games."""
    game = ludus.game(spec).compile()
    position = game.start()
    for _ in range(count):
        yield position
        position = position.play(wander(position, rng, steps=steps))
        if position.outcome:
            position = game.start()


@pytest.fixture
def reference():
    return Reference


@pytest.fixture
def walks():
    return random_positions


@pytest.fixture
def answers_on_dirty_memory(monkeypatch):
    """Return a rule's answers for a cat on its goal within a move, with memory that held zeros and ones before."""
    pawns = {"p1": {"cat": [2, 1], "mouse": [4, 4]}, "p2": {"cat": [4, 0], "mouse": [2, 2]}}
    position = ludus.game("wallgame:standard:5x5").start({"pawns": pawns, "walls": []})
    (action,) = [action for action in position.actions if position.text(action) == "Cc3"]
    position = position.play(action)

    def answers(rule):
        found = []
        for content in (0, 2**64 - 1):
            monkeypatch.setattr(np, "empty", lambda shape, dtype, content=content: np.full(shape, content, dtype))
            found.append(rule(position))
        return found

    return answers


@pytest.fixture
def rng():
    return np.random.default_rng(2026)


@pytest.fixture(params=SPECS)
def any_board(request):
    return request.param


@pytest.fixture(params=[spec for spec in SPECS if "survival" not in str(spec)])
def any_race(request):
    """Return a board on which both players have a way to go."""
    return request.param
