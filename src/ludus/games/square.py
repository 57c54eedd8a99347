"""The eight images of a square board in itself, which may lie at the top left of a larger frame.

Bit 0 of a symmetry's number mirrors left and right, bit 1 top and bottom, and bit 2 transposes after the mirrors.
"""


def image(cell: int, symmetry: int, size: int, frame: int) -> int:
    """Return where a symmetry moves a cell, `row * frame + column`, of a board with `size` rows."""
    row, column = cell // frame, cell % frame
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * frame + column
