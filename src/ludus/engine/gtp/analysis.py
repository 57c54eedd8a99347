"""A thought as one line of analysis, in the dialects of Leela Zero and of KataGo."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.engine.gtp.board import GtpBoard
from ludus.games.rules import FIRST_WINS
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.gtp import AnalyzeWish
from ludus.viewpoint import turn

Z = 1.96
"""Standard errors below a win rate at which its lower bound stands."""


def shown(thought: Thought, mover: int, wish: AnalyzeWish) -> list[Candidate]:
    """Return the candidates to show, the best first, which need not be the most visited."""
    ranked = sorted(
        thought.candidates,
        key=lambda each: (each.action != thought.best[0], _rank(each, mover), -each.visits, -each.prior),
    )
    return [each for each in ranked if each.visits > 0][: max(1, wish.most, wish.least)]


def info_line(
    board: GtpBoard,
    mover: int,
    candidates: Sequence[Candidate],
    *,
    kata: bool,
    lead: float | None = None,
    leads: Mapping[int, float] | None = None,
    ownership: NDArray[np.float32] | None = None,
) -> str:
    """Return what a search has found; nothing if there is none.

    Args:
        board: where the search began.
        mover: who is to move; everything is seen by this player.
        candidates: what is shown, the best first.
        kata: in KataGo's form; else in Leela Zero's.
        lead: the points by which Black is expected to win on this board; None: nobody can say.
        leads: the same after each action, where it is known.
        ownership: the expected owner of each point, from -1 to 1, seen by Black [size, size], if it was asked for.
    """
    after = leads or {}
    infos: list[str] = []
    for order, each in enumerate(candidates):
        points = after.get(each.action, lead)
        score = None if points is None else turn(points, mover)
        infos.append(_info(board, mover, each, order, kata=kata, score=score))
    if infos and kata and ownership is not None:
        infos.append("ownership " + " ".join(f"{turn(float(each), mover):.3f}" for each in ownership.ravel()))
    return " ".join(infos)


def _rank(candidate: Candidate, mover: int) -> int:
    if candidate.proof == FIRST_WINS + mover:
        return 0
    return 2 if candidate.proof == FIRST_WINS + 1 - mover else 1


def _info(board: GtpBoard, mover: int, each: Candidate, order: int, *, kata: bool, score: float | None) -> str:
    value = turn(each.value, mover)
    rate = min(1.0, max(0.0, 0.5 + 0.5 * value))
    bound = max(0.0, rate - Z * math.sqrt(rate * (1.0 - rate) / max(1, each.visits)))
    line = " ".join(board.line(each.line or [each.action]))
    move = board.text(each.action)
    if not kata:
        numbers = f"winrate {round(1e4 * rate)} prior {round(1e4 * each.prior)} lcb {round(1e4 * bound)}"
        return f"info move {move} visits {each.visits} {numbers} order {order} pv {line}"
    points = "" if score is None else f" scoreMean {score:.2f} scoreStdev 0.00 scoreLead {score:.2f}"
    numbers = f"utility {value:.4f} winrate {rate:.4f}{points} prior {each.prior:.4f} lcb {bound:.4f}"
    return f"info move {move} visits {each.visits} {numbers} order {order} pv {line}"
