"""A Wall Game state in readable form: named numbers, walls and paths, for all code but the compiled rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np

from ludus.games.board import Cell
from ludus.games.packed import read_field, write_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import (
    ANIMAL_CYCLE,
    ANIMALS,
    BOARD,
    CLASSIC,
    CYCLE,
    PASSAGES,
    PAWN_BITS,
    STANDARD,
    SURVIVAL,
    TURN,
    pawn,
)

VERTICAL, HORIZONTAL = "vertical", "horizontal"
Wall = tuple[Cell, str]
"""A wall on the right of a cell (`vertical`) or above it (`horizontal`), named as in the site's JSON and notation."""

_FIELDS = {
    "rows": layout.ROWS,
    "columns": layout.COLUMNS,
    "frame_rows": layout.FRAME_ROWS,
    "frame_columns": layout.FRAME_COLUMNS,
    "variant": layout.VARIANT,
    "old_rules": layout.OLD_RULES,
    "short": layout.SHORT,
    "movable": layout.MOVABLE,
    "player": layout.PLAYER,
    "second": layout.SECOND,
    "back": layout.BACK,
    "result": layout.RESULT,
    "turns_left": layout.TURNS_LEFT,
}


class WallgameView(msgspec.Struct, frozen=True):
    """The parts of a state; cells are numbered as in `layout`, or are `(row, column)` if the name contains `at`."""

    rows: int
    columns: int
    frame_rows: int
    frame_columns: int
    variant: int
    old_rules: int
    short: int
    movable: int
    pawns: tuple[int, int, int, int]
    """Player 0's cat, its goal, player 1's cat, its goal; in animal-cycle, the cat, mouse, elephant and dog."""
    right: int
    """Bit `cell`: the passage to its right is open; in `down`, the passage below it."""
    down: int
    player: int = 0
    second: int = 0
    back: int = 0
    result: int = 0
    turns_left: int = 0

    @property
    def cells(self) -> int:
        """Return N, the number of cells of the frame."""
        return self.frame_rows * self.frame_columns

    def cell(self, at: Cell) -> int:
        """Return the number of a cell."""
        return at[1] * self.frame_rows + at[0]

    def at(self, cell: int) -> Cell:
        """Return the row and column of a cell."""
        return cell % self.frame_rows, cell // self.frame_rows

    def on_board(self, at: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= at[0] < self.rows and 0 <= at[1] < self.columns

    def has_slot(self, wall: Wall) -> bool:
        """Return whether a wall fits there: between two cells of the board."""
        (row, column), orientation = wall
        return self.on_board((row, column)) and (column < self.columns - 1 if orientation == VERTICAL else row > 0)

    def slots(self) -> Iterator[Wall]:
        """Yield all slots for walls: first the vertical ones, column by column from the top."""
        ats = [(row, column) for column in range(self.columns) for row in range(self.rows)]
        for orientation in (VERTICAL, HORIZONTAL):
            yield from (wall for at in ats if self.has_slot(wall := (at, orientation)))

    def slot(self, wall: Wall) -> tuple[bool, int]:
        """Return whether the wall closes a passage to the right (else down), and the passage's cell."""
        (row, column), orientation = wall
        vertical = orientation == VERTICAL
        return vertical, self.cell((row, column) if vertical else (row - 1, column))

    def is_open(self, wall: Wall) -> bool:
        """Return whether a slot has no wall."""
        vertical, cell = self.slot(wall)
        return (self.right if vertical else self.down) >> cell & 1 == 1

    @property
    def walls(self) -> list[Wall]:
        """Return the walls in the order of the slots."""
        return [wall for wall in self.slots() if not self.is_open(wall)]

    def with_wall(self, wall: Wall) -> WallgameView:
        """Return the view with an additional wall."""
        vertical, cell = self.slot(wall)
        if vertical:
            return msgspec.structs.replace(self, right=self.right & ~(1 << cell))
        return msgspec.structs.replace(self, down=self.down & ~(1 << cell))

    def slot_of(self, player: int, kind: int) -> int:
        """Return the slot of a player's pawn: the first (0) or the second (1) of its `shapes`."""
        if self.variant == ANIMAL_CYCLE:
            return player + 2 * kind
        if kind == 0:
            return 2 * player
        return 2 * player + 1 if self.variant == CLASSIC else layout.mouse_slot(player)

    @property
    def shapes(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the names of each player's two pawns; in survival, player 0's mouse and player 1's cat are absent."""
        if self.variant == ANIMAL_CYCLE:
            return (ANIMALS[0], ANIMALS[2]), (ANIMALS[1], ANIMALS[3])
        both = ("cat", "home" if self.variant == CLASSIC else "mouse")
        return both, both

    @property
    def hunts(self) -> list[tuple[int, int, int]]:
        """Return (player, the hunter's cell, the goal's cell) for every pawn that has a goal."""
        if self.variant == ANIMAL_CYCLE:
            return [(slot % 2, self.pawns[slot], self.pawns[(slot + 1) % 4]) for slot in range(4)]
        players = (0,) if self.variant == SURVIVAL else (0, 1)
        return [(player, self.pawns[2 * player], self.pawns[2 * player + 1]) for player in players]

    def distance(self, start: int, goal: int) -> int | None:
        """Return the length of the shortest path, or None if there is none."""
        seen = front = 1 << start
        length = 0
        while front and not front >> goal & 1:
            rows = self.frame_rows
            sideways = (front & self.right) << rows | front >> rows & self.right
            upright = (front & self.down) << 1 | front >> 1 & self.down
            front = (sideways | upright) & ~seen
            seen |= front
            length += 1
        return length if front else None

    @staticmethod
    def read(state: State) -> WallgameView:
        """Convert a state to a view."""
        return _read(state.tobytes())

    def write(self, state: State) -> None:
        """Write the view into a state, the inverse of `read`."""
        width = (len(state) - PASSAGES) // 2
        state[BOARD], state[TURN] = 0, sum(cell << PAWN_BITS * slot for slot, cell in enumerate(self.pawns))
        cycle = self.variant == ANIMAL_CYCLE
        numbers = msgspec.structs.asdict(self) | {"variant": STANDARD if cycle else self.variant}
        for name, where in _FIELDS.items():
            write_field(state, where, numbers[name])
        write_field(state, CYCLE, int(cycle))
        for first, passages in ((PASSAGES, self.right), (PASSAGES + width, self.down)):
            state[first : first + width] = np.frombuffer(passages.to_bytes(8 * width, "little"), "<u8")


@lru_cache(maxsize=4096)  # a position is described, written and parsed many times
def _read(state: bytes) -> WallgameView:
    words = np.frombuffer(state, np.uint64)
    numbers = {name: read_field(words, where) for name, where in _FIELDS.items()}
    if read_field(words, CYCLE):
        numbers["variant"] = ANIMAL_CYCLE
    pawns = tuple(pawn(words, slot) for slot in range(4))
    right, down = (int.from_bytes(half.tobytes(), "little") for half in np.split(words[PASSAGES:], 2))
    return WallgameView(pawns=pawns, right=right, down=down, **numbers)  # pyright: ignore[reportArgumentType]


def open_board(
    *, rows: int, columns: int, frame_rows: int, frame_columns: int, variant: int, old_rules: bool, short: bool
) -> WallgameView:
    """Return a board without walls; the pawns are not placed yet."""
    right = down = 0
    for column in range(columns):
        for row in range(rows):
            cell = 1 << (column * frame_rows + row)
            right |= cell if column < columns - 1 else 0
            down |= cell if row < rows - 1 else 0
    movable = {CLASSIC: 0b0101, SURVIVAL: 0b1001}.get(variant, 0b1111)
    return WallgameView(
        rows=rows,
        columns=columns,
        frame_rows=frame_rows,
        frame_columns=frame_columns,
        variant=variant,
        old_rules=int(old_rules),
        short=int(short),
        movable=movable,
        pawns=(0, 0, 0, 0),
        right=right,
        down=down,
    )
