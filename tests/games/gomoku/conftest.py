"""A slow and simple reference implementation of Gomoku, with renju by recursion."""

import pytest

import ludus

BLACK, WHITE = 0, 1
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Referee:
    """A board and its rule."""

    def __init__(self, size, rule):
        self.size, self.rule = size, rule
        self.stones = {}

    def on_board(self, point):
        return 0 <= point[0] < self.size and 0 <= point[1] < self.size

    def is_free(self, point):
        return self.on_board(point) and point not in self.stones

    def line(self, point, direction, reach=5):
        return [(point[0] + k * direction[0], point[1] + k * direction[1]) for k in range(-reach, reach + 1)]

    def run(self, point, direction):
        """Return the unbroken row of one colour through a stone."""
        colour, cells = self.stones[point], [point]
        for sign in (1, -1):
            column, row = point
            while True:
                column, row = column + sign * direction[0], row + sign * direction[1]
                if self.stones.get((column, row)) != colour:
                    break
                cells.append((column, row))
        return cells

    def wins(self, point):
        exact = self.rule == "standard" or (self.rule == "renju" and self.stones[point] == BLACK)
        lengths = [len(self.run(point, direction)) for direction in DIRECTIONS]
        return any(length == 5 or (length > 5 and not exact) for length in lengths)

    def with_black(self, point):
        other = Referee(self.size, "renju")
        other.stones = {**self.stones, point: BLACK}
        return other

    def fives(self, point, direction):
        """Return the free points of a line through a black stone that make exactly five with it."""
        found = []
        for other in self.line(point, direction):
            if self.is_free(other):
                cells = self.with_black(other).run(other, direction)
                if len(cells) == 5 and point in cells:
                    found.append(other)
        return found

    def straight_fours(self, point, direction):
        """Return the free points of a line through a black stone that make a straight four with it."""
        found = []
        for other in self.line(point, direction):
            if self.is_free(other):
                after = self.with_black(other)
                cells = after.run(other, direction)
                if len(cells) == 4 and point in cells and len(after.fives(point, direction)) == 2:
                    found.append(other)
        return found

    def num_fours(self, point, direction):
        fives = self.fives(point, direction)
        if len(fives) == 2 and len(self.run(point, direction)) == 4:
            return 1
        return len(fives)

    def is_forbidden(self, point):
        after = self.with_black(point)
        if after.wins(point):
            return False
        if any(len(after.run(point, direction)) > 5 for direction in DIRECTIONS):
            return True
        fours = {direction: after.num_fours(point, direction) for direction in DIRECTIONS}
        if sum(fours.values()) >= 2:
            return True
        threes = 0
        for direction in DIRECTIONS:
            if not fours[direction]:
                threes += any(
                    not after.with_black(other).wins(other) and not after.is_forbidden(other)
                    for other in after.straight_fours(point, direction)
                )
        return threes >= 2


@pytest.fixture(scope="session")
def referee():
    return Referee


def name_of(size, point):
    return f"{'abcdefghijklmnopqrst'[point[0]]}{size - point[1]}"


@pytest.fixture(scope="session")
def named():
    return name_of


@pytest.fixture
def play():
    def play(spec, moves):
        position = ludus.game(spec).start()
        for move in moves.split():
            position = position.play(move)
        return position

    return play
