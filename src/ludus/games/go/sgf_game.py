"""Converts the main line of an SGF tree to positions, and positions to an SGF tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from ludus.errors import BadInput, BadNotation, IllegalMove
from ludus.games.board import Cell
from ludus.games.calls import pause
from ludus.games.game import Game, Position
from ludus.games.go import layout
from ludus.games.go.describe import margin, score_text, territory
from ludus.games.go.rulesets import (
    DEFAULT,
    FIELDS,
    KO_RULES,
    RULE_SETS,
    Ko,
    RuleSet,
    fixed_handicap,
    rule_set_named,
    rules_text,
)
from ludus.games.go.sgf import Node, escaped, read_sgf, write_sgf
from ludus.games.go.sgf_result import result_in
from ludus.games.go.view import COLOURS, cell_of, pass_action, point_of, points_of, size_of, stones_of, vertex, why_not
from ludus.games.packed import read_field, write_field
from ludus.games.registry import game as find_game
from ludus.games.rules import State

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MIN_SIZE, MAX_SIZE = 2, 19
MOST_TIMES = 4  # how often a property may list the points of a whole board
SET_UP = frozenset(("AB", "AW", "AE"))
"""The properties that add or remove stones without a move."""
MOVES = frozenset("BW")
HUNDREDTHS = frozenset((275, 325, 375, 550, 650, 750))
"""Komi values of the Fox server, in hundredths of a stone or of a point."""
MOST_STONES_OF_KOMI = 5
"""Below this, a komi with a quarter is in stones, as counted in China; above, that would be too many points."""
MAX_DIGITS = 3
"""Maximum digits of a board size or handicap; Python refuses to convert texts of thousands of digits."""
UNKNOWN_RULES = "ko=simple:suicide=yes"
"""Rules for a record that names none: they allow everything that some rules allow."""


class SgfGame(NamedTuple):
    """A game read from SGF."""

    root: Node
    game: Game
    positions: list[Position]
    """The position after each node of the main line."""
    result: str
    """The result in SGF: `B+3.5`, `W+R`, `0`, `?`; empty if the record has none."""

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw or an unknown result."""
        return {"B": 0, "W": 1}.get(self.result[:1])


def cell_in_sgf(text: str, size: int) -> Cell | None:
    """Return the cell of an SGF point, None for a pass; raise BadNotation for other texts."""
    if text == "" or (text == "tt" and size <= MAX_SIZE):
        return None
    if len(text) == 2 and all(letter in LETTERS[:size] for letter in text):
        return LETTERS.index(text[1]), LETTERS.index(text[0])
    raise BadNotation(f"{text[:20]!r} is not a point of a board of {size}x{size}")


def sgf_point(cell: Cell) -> str:
    """Return a cell in SGF notation."""
    return LETTERS[cell[1]] + LETTERS[cell[0]]


def cells_in_sgf(values: list[str], size: int) -> Iterator[Cell]:
    """Yield the cells of points and rectangles such as `aa:cc`; raise BadNotation for wrong ones, and for too many."""
    left = MOST_TIMES * size * size
    for value in values:
        first, _, last = value.partition(":")
        begin, end = cell_in_sgf(first.strip(), size), cell_in_sgf((last or first).strip(), size)
        if begin is None or end is None:
            raise BadNotation(f"{value[:20]!r} is not a point of a board of {size}x{size}")
        left -= (abs(begin[0] - end[0]) + 1) * (abs(begin[1] - end[1]) + 1)
        if left < 0:
            raise BadNotation(f"a property lists more than {MOST_TIMES * size * size} points; list each of them once")
        for row in range(min(begin[0], end[0]), max(begin[0], end[0]) + 1):
            for column in range(min(begin[1], end[1]), max(begin[1], end[1]) + 1):
                yield row, column


def read_games(data: bytes | str) -> list[SgfGame]:
    """Return the main lines of a file's games; raise BadNotation like `replay`."""
    return [replay(root) for root in read_sgf(data)]


