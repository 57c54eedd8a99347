"""Draws board descriptions as SVG, for pages without scripts and for SVG files."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from pathlib import Path

from ludus.games.board import Board, Cell, Edge, Label, Piece
from ludus.games.drawing import ROW, Point, cells_of, centres, in_tray, is_pile, letter_of, pieces_by_cell

CELL = 40
MARGIN = 18
STYLE = Path(__file__).with_name("picture.css")

PAINTS = {
    "orange": "#d8643e",
    "blue": "#3a78c2",
    "black": "#33383d",
    "white": "#f4f2ea",
    "red": "#d8483e",
    "yellow": "#e2b53a",
    "green": "#2d8a6c",
    "purple": "#8a4fb0",
}
"""The fill of a side's pieces, by the name of its colour."""

SIDES = {"right": 0, "bottom-right": 60, "bottom-left": 120, "left": 180, "top-left": 240, "top-right": 300}
"""The direction of each side of a hexagon from its centre, in degrees clockwise from the right."""


def draw_svg(board: Board) -> str:
    """Draw a board for a page whose CSS styles its classes."""
    drawing, (first, second) = _Drawing(board), board.paints
    paints = f"--p0:{PAINTS[first]};--p1:{PAINTS[second]};--i0:{_ink(first)};--i1:{_ink(second)}"
    return f'<svg class="board" style="{paints}" viewBox="{drawing.frame}">{drawing.all()}</svg>'


