"""Formats a search result as one line of analysis, in the form of Leela Zero or of KataGo."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.forecast import Outlook
from ludus.games.go.engines.gtp.protocol import AnalyzeWish
from ludus.games.rules import FIRST_WINS
from ludus.players.thinking.thought import Candidate, Thought
from ludus.viewpoint import turn

Z = 1.96
"""Standard errors between a win rate and its lower confidence bound."""


def allowed_actions(position: Position, avoid: Collection[int], allow: Collection[int]) -> tuple[int, ...] | None:
    """Return the actions to consider; empty: all legal ones; None: the command or query excludes every action.

    Args:
        position: the root of the search.
        avoid: actions to exclude.
        allow: actions to restrict the search to; empty: no restriction.
    """
    if not avoid and not allow:
        return ()
    only = tuple(each for each in position.actions if each not in avoid and (not allow or each in allow))
    return only or None


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
    thought: Thought,
    candidates: Sequence[Candidate],
    wish: AnalyzeWish,
    expected: Outlook | None,
) -> str:
    """Format the result of a search; empty if there are no candidates.

    Args:
        board: the board at the root of the search.
        mover: the player to move; all values are from this player's view.
        thought: the result of the search.
        candidates: the candidates to report, the best first.
        wish: the arguments of the command.
        expected: the expected end of the game, for KataGo's form; None: Leela Zero's form.
    """
    if expected is None:
        return " ".join(_leela_info(board, mover, each, order) for order, each in enumerate(candidates))
    infos = [_kata_info(board, mover, each, order, wish, expected) for order, each in enumerate(candidates)]
    if infos and wish.root_info:
        rate = win_share(thought.value, mover)
        numbers = f"utility {turn(thought.value, mover):.4f} winrate {rate:.4f}{_points(expected.lead, mover)}"
        infos.append(f"rootInfo visits {thought.visits} {numbers}")
    if infos and expected.owners is not None:
        infos.append(f"ownership {_owners_text(expected.owners, mover)}")
    return " ".join(infos)


def win_share(value: float, player: int) -> float:
    """Return a player's win rate, a draw being half a win, for a value seen by player 0."""
    return min(1.0, max(0.0, 0.5 + 0.5 * turn(value, player)))


def lower_bound(rate: float, visits: int) -> float:
    """Return the lower confidence bound of a win rate."""
    return max(0.0, rate - Z * math.sqrt(rate * (1.0 - rate) / max(1, visits)))


def _rank(candidate: Candidate, mover: int) -> int:
    if candidate.proof == FIRST_WINS + mover:
        return 0
    return 2 if candidate.proof == FIRST_WINS + 1 - mover else 1


def _leela_info(board: GtpBoard, mover: int, each: Candidate, order: int) -> str:
    rate = win_share(each.value, mover)
    bound = lower_bound(rate, each.visits)
    numbers = f"winrate {round(1e4 * rate)} prior {round(1e4 * each.prior)} lcb {round(1e4 * bound)}"
    line = " ".join(board.line(each.line or [each.action]))
    return f"info move {board.text(each.action)} visits {each.visits} {numbers} order {order} pv {line}"


def _kata_info(board: GtpBoard, mover: int, each: Candidate, order: int, wish: AnalyzeWish, expected: Outlook) -> str:
    rate = win_share(each.value, mover)
    points = _points(expected.leads.get(each.action, expected.lead), mover)
    numbers = f"utility {turn(each.value, mover):.4f} winrate {rate:.4f}{points} prior {each.prior:.4f}"
    words = [f"info move {board.text(each.action)} visits {each.visits} {numbers}"]
    words += [f"lcb {lower_bound(rate, each.visits):.4f} order {order}"]
    words += ["pv", *board.line(each.line or [each.action])]
    if wish.line_visits:
        words += ["pvVisits", *map(str, each.line_visits or [each.visits])]
    if each.action in expected.owners_after:
        words += ["movesOwnership", _owners_text(expected.owners_after[each.action], mover)]
    return " ".join(words)


def _points(lead: float | None, mover: int) -> str:
    """Return the keys and values of the expected lead of the player to move; empty if it is unknown."""
    if lead is None:
        return ""
    score = turn(lead, mover)
    return f" scoreMean {score:.2f} scoreStdev 0.00 scoreLead {score:.2f}"


def _owners_text(owners: NDArray[np.float32], mover: int) -> str:
    return " ".join(f"{turn(float(each), mover):.3f}" for each in owners.ravel())