def replay(root: Node, game: Game | None = None, *, last: int | None = None, is_cut: bool = False) -> SgfGame:
    """Return the main line of a game tree as positions.

    Args:
        root: the root node.
        game: the game to play (default: the record's rules and board size).
        last: number of nodes to replay (default: all).
        is_cut: stop where the rules end the game, instead of refusing the moves after it.

    Raises:
        BadNotation: the board, a property or a move is wrong; the message names the line.
    """
    size = size_in(root)
    found = game or find_game(spec_in(root))
    positions: list[Position] = []
    try:
        position = found.start(setup_in(root, size))
    except BadInput as error:
        raise BadNotation(f"SGF, line {root.line}: {error}") from error
    for number, node in enumerate(root.main_line()):
        if last is not None and number >= last:
            break
        pause.get()()  # a node without moves plays nothing, where the thread would pause
        try:
            if is_cut and number and node.moves() and going_on(position, 0).outcome:
                break
            position = _after(position, node, size, is_root=number == 0)
        except BadInput as error:
            raise BadNotation(f"SGF, line {node.line}, node {number}: {str(error).rstrip('.')}.") from error
        positions.append(position)
    return SgfGame(root, found, positions, result_in(root))


def size_in(root: Node) -> int:
    """Return the board's side; raise BadNotation if it is invalid, or if the game is not Go."""
    kind = root.text("GM").strip()
    if kind not in ("", "1"):
        raise BadNotation(f"SGF, line {root.line}: GM[{kind[:10]}] is not Go, GM[1].")
    text = root.text("SZ").strip() or "19"
    columns, _, rows = text.replace("x", ":").partition(":")
    is_square = columns.isdecimal() and len(columns) <= MAX_DIGITS and (rows or columns) == columns
    if not (is_square and MIN_SIZE <= int(columns) <= MAX_SIZE):
        raise BadNotation(
            f"SGF, line {root.line}: SZ[{text[:10]}]; boards must be square, with a side of {MIN_SIZE} to {MAX_SIZE}."
        )
    return int(columns)


def spec_in(root: Node) -> str:
    """Return the name of a record's game, with its board and its rules; raise BadNotation like `size_in`."""
    size = size_in(root)
    return f"go:{size}x{size}:{rule_set_named(root.text('RU')) or UNKNOWN_RULES}"


def _komi(root: Node) -> float | None:
    said = root.text("KM").strip()
    text = re.sub(r"\s*(?:points?|pts?|moku|目|子|집)\.?", "", said.replace(",", "."), flags=re.IGNORECASE)
    if not text:
        return None
    try:
        komi = float(text)
        komi = komi / 100 if komi in HUNDREDTHS else komi
        if 4 * komi % 2 == 1 and abs(komi) < MOST_STONES_OF_KOMI:  # a quarter: komi in stones, two points each
            komi *= 2
        return round(2 * komi) / 2
    except (ValueError, OverflowError) as error:
        raise BadNotation(f"KM[{said[:10]}] is not a komi.") from error


def _handicap(root: Node) -> int:
    text = root.text("HA").strip()
    if not text.isdecimal():
        return 0
    if len(text) > MAX_DIGITS:
        raise BadNotation(f"HA[{text[:10]}] is not a handicap.")
    return int(text) if int(text) > 1 else 0


def setup_in(root: Node, size: int) -> dict[str, object]:
    """Return a record's setup: stones, handicap and komi; raise BadNotation if one of them is wrong.

    Handicap stones may be in the root, in another node before the first move, or Black's first moves; otherwise they
    are placed at the usual points.
    """
    handicap = _handicap(root)
    black = list(cells_in_sgf(root.properties.get("AB", []), size))
    white = list(cells_in_sgf(root.properties.get("AW", []), size))
    is_free = False
    if handicap and not black:
        before = takewhile(lambda node: not MOVES & node.properties.keys(), root.main_line())
        black = [cell for node in before for cell in cells_in_sgf(node.properties.get("AB", []), size)]
        moves = (name for node in root.main_line() for name in node.properties if name in MOVES)
        is_free = not black and [*islice(moves, handicap)] == ["B"] * handicap
        black = black if black or is_free else fixed_handicap(size, handicap)
    names = [" ".join(dict.fromkeys(vertex(cell, size) for cell in cells)) for cells in (black, white)]
    setup: dict[str, object] = dict(zip(COLOURS, names, strict=True))
    if handicap:
        setup["free" if is_free else "handicap"] = handicap
    komi = _komi(root)
    if komi is not None:
        setup["komi"] = komi
    return setup