def draw_picture(board: Board) -> str:
    """Draw a board for a separate SVG file with its own colours."""
    drawing, style = _Drawing(board), STYLE.read_text(encoding="utf-8")
    for owner, colour in enumerate(board.paints):
        style = style.replace(f"var(--p{owner})", PAINTS[colour]).replace(f"var(--i{owner})", _ink(colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{drawing.frame}" font-family="sans-serif" font-size="11">'
        f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>'
        f"{drawing.all()}</svg>"
    )


def _ink(colour: str) -> str:
    """Return the colour of a text on a piece."""
    return "#f4f2ea" if colour in ("black", "blue", "green", "purple") else "#1b1d20"


class _Drawing:
    """A board and where its cells are, in pixels."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.taller = 1 / ROW if board.style == "hexagons" else 1.0
        sizes = {place.at: place.size for place in cells_of(board)}
        spots = centres(board) or {(0, 0): (0.0, 0.0)}
        self.sizes = {at: (sizes.get(at, (1.0, 1.0))[1], sizes.get(at, (1.0, 1.0))[0] * self.taller) for at in spots}
        boxes = [(x, y, *self.sizes[at]) for at, (x, y) in spots.items()]
        left, right = min(x - w / 2 for x, _, w, _ in boxes), max(x + w / 2 for x, _, w, _ in boxes)
        top, bottom = min(y - h / 2 for _, y, _, h in boxes), max(y + h / 2 for _, y, _, h in boxes)
        self.spots = {at: (MARGIN + (x - left) * CELL, MARGIN + (y - top) * CELL) for at, (x, y) in spots.items()}
        self.height = (bottom - top) * CELL + 2 * MARGIN
        self.frame = f"0 0 {(right - left) * CELL + 2 * MARGIN:g} {self.height:g}"

    def spot(self, at: Cell) -> Point:
        """Return a cell's centre; a wall may belong to a cell beside the board."""
        if at in self.spots:
            return self.spots[at]
        row, column = at
        return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL

    def all(self) -> str:
        """Return all elements, those in front last."""
        board = self.board
        there = pieces_by_cell(board)
        parts = [self._ground(), *(self._mark(mark.at, mark.kind) for mark in board.marks)]
        parts += [self._edge(edge) for edge in board.edges]
        parts += [self._pieces(at, pieces) for at, pieces in there.items()]
        parts += [self._text(label, there.get(label.at)) for label in board.labels]
        return "".join([*parts, *self._labels()])

    def _ground(self) -> str:
        """Draw the empty board."""
        board, cells = self.board, [at for at in self.spots if not in_tray(self.board, at)]
        if board.style == "drop":
            size = f'width="{board.columns * CELL}" height="{board.rows * CELL}"'
            holes = "".join(self._circle("hole", at, 0.4) for at in cells)
            return f'<rect class="rack" x="{MARGIN}" y="{MARGIN}" {size} rx="8"/>{holes}'
        if board.style != "points":
            return "".join(self._cell("lines", at) for at in self.spots)
        rows = [[(row, 0), (row, board.columns - 1)] for row in range(board.rows)]
        columns = [[(0, column), (board.rows - 1, column)] for column in range(board.columns)]
        ways = [
            f"M{self.spot(begin)[0]:g} {self.spot(begin)[1]:g}L{self.spot(end)[0]:g} {self.spot(end)[1]:g}"
            for line in board.lines or [*rows, *columns]
            for begin, end in pairwise(line)
        ]
        return f'<path class="lines" d="{"".join(ways)}"/>'

    def _cell(self, name: str, at: Cell) -> str:
        (x, y), (width, height) = self.spot(at), self.sizes.get(at, (1.0, 1.0))
        if self.board.style == "hexagons" and not in_tray(self.board, at):
            radius = CELL / math.sqrt(3)
            corners = (
                f"{x + radius * math.cos(math.radians(angle)):.1f},{y + radius * math.sin(math.radians(angle)):.1f}"
                for angle in range(30, 360, 60)
            )
            return f'<polygon class="{name}" points="{" ".join(corners)}"/>'
        width, height = width * CELL, height * CELL
        corner = f' rx="{min(width, height) / 2:g}"' if self.board.style == "pits" else ""
        box = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}"'
        return f'<rect class="{name}" {box}{corner}/>'

    def _circle(self, name: str, at: Cell, radius: float) -> str:
        x, y = self.spot(at)
        return f'<circle class="{name}" cx="{x:g}" cy="{y:g}" r="{CELL * radius:g}"/>'

    def _mark(self, at: Cell, kind: str) -> str:
        if kind == "star":  # part of the board, unlike the mark of the latest move
            return self._circle("star", at, 0.1)
        return self._cell(f"mark {escape(kind)}", at)

    def _edge(self, edge: Edge) -> str:
        x, y = self.spot(edge.at)
        kind = "none" if edge.owner is None else f"p{edge.owner}"
        if self.board.style == "hexagons":
            half, length = CELL / 2, CELL / math.sqrt(3) / 2
            turn = f"rotate({SIDES[edge.side]} {x:g} {y:g})"
            return f'<path class="wall {kind}" transform="{turn}" d="M{x + half:g} {y - length:g}V{y + length:g}"/>'
        x, y = x - CELL / 2, y - CELL / 2
        ends = (x + CELL, y, x + CELL, y + CELL) if edge.side == "right" else (x, y, x + CELL, y)
        return f'<path class="wall {kind}" d="M{ends[0]:g} {ends[1]:g}L{ends[2]:g} {ends[3]:g}"/>'

    def _pieces(self, at: Cell, pieces: list[Piece]) -> str:
        if not is_pile(self.board, at):
            return "".join(self._piece(piece) for piece in pieces)
        if self.board.style == "pits" and not in_tray(self.board, at):
            return self._letter(at, str(len(pieces)), pieces[-1].owner)
        return self._piece(pieces[-1], str(len(pieces)) if len(pieces) > 1 else "")

    def _piece(self, piece: Piece, count: str = "") -> str:
        x, y = self.spot(piece.at)
        owner = "none" if piece.owner is None else f"p{piece.owner}"
        if piece.shape in ("disc", "stone"):
            return self._circle(owner, piece.at, 0.4) + (self._letter(piece.at, count, piece.owner) if count else "")
        if piece.shape == "seed":
            return self._circle(owner, piece.at, 0.12)
        if piece.shape == "home":
            size = CELL * 0.8
            box = f'x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"'
            return f'<rect class="home {owner}" {box}/>'
        if piece.shape == "nought":
            return self._circle(f"drawn {owner}", piece.at, 0.28)
        if piece.shape == "cross":
            r = CELL * 0.27
            way = f"M{x - r:g} {y - r:g}L{x + r:g} {y + r:g}M{x - r:g} {y + r:g}L{x + r:g} {y - r:g}"
            return f'<path class="drawn {owner}" d="{way}"/>'
        return self._circle(owner, piece.at, 0.36) + self._letter(piece.at, letter_of(piece.shape) + count, piece.owner)

    def _letter(self, at: Cell, text: str, owner: int | None) -> str:
        x, y = self.spot(at)
        kind = "none" if owner is None else f"p{owner}"
        return f'<text class="letter {kind}" x="{x:g}" y="{y + 6:g}">{escape(text)}</text>'

    def _text(self, label: Label, pieces: list[Piece] | None) -> str:
        return self._letter(label.at, label.text, pieces[-1].owner if pieces else None)

    def _labels(self) -> list[str]:
        """Label rows and columns beside the cells that are drawn at their row and column."""
        moved = {place.at for place in self.board.cells if place.centre}
        kept = sorted(at for at in self.spots if at not in moved and not in_tray(self.board, at))
        hexagons, labels = self.board.style == "hexagons", list[str]()
        for column, text in enumerate(self.board.column_labels):
            if there := [at for at in kept if at[1] == column]:
                x, y = self.spot(there[-1])
                labels.append(_label(x + 13, y + 32, text) if hexagons else _label(x, self.height - 4, text))
        for row, text in enumerate(self.board.row_labels):
            if there := [at for at in kept if at[0] == row]:
                x, y = self.spot(there[0])
                labels.append(_label(x - CELL / 2 - 8 if hexagons else 8, y + 4, text))
        return labels


def _label(x: float, y: float, text: str) -> str:
    return f'<text class="label" x="{x:g}" y="{y:g}">{escape(text)}</text>'
