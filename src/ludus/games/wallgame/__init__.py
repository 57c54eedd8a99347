"""The Wall Game: a cat, a mouse or home to reach, and walls; every variant, board size and edition of the rules.

`ludus.game("wallgame:VARIANT:WxH[@FWxFH][:EDITION][:short]")`, e.g. `wallgame:classic:8x8`, `wallgame:standard:12x10`:

    VARIANT    standard, classic, freestyle, survival
    WxH        columns x rows, 3 to 20 each
    @FWxFH     the frame whose planes and actions are used; the board lies at its top left (default: the board itself)
    EDITION    2026-09 (default), or 2026-01: a draw by the one-move rule, and a pawn may step back within a move
    short      the mover may choose moves of fewer than two actions
"""

import re
from typing import Any

from ludus.errors import BadGame
from ludus.games.game import Game, State
from ludus.games.wallgame.layout import MAX_SIDE, MIN_SIDE, NUM_STEPS, PASSAGES, VARIANTS, num_words
from ludus.games.wallgame.planes import NUM_PLANES, encoder
from ludus.games.wallgame.rules import rules
from ludus.games.wallgame.sense import heuristic
from ludus.games.wallgame.start import setup, start
from ludus.games.wallgame.symmetry import symmetries
from ludus.games.wallgame.view import View, open_board

__all__ = ["make"]

EDITIONS = ("2026-09", "2026-01")
FORM = "wallgame:VARIANT:WxH[@FWxFH][:EDITION][:short], e.g. wallgame:classic:8x8"


def make(*parts: str) -> Game:
    """Return the Wall Game that the parts of its name describe; raise BadGame if they do not."""
    board = _board(parts)
    cells = board.cells
    width = num_words(cells)
    square = board.rows == board.columns and board.frame_rows == board.frame_columns

    def start_state(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        start(board, setup).write(state)

    return Game(
        name=":".join(("wallgame", *parts)),
        state_size=PASSAGES + 2 * width,
        dtype="uint64",
        num_actions=2 * cells + NUM_STEPS + 1,
        planes=(NUM_PLANES, board.frame_columns, board.frame_rows),
        max_actions=2 * (20 + 2 * board.rows * board.columns),
        start=start_state,
        **rules(width),
        encode=encoder(width),
        heuristic=heuristic(width),
        num_symmetries=8 if square else 4,
        **symmetries(width),
        players=("Player 1", "Player 2"),
        setup=lambda state: setup(View.read(state)),
    )


def _board(parts: tuple[str, ...]) -> View:
    spec = ":".join(("wallgame", *parts))
    if not parts or parts[0] == "animal-cycle":
        missing = "the variant animal-cycle is not there yet" if parts else "the name lacks a variant"
        raise BadGame(f"{spec}: {missing}; {', '.join(VARIANTS)} are, as {FORM}.")
    variant, size, *options = (*parts, "")[: max(2, len(parts))]
    if variant not in VARIANTS:
        raise BadGame(f"{spec}: there is no variant {variant!r}; there are {', '.join(VARIANTS)}.")
    sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})(?:@(\d{1,2})x(\d{1,2}))?", size, re.ASCII)
    if not sides:
        raise BadGame(f"{spec}: {size!r} is no board size; write {FORM}.")
    columns, rows = int(sides[1]), int(sides[2])
    frame_columns, frame_rows = int(sides[3] or columns), int(sides[4] or rows)
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in (columns, rows, frame_columns, frame_rows)):
        raise BadGame(f"{spec}: sides are {MIN_SIDE} to {MAX_SIDE} cells long.")
    if frame_columns < columns or frame_rows < rows:
        raise BadGame(f"{spec}: the frame {frame_columns}x{frame_rows} is smaller than the board {columns}x{rows}.")
    unknown = [option for option in options if option not in (*EDITIONS, "short")]
    if unknown or len(set(options)) < len(options) or set(EDITIONS) <= set(options):
        raise BadGame(f"{spec}: the options are an edition ({' or '.join(EDITIONS)}) and short, each at most once.")
    return open_board(
        rows=rows,
        columns=columns,
        frame_rows=frame_rows,
        frame_columns=frame_columns,
        variant=VARIANTS.index(variant),
        old_rules="2026-01" in options,
        short="short" in options,
    )