def _after(position: Position, node: Node, size: int, *, is_root: bool) -> Position:
    """Return the position after a node: add stones, set the player to move, then play the move."""
    if not is_root and SET_UP & node.properties.keys():
        position = set_up(position, node, size)
    if to_play := node.text("PL").strip().lower()[:1]:
        position = with_mover(position, int(to_play == "w"))
    for player, point in node.moves():
        cell = cell_in_sgf(point, size)
        action = pass_action(position.state) if cell is None else point_of(position.state, cell)
        position = play_as(position, player, action)
    return position


def with_mover(position: Position, player: int) -> Position:
    """Return a position with another player to move and the same history."""
    return position if position.to_play == player else position.instead(turned_to(position.state, player))


def turned_to(state: State, player: int) -> State:
    """Return a state with `player` to move; a change of player also lifts the ban on retaking a ko."""
    if read_field(state, layout.TURN) == player:
        return state
    state = state.copy()
    write_field(state, layout.TURN, player)
    write_field(state, layout.KO, 0)
    return state


def going_on(position: Position, player: int) -> Position:
    """Return a position with `player` to move, resuming a game that two passes have ended."""
    position = with_mover(position, player)
    if read_field(position.state, layout.PASSES) < 2:
        return position
    state = position.state.copy()
    write_field(state, layout.PASSES, 0)
    return position.instead(state)


def play_as(position: Position, player: int, action: int) -> Position:
    """Play for either player, also after two passes; raise IllegalMove if the rules forbid it.

    A pass is legal for people even where `pass-lock` refuses it in self-play.
    """
    before = going_on(position, player)
    if before.outcome:
        raise IllegalMove(f"the game is over ({before.outcome.reason})")
    if action not in before.actions:
        if action == pass_action(before.state):
            state, past = before.game.renew(before.game.calls.play(before.state, action), before.past)
            return Position(before.game, state, before, action, past)
        text = position.game.action_text(position.state, action)
        raise IllegalMove(f"{COLOURS[player].capitalize()} may not play {text} here: {why_not(before.state, action)}")
    return before.play(action)


def set_up(position: Position, node: Node, size: int) -> Position:
    """Return a new start position with stones added and removed; prisoners are kept."""
    stones = stones_of(position.state)
    for name, player in (("AE", None), ("AB", 0), ("AW", 1)):
        for cell in cells_in_sgf(node.properties.get(name, []), size):
            stones.pop(cell, None)
            if player is not None:
                stones[cell] = player
    names = [" ".join(vertex(cell, size) for cell, owner in sorted(stones.items()) if owner == each) for each in (0, 1)]
    options = {
        "komi": (read_field(position.state, layout.KOMI) - layout.NO_KOMI) / 2,
        "bonus": read_field(position.state, layout.BONUS),
        "counters": {
            f"taken_by_{colour}": read_field(position.state, taken)
            for colour, taken in zip(COLOURS, layout.TAKEN, strict=True)
        },
    }
    setup = {"black": names[0], "white": names[1], "to_play": COLOURS[position.to_play], **options}
    return position.game.start(setup)


# ---- writing ---------------------------------------------------------------------------------------------------------


