"""The Wall Game: cats race to a mouse or a home, and walls block their paths; all variants, board sizes and editions.

Loaded by `ludus.game("wallgame:VARIANT:WxH[@FWxFH][:OPTION...]")`, e.g. `wallgame:classic:8x8`,
`wallgame:standard:12x10:short`:

    VARIANT         standard, classic, freestyle, survival, animal-cycle
    WxH             columns x rows, 3 to 20 each
    @FWxFH          size of the frame for planes and actions; the board is at its top left (default: the board's size)
    2026-09         the newest edition of the rules (default)
    2026-01         the edition with a draw by the one-move rule, in which a pawn may step back within a move; not in
                    animal-cycle
    short           people may make moves of fewer than two actions; engines always make two
    search-short    people and engines may make moves of fewer than two actions
    ways            twelve more planes: the cats' shortest paths, and by how much a wall would lengthen them; not in
                    animal-cycle
    masked          one more plane, the last: the board's cells inside the frame
"""

import re
from typing import Any

from ludus.errors import BadGame
from ludus.games.about import About, Options, Variant
from ludus.games.game import Game
from ludus.games.packed import write_field
from ludus.games.rules import State
from ludus.games.themes import written
from ludus.games.wallgame.arrange import EDITOR
from ludus.games.wallgame.cycle.heuristic import cycle_heuristic
from ludus.games.wallgame.cycle.planes import CYCLE_PLANES, cycle_encoder
from ludus.games.wallgame.cycle.rules import cycle_rules
from ludus.games.wallgame.cycle.symmetry import cycle_symmetries
from ludus.games.wallgame.describe import describe, reason
from ludus.games.wallgame.heuristic import heuristic
from ludus.games.wallgame.layout import (
    ANIMAL_CYCLE,
    MAX_SIDE,
    MIN_SIDE,
    NUM_JUMPS,
    NUM_STEPS,
    PASSAGES,
    SHORT,
    VARIANTS,
    first_jump,
    num_words,
)
from ludus.games.wallgame.notation import action_text, move_text, parse_move
from ludus.games.wallgame.planes import action_places, encoder, plane_names, plane_scale
from ludus.games.wallgame.rules import rules
from ludus.games.wallgame.start import draw_setup, setup, start
from ludus.games.wallgame.survey import survey
from ludus.games.wallgame.symmetry import symmetries
from ludus.games.wallgame.view import WallgameView, open_board

__all__ = ["about", "make"]

EDITIONS = ("2026-09", "2026-01")
OPTIONS = (*EDITIONS, "short", "search-short", "ways", "masked")
FORM = "wallgame:VARIANT:WxH[@FWxFH][:OPTION...], e.g. wallgame:classic:8x8"


def _records() -> object:
    from ludus.games.wallgame.record import WALL_GAME_RECORD  # not needed to play

    return WALL_GAME_RECORD


about = About(
    title="Wall Game",
    aim="Catch the other player's mouse with your cat; two steps or walls a turn.",
    example=">b3.^c3 ^b2.>d4 >c1.^d2",
    variants=(
        Variant(
            "classic",
            "Classic",
            "Bring your cat home before the other cat is home; two steps or walls a turn.",
            board=(8, 8),
            endings={"capture": "reached home"},
        ),
        Variant(
            "freestyle",
            "Freestyle",
            "Catch the other player's mouse; a new random start every time.",
            board=(12, 10),
            fixed=True,
            plays_as="standard",  # only the first position differs
        ),
        Variant("standard", "Standard", board=(8, 8)),
        Variant("survival", "Survival"),
        Variant(
            "animal-cycle",
            "Animal cycle",
            "Cat hunts mouse, mouse elephant, elephant dog, dog cat: catch first, with a cat and an elephant, or with a"
            " mouse and a dog.",
            board=(8, 8),
        ),
    ),
    endings={"capture": "mouse caught", "survival": "mouse survived", "one-move-rule": "drawn by the one-move rule"},
    options=Options(planes=("ways", "masked"), play=("short",), editions=EDITIONS),
    frames=True,
    editor=EDITOR,
    records=_records,
    heuristic_boards=("classic:8x8", "standard:8x8", "freestyle:12x10", "animal-cycle:8x8"),
    trial_boards=tuple(f"{variant}:{size}x{size}" for variant in ("classic", "standard") for size in (5, 6, 8)),
    themes=(("Walls", written(">^")),),
    registered=("standard", "classic", "freestyle", "animal-cycle"),  # wallgame.io's
)


