"""Precomputes evaluations: searches many positions, so that the model's evaluation file contains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

import msgspec

from ludus.games.game import Position
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.thought import Thought


class Plan(msgspec.Struct, frozen=True):
    """The amount of searching."""

    visits: int = 800
    """Visits of the search of each position, whose network evaluations all go into the file."""
    depth: int = 0
    """Number of actions to look ahead from each given position; 0 searches only the given positions."""
    share: float = 0.05
    """Actions with at least this share of the visits are followed, as is the most visited one."""
    at_once: int = 64
    """Number of positions searched simultaneously, to fill the network's batches."""


class PrecomputeProgress(msgspec.Struct, frozen=True):
    """The progress of `precompute`."""

    level: int
    """Actions after the given positions."""
    done: int
    total: int
    """Number of positions of this level."""


def precompute(
    mind: Mind, positions: Sequence[Position], plan: Plan, on_position: Callable[[PrecomputeProgress], object]
) -> int:
    """Search positions and likely positions after them; return the number of searched positions.

    After an interruption, run it again: evaluations that are in the file are not computed again.

    Args:
        mind: a model with an evaluation file in mode `append`.
        positions: unfinished positions of one game.
        plan: the amount of searching.
        on_position: called after each position.
    """
    level, seen, count = list(positions), {position.state.tobytes() for position in positions}, 0
    for number in range(plan.depth + 1):
        following: list[Position] = []
        for done, (position, thought) in enumerate(_thoughts(mind, level, plan), 1):
            on_position(PrecomputeProgress(number, done, len(level)))
            for after in _likely(position, thought, plan.share) if number < plan.depth else ():
                if after.state.tobytes() not in seen:
                    seen.add(after.state.tobytes())
                    following.append(after)
        count += len(level)
        level = following
    return count


def _thoughts(mind: Mind, positions: Sequence[Position], plan: Plan) -> Iterator[tuple[Position, Thought]]:
    """Yield each position with its search result when its search ends."""
    waiting: dict[Future[Thought], Position] = {}
    left = iter(positions)
    while True:
        while len(waiting) < plan.at_once and (position := next(left, None)) is not None:
            waiting[mind.seat(position).ask(plan.visits)] = position
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for request in done:
            yield waiting.pop(request), request.result()


def _likely(position: Position, thought: Thought, share: float) -> Iterator[Position]:
    """Yield the unfinished positions after the most visited actions of a search."""
    bound = share * sum(each.visits for each in thought.candidates)
    for rank, candidate in enumerate(thought.candidates):
        if rank == 0 or candidate.visits >= bound:
            after = position.play(candidate.action)
            if not after.outcome:
                yield after
