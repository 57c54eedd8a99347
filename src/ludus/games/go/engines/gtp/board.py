"""The board of a Go engine: moves in any order of colours, undo, handicap, komi, SGF records and scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

from ludus.errors import BadInput, IllegalMove
from ludus.games.board import Cell
from ludus.games.game import Game, Position
from ludus.games.go.describe import lead_without, score_text
from ludus.games.go.engines.gtp.handicap import with_handicap
from ludus.games.go.engines.gtp.protocol import (
    BAD_VERTEX_LIST,
    BOARD_NOT_EMPTY,
    CANNOT_LOAD,
    CANNOT_UNDO,
    ILLEGAL_MOVE,
    INVALID_STONES,
    SYNTAX_ERROR,
    UNACCEPTABLE_KOMI,
    UNACCEPTABLE_SIZE,
    Failure,
)
from ludus.games.go.layout import HANDICAP, KOMI, NO_KOMI, PLACING, TAKEN
from ludus.games.go.rulesets import fixed_handicap, most_fixed_handicap, rule_set_named, rules_of
from ludus.games.go.sgf import Node, read_sgf
from ludus.games.go.sgf_game import going_on, play_as, replay, size_in, write_game
from ludus.games.go.view import (
    COLOURS,
    COLUMNS,
    action_named,
    action_text,
    cell_named,
    cell_of,
    stones_of,
    vertex,
)
from ludus.games.packed import read_field, write_field

MAX_KOMI = 400.0
MAX_RECORD_BYTES = 10_000_000


class GtpBoard:
    """The current game.

    Attributes:
        size: rows of the board.
        rules: name of the rule set, optionally with changed fields: `chinese:bonus=0`.
        komi: points that White gets.
        position: the current position.
    """

    def __init__(self, find: Callable[[int, str], Game], size: int, rules: str, komi: float) -> None:
        """Create an empty board.

        Args:
            find: returns the game of a board size and rule set; raises BadInput if there is none.
            size: rows of the board.
            rules: rule set, as `rule_set_named` returns it.
            komi: points that White gets.
        """
        self._find = find
        self.size, self.rules, self.komi = size, rules, komi
        self._past: list[Position] = []
        self.position = self._start()

    def _start(self, stones: dict[Cell, int] | None = None, to_play: int | None = None) -> Position:
        """Return a start position; with handicap stones, White moves first and gets the rules' compensation."""
        setup: dict[str, object] = {"komi": self.komi, "bonus": 0} | _named(stones or {}, self.size)
        if to_play is not None:
            setup["to_play"] = COLOURS[to_play]
        return with_handicap(self._find(self.size, self.rules).start(setup), [], rules_of(self.rules))

    @property
    def num_moves(self) -> int:
        """Number of moves since the board was cleared."""
        return len(self._past)

    @property
    def history(self) -> list[Position]:
        """The positions since the board was cleared, up to the current one."""
        return [*self._past, self.position]

    @property
    def is_empty(self) -> bool:
        """Whether there are no moves and no stones."""
        return not self._past and not stones_of(self.position.state)

    def resize(self, size: int) -> None:
        """Replace the board by an empty one of another size; raises Failure if the size is not supported."""
        try:
            self._find(size, self.rules)
        except BadInput as error:
            raise Failure(UNACCEPTABLE_SIZE) from error
        self.size = size
        self.clear()

    def clear(self) -> None:
        """Remove all stones and moves; keep komi."""
        self._past = []
        self.position = self._start()

    def set_up(self, stones: dict[Cell, int], to_play: int | None = None) -> None:
        """Replace the game by a start position with stones; raises Failure, with nothing changed, if it is not legal.

        Args:
            stones: the owner of each stone.
            to_play: the player to move (default: White after handicap stones, else Black).
        """
        if to_play is None:
            to_play = int(len(stones) > 1 and not any(stones.values()))
        try:
            self.position = self._start(stones, to_play)
        except BadInput as error:
            raise Failure(str(error)) from error
        self._past = []

    def set_komi(self, komi: float) -> None:
        """Change komi from the current position on; raises Failure if it is not valid."""
        if not abs(komi) <= MAX_KOMI:
            raise Failure(SYNTAX_ERROR)
        if not (2 * komi).is_integer():
            raise Failure(UNACCEPTABLE_KOMI)
        self.komi = komi
        state = self.position.state.copy()
        write_field(state, KOMI, int(2 * self.komi) + NO_KOMI)
        self.position = self.position.instead(state)

    def set_rules(self, rules: str) -> None:
        """Change the rules of the running game; raises Failure if a past move is illegal under them."""
        line = self.history
        past, position = list[Position](), self._begun_under(rules, line[0])
        for after in line[1:]:
            assert after.parent, "only the first position has no parent"
            assert after.action is not None, "only the first position has no action"
            past.append(position)
            try:
                position = play_as(position, after.parent.to_play, after.action)
                position = with_handicap(position, past, rules_of(rules))
            except IllegalMove as error:
                move = position.text(after.action)
                raise Failure(f"move {len(past)}, {move}, may not be played under these rules") from error
        self.rules, self._past, self.position = rules, past, position

    def _begun_under(self, rules: str, start: Position) -> Position:
        """Return this game's start position under other rules, with the same komi."""
        state = start.state
        setup: dict[str, object] = {
            "komi": self.komi,
            "bonus": rules_of(rules).compensation(read_field(state, HANDICAP)),
            "counters": {f"taken_by_{name}": read_field(state, TAKEN[player]) for player, name in enumerate(COLOURS)},
        }
        setup |= _named(stones_of(state), self.size)
        if placing := read_field(state, PLACING):
            setup["free"] = placing
        else:
            setup |= {"handicap": read_field(state, HANDICAP), "to_play": COLOURS[start.to_play]}
        try:
            return self._find(self.size, rules).start(setup)
        except BadInput as error:
            raise Failure(f"not under these rules: {error}") from error

    def read_vertex(self, text: str) -> int:
        """Return the action of a vertex or of a pass; raises Failure."""
        try:
            return action_named(self.position.state, text)
        except BadInput as error:
            raise Failure(SYNTAX_ERROR) from error

    def text(self, action: int) -> str:
        """Return an action as a vertex."""
        return action_text(self.position.state, action)

    def line(self, actions: list[int]) -> list[str]:
        """Return the vertices of a line of play."""
        return [self.text(action) for action in actions]

    def ready(self, player: int) -> Position:
        """Return the position with `player` to move; two passes do not end it."""
        return going_on(self.position, player)

    def play(self, player: int, action: int) -> None:
        """Play a move of a player; raises Failure if it is illegal."""
        try:
            after = play_as(self.position, player, action)
        except IllegalMove as error:
            raise Failure(ILLEGAL_MOVE) from error
        self._past.append(self.position)
        self.position = with_handicap(after, self._past, rules_of(self.rules))

    def is_legal(self, player: int, action: int) -> bool:
        """Return whether a player may play a move."""
        return action in self.ready(player).actions

    def undo(self, moves: int = 1) -> None:
        """Undo the last moves and keep komi; raises Failure, with nothing changed, if there are fewer moves."""
        if moves > len(self._past):
            raise Failure(CANNOT_UNDO)
        for _ in range(moves):
            self.position = self._past.pop()
        self.set_komi(self.komi)

    # ---- handicap and records ----------------------------------------------------------------------------------------

    def fixed_handicap(self, stones: int) -> list[str]:
        """Place handicap stones at the fixed points and return their vertices; raises Failure."""
        if not self.is_empty:
            raise Failure(BOARD_NOT_EMPTY)
        if not 2 <= stones <= most_fixed_handicap(self.size):
            raise Failure(INVALID_STONES)
        return self._place(fixed_handicap(self.size, stones))

    def free_handicap(self, stones: int) -> list[str]:
        """Place handicap stones at the fixed points, then far apart; return their vertices; raises Failure."""
        if not self.is_empty:
            raise Failure(BOARD_NOT_EMPTY)
        if not 2 <= stones <= self.size * self.size - 1:
            raise Failure(INVALID_STONES)
        usual = min(stones, most_fixed_handicap(self.size))
        cells = fixed_handicap(self.size, usual) if usual >= 2 else []
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        while len(cells) < min(stones, max(2, self.size * self.size // 4)):
            cells.append(max((cell for cell in every if cell not in cells), key=lambda cell: self._room(cell, cells)))
        return self._place(cells)

    def _room(self, cell: Cell, cells: list[Cell]) -> float:
        """Return a score of a cell that grows with its distance from stones and from the edge."""
        edge = min(cell[0], cell[1], self.size - 1 - cell[0], self.size - 1 - cell[1])
        return min([abs(cell[0] - row) + abs(cell[1] - column) for row, column in cells] or [0]) + min(edge, 2)

    def set_free_handicap(self, names: tuple[str, ...]) -> None:
        """Place handicap stones at the given vertices; raises Failure if they are not valid."""
        if not self.is_empty:
            raise Failure(BOARD_NOT_EMPTY)
        try:
            cells = [cell_named(name, self.size) for name in names]
        except BadInput as error:
            raise Failure(BAD_VERTEX_LIST) from error
        if not 2 <= len(set(cells)) == len(cells) < self.size * self.size:
            raise Failure(BAD_VERTEX_LIST)
        self._place(cells)

    def _place(self, cells: list[Cell]) -> list[str]:
        self.position = self._start(dict.fromkeys(cells, 0))
        return [vertex(cell, self.size) for cell in cells]

    def load(self, path: str, move: int | None) -> None:
        """Load the main line of an SGF record, up to the position before move number `move`; raises Failure.

        The rules become those of the record if it names known ones.
        """
        try:
            if not Path(path).is_file():  # a device may never end
                raise Failure(CANNOT_LOAD)
            with Path(path).open("rb") as opened:
                raw = opened.read(MAX_RECORD_BYTES + 1)
            if len(raw) > MAX_RECORD_BYTES:
                raise Failure(CANNOT_LOAD)
            root = read_sgf(raw)[0]
            size, rules = size_in(root), rule_set_named(root.text("RU")) or self.rules
            recorded = replay(root, self._find(size, rules), last=_nodes_before(root, move))
        except (OSError, ValueError, BadInput) as error:
            raise Failure(CANNOT_LOAD) from error
        line = recorded.positions[-1].history
        counted = [with_handicap(each, islice(line, number), rules_of(rules)) for number, each in enumerate(line)]
        self.size, self.rules, self._past, self.position = size, rules, counted[:-1], counted[-1]
        self.komi = (read_field(self.position.state, KOMI) - NO_KOMI) / 2

    def record(self) -> str:
        """Return the game as an SGF record."""
        return write_game(self.position, {"KM": f"{self.komi:g}"})

    # ---- stones and scores -------------------------------------------------------------------------------------------

    def stones(self, player: int) -> list[str]:
        """Return the vertices of a player's stones."""
        return [
            vertex(cell, self.size) for cell, owner in sorted(stones_of(self.position.state).items()) if owner == player
        ]

    def taken(self, player: int) -> int:
        """Return the number of stones that a player has captured."""
        return read_field(self.position.state, TAKEN[player])

    @property
    def handicap(self) -> int:
        """Number of handicap stones."""
        return read_field(self.position.state, HANDICAP)

    def score(self, dead: list[Cell]) -> str:
        """Return the score after removing dead stones, such as `B+3.5`."""
        return score_text(lead_without(self.position.state, dead))

    def draw(self) -> str:
        """Return the board as text."""
        stones = stones_of(self.position.state)
        head = "   " + " ".join(COLUMNS[: self.size])
        lines = [head]
        for row in range(self.size):
            cells = " ".join(".XO"[stones.get((row, column), -1) + 1] for column in range(self.size))
            lines.append(f"{self.size - row:2} {cells} {self.size - row}")
        taken = ", ".join(f"{name} has taken {self.taken(player)}" for player, name in enumerate(("Black", "White")))
        return "\n".join([*lines, head, f"{('Black (X)', 'White (O)')[self.position.to_play]} to play; {taken}"])

    def cell(self, action: int) -> Cell:
        """Return the cell of an action."""
        return cell_of(self.position.state, action)


def _named(stones: dict[Cell, int], size: int) -> dict[str, object]:
    """Return the stones of each colour by name, as in a setup of Go."""
    return {
        name: " ".join(vertex(cell, size) for cell, owner in sorted(stones.items()) if owner == player)
        for player, name in enumerate(COLOURS)
    }


def _nodes_before(root: Node, move: int | None) -> int | None:
    """Return the number of nodes before the one with move number `move`."""
    if move is None:
        return None
    seen = 0
    for number, node in enumerate(root.main_line()):
        seen += "B" in node.properties or "W" in node.properties
        if seen == max(1, move):
            return max(1, number)
    return None


def groups_of(stones: Mapping[Cell, int]) -> list[list[Cell]]:
    """Return the groups of stones, each with its cells in order.

    Args:
        stones: the owner of each stone.
    """
    left, found = set(stones), list[list[Cell]]()
    while left:
        group = [min(left)]
        left.remove(group[0])
        for row, column in group:  # the list grows during the loop
            for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if cell in left and stones[cell] == stones[group[0]]:
                    left.remove(cell)
                    group.append(cell)
        found.append(sorted(group))
    return found
