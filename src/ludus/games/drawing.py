"""Where the cells of a board are drawn, and boards in plain characters for terminals and tests."""

import math
import unicodedata
from collections.abc import Mapping
from itertools import pairwise

from ludus.games.board import Board, Cell, Piece, Spot

ROW = math.sqrt(0.75)
"""The distance of two rows of hexagons, in the width of one."""

SLANTS = {"top-left": (-0.5, -0.5), "top-right": (0.5, -0.5), "bottom-left": (-0.5, 0.5), "bottom-right": (0.5, 0.5)}
"""The slanted sides of a hexagon: columns and rows from its centre to the side's middle, in a drawing of characters."""

Point = tuple[float, float]  # columns from the left, rows from the top; (0, 0) is the centre of cell (0, 0)


def cells_of(board: Board) -> list[Spot]:
    """Return the cells of a board without its trays, row by row."""
    whole = [Spot((row, column)) for row in range(board.rows) for column in range(board.columns)]
    return sorted(board.cells, key=lambda place: place.at) or whole


def centres(board: Board) -> dict[Cell, Point]:
    """Return where the centre of each cell is drawn, first the cells of the board, then those of its trays."""
    found: dict[Cell, Point] = {}
    for place in cells_of(board):
        row, column = place.centre or place.at
        if board.style == "hexagons" and place.centre is None:
            found[place.at] = (column + row / 2, row * ROW)
        else:
            found[place.at] = (column, row)
    if board.trays and found:
        left, top, bottom = min(x for x, _ in found.values()), *_ends([y for _, y in found.values()])
        for column in range(board.trays):
            found[-1, column] = (left + column, top - 1.5)
            found[board.rows, column] = (left + column, bottom + 1.5)
    return found


def _ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def in_tray(board: Board, at: Cell) -> bool:
    """Return whether a cell belongs to a tray, which is above or below the board."""
    return not 0 <= at[0] < board.rows


def pieces_by_cell(board: Board) -> dict[Cell, list[Piece]]:
    """Return the pieces of each cell that has any, in their order on the board."""
    there: dict[Cell, list[Piece]] = {}
    for piece in board.pieces:
        there.setdefault(piece.at, []).append(piece)
    return there


def is_pile(board: Board, at: Cell) -> bool:
    """Return whether several pieces on a cell are a pile or a heap, rather than one beside the other."""
    return board.stacked or board.style == "pits" or in_tray(board, at)


def letter_of(shape: str) -> str:
    """Return the text for a piece without a picture: a number or one or two characters themselves, else the initial."""
    if len(shape) <= 2 or shape.isdigit():
        return shape
    return "N" if shape == "knight" else shape[:1].upper()


def draw(board: Board, signs: Mapping[Cell, str] | None = None) -> str:
    """Draw a board in plain characters; a board without cells becomes a list of its moves.

    Args:
        board: the board to draw.
        signs: for some cells, a character to draw in front of the cell's piece.
    """
    if not board.rows and board.choices:
        return f"moves: {' '.join(str(choice.text) for choice in board.choices)}"
    texts, before = _texts(board), signs or {}
    trays = [[(row, column) for column in range(board.trays)] for row in (-1, board.rows)]
    held = {at: texts.pop(at) for tray in trays for at in tray if at in texts}
    pitch, tray_pitch = (3 + max((_width(text) for text in each.values()), default=1) for each in (texts, held))
    free = board.style == "hexagons" or board.lines or any(place.centre for place in board.cells)
    lines = (_free if free else _table)(board, texts, before, pitch)
    above, below = (
        "".join(_fitted(before.get(at, " ") + held.get(at, ""), tray_pitch) for at in tray) for tray in trays
    )
    return "\n".join([*_unless_empty(above), *lines, *_unless_empty(below)])


def _unless_empty(tray: str) -> list[str]:
    return [tray.rstrip()] if tray.strip(" .") else []


def _texts(board: Board) -> dict[Cell, str]:
    """Return the characters of each cell."""
    there = pieces_by_cell(board)
    labels = {label.at: label.text for label in board.labels}
    return {at: _text(board, at, there.get(at, []), labels.get(at, "")) for at in centres(board)}


def _text(board: Board, at: Cell, pieces: list[Piece], label: str) -> str:
    if not pieces:
        return label or "."
    letters, count = [_symbol(piece) for piece in pieces], len(pieces)
    if not is_pile(board, at) or (count == 1 and pieces[0].owner is not None):
        return letters[-1] + label
    if len(set(letters)) > 1:
        return (f"{letters[-1]}{count}" if count > 3 else "".join(letters)) + label
    return (str(count) if pieces[0].owner is None else f"{letters[0]}{count}") + label


