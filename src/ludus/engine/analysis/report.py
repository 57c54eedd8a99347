"""Formats search results as answers of the analysis protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS
from ludus.players.judging.lead import expected_lead
from ludus.players.thinking.thought import Thought
from ludus.protocol.analysis import Analyse, CandidateAnswer, Result

DIGITS = 4
Proof = Literal["first wins", "second wins", "draw"]
PROOFS: dict[int, Proof] = {FIRST_WINS: "first wins", SECOND_WINS: "second wins", DRAW: "draw"}


def ended(question: Analyse, ply: int, position: Position) -> Result:
    """Return the result for a position in which the game is over."""
    outcome = position.outcome
    assert outcome, "the game is over here"
    value = outcome.value
    return Result(
        id=question.id,
        ply=ply,
        partial=False,
        to_play=position.to_play,
        value=value,
        win_share=0.5 + 0.5 * value,
        draw=float(outcome.winner is None),
        outcome=outcome.reason,
        winner=outcome.winner,
    )


def found(
    question: Analyse,
    ply: int,
    position: Position,
    thought: Thought,
    *,
    partial: bool,
    policy: dict[str, float] | None = None,
    maps: NDArray[np.float32] | None = None,
) -> Result:
    """Return the result of a search.

    Args:
        question: the request.
        ply: number of the position in the request.
        position: the root of the search.
        thought: result of the search.
        partial: whether the search is still running.
        policy: prior of each legal action, if requested.
        maps: expected final maps [M, H, W] seen by player 0, if requested.
    """
    lead = None if maps is None else expected_lead(position, maps)
    ranked = sorted(thought.candidates, key=lambda each: each.action != thought.best[0])
    return Result(
        id=question.id,
        ply=ply,
        partial=partial,
        to_play=position.to_play,
        visits=thought.visits,
        value=rounded(thought.value),
        win_share=rounded(0.5 + 0.5 * thought.value),
        draw=rounded(thought.draw),
        score=None if lead is None else rounded(lead),
        proof=PROOFS.get(thought.proof),
        best=texts(position, thought.best),
        candidates=[
            CandidateAnswer(
                move=position.text(each.action),
                visits=each.visits,
                value=rounded(each.value),
                win_share=rounded(0.5 + 0.5 * each.value),
                draw=rounded(each.draw),
                prior=rounded(each.prior),
                proof=PROOFS.get(each.proof),
                line=texts(position, each.line or [each.action]),
            )
            for each in ranked[: question.candidates]
        ],
        policy=policy,
        ownership=None if maps is None else np.round(maps.astype(np.float64), DIGITS).tolist(),
        seconds=round(thought.seconds, DIGITS),
    )


def rounded(number: float) -> float:
    """Round a number to the digits of the protocol."""
    return round(float(number), DIGITS)


def texts(position: Position, actions: Iterable[int]) -> list[str]:
    """Return the notation of successive actions from a position, without checking that they are legal."""
    game, state, written = position.game, position.state, list[str]()
    for action in actions:
        written.append(game.action_text(state, action))
        state = game.calls.play(state, action)
    return written
