"""A slow and simple reference implementation of Go: a dictionary of stones and a list of positions."""

import pytest

import ludus


class Reference:
    """A game of Go; cells are (row, column), players 0 and 1, a pass is None."""

    def __init__(self, size, *, ko="positional", suicide=True):
        self.size, self.ko, self.suicide = size, ko, suicide
        self.stones, self.player, self.taken = {}, 0, [0, 0]
        self.seen = [(frozenset(), 0)]

    def around(self, cell):
        row, column = cell
        beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in beside if 0 <= r < self.size and 0 <= c < self.size]

    def group(self, stones, cell):
        """Return the group of a stone and its liberties."""
        found, liberties = [cell], set()
        for each in found:
            for near in self.around(each):
                if near not in stones:
                    liberties.add(near)
                elif stones[near] == stones[cell] and near not in found:
                    found.append(near)
        return found, liberties

    def put(self, cell):
        """Return the stones after a move, and the owners of captured stones."""
        stones = dict(self.stones)
        stones[cell] = self.player
        taken = [0, 0]
        for player, near in ((1 - self.player, self.around(cell)), (self.player, [cell])):
            for each in near:
                if stones.get(each) == player:
                    group, liberties = self.group(stones, each)
                    if not liberties:
                        taken[player] += len(group)
                        for stone in group:
                            del stones[stone]
        return stones, taken

    def legal(self):
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        return {cell for cell in cells if cell not in self.stones and self.may_play(cell)}

    def may_play(self, cell):
        after, taken = self.put(cell)
        if taken[self.player] and not self.suicide:
            return False
        position = frozenset(after.items())
        if self.ko == "positional":
            return position not in [seen for seen, _ in self.seen]
        if self.ko == "situational":
            return (position, 1 - self.player) not in self.seen
        before_last = self.seen[-2] if len(self.seen) > 1 else None
        return not (taken[1 - self.player] == 1 and before_last == (position, 1 - self.player))

    def play(self, cell):
        if cell is not None:
            self.stones, taken = self.put(cell)
            self.taken = [self.taken[0] + taken[1], self.taken[1] + taken[0]]
        self.player = 1 - self.player
        self.seen.append((frozenset(self.stones.items()), self.player))

    def area(self):
        """Return the owner of each point by Tromp-Taylor scoring."""
        owners = {}
        for row in range(self.size):
            for column in range(self.size):
                reached, seen = set(), [(row, column)]
                if (row, column) in self.stones:
                    owners[row, column] = self.stones[row, column]
                    continue
                for each in seen:
                    for near in self.around(each):
                        if near in self.stones:
                            reached.add(self.stones[near])
                        elif near not in seen:
                            seen.append(near)
                if len(reached) == 1:
                    owners[row, column] = reached.pop()
        return owners


def after(spec, moves, setup=None):
    """Return the position after some moves."""
    position = ludus.game(spec).start(setup)
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.fixture
def play():
    return after


@pytest.fixture
def referee():
    return Reference
