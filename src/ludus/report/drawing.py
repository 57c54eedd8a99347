"""Draws board descriptions as SVG, for pages without scripts and for SVG files."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ludus.games.board import Board, Cell, Piece, letter_of

CELL = 40
MARGIN = 18
STYLE = Path(__file__).with_name("picture.css")


def draw_svg(board: Board) -> str:
    """Draw a board for a page whose CSS styles its classes."""
    return f'<svg class="board" viewBox="{_frame(board)}">{_drawn(board)}</svg>'


def draw_picture(board: Board) -> str:
    """Draw a board for a separate SVG file with its own colours."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_frame(board)}" font-family="sans-serif" font-size="11">'
        f'<style>{STYLE.read_text(encoding="utf-8")}</style><rect width="100%" height="100%" fill="#fff"/>'
        f"{_drawn(board)}</svg>"
    )


def _frame(board: Board) -> str:
    return f"0 0 {board.columns * CELL + 2 * MARGIN} {board.rows * CELL + 2 * MARGIN}"


def _drawn(board: Board) -> str:
    height = board.rows * CELL + 2 * MARGIN
    parts = [_ground(board), *(_mark(mark.at, mark.kind) for mark in board.marks)]
    parts += [_edge(edge.at, edge.side, edge.owner) for edge in board.edges]
    parts += [_piece(piece) for piece in board.pieces]
    for column, label in enumerate(board.column_labels):
        parts.append(_label(MARGIN + column * CELL + CELL / 2, height - 4, label))
    for row, label in enumerate(board.row_labels):
        parts.append(_label(8, MARGIN + row * CELL + CELL / 2 + 4, label))
    return "".join(parts)


def _ground(board: Board) -> str:
    """Draw the empty board."""
    right, bottom = MARGIN + board.columns * CELL, MARGIN + board.rows * CELL
    if board.style == "drop":
        holes = "".join(
            f'<circle class="hole" cx="{MARGIN + column * CELL + CELL / 2:g}" cy="{MARGIN + row * CELL + CELL / 2:g}" '
            f'r="{CELL * 0.4:g}"/>'
            for row in range(board.rows)
            for column in range(board.columns)
        )
        size = f'width="{right - MARGIN}" height="{bottom - MARGIN}"'
        return f'<rect class="rack" x="{MARGIN}" y="{MARGIN}" {size} rx="8"/>{holes}'
    half = CELL / 2 if board.style == "points" else 0.0
    count = 0 if board.style == "points" else 1
    ways = [
        f"M{MARGIN + half:g} {MARGIN + half + row * CELL:g}H{right - half:g}" for row in range(board.rows + count)
    ] + [
        f"M{MARGIN + half + column * CELL:g} {MARGIN + half:g}V{bottom - half:g}"
        for column in range(board.columns + count)
    ]
    return f'<path class="lines" d="{"".join(ways)}"/>'


def _piece(piece: Piece) -> str:
    row, column = piece.at
    x, y = MARGIN + column * CELL + CELL / 2, MARGIN + row * CELL + CELL / 2
    owner = "none" if piece.owner is None else f"p{piece.owner}"
    if piece.shape in ("disc", "stone"):
        return f'<circle class="{owner}" cx="{x:g}" cy="{y:g}" r="{CELL * 0.4:g}"/>'
    if piece.shape == "home":
        size = CELL * 0.8
        return (
            f'<rect class="home {owner}" x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"/>'
        )
    if piece.shape == "nought":
        return f'<circle class="drawn {owner}" cx="{x:g}" cy="{y:g}" r="{CELL * 0.28:g}"/>'
    if piece.shape == "cross":
        r = CELL * 0.27
        way = f"M{x - r:g} {y - r:g}L{x + r:g} {y + r:g}M{x - r:g} {y + r:g}L{x + r:g} {y - r:g}"
        return f'<path class="drawn {owner}" d="{way}"/>'
    letter = escape(letter_of(piece.shape))
    return (
        f'<circle class="{owner}" cx="{x:g}" cy="{y:g}" r="{CELL * 0.36:g}"/>'
        f'<text class="letter {owner}" x="{x:g}" y="{y + 6:g}">{letter}</text>'
    )


def _edge(at: Cell, side: str, owner: int | None) -> str:
    row, column = at
    x, y = MARGIN + column * CELL, MARGIN + row * CELL
    ends = (x + CELL, y, x + CELL, y + CELL) if side == "right" else (x, y, x + CELL, y)
    kind = "none" if owner is None else f"p{owner}"
    return f'<path class="wall {kind}" d="M{ends[0]} {ends[1]}L{ends[2]} {ends[3]}"/>'


def _mark(at: Cell, kind: str) -> str:
    row, column = at
    x, y = MARGIN + column * CELL, MARGIN + row * CELL
    if kind == "star":  # part of the board, unlike the mark of the latest move
        return f'<circle class="star" cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="4"/>'
    return f'<rect class="mark {escape(kind)}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def _label(x: float, y: float, text: str) -> str:
    return f'<text class="label" x="{x:g}" y="{y:g}">{escape(text)}</text>'
