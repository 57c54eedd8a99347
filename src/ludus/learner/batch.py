"""Training batches: positions of a window, usually under random symmetries, with their targets.

Axes: B rows of a batch.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.game import Game
from ludus.kernel import bind, reference
from ludus.learner.rows import Batch, Past, fill_rows
from ludus.store import Window


class Drawer:
    """Makes training batches from a window's positions."""

    def __init__(
        self,
        games: Sequence[Game],
        window: Window,
        *,
        value_mix: float,
        auxiliary: Sequence[str] = (),
        horizons: Sequence[int] = (),
        symmetries: bool = True,
        threads: int = 1,
    ) -> None:
        """Prepare to make batches.

        Args:
            games: the games of the run, indexed by `Samples.game`; their rules encode the states.
            window: the window of positions.
            value_mix: share of the search's value in the outcome target.
            auxiliary: names of the auxiliary targets to fill.
            horizons: mean number of actions that each short-term value looks ahead.
            symmetries: whether positions are turned by random symmetries.
            threads: threads that write rows concurrently (1: the calling thread).
        """
        self._games, self._window = games, window
        self._value_mix, self._auxiliary = float(value_mix), frozenset(auxiliary)
        self._horizons = np.array(horizons, np.float64)
        # [games] may differ: a rectangular board has fewer symmetries than a square one
        self._num_symmetries = np.array([each.num_symmetries if symmetries else 1 for each in games])
        self._threads = threads
        self._map = ThreadPoolExecutor(threads, "rows").map if threads > 1 else map
        self._pasts: dict[int, Past] = {}  # by part number, which does not change since windows only grow
        self._bound: Callable[..., None] | None = None  # bound at the first call, when the argument types are known

    def draw(self, places: NDArray[np.int64], rng: np.random.Generator, *, number: int = 0, of: int = 1) -> Batch:
        """Make the batch of the window's positions `places` [B].

        Args:
            places: positions of the whole batch.
            rng: draws the symmetries of the whole batch, so they do not depend on the number of processes.
            number: index of this process among those that share the batch; only its rows are built.
            of: number of these processes.
        """
        chances = rng.random(len(places))[number::of]  # [B of this process, also below]
        places = places[number::of]
        batch, starts, game = self._empty(len(places)), self._window.starts, self._games[0]
        filled = reference(batch)
        which = np.searchsorted(starts, places, "right") - 1  # [B] part of each row
        rows = np.argsort(which, kind="stable")  # [B] rows of one part are adjacent
        local = (places - starts[which])[rows]  # [B]
        chances = chances[rows]  # [B]
        begins = np.flatnonzero(np.diff(which[rows], prepend=-1))  # [parts that occur]
        cuts = np.linspace(0, len(places), self._threads, endpoint=False).astype(np.int64)  # [threads]
        begins = np.union1d(begins, cuts)  # each portion has rows of one part
        portions = [
            (
                game.rules,
                self._past(int(which[rows[begin]])),
                filled,
                rows[begin:end],
                local[begin:end],
                chances[begin:end],
                self._num_symmetries,
                self._horizons,
                self._value_mix,
                np.stack([game.empty_state(), game.empty_state()]),  # scratch space
            )
            for begin, end in zip(begins, [*begins[1:], len(places)], strict=True)
        ]
        self._fill(portions)
        return batch

    def _fill(self, portions: list[tuple[Any, ...]]) -> None:
        """Call `fill_rows` with the arguments of each portion; portions write separate rows."""
        bound = self._bound = self._bound or bind(fill_rows, *portions[0])
        with Blaming(self._games[0].name):
            list(self._map(lambda arguments: bound(*arguments), portions))  # list() raises the errors of threads

    def _empty(self, count: int) -> Batch:
        game = self._games[0]
        names = ("reply", "short_values", "moves_left", "maps")
        rows = {name: count if name in self._auxiliary else 0 for name in names}
        return Batch(
            planes=np.zeros((count, *game.planes), np.uint8),
            mover=np.zeros(count, np.uint8),
            policy=np.zeros((count, game.num_actions), np.float32),
            outcome=np.zeros((count, 3), np.float32),
            reply=np.zeros((rows["reply"], game.num_actions), np.float32),
            short_values=np.zeros((rows["short_values"], len(self._horizons), 3), np.float32),
            moves_left=np.zeros(rows["moves_left"], np.float32),
            maps=np.zeros((rows["maps"], game.num_maps, *game.planes[1:]), np.uint8),
            maps_known=np.zeros(rows["maps"], np.float32),
        )

    def _past(self, part: int) -> Past:
        kept = self._pasts.get(part)
        if kept is None:
            samples = self._window.parts[part].samples
            names = [name for name in Past._fields if name != "states"]
            arrays = {name: getattr(samples, name) for name in names}
            kept = self._pasts[part] = reference(Past(states=samples.states.view(self._games[0].dtype), **arrays))
        return kept