def _symbol(piece: Piece) -> str:
    side = "xo"[piece.owner or 0]
    if letter := {"disc": side, "stone": side, "seed": side, "cross": "x", "nought": "o"}.get(piece.shape):
        return letter
    text = letter_of(piece.shape)
    if piece.owner is not None and text.upper() == text.lower():  # upper and lower case cannot tell the sides apart
        return side + text
    return text.upper() if piece.owner == 0 else text.lower()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _fitted(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _table(board: Board, texts: dict[Cell, str], before: Mapping[Cell, str], pitch: int) -> list[str]:
    """Draw a rectangle of cells, with walls between them."""
    right = {edge.at for edge in board.edges if edge.side == "right"}
    top = {edge.at for edge in board.edges if edge.side == "top"}
    gutter = max((_width(label) for label in board.row_labels), default=0)

    def bars(row: int) -> str:
        sides = " ".join(("-" if (row, column) in top else " ") * (pitch - 1) for column in range(board.columns))
        return f"{'':{gutter}} {sides}".rstrip()

    lines: list[str] = []
    for row in range(board.rows):
        if top and (row or any(wall == 0 for wall, _ in top)):
            lines.append(bars(row))
        label = board.row_labels[row] if board.row_labels else ""
        cells = "".join(
            _fitted(f"{before.get(at, ' ')}{texts.get(at, ' ')}", pitch - 1) + ("|" if at in right else " ")
            for at in ((row, column) for column in range(board.columns))
        )
        lines.append(f"{label:>{gutter}}{'|' if (row, -1) in right else ' '}{cells}".rstrip())
    if any(row == board.rows for row, _ in top):
        lines.append(bars(board.rows))
    if board.column_labels:
        lines.append(f"{'':{gutter}} " + " ".join(f"{label:^{pitch - 1}}" for label in board.column_labels).rstrip())
    return lines


class _Sheet:
    """Characters at any line and column, also negative ones; later ones replace earlier ones."""

    def __init__(self) -> None:
        self.texts: dict[tuple[int, int], str] = {}

    def put(self, line: int, column: int, text: str) -> None:
        for each in text:
            self.texts[line, column] = each
            for hidden in range(1, _width(each)):
                self.texts[line, column + hidden] = ""
            column += _width(each)

    def lines(self) -> list[str]:
        """Return the lines from the first to the last that has a character."""
        if not self.texts:
            return []
        top, bottom = _ends([line for line, _ in self.texts])
        left, right = _ends([column for _, column in self.texts])
        return [
            "".join(self.texts.get((line, column), " ") for column in range(int(left), int(right) + 1)).rstrip()
            for line in range(int(top), int(bottom) + 1)
        ]


def _free(board: Board, texts: dict[Cell, str], before: Mapping[Cell, str], pitch: int) -> list[str]:
    """Draw hexagons, points with their lines, or cells at any place."""
    middles = {at: point for at, point in centres(board).items() if not in_tray(board, at)}
    if board.style == "hexagons":
        middles = {at: (x, y / ROW) for at, (x, y) in middles.items()}
    slanted = [edge for edge in board.edges if edge.side in SLANTS and not _is_border(edge.at, edge.side, middles)]
    least = 2 if board.lines or slanted else 1
    heights = (height for height in range(least, least + 3) if _is_clear(middles, texts, pitch, height))
    spots = _spots(middles, pitch, next(heights, least + 3))
    sheet = _Sheet()
    for line in board.lines:
        for begin, end in pairwise(line):
            _join(sheet, spots[begin], spots[end])
    for edge in slanted:
        (line, column), (right, down) = spots[edge.at], SLANTS[edge.side]
        sheet.put(line + round(2 * down), column + round(right * pitch / 2), "/" if right * down > 0 else "\\")
    for at, (line, column) in spots.items():
        sheet.put(line, column, texts[at])
        if before.get(at, " ") != " ":
            sheet.put(line, column - 1, before[at])
    for edge in board.edges:
        if edge.side in ("left", "right"):
            line, column = spots[edge.at]
            sheet.put(line, column - 2 if edge.side == "left" else column + pitch - 2, "|")
    _label(board, sheet, spots, pitch)
    return sheet.lines()


def _is_border(at: Cell, side: str, cells: Mapping[Cell, Point]) -> bool:
    """Return whether no cell lies beyond a slanted side."""
    row, column = at
    beyond = {"top-left": (-1, 0), "top-right": (-1, 1), "bottom-left": (1, -1), "bottom-right": (1, 0)}[side]
    return (row + beyond[0], column + beyond[1]) not in cells


def _spots(middles: Mapping[Cell, Point], pitch: int, height: int) -> dict[Cell, tuple[int, int]]:
    """Return the line and column of each cell's text, with some lines for each row of cells."""
    return {at: (round(y * height), round(x * pitch)) for at, (x, y) in middles.items()}


def _is_clear(middles: Mapping[Cell, Point], texts: Mapping[Cell, str], pitch: int, height: int) -> bool:
    """Return whether each cell is on the line of its height, and has room for its text with a sign before it."""
    spots = _spots(middles, pitch, height)
    if any(abs(middles[at][1] * height - line) > 0.3 for at, (line, _) in spots.items()):
        return False
    ordered = sorted((spot, _width(texts[at])) for at, spot in spots.items())
    return all(
        line != other or column + width + 1 < next_column
        for ((line, column), width), ((other, next_column), _) in pairwise(ordered)
    )


def _join(sheet: _Sheet, begin: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a line between two cells."""
    down, right = end[0] - begin[0], end[1] - begin[1]
    sign = "-" if down == 0 else "|" if right == 0 else "\\" if (down > 0) == (right > 0) else "/"
    count = abs(down) or abs(right)
    for step in range(1, count):
        sheet.put(begin[0] + round(down * step / count), begin[1] + round(right * step / count), sign)


def _label(board: Board, sheet: _Sheet, spots: Mapping[Cell, tuple[int, int]], pitch: int) -> None:
    """Write the labels of rows and columns beside the cells that stand at their row and column."""
    moved = {place.at for place in board.cells if place.centre}
    kept = {at: spot for at, spot in spots.items() if at not in moved}
    if not kept:
        return
    first, last = min(column for _, column in kept.values()), max(line for line, _ in spots.values())
    hexagons = board.style == "hexagons"
    for row, text in enumerate(board.row_labels):
        there = [kept[at] for at in kept if at[0] == row]
        if there:
            line, column = min(there)
            sheet.put(line, (column if hexagons else first) - 2 - _width(text), text)
    for number, text in enumerate(board.column_labels):
        there = [kept[at] for at in kept if at[1] == number]
        if there:
            line, column = max(there)
            sheet.put(*((line + 1, column + pitch // 2) if hexagons else (last + 1, column)), text)
