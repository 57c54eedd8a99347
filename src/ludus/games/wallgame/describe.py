"""Describes Wall Game positions for people: pawns, homes, walls with their builders, and clicks for actions."""

from ludus.games.board import Board, Cell, Choice, Edge, Mark, Piece
from ludus.games.game import Position
from ludus.games.rules import State
from ludus.games.wallgame.layout import ANIMAL_CYCLE, SURVIVAL
from ludus.games.wallgame.notation import COLUMNS, slot_and_way, term_of, text_of
from ludus.games.wallgame.view import HORIZONTAL, VERTICAL, Wall, WallgameView

SIDES = {VERTICAL: "right", HORIZONTAL: "top"}
"""The side of its cell on which a wall is drawn and clicked, by its orientation."""


def describe(position: Position) -> Board:
    """Describe a position: click a cell to step there, or a side of a cell to build a wall."""
    view = WallgameView.read(position.state)
    return Board(
        rows=view.rows,
        columns=view.columns,
        style="squares",
        pieces=_pieces(view),
        edges=_edges(view, position),
        marks=_marks(view, position),
        choices=[_choice(view, action) for action in position.actions],
        column_labels=list(COLUMNS[: view.columns]),
        row_labels=[str(row) for row in range(view.rows, 0, -1)],
        one_click=True,
    )


def reason(state: State) -> str:
    """Return why the game is over, in the terms of the original site."""
    view = WallgameView.read(state)
    if view.result == 3:
        return "one-move-rule"
    survived = view.variant == SURVIVAL and view.pawns[0] != view.pawns[1]
    return "survival" if survived else "capture"


def _pieces(view: WallgameView) -> list[Piece]:
    """Return homes and mice before cats, which are drawn on top."""
    pieces = {
        slot: Piece(at=view.at(view.pawns[slot]), shape=view.shapes[player][kind], owner=player)
        for player, kind in ((0, 0), (0, 1), (1, 0), (1, 1))
        for slot in [view.slot_of(player, kind)]
    }
    order = (0, 1) if view.variant == SURVIVAL else (0, 1, 2, 3)
    return [pieces[slot] for slot in sorted(order, key=lambda slot: slot % 2 == 0 and view.variant != ANIMAL_CYCLE)]


def _edges(view: WallgameView, position: Position) -> list[Edge]:
    owners = _builders(position)
    return [Edge(at=at, side=SIDES[orientation], owner=owners.get((at, orientation))) for at, orientation in view.walls]


def _builders(position: Position) -> dict[Wall, int]:
    """Return the builder of each wall, as far as the history and the setup show it."""
    builders: dict[Wall, int] = {}
    while position.parent:
        before = position.parent
        term = term_of(WallgameView.read(before.state), position.action) if position.action is not None else None
        if term and term.wall:
            builders[term.wall] = before.to_play
        position = before
    if isinstance(position.setup, dict):
        for wall in position.setup["walls"]:
            if wall.get("playerId"):
                builders[(tuple(wall["cell"]), wall["orientation"])] = wall["playerId"] - 1
    return builders


def _marks(view: WallgameView, position: Position) -> list[Mark]:
    """Mark the pawns' targets in the last move, finished or not, and a capture."""
    captures = [Mark(at=view.at(cat), kind="win") for _, cat, goal in view.hunts if cat == goal]
    ends: dict[str, Cell] = {}
    mover = position.parent.to_play if position.parent else None
    last = position
    while last.parent and last.parent.to_play == mover and last.action is not None:
        last, term = last.parent, term_of(WallgameView.read(last.parent.state), last.action)
        if term and not term.wall:
            ends.setdefault(term.kind, term.at)
    return [Mark(at=at, kind="last") for at in ends.values()] + (captures if position.outcome else [])


def _choice(view: WallgameView, action: int) -> Choice:
    text = text_of(view, action)
    term = term_of(view, action)
    if term is None:
        return Choice(action=action, text=text, kind="button", label="End move")
    if term.wall:
        _, orientation = term.wall
        return Choice(action=action, text=text, kind=SIDES[orientation], at=term.at)
    return Choice(action=action, text=text, kind="cell", at=term.at, source=_source(view, action))


def _source(view: WallgameView, action: int) -> Cell:
    slot, _ = slot_and_way(view, action)
    return view.at(view.pawns[slot])
