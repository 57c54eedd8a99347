"""The board of a Gomoku engine: the stones that the manager has placed, and the position that they form."""

from __future__ import annotations

from ludus.errors import BadInput, IllegalMove
from ludus.games.game import Game, Position
from ludus.games.gomoku.engines.gomocup.protocol import CARO, CONTINUOUS, EXACT, OPPONENT, OUT, RENJU, Point
from ludus.games.gomoku.layout import MAX_SIZE, MIN_SIZE
from ludus.games.gomoku.notation import cell_text
from ludus.games.registry import game as find_game

BLACK, WHITE = 0, 1
COLOURS = ("black", "white")
RULES = {0: "freestyle", EXACT: "standard", RENJU: "renju", EXACT | RENJU: "renju"}
"""Rule names by the bits of `INFO rule`, without the bit of continuous games."""


class GomocupBoard:
    """The stones and rules of the current game.

    Attributes:
        size: rows of the board.
        rule: the bits of `INFO rule`.
        stones: points with their colours, in order of placement.
        next: colour of the next stone after a board setup; None: follows from the numbers of stones.
    """

    def __init__(self, size: int, rule: int = 0) -> None:
        """Create an empty board; raises BadInput if the size is not supported."""
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise BadInput(f"a board has {MIN_SIZE} to {MAX_SIZE} rows, not {size}")
        self.size, self.rule = size, rule
        self.stones: list[tuple[Point, int]] = []
        self.next: int | None = None

    @property
    def game(self) -> Game:
        """The game with this size and rule; raises BadInput if the rule is not supported."""
        name = RULES.get(self.rule & ~CONTINUOUS)
        if name is None:
            known = "caro" if self.rule & CARO else "this combination"
            raise BadInput(f"rule {self.rule}: {known} is not played here; 0, {EXACT} and {RENJU} are")
        return find_game(f"gomoku:{name}:{self.size}x{self.size}")

    @property
    def to_play(self) -> int:
        """The colour of the next stone: `next` if set, else White if there are more black stones, else Black."""
        if self.next is not None:
            return self.next
        black = sum(colour == BLACK for _, colour in self.stones)
        return WHITE if black > len(self.stones) - black else BLACK

    def put(self, point: Point, colour: int) -> None:
        """Place a stone; raises BadInput if the point is taken or off the board."""
        if not all(0 <= side < self.size for side in point):
            raise BadInput(f"{point[0]},{point[1]} is off the board of {self.size}x{self.size}")
        if any(point == other for other, _ in self.stones):
            raise IllegalMove(f"{point[0]},{point[1]} is taken")
        self.stones.append((point, colour))
        if self.next is not None:
            self.next = 1 - colour

    def take(self, point: Point) -> None:
        """Remove a stone; raises BadInput if there is none at the point."""
        left = [each for each in self.stones if each[0] != point]
        if len(left) == len(self.stones):
            raise BadInput(f"there is no stone at {point[0]},{point[1]}")
        if self.next is not None:
            self.next = next(colour for other, colour in self.stones if other == point)
        self.stones = left

    def set_up(self, stones: tuple[tuple[Point, int], ...], *, alternate: bool = False) -> None:
        """Replace all stones; after an error the board is unchanged.

        The engine moves next: it is Black if both sides have equally many stones, and White if the opponent has more.
        It is an error if the engine has more.

        Args:
            stones: points with their owners.
            alternate: ignore the owners; stones are black and white in turn.
        """
        more = sum(1 if owner == OPPONENT else -1 for _, owner in stones)
        if more < 0 and not alternate:
            raise BadInput(f"it is the opponent's turn: the engine has {-more} stones more")
        own = WHITE if more > 0 else BLACK
        before, self.stones, self.next = (self.stones, self.next), [], None
        try:
            for number, (point, owner) in enumerate(stones):
                if owner == OUT:
                    raise BadInput("stones that are out of play (3) belong to continuous games, which are not played")
                self.put(point, number % 2 if alternate else own ^ (owner == OPPONENT))
        except BadInput:
            self.stones, self.next = before
            raise
        if not alternate:
            self.next = own

    @property
    def position(self) -> Position:
        """The current position; raises BadInput if the game is over."""
        names = {
            name: [self.name(point) for point, colour in self.stones if colour == number]
            for number, name in enumerate(COLOURS)
        }
        return self.game.start({**names, "to_play": COLOURS[self.to_play]})

    @property
    def free(self) -> list[Point]:
        """The free points."""
        taken = {point for point, _ in self.stones}
        every = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [point for point in every if point not in taken]

    def name(self, point: Point) -> str:
        """Return a point in Ludus' Gomoku notation."""
        return cell_text(self.size, point[1] * self.size + point[0])

    def point(self, action: int) -> Point:
        """Return the point of an action."""
        return action % self.size, action // self.size
