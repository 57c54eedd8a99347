"""Reads and writes moves such as `Ca8.>b3` and `---`: strict reading, canonical writing, in both editions' forms.

    move = "---" | term { "." term }
    term = ( "C" | "M" | "D" | "E" | ">" | "^" ) cell     cat to, mouse to ..., wall on the right of, wall above
    cell = column row                                     column a to t, row from 1 at the bottom

In animal-cycle, `D` is the dog and `E` the elephant.  Two steps of one pawn are one term, `Cc7`, or two, `Cb8.Cc8`;
both forms are read.  In animal-cycle they differ if they pass an enemy: one term jumps over it, two terms step onto it,
which ends the game, and the rest of the move is left out.  Edition 2026-09 writes one term at
the position of the pawn's first step, keeps the order of play, and sorts walls among themselves.  Edition 2026-01
writes cat, mouse, vertical and horizontal walls in this order, each step as its own term.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludus.errors import BadNotation, IllegalMove
from ludus.games.board import Cell
from ludus.games.calls import Calls
from ludus.games.rules import State
from ludus.games.wallgame.layout import ANIMAL_CYCLE, ANIMALS, CLASSIC, JUMPS, NUM_STEPS, SURVIVAL, VARIANTS, first_jump
from ludus.games.wallgame.view import HORIZONTAL, VERTICAL, Wall, WallgameView

EMPTY = "---"
COLUMNS = "abcdefghijklmnopqrst"
_TERM = re.compile(r"([CMDE>^])([a-t])([1-9][0-9]?)", re.ASCII)
_PAWNS = {"C": "cat", "M": "mouse", "D": "dog", "E": "elephant"}
_LETTERS = {name: letter for letter, name in _PAWNS.items()}
_WALLS = {">": VERTICAL, "^": HORIZONTAL}
_ORDER = "CMDE>^"
_TOO_MANY = "a move has at most two actions, and a double step counts as two"
_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (row, column) of right, down, left, up


class Term(NamedTuple):
    """One part of a move: a pawn's target, or a wall."""

    kind: str
    """`C`, `M`, `D` or `E` for a pawn; `>` or `^` for a wall."""
    at: Cell

    @property
    def wall(self) -> Wall | None:
        """Return the wall, or None for a pawn."""
        return (self.at, _WALLS[self.kind]) if self.kind in _WALLS else None


def cell_text(at: Cell, rows: int) -> str:
    """Return a cell's name on a board with `rows` rows."""
    return f"{COLUMNS[at[1]]}{rows - at[0]}"


def read_terms(text: str, rows: int, columns: int) -> list[Term]:
    """Return the terms of a move, legal or not; raise BadNotation if the text cannot be read."""
    return list(_terms(text, rows, columns))


def _terms(text: str, rows: int, columns: int) -> Iterator[Term]:
    """Yield the terms of a move one by one; raise BadNotation at the first that cannot be read."""
    for part in text.split(".") if text != EMPTY else ():
        found = _TERM.fullmatch(part)
        if not found:
            form = f"a move is {EMPTY}, or terms such as Cb3, Mb3, >b3, ^b3 joined by dots"
            raise BadNotation(f"wallgame: {part!r} in {text!r} cannot be read; {form}.")
        at = rows - int(found[3]), COLUMNS.index(found[2])
        if at[0] < 0 or at[1] >= columns:
            corner = cell_text((0, columns - 1), rows)
            raise BadNotation(f"wallgame: {part!r} in {text!r} is off the board, whose top right cell is {corner}.")
        yield Term(found[1], at)


def write_terms(terms: Iterable[Term], rows: int, *, old_rules: bool) -> str:
    """Return the canonical text of terms given in order of play."""
    terms = list(terms)
    if old_rules:
        pawns = sorted((term for term in terms if not term.wall), key=lambda term: _ORDER.index(term.kind))
        terms = pawns + sorted((term for term in terms if term.wall), key=_slot_order)
    else:
        last = {term.kind: term for term in terms}  # each pawn's final cell
        walls = iter(sorted((term for term in terms if term.wall), key=_slot_order))
        pawns = {kind: last[kind] for kind in _PAWNS if kind in last}
        terms = [
            next(walls) if term.wall else pawns.pop(term.kind) for term in terms if term.wall or term.kind in pawns
        ]
    return ".".join(term.kind + cell_text(term.at, rows) for term in terms) or EMPTY


def _slot_order(term: Term) -> tuple[int, int, int]:
    return _ORDER.index(term.kind), term.at[1], term.at[0]


def term_of(view: WallgameView, action: int) -> Term | None:
    """Return the term of an action; None for the end of the move."""
    if action < view.cells:
        return Term(">", view.at(action))
    if action < 2 * view.cells:
        row, column = view.at(action - view.cells)
        return Term("^", (row + 1, column))
    if action == 2 * view.cells + NUM_STEPS:
        return None
    slot, way = slot_and_way(view, action)
    row, column = view.at(view.pawns[slot])
    for direction in way:
        row, column = row + _DIRECTIONS[direction][0], column + _DIRECTIONS[direction][1]
    shape = view.shapes[view.player][slot != view.slot_of(view.player, 0)]
    return Term(_LETTERS.get(shape, "M"), (row, column))  # the home of classic has no letter, and never moves


