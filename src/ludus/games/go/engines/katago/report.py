"""Formats search results of Go as answers of KataGo's analysis protocol."""

from __future__ import annotations

import hashlib

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.go.engines.gtp.analysis import lower_bound, shown, win_share
from ludus.games.go.engines.gtp.forecast import Forecast, Outlook, outlook
from ludus.games.go.engines.gtp.protocol import AnalyzeWish
from ludus.games.go.engines.katago.protocol import KataGoMove, KataGoQuery, KataGoRoot, TurnResult
from ludus.games.go.layout import KO
from ludus.games.go.view import cell_of, size_of, stones_of
from ludus.games.packed import read_field
from ludus.players.thinking.thought import Candidate, Thought
from ludus.viewpoint import turn

DIGITS = 6
ALL = AnalyzeWish()


def analysed(
    query: KataGoQuery,
    number: int,
    position: Position,
    thought: Thought,
    forecast: Forecast,
    *,
    player: int,
    policy: dict[int, float] | None,
    partial: bool,
) -> TurnResult:
    """Return the answer for a search.

    Args:
        query: the request.
        number: number of the turn.
        position: the root of the search.
        thought: result of the search.
        forecast: predicts the end of the game.
        player: the player from whose view values, leads and owners are reported.
        policy: the prior of each legal action, if requested.
        partial: whether the search is still running.
    """
    mover = position.to_play
    candidates = shown(thought, mover, ALL)
    expected = outlook(
        forecast,
        [each.action for each in candidates],
        ownership=query.include_ownership,
        moves_ownership=query.include_moves_ownership,
    )
    moves = [_move_info(query, position, each, order, expected, player) for order, each in enumerate(candidates)]
    lead = _points(expected.lead, player)
    codes = position_hashes(position)
    root = KataGoRoot(
        mover="BW"[mover],  # pyright: ignore[reportArgumentType]
        visits=thought.visits,
        win_share=_rounded(win_share(thought.value, player)),
        utility=_rounded(turn(thought.value, player)),
        this_hash=codes[0],
        sym_hash=min(codes),
        score_lead=lead,
        score_selfplay=lead,
        score_stdev=UNSET if lead is UNSET else 0.0,
    )
    return TurnResult(
        id=query.id,
        turn_number=number,
        is_during_search=partial,
        move_infos=moves,
        root_info=root,
        ownership=UNSET if expected.owners is None else _flat(expected.owners, player),
        policy=UNSET if policy is None else _policy(position, policy),
    )


def _move_info(
    query: KataGoQuery, position: Position, each: Candidate, order: int, expected: Outlook, player: int
) -> KataGoMove:
    mover = position.to_play
    bound = lower_bound(win_share(each.value, mover), each.visits)
    bound = bound if mover == player else 1.0 - bound  # the bound that is pessimistic for the mover
    lead = _points(expected.leads.get(each.action, expected.lead), player)
    line = (each.line or [each.action])[: query.analysis_pv_len]
    owners = expected.owners_after.get(each.action)
    return KataGoMove(
        move=_text(position, each.action),
        order=order,
        visits=each.visits,
        prior=_rounded(each.prior),
        win_share=_rounded(win_share(each.value, player)),
        lcb=_rounded(bound),
        utility=_rounded(turn(each.value, player)),
        utility_lcb=_rounded(2.0 * bound - 1.0),
        pv=[_text(position, action) for action in line],
        score_lead=lead,
        score_mean=lead,
        score_selfplay=lead,
        score_stdev=UNSET if lead is UNSET else 0.0,
        pv_visits=(each.line_visits or [each.visits])[: len(line)] if query.include_pv_visits else UNSET,
        ownership=UNSET if owners is None else _flat(owners, player),
    )


def position_hashes(position: Position) -> list[str]:
    """Return a hash of stones, player to move and ko for each symmetric image of the board, its own first."""
    size, ko = size_of(position.state), read_field(position.state, KO)
    board = np.zeros((size, size), np.uint8)
    for cell, owner in stones_of(position.state).items():
        board[cell] = 1 + owner
    if ko:
        board[cell_of(position.state, ko - 1)] = 3
    images = [np.rot90(each, turns) for each in (board, board.T) for turns in range(4)]
    return [
        hashlib.blake2b(bytes([size, position.to_play]) + each.tobytes(), digest_size=16).hexdigest().upper()
        for each in images
    ]


def _policy(position: Position, policy: dict[int, float]) -> list[float]:
    """Return the prior of each point, then of the pass; -1 for illegal moves."""
    size = size_of(position.state)
    found = [-1.0] * (size * size + 1)
    for action, prior in policy.items():
        row, column = cell_of(position.state, action)
        found[row * size + column if row < size else -1] = _rounded(prior)
    return found


def _flat(owners: NDArray[np.float32], player: int) -> list[float]:
    return [_rounded(turn(float(each), player)) for each in owners.ravel()]


def _points(lead: float | None, player: int) -> float | UnsetType:
    return UNSET if lead is None else _rounded(turn(lead, player))


def _text(position: Position, action: int) -> str:
    return position.game.action_text(position.state, action)


def _rounded(number: float) -> float:
    return round(float(number), DIGITS)
