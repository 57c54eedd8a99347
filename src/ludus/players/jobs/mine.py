"""Mining: a mind looks at finished games for puzzles, positions where a long search finds what a short one missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise
from typing import NamedTuple

import msgspec

from ludus.games.game import Position
from ludus.games.puzzle import Mined, Puzzle, digest, turn_is_over
from ludus.games.recorded import unusual_setup
from ludus.players.jobs.puzzle_check import Demands, PuzzleCheck, Refused
from ludus.players.thinking.mind import Mind
from ludus.protocol.spec import plain_spec


class GameToMine(NamedTuple):
    """A finished game."""

    last: Position
    opening: int = 0
    """Actions at its beginning that no player chose."""

    @property
    def name(self) -> str:
        """What it is called in a file of puzzles."""
        first = self.last.history[0]
        setup = msgspec.json.encode(unusual_setup(first))
        return digest(plain_spec(first.game.name).encode(), setup, "\n".join(self.last.moves).encode())

    @property
    def num_turns(self) -> int:
        """How many turns were played to their end."""
        turns = self.turns
        return sum(map(turn_is_over, turns[:-1], turns[1:]))

    @property
    def turns(self) -> list[Position]:
        """The positions at the beginning of each turn that players began, and the last position."""
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
    """Look at games, and yield what was found in each as it is done.

    Args:
        mind: who judges; its pools must take searches of twice `demands.visits`.
        games: finished, of games that the mind plays, each as it is played at tables.
        demands: what is demanded of a puzzle.
        at_once: games side by side, which fill the network's batches.
        known: names of positions that are puzzles already.
        on_turn: called after each turn, by any thread.

    Raises:
        BadModel: the mind cannot play one of the games.
    """
    names = set(known)
    threads = ThreadPoolExecutor(at_once, thread_name_prefix="mine")
    try:
        looks = [threads.submit(look_at, mind, game, demands, names, on_turn) for game in games]
        for look in as_completed(looks):
            mined = look.result()
            fresh = [puzzle for puzzle in mined.puzzles if puzzle.id not in names]  # others may have found it meanwhile
            names.update(puzzle.id for puzzle in fresh)
            again = len(mined.puzzles) - len(fresh)
            refused = mined.refused | ({"known": mined.refused.get("known", 0) + again} if again else {})
            yield msgspec.structs.replace(mined, puzzles=fresh, refused=refused)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def look_at(
    mind: Mind, game: GameToMine, demands: Demands, known: Collection[str], on_turn: Callable[[], object]
) -> Mined:
    """Return the puzzles of one game; the turns are judged from the last to the first."""
    turns = game.turns
    refused: Counter[str] = Counter()
    puzzles: list[Puzzle] = []
    after = PuzzleCheck(mind, game.last, demands)
    for here in reversed(turns[:-1]):
        look = PuzzleCheck(mind, here, demands)
        if turn_is_over(here, after.position):
            try:
                puzzles.append(look.puzzle(after, known))
            except Refused as reason:
                refused[str(reason)] += 1
            on_turn()
        after = look
    return Mined(game.name, sum(refused.values()) + len(puzzles), dict(sorted(refused.items())), puzzles[::-1])
