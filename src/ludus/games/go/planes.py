"""The network's input for Go: planes [rows, columns] of the frame, seen by the mover.

    0 1    my stones, the opponent's
    2      the point where a ko may not be retaken at once
    3-6    the last four stones, newest first
    7      all ones if the last action was a pass
    8      all ones if the mover is Black
    9      the mover's komi (with White's compensation and a taken button), in half points above -64
    10     ones on the board: the mask
    then   with the option `liberties`: stones of groups with one liberty, with two, with three
    then   with the option `history`: my stones and the opponent's in each of the previous seven boards, newest first
    then   with a button: ones on the board while nobody has taken it

The option `seed` selects the 18 planes of Leela Zero and its descendant cbaduk: my stones now and in the previous seven
boards, then the opponent's, all ones if Black is to move, all ones if White is.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.go import layout
from ludus.games.go.layout import recent_action
from ludus.games.go.points import Points, point_sets
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.kernel import write_where

PLANES = (
    *("my stones", "opponent's stones", "not to be retaken"),
    *("last stone", "stone 2 ago", "stone 3 ago", "stone 4 ago"),
    *("last was a pass", "Black moves", "komi", "board"),
)
LIBERTY_PLANES = ("one liberty", "two liberties", "three liberties")
PAST_PLANES = tuple(
    f"{whose} stones, {back} ago" for back in range(1, layout.PAST_BOARDS + 1) for whose in ("my", "opponent's")
)
BUTTON_PLANES = ("button left",)
SEED_NAMES = (
    *(PLANES[0], *PAST_PLANES[::2]),
    *(PLANES[1], *PAST_PLANES[1::2]),
    *("Black to move", "White to move"),
)
NUM_PLANES, NUM_SEED_PLANES, NUM_LIBERTY_PLANES = len(PLANES), len(SEED_NAMES), len(LIBERTY_PLANES)
MASK = PLANES.index("board")
KOMI_PLANE, KOMI_SHIFT = PLANES.index("komi"), 128
"""Offset of the komi plane: a byte holds komi from -64 to 63.5 points."""
NUM_LAST = 4


def plane_names(*, liberties: bool, history: bool, button: bool, seed: bool) -> tuple[str, ...]:
    """Return a short name for each plane."""
    return SEED_NAMES if seed else PLANES + LIBERTY_PLANES * liberties + PAST_PLANES * history + BUTTON_PLANES * button


def plane_scale(planes: int) -> tuple[float, ...]:
    """Return the factors for the bytes of each plane."""
    if planes == NUM_SEED_PLANES:
        return (1.0,) * planes
    return (1.0,) * KOMI_PLANE + (1.0 / KOMI_SHIFT,) + (1.0,) * (planes - KOMI_PLANE - 1)


def score_weights(planes: int, komi: float) -> tuple[float, ...]:
    """Return a weight for each plane: the planes' mean bytes times the weights are the mover's komi and compensation.

    Args:
        planes: number of planes.
        komi: komi and compensation; used for the planes of `seed`, which do not show it.
    """
    if planes == NUM_SEED_PLANES:
        return (0.0,) * (planes - 2) + (-komi, komi)
    weights = [0.0] * planes
    weights[KOMI_PLANE], weights[MASK] = 0.5, -0.5 * KOMI_SHIFT
    return tuple(weights)


def action_places(frame: int) -> list[tuple[int, int, int]]:
    """Return each action's place: a stone's point, and no cell for the pass."""
    return [(0, row, column) for row in range(frame) for column in range(frame)] + [(0, -1, -1)]


@cache
def encoder(width: int) -> Callable[[State, np.ndarray], None]:  # noqa: C901 - small functions, made for one width
    """Build the rule `encode` for sets of points in `width` words."""
    load, _, _, union, _, _, _, _, _, _, _ = point_sets(width)

    def write(flat: np.ndarray, plane: int, frame: int, points: Points, value: int) -> None:
        first, size = plane * frame * frame, flat.shape[0]
        for word in range(width):
            bits = points[word]
            if bits == np.uint64(0):
                continue
            if size >= 64 and first + 64 * word < size:
                write_where(flat, first + 64 * word, bits, value)
            else:
                for bit in range(64):
                    if int(bits >> np.uint64(bit)) & 1:
                        flat[first + 64 * word + bit] = value

    def write_seed(state: State, flat: np.ndarray, mine: Points, theirs: Points) -> None:
        frame, player = read_field(state, layout.FRAME), read_field(state, layout.TURN)
        board = union(union(mine, theirs), load(state, layout.SETS + layout.EMPTY * width))
        past_at = layout.SETS + layout.NUM_SETS * width
        write(flat, 0, frame, mine, 1)
        write(flat, layout.PAST_BOARDS + 1, frame, theirs, 1)
        for back in range(layout.PAST_BOARDS):
            at = past_at + 2 * width * back
            write(flat, 1 + back, frame, load(state, at + player * width), 1)
            write(flat, layout.PAST_BOARDS + 2 + back, frame, load(state, at + (1 - player) * width), 1)
        write(flat, 2 * layout.PAST_BOARDS + 2 + player, frame, board, 1)

    def encode(state: State, planes: np.ndarray) -> None:
        frame, player = read_field(state, layout.FRAME), read_field(state, layout.TURN)
        flat = planes.reshape(planes.size)  # [C frame frame]
        black_at = layout.SETS + layout.BLACK * width
        mine, theirs = load(state, black_at + player * width), load(state, black_at + (1 - player) * width)
        board = union(union(mine, theirs), load(state, layout.SETS + layout.EMPTY * width))
        past_at = layout.SETS + layout.NUM_SETS * width
        if read_field(state, layout.SEED_PLANES) == 1:
            write_seed(state, flat, mine, theirs)
            return
        write(flat, 0, frame, mine, 1)
        write(flat, 1, frame, theirs, 1)
        if read_field(state, layout.KO) > 0:
            flat[2 * frame * frame + read_field(state, layout.KO) - 1] = 1
        for back in range(NUM_LAST):
            action = recent_action(state, back)
            if 0 <= action < frame * frame:
                flat[(3 + back) * frame * frame + action] = 1
        if recent_action(state, 0) == frame * frame:
            write(flat, 7, frame, board, 1)
        if player == 0:
            write(flat, 8, frame, board, 1)
        whites = layout.whites_compensation(state)
        komi = whites if player == 1 else -whites
        write(flat, KOMI_PLANE, frame, board, max(0, min(255, KOMI_SHIFT + komi)))
        write(flat, MASK, frame, board, 1)
        plane = NUM_PLANES
        if read_field(state, layout.SHOWS_LIBERTIES) == 1:
            for number in range(NUM_LIBERTY_PLANES):
                write(flat, plane + number, frame, load(state, layout.SETS + (layout.ONE_LIBERTY + number) * width), 1)
            plane += NUM_LIBERTY_PLANES
        if read_field(state, layout.SHOWS_HISTORY) == 1:
            for back in range(layout.PAST_BOARDS):
                at = past_at + 2 * width * back
                write(flat, plane + 2 * back, frame, load(state, at + player * width), 1)
                write(flat, plane + 2 * back + 1, frame, load(state, at + (1 - player) * width), 1)
            plane += 2 * layout.PAST_BOARDS
        if read_field(state, layout.BUTTON) == layout.BUTTON_LEFT:
            write(flat, plane, frame, board, 1)

    return encode
