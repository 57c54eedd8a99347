"""Formats a search result as one line of analysis, in the form of Leela Zero or of KataGo."""

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
"""Standard errors between a win rate and its lower confidence bound."""


def shown(thought: Thought, mover: int, wish: AnalyzeWish) -> list[Candidate]:
    """Return the candidates to report, the best first; the best one need not have the most visits."""
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
    """Format the result of a search; empty if there are no candidates.

    Args:
        board: the board at the root of the search.
        mover: the player to move; all values are from this player's view.
        candidates: the candidates to report, the best first.
        kata: whether to use KataGo's form instead of Leela Zero's.
        lead: Black's expected lead in points at the root; None: unknown.
        leads: Black's expected lead after each action, where known.
        ownership: expected owner of each point, from -1 to 1, seen by Black [size, size], if requested.
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
