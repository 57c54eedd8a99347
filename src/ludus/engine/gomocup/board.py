"""The board of a Gomoku engine: stones as the manager put them, whose they are, and the position that they make."""

from __future__ import annotations

from ludus.errors import BadInput, IllegalMove
from ludus.games.game import Game, Position
from ludus.games.gomoku.layout import MAX_SIZE, MIN_SIZE
from ludus.games.gomoku.notation import cell_text
from ludus.games.registry import game as find_game
from ludus.protocol.gomocup import CARO, CONTINUOUS, EXACT, OPPONENT, OUT, RENJU, Point

BLACK, WHITE = 0, 1
COLOURS = ("black", "white")
RULES = {0: "freestyle", EXACT: "standard", RENJU: "renju", EXACT | RENJU: "renju"}
"""By the bits of `INFO rule`, apart from the one of continuous games."""


class GomocupBoard:
    """Where the game stands.

    Attributes:
        size: of the board.
        rule: the bits of `INFO rule`.
        planes: the options by which the player's network sees more, as a game's name ends with them.
        stones: points with their colours, in the order in which they came.
        next: the colour of the next stone, where a board was set up; None: the numbers of stones say it.
    """

    def __init__(self, size: int, rule: int = 0, planes: str = "") -> None:
        """Clear a board; raises BadInput if none is so large or so small."""
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise BadInput(f"a board has {MIN_SIZE} to {MAX_SIZE} rows, not {size}")
        self.size, self.rule, self.planes = size, rule, planes
        self.stones: list[tuple[Point, int]] = []
        self.next: int | None = None

    @property
    def game(self) -> Game:
        """The game that is played; raises BadInput where Ludus does not know the rule."""
        name = RULES.get(self.rule & ~CONTINUOUS)
        if name is None:
            known = "caro" if self.rule & CARO else "this combination"
            raise BadInput(f"rule {self.rule}: {known} is not played here; 0, {EXACT} and {RENJU} are")
        return find_game(f"gomoku:{name}:{self.size}x{self.size}{self.planes}")

    @property
    def to_play(self) -> int:
        """The colour of the next stone: Black's, unless it was set up otherwise or there are more black stones."""
        if self.next is not None:
            return self.next
        black = sum(colour == BLACK for _, colour in self.stones)
        return WHITE if black > len(self.stones) - black else BLACK

    def put(self, point: Point, colour: int) -> None:
        """Put a stone; raises BadInput where none can stand."""
        if not all(0 <= side < self.size for side in point):
            raise BadInput(f"{point[0]},{point[1]} is off the board of {self.size}x{self.size}")
        if any(point == other for other, _ in self.stones):
            raise IllegalMove(f"{point[0]},{point[1]} is taken")
        self.stones.append((point, colour))
        if self.next is not None:
            self.next = 1 - colour

    def take(self, point: Point) -> None:
        """Take a stone away; raises BadInput where there is none."""
        left = [each for each in self.stones if each[0] != point]
        if len(left) == len(self.stones):
            raise BadInput(f"there is no stone at {point[0]},{point[1]}")
        if self.next is not None:
            self.next = next(colour for other, colour in self.stones if other == point)
        self.stones = left

    def set_up(self, stones: tuple[tuple[Point, int], ...], *, alternate: bool = False) -> None:
        """Put these stones in place of all others; after an error the board is as before.

        The engine is to play next, so it has Black if each side has as many stones, and White if the opponent has more;
        if it has more itself, it is not its turn.

        Args:
            stones: with their owners.
            alternate: black and white stones by turns, whoever owns them.
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
        """The position; raises BadInput if the game is over there."""
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
        """Return the name of a point as Ludus has it."""
        return cell_text(self.size, point[1] * self.size + point[0])

    def point(self, action: int) -> Point:
        """Return the point of an action."""
        return action % self.size, action // self.size
