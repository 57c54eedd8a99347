"""Training batches: positions of a window, turned by a random symmetry, with their targets.

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
    """Makes batches of a window's positions."""

    def __init__(
        self,
        games: Sequence[Game],
        window: Window,
        *,
        value_mix: float,
        auxiliary: Sequence[str] = (),
        horizons: Sequence[int] = (),
        threads: int = 1,
    ) -> None:
        """Prepare to draw.

        Args:
            games: the games of the run, to which `Samples.game` points; their rules encode and turn the states.
            window: where the positions lie.
            value_mix: share of the search's value in the outcome target.
            auxiliary: which auxiliary targets are wanted.
            horizons: how many actions ahead the short-term values look, on average.
            threads: that write the rows of a batch side by side (1: the one that draws writes them).
        """
        self._games, self._window = games, window
        self._value_mix, self._auxiliary = float(value_mix), frozenset(auxiliary)
        self._horizons = np.array(horizons, np.float64)
        self._num_symmetries = np.array([each.num_symmetries for each in games])  # one may have fewer than another
        self._threads = threads
        self._map = ThreadPoolExecutor(threads, "rows").map if threads > 1 else map
        self._pasts: dict[int, Past] = {}  # by the number of the part, which stays: windows only grow
        self._bound: Callable[..., None] | None = None  # once it is known what it is called with

    def draw(self, places: NDArray[np.int64], rng: np.random.Generator, *, number: int = 0, of: int = 1) -> Batch:
        """Build the batch of the window's positions `places` [B].

        Args:
            places: of the whole batch.
            rng: draws the symmetries, those of the whole batch, so that they do not depend on how it is shared out.
            number: of this process among those that share the batch; it builds its own rows alone.
            of: how many they are.
        """
        chances = rng.random(len(places))[number::of]  # [B of this process, as from here on]
        places = places[number::of]
        batch, starts, game = self._empty(len(places)), self._window.starts, self._games[0]
        filled = reference(batch)
        which = np.searchsorted(starts, places, "right") - 1  # [B] part of each row
        rows = np.argsort(which, kind="stable")  # [B] those of a part together
        local = (places - starts[which])[rows]  # [B]
        chances = chances[rows]  # [B]
        begins = np.flatnonzero(np.diff(which[rows], prepend=-1))  # [parts that occur]
        cuts = np.linspace(0, len(places), self._threads, endpoint=False).astype(np.int64)  # [threads]
        begins = np.union1d(begins, cuts)  # a portion has rows of one part only
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
        """Have `fill_rows` called with the arguments of each portion, which write to rows of their own."""
        bound = self._bound = self._bound or bind(fill_rows, *portions[0])
        with Blaming(self._games[0].name):
            list(self._map(lambda arguments: bound(*arguments), portions))  # what one of them raises is raised here

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
