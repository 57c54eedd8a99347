"""Mines puzzles from finished games: positions in which a long search finds a move that a short search misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise
from typing import NamedTuple

import msgspec

from ludus.games.game import Position, unusual_setup
from ludus.games.puzzle import Mined, Puzzle, digest, turn_is_over
from ludus.players.jobs.puzzle_check import Demands, PuzzleCheck, Refused
from ludus.players.thinking.mind import Mind
from ludus.protocol.spec import plain_spec


class GameToMine(NamedTuple):
    """A finished game."""

    last: Position
    opening: int = 0
    """Number of opening actions that no player chose."""

    @property
    def name(self) -> str:
        """The game's name in a puzzle file."""
        first = self.last.history[0]
        setup = msgspec.json.encode(unusual_setup(first))
        return digest(plain_spec(first.game.name).encode(), setup, "\n".join(self.last.moves).encode())

    @property
    def num_turns(self) -> int:
        """Number of complete turns."""
        turns = self.turns
        return sum(map(turn_is_over, turns[:-1], turns[1:]))

    @property
    def turns(self) -> list[Position]:
        """The positions at the beginning of each turn after the opening, and the last position."""
        line = self.last.history[self.opening :]
        begun = [here for before, here in pairwise(line) if here.to_play != before.to_play]
        firsts = [line[0]] if _begins_turn(line[0]) else []
        return [*(here for here in [*firsts, *begun] if here is not self.last), self.last]


def _begins_turn(position: Position) -> bool:
    return position.parent is None or position.parent.to_play != position.to_play


def mine(
    mind: Mind,
    games: Sequence[GameToMine],
    demands: Demands,
    *,
    at_once: int = 16,
    known: Collection[str] = (),
    on_turn: Callable[[], object] = lambda: None,
) -> Iterator[Mined]:
    """Search games for puzzles; yield the result of each game when it is done.

    Args:
        mind: the model; its pools must allow searches of twice `demands.visits`.
        games: finished games that the model plays, each under the spec of play at tables.
        demands: the conditions for a puzzle.
        at_once: number of games searched simultaneously, to fill the network's batches.
        known: ids of existing puzzles.
        on_turn: called after each turn, in any thread.

    Raises:
        BadModel: the model cannot play one of the games.
    """
    names = set(known)
    threads = ThreadPoolExecutor(at_once, thread_name_prefix="mine")
    try:
        looks = [threads.submit(look_at, mind, game, demands, names, on_turn) for game in games]
        for look in as_completed(looks):
            mined = look.result()
            fresh = [
                puzzle for puzzle in mined.puzzles if puzzle.id not in names
            ]  # another game may have the same position
            names.update(puzzle.id for puzzle in fresh)
            again = len(mined.puzzles) - len(fresh)
            refused = mined.refused | ({"known": mined.refused.get("known", 0) + again} if again else {})
            yield msgspec.structs.replace(mined, puzzles=fresh, refused=refused)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def look_at(
    mind: Mind, game: GameToMine, demands: Demands, known: Collection[str], on_turn: Callable[[], object]
) -> Mined:
    """Return the puzzles of one game; turns are checked from the last to the first."""
    refused: Counter[str] = Counter()
    puzzles: list[Puzzle] = []
    checks = (PuzzleCheck(mind, position, demands) for position in reversed(game.turns))  # three at a time hold a tree
    after, look = next(checks), next(checks, None)
    while look:
        before = next(checks, None)
        if turn_is_over(look.position, after.position):
            try:
                puzzles.append(look.puzzle(after, known, before))
            except Refused as reason:
                refused[str(reason)] += 1
            on_turn()
        after, look = look, before
    return Mined(game.name, sum(refused.values()) + len(puzzles), dict(sorted(refused.items())), puzzles[::-1])