def nodes_of(position: Position, tags: dict[str, str] | None = None) -> list[Node]:
    """Return the SGF node of each position of the game that led to a position; the first is the root of their tree.

    A free handicap, marking dead stones and agreeing about them are no nodes of their own.

    Args:
        position: the last position.
        tags: further properties of the root as plain text, such as PB, PW, DT and RE.
    """
    begin = next((at for at, each in enumerate(position.history) if not read_field(each.state, layout.PLACING)), -1)
    line = position.history[begin:]  # stones of a free handicap are not moves in SGF
    start = line[0]
    root = Node({"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "AP": ["Ludus"], "SZ": [str(size_of(start.state))]})
    root.properties |= {name: [escaped(text)] for name, text in rule_properties(start).items()}
    stones = sorted(stones_of(start.state).items())
    for player, name in enumerate(("AB", "AW")):
        if points := [sgf_point(cell) for cell, owner in stones if owner == player]:
            root.properties[name] = points
    if stones or start.to_play == 1:
        root.properties["PL"] = ["BW"[start.to_play]]
    if position.outcome:
        root.properties["RE"] = [score_text(margin(position.state))]
    for name, text in (tags or {}).items():
        root.properties[name] = [escaped(text)]
    nodes = [root] * (len(position.history) - len(line)) + append_moves(root, line)
    if position.outcome:
        _mark_territory(nodes[-1], position)
    return nodes


def append_moves(node: Node, line: list[Position]) -> list[Node]:
    """Append the moves between positions below a node, that of the first; return the node of each position."""
    nodes = [node]
    for before, after in pairwise(line):
        assert after.action is not None, "only the first position has no action"
        phase, next_phase = (read_field(each.state, layout.PHASE) for each in (before, after))
        if phase != layout.AGREEING or next_phase == layout.PLAYING:
            point = "" if after.action == pass_action(before.state) else sgf_point(cell_of(before.state, after.action))
            child = Node({"BW"[before.to_play]: [point]})
            nodes[-1].children.append(child)
            nodes.append(child)
        else:  # marking dead stones, or agreeing about them
            nodes.append(nodes[-1])
    return nodes


def _mark_territory(node: Node, position: Position) -> None:
    dead = [sgf_point(cell_of(position.state, point)) for point in points_of(position.state, layout.DEAD)]
    owners = territory(position.state)
    for player, name in enumerate(("TB", "TW")):
        stones = stones_of(position.state)
        marked = {cell for cell, owner in owners.items() if owner == player}
        cells = [sgf_point(cell) for cell in sorted(marked) if cell not in stones or sgf_point(cell) in dead]
        if cells:
            node.properties[name] = cells


def write_game(position: Position, tags: dict[str, str] | None = None) -> str:
    """Return the SGF of the game that led to a position."""
    return write_sgf([nodes_of(position, tags)[0]])


KO_NAMES: dict[int, Ko] = {number: name for name, number in KO_RULES.items()}


def rule_properties(start: Position) -> dict[str, str]:
    """Return the properties RU, KM and, with handicap stones, HA.

    Handicap points that no rule set gives are added to the komi, so the score stays the same.
    """
    state = start.state
    parts = start.game.name.split(":")
    usual = next((part for part in parts if part in RULE_SETS), DEFAULT)
    rules = RuleSet(
        ko=KO_NAMES[read_field(state, layout.KO_RULE)],
        scoring="territory" if read_field(state, layout.TERRITORY) else "area",
        suicide=bool(read_field(state, layout.SUICIDE)),
        bonus=RULE_SETS[usual].bonus,
        button=read_field(state, layout.BUTTON) != layout.NO_BUTTON,
    )
    stones, points = read_field(state, layout.HANDICAP), read_field(state, layout.BONUS)
    handicap = stones if stones > 1 and points_of(state, layout.BLACK) else 0  # else readers would add the stones
    said = [part.removeprefix("bonus=") for part in parts if part.startswith("bonus=")]
    likely = [replace(rules, bonus=each) for each in (*said, rules.bonus, *FIELDS["bonus"])]
    rules = next((each for each in likely if each.compensation(handicap) == points), likely[0])
    komi = (read_field(state, layout.KOMI) - layout.NO_KOMI) / 2 + points - rules.compensation(handicap)
    properties = {"KM": f"{komi:g}", "RU": rules_text(rules, usual)}
    return properties | {"HA": str(handicap)} if handicap else properties
