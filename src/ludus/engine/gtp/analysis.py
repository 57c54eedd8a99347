"""A thought as one line of analysis, in the dialects of Leela Zero and of KataGo."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ludus.engine.gtp.board import Board
from ludus.games.game import FIRST_WINS
from ludus.games.go.describe import handed
from ludus.players.thought import Candidate, Thought
from ludus.protocol.gtp import Wish
from ludus.viewpoint import turn

Z = 1.96
"""Standard errors below a win rate at which its lower bound stands."""


def info_line(
    board: Board,
    mover: int,
    thought: Thought,
    wish: Wish,
    *,
    kata: bool,
    ownership: NDArray[np.float32] | None = None,
) -> str:
    """Return what a search has found, the best candidate first; nothing if there is none.

    Args:
        board: where the search began.
        mover: who is to move; everything is seen by this player.
        thought: what was found.
        wish: how many candidates are shown.
        kata: in KataGo's form; else in Leela Zero's.
        ownership: the expected owner of each point, from -1 to 1, seen by Black [size, size].
    """
    ranked = sorted(
        thought.candidates,  # the best first, which need not be the most visited
        key=lambda each: (each.action != thought.best[0], _rank(each, mover), -each.visits, -each.prior),
    )
    shown = [each for each in ranked if each.visits > 0][: max(1, wish.most, wish.least)]
    lead = None if ownership is None else _lead(board, mover, ownership)
    line = " ".join(_info(board, mover, each, order, kata=kata, lead=lead) for order, each in enumerate(shown))
    if line and kata and ownership is not None and wish.ownership:
        sign = -1.0 if mover else 1.0
        line += " ownership " + " ".join(f"{sign * each:.3f}" for each in ownership.ravel())
    return line


def _rank(candidate: Candidate, mover: int) -> int:
    if candidate.proof == FIRST_WINS + mover:
        return 0
    return 2 if candidate.proof == FIRST_WINS + 1 - mover else 1


def _lead(board: Board, mover: int, ownership: NDArray[np.float32]) -> float:
    """Return the points by which the mover is expected to win."""
    black = float(ownership.sum()) + handed(board.position.state)
    return -black if mover else black


def _info(board: Board, mover: int, each: Candidate, order: int, *, kata: bool, lead: float | None) -> str:
    value = turn(each.value, mover)
    rate = min(1.0, max(0.0, 0.5 + 0.5 * value))
    bound = max(0.0, rate - Z * math.sqrt(rate * (1.0 - rate) / max(1, each.visits)))
    line = " ".join(board.line(each.line or [each.action]))
    move = board.text(each.action)
    if not kata:
        numbers = f"winrate {round(1e4 * rate)} prior {round(1e4 * each.prior)} lcb {round(1e4 * bound)}"
        return f"info move {move} visits {each.visits} {numbers} order {order} pv {line}"
    score = "" if lead is None else f" scoreMean {lead:.2f} scoreStdev 0.00 scoreLead {lead:.2f}"
    numbers = f"utility {value:.4f} winrate {rate:.4f}{score} prior {each.prior:.4f} lcb {bound:.4f}"
    return f"info move {move} visits {each.visits} {numbers} order {order} pv {line}"
