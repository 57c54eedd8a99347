"""The network's input for chess: 26 planes [file, row] from the mover's side; row 0 is the last rank.

    0-5      my pawns, knights, bishops, rooks, queens, king
    6-11     the opponent's
    12 13    my rooks with castling rights; the opponent's
    14       the square where a pawn can be captured en passant
    15       half moves since the last capture or pawn move, scaled by 1/100
    16 17    all ones if this position occurred once before; twice before
    18-25    origin and target of the last four actions, newest first: my opponent's, mine, ...

The option `seed` selects the 19 planes [row, file] of chess-deep-rl, seen by White; row 0 is rank 8:

    0        all ones if White is to move
    1-4      all ones for a castling right: White's to the left (queenside) and right, Black's to the left and right
    5        all ones if the position occurred before
    6-11     White's pawns, knights, bishops, rooks, queens, king
    12-17    Black's
    18       the square where a pawn can be captured en passant
"""

import numpy as np

from ludus.games.chess.layout import CLOCK, EN_PASSANT, NUM_RECENT, REPEATS, TURN, bit, recent_move, turned
from ludus.games.chess.pieces import by_kind, castlers, kings, sets
from ludus.games.packed import ONE, read_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit, write_bits

KINDS = ("pawns", "knights", "bishops", "rooks", "queens", "king")
PLANES = (
    *(f"{whose} {kind}" for whose in ("my", "opponent's") for kind in KINDS),
    *("my castling rooks", "opponent's castling rooks", "en passant", "moves without progress"),
    *("occurred before", "occurred twice"),
    *(f"action {back} ago, {end}" for back in range(1, NUM_RECENT + 1) for end in ("from", "to")),
)
SEED_NAMES = (
    *("White moves", *(f"{who} castles {side}" for who in ("White", "Black") for side in ("left", "right"))),
    "occurred before",
    *(f"{whose} {kind}" for whose in ("White's", "Black's") for kind in KINDS),
    "en passant",
)
NUM_PLANES, NUM_SEED_PLANES = len(PLANES), len(SEED_NAMES)
PLANE_SCALE = (1.0,) * 15 + (0.01,) + (1.0,) * (NUM_PLANES - 16)


def encode(state: State, planes: np.ndarray) -> None:
    """Write the 26 planes seen by the mover."""
    flat = planes.reshape(NUM_PLANES * 64)
    board = sets(state)
    mine, kinds = board[0], by_kind(board)
    for kind in range(6):
        write_bits(flat, 64 * kind, kinds[kind] & mine)
        write_bits(flat, 64 * (6 + kind), kinds[kind] & ~mine)
    write_bits(flat, 64 * 12, castlers(board) & mine)
    write_bits(flat, 64 * 13, castlers(board) & ~mine)
    file = read_field(state, EN_PASSANT) - 1
    if file >= 0:
        flat[64 * 14 + 8 * file + 2] = 1
    flat[64 * 15 : 64 * 16] = min(read_field(state, CLOCK), 255)
    if read_field(state, REPEATS) > 0:
        flat[64 * 16 : 64 * 17] = 1
    if read_field(state, REPEATS) > 1:
        flat[64 * 17 : 64 * 18] = 1
    for index in range(NUM_RECENT):
        move = recent_move(state, index)
        if move != 0:
            turn = 7 if index & 1 == 0 else 0
            flat[64 * (18 + 2 * index) + ((move & 63) ^ turn)] = 1
            flat[64 * (19 + 2 * index) + ((move >> 6) ^ turn)] = 1


def encode_seed(state: State, planes: np.ndarray) -> None:
    """Write the 19 planes seen by White."""
    flat = planes.reshape(NUM_SEED_PLANES * 64)
    board = sets(state)
    black_moves, kinds = read_field(state, TURN) == 1, by_kind(board)
    white = ~board[0] if black_moves else board[0]
    for kind in range(6):
        write_bits(flat, 64 * (6 + kind), by_ranks(kinds[kind] & white, black_moves))
        write_bits(flat, 64 * (12 + kind), by_ranks(kinds[kind] & ~white, black_moves))
    if not black_moves:
        flat[:64] = 1
    for player in range(2):
        own = white if player == 0 else ~white
        king = bit(lowest_bit(kings(board) & own))
        rooks = castlers(board) & own
        if int(rooks & (king - ONE)) != 0:
            flat[64 * (1 + 2 * player) : 64 * (2 + 2 * player)] = 1
        if int(rooks & ~(king - ONE)) != 0:
            flat[64 * (2 + 2 * player) : 64 * (3 + 2 * player)] = 1
    if read_field(state, REPEATS) > 0:
        flat[64 * 5 : 64 * 6] = 1
    file = read_field(state, EN_PASSANT) - 1
    if file >= 0:
        flat[64 * 18 + 8 * (5 if black_moves else 2) + file] = 1


def by_ranks(squares: np.uint64, turn: bool) -> np.uint64:
    """Return a set as seen by White, in rows: swap blocks across the diagonal, from small to large."""
    if turn:
        squares = turned(squares)
    low, mid, high = np.uint64(0x00AA00AA00AA00AA), np.uint64(0x0000CCCC0000CCCC), np.uint64(0x00000000F0F0F0F0)
    swap = (squares ^ squares >> np.uint64(7)) & low
    squares ^= swap | swap << np.uint64(7)
    swap = (squares ^ squares >> np.uint64(14)) & mid
    squares ^= swap | swap << np.uint64(14)
    swap = (squares ^ squares >> np.uint64(28)) & high
    return squares ^ (swap | swap << np.uint64(28))