def slot_and_way(view: WallgameView, action: int) -> tuple[int, tuple[int, ...]]:
    """Return the slot of the pawn that an action moves, and the directions of its one or two steps."""
    jump = action - first_jump(view.cells)
    if jump >= 0:
        return view.slot_of(view.player, jump // len(JUMPS)), JUMPS[jump % len(JUMPS)]
    step = action - 2 * view.cells
    return view.slot_of(view.player, step // 4), (step & 3,)


def text_of(view: WallgameView, action: int) -> str:
    """Return the notation of one action; `---` for the end of the move."""
    term = term_of(view, action)
    return term.kind + cell_text(term.at, view.rows) if term else EMPTY


def action_text(state: State, action: int) -> str:
    """Return the notation of one action in a state."""
    return text_of(WallgameView.read(state), action)


def move_text(calls: Calls, state: State, actions: list[int]) -> str:
    """Return the canonical notation of a move."""
    view = WallgameView.read(state)
    terms: list[Term] = []
    for action in actions:
        if term := term_of(WallgameView.read(state), action):
            terms.append(term)
        state = calls.play(state, action)
    return write_terms(terms, view.rows, old_rules=bool(view.old_rules))


def parse_move(calls: Calls, state: State, text: str) -> list[int]:
    """Return the actions of a whole move; a move of fewer than two actions gets the action that ends it.

    Raises:
        BadNotation: the text is not a move on this board.
        IllegalMove: the move is not legal; the message names the first illegal term and the reason.
    """
    view = WallgameView.read(state)
    actions: list[int] = []
    ends_early = view.variant == ANIMAL_CYCLE  # what follows the end of the game is not read, but it is counted
    if ends_early and text.count(".") > 1:
        raise IllegalMove(f"wallgame: {text} may not be played: {_TOO_MANY}.")
    terms = _terms(text, view.rows, view.columns)
    for term in terms if ends_early else list(terms):
        left = _actions_left(view, state)
        found = _wall_actions(calls, state, term.wall) if term.wall else _pawn_actions(calls, state, term, left)
        if left == 0:
            found = _TOO_MANY
        if isinstance(found, str):
            raise IllegalMove(f"wallgame: {term.kind}{cell_text(term.at, view.rows)} may not be played: {found}.")
        for action in found:
            actions.append(action)
            state = calls.play(state, action)
        if ends_early and calls.outcome(state):
            break
    if not calls.outcome(state) and _actions_left(view, state):
        stop = 2 * view.cells + NUM_STEPS
        if stop not in calls.legal(state):
            raise IllegalMove(f"wallgame: {text} is too short: in this game a move has two actions.")
        actions.append(stop)
    return actions


def _actions_left(begun: WallgameView, state: State) -> int:
    """Return how many actions the move that began at `begun` has left."""
    view = WallgameView.read(state)
    return 2 - view.second if view.player == begun.player else 0


def _wall_actions(calls: Calls, state: State, wall: Wall) -> list[int] | str:
    """Return the action that builds a wall, or the reason why the wall is illegal."""
    view = WallgameView.read(state)
    if not view.has_slot(wall):
        return "no wall can be built on the border of the board"
    vertical, cell = view.slot(wall)
    action = cell if vertical else view.cells + cell
    if action in calls.legal(state):
        return [action]
    if not view.is_open(wall):
        return "there is already a wall"
    walled = view.with_wall(wall)
    cut_off = [hunt for hunt, (_, hunter, goal) in enumerate(view.hunts) if walled.distance(hunter, goal) is None]
    if view.variant == ANIMAL_CYCLE:
        return " and ".join(
            f"it would cut off the {ANIMALS[hunt]} from the {ANIMALS[(hunt + 1) % 4]}" for hunt in cut_off
        )
    goal = "home" if view.variant == CLASSIC else "the mouse"
    return " and ".join(f"it would cut off player {player + 1}'s cat from {goal}" for player in cut_off)


def _pawn_actions(calls: Calls, state: State, term: Term, left: int) -> list[int] | str:
    """Return the one or two steps of a pawn to a cell, or the reason why it cannot go there."""
    view = WallgameView.read(state)
    name, names = _PAWNS[term.kind], view.shapes[view.player]
    kind = names.index(name) if name in names else -1
    if kind < 0 or view.movable >> (2 * view.player + kind) & 1 == 0:
        return _no_pawn(view, name)
    row, column = view.at(view.pawns[view.slot_of(view.player, kind)])
    offset = term.at[0] - row, term.at[1] - column
    distance = abs(offset[0]) + abs(offset[1])
    if distance == 0:
        return f"the {name} is already there"
    if distance > 2:
        return f"it is {distance} steps away, and a move has two actions"
    if distance > left:
        return "a double step takes both actions of a move"
    steps = {direction: 2 * view.cells + 4 * kind + index for index, direction in enumerate(_DIRECTIONS)}
    legal = calls.legal(state)
    other = view.pawns[view.slot_of(view.player, 1 - kind)]
    met = view.variant == ANIMAL_CYCLE and view.at(other) == term.at
    if distance == 1:
        step = steps[offset]
        if step in legal:
            return [step]
        returns = 2 * view.cells + view.back - 1 == step
        in_the_way = f"the {names[1 - kind]} is there" if met else "a wall is in the way"
        return f"the {name} came from there in this move" if returns else in_the_way
    for direction, first in steps.items():
        second = steps.get((offset[0] - direction[0], offset[1] - direction[1]))
        if second is not None and first in legal:
            after = calls.play(state, first)
            if not calls.outcome(after) and second in calls.legal(after):
                return [first, second]
    for jump in legal:
        if jump >= first_jump(view.cells) and term_of(view, jump) == term:
            return [jump]
    return f"the {names[1 - kind]} is there" if met else "walls are in the way"


def _no_pawn(view: WallgameView, name: str) -> str:
    if view.variant == CLASSIC and name == "mouse":
        return "classic has no mice, and homes never move"
    if view.variant == SURVIVAL and (name, view.player) == ("mouse", 1):
        return "the mouse of this game never moves"
    return f"player {view.player + 1} has no {name} in {VARIANTS[view.variant]}"
