"""Precomputing: a mind thinks about many positions, so that its evaluation file holds what it will be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

import msgspec

from ludus.games.game import Position
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.thought import Thought


class Plan(msgspec.Struct, frozen=True):
    """How much is thought."""

    visits: int = 800
    """For each position.  What a search of so many visits asks the network is what the file knows afterwards."""
    depth: int = 0
    """Actions that are looked ahead from each position: an opening tree."""
    share: float = 0.05
    """Of the tree: actions with this share of the visits are followed, and the most visited one."""
    at_once: int = 64
    """Positions side by side, which fill the network's batches."""


class PrecomputeProgress(msgspec.Struct, frozen=True):
    """How far it is."""

    level: int
    """Actions ahead of the first positions."""
    done: int
    total: int
    """Of this level."""


def precompute(
    mind: Mind, positions: Sequence[Position], plan: Plan, on_position: Callable[[PrecomputeProgress], object]
) -> int:
    """Think about positions and those after them; return how many positions.

    An interrupted run can simply be repeated: positions that the file holds take no time at the network.

    Args:
        mind: with an evaluation file to append to.
        positions: unfinished, of one game.
        plan: how much.
        on_position: told after each position.
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
    """Yield positions with what was thought of them, as they are done."""
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
    """Yield the unfinished positions after the actions that a search found worth its while."""
    bound = share * sum(each.visits for each in thought.candidates)
    for rank, candidate in enumerate(thought.candidates):
        if rank == 0 or candidate.visits >= bound:
            after = position.play(candidate.action)
            if not after.outcome:
                yield after