def make(*parts: str) -> Game:
    """Return the Wall Game of the options in the name; raise BadGame if they are wrong."""
    board = _board(parts)
    width, masked = num_words(board.cells), "masked" in parts
    own = _animal_cycle(board) if board.variant == ANIMAL_CYCLE else _cats(board, ways="ways" in parts)
    names = own.pop("planes") + ("board",) * masked
    square = board.rows == board.columns and board.frame_rows == board.frame_columns

    def start_state(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        start(board, setup).write(state)

    game = Game(
        name=":".join(("wallgame", *parts)),
        state_size=PASSAGES + 2 * width,
        dtype="uint64",
        planes=(len(names), board.frame_columns, board.frame_rows),
        plane_scale=plane_scale(board.cells, ways="ways" in parts, masked=masked),
        plane_names=names,
        mask_plane=len(names) - 1 if masked else None,
        action_places=action_places(board.frame_rows, board.frame_columns, own["num_actions"]),
        max_actions=2 * (20 + 2 * board.rows * board.columns),
        start=start_state,
        **own,
        num_symmetries=8 if square else 4,
        players=("Player 1", "Player 2"),
        action_text=action_text,
        parse_move=lambda state, text: parse_move(game.calls, state, text),
        move_text=lambda state, actions: move_text(game.calls, state, actions),
        describe=describe,
        reason=reason,
        setup=lambda state: setup(WallgameView.read(state)),
        draw_setup=draw_setup if board.variant == VARIANTS.index("freestyle") else None,
        for_search=_without_short if "search-short" not in parts else None,
    )
    return game


def _cats(board: WallgameView, *, ways: bool) -> dict[str, Any]:
    """Return the rules, planes and actions of the variants in which cats hunt."""
    cells, width = board.cells, num_words(board.cells)
    return {
        "num_actions": 2 * cells + NUM_STEPS + 1,
        "planes": plane_names(ways=ways),
        "action_classes": {
            "cat": range(2 * cells, 2 * cells + 4),
            "mouse": range(2 * cells + 4, 2 * cells + NUM_STEPS),
        },
        **rules(width),
        "encode": encoder(width, ways=ways),
        "heuristic": heuristic(width),
        "survey": survey(width),
        **symmetries(width),
    }


def _animal_cycle(board: WallgameView) -> dict[str, Any]:
    """Return the rules, planes and actions of the variant in which four animals hunt each other."""
    cells, width = board.cells, num_words(board.cells)
    return {
        "num_actions": first_jump(cells) + NUM_JUMPS,
        "planes": CYCLE_PLANES,
        "action_classes": {
            "first pawn": range(2 * cells, 2 * cells + 4),
            "second pawn": range(2 * cells + 4, 2 * cells + NUM_STEPS),
        },
        **cycle_rules(width),
        "encode": cycle_encoder(width),
        "heuristic": cycle_heuristic(width),
        **cycle_symmetries(width),
    }


def _without_short(state: State) -> State:
    """Return the state without the option `short`, since engines make two actions per move."""
    state = state.copy()
    write_field(state, SHORT, 0)
    return state


def _board(parts: tuple[str, ...]) -> WallgameView:
    spec = ":".join(("wallgame", *parts))
    if not parts:
        raise BadGame(f"{spec}: the name lacks a variant; write {FORM}, with one of {', '.join(VARIANTS)}.")
    variant, size, *options = (*parts, "")[: max(2, len(parts))]
    if variant not in VARIANTS:
        raise BadGame(f"{spec}: there is no variant {variant!r}; choose one of {', '.join(VARIANTS)}.")
    sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})(?:@(\d{1,2})x(\d{1,2}))?", size, re.ASCII)
    if not sides:
        raise BadGame(f"{spec}: {size!r} is not a board size; write {FORM}.")
    columns, rows = int(sides[1]), int(sides[2])
    frame_columns, frame_rows = int(sides[3] or columns), int(sides[4] or rows)
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in (columns, rows, frame_columns, frame_rows)):
        raise BadGame(f"{spec}: each side must have {MIN_SIDE} to {MAX_SIDE} cells.")
    if frame_columns < columns or frame_rows < rows:
        raise BadGame(f"{spec}: the frame {frame_columns}x{frame_rows} is smaller than the board {columns}x{rows}.")
    if not set(options) <= set(OPTIONS) or len(set(options)) < len(options) or set(EDITIONS) <= set(options):
        raise BadGame(f"{spec}: the options are {', '.join(OPTIONS)}, each at most once, and only one edition.")
    if variant == "animal-cycle" and (unknown := {"ways", "2026-01"} & set(options)):
        raise BadGame(f"{spec}: animal-cycle has no option {' and no option '.join(sorted(unknown))}; leave it out.")
    return open_board(
        rows=rows,
        columns=columns,
        frame_rows=frame_rows,
        frame_columns=frame_columns,
        variant=VARIANTS.index(variant),
        old_rules="2026-01" in options,
        short="short" in options or "search-short" in options,
    )
