"""Tables: many boards of one game, advanced concurrently by one compiled step."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.rules import DRAW, ONGOING
from ludus.kernel import Rules, entry
from ludus.seeding import stream

_PASS, _RANDOM, _ILLEGAL = -1, -2, -3  # instead of an action: none, a random one, the requested one was illegal
_MAX_ATTEMPTS = 100  # maximum number of draws of an opening that ends the game or is not accepted


class Tables:
    """B boards of one game; `outcomes[k]` is the outcome of board k, or ONGOING."""

    def __init__(self, game: Game, num_boards: int) -> None:
        """Set up `num_boards` boards in the start position."""
        self.game = game
        self.words = np.repeat(game.start_state().view(np.uint64)[None], num_boards, axis=0)  # [B, words]
        self.movers = np.zeros(num_boards, np.uint8)  # [B]
        self.outcomes = np.zeros(num_boards, np.uint8)  # [B]
        self.actions: list[list[int]] = [[] for _ in range(num_boards)]  # actions played on each board
        self.setups: list[Any] = [None] * num_boards  # setup of each board, as `Game.start_state` takes it
        self._legal = np.zeros(game.max_legal, np.int16)
        self._step(np.full(num_boards, _PASS), np.zeros(num_boards))

    @property
    def ongoing(self) -> NDArray[np.intp]:
        """Return the numbers of boards with unfinished games."""
        return np.flatnonzero(self.outcomes == ONGOING)

    def play(self, actions: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Play one action [B] on each unfinished board (negative: none); return which were illegal [B].

        An illegal action does not change its board.  A game that reaches its length cap is a draw.
        """
        asked = np.where((self.outcomes == ONGOING) & (actions >= 0), actions, _PASS)
        return self._step(asked, np.zeros(len(asked)))

    def open_with(
        self,
        num_actions: int,
        seed: int,
        pairs: Sequence[int] | None = None,
        accepts: Callable[[Game, NDArray[np.uint64]], NDArray[np.bool_]] | None = None,
    ) -> None:
        """Play a random opening for each pair of boards 2i and 2i + 1.

        If the game draws random setups, each pair has its own setup, even with no opening actions.

        Args:
            num_actions: number of opening actions.
            seed: each opening depends only on the seed and its pair's number.
            pairs: numbers of the pairs [B / 2] (default: 0, 1, 2 ...).
            accepts: returns which positions [K, words] are accepted [K]; random openings are drawn again otherwise.

        Raises:
            BadInput: the game ends within so many actions, or too few openings are accepted.
        """
        numbers = range(len(self.words) // 2) if pairs is None else pairs
        unopened = np.arange(0, len(self.words), 2)
        for attempt in range(_MAX_ATTEMPTS):
            draws = np.zeros((num_actions, len(self.words)))
            for board in unopened:
                names = ("arena", "opening", numbers[int(board) // 2], attempt)
                rng = stream(seed, *names)
                self._begin(int(board), self.game.draw_setup(rng))
                draws[:, board] = draws[:, board + 1] = rng.random(num_actions)
            both = np.concatenate([unopened, unopened + 1])
            self._step(np.full(len(self.words), _PASS), np.zeros(len(self.words)))
            for turn in range(num_actions):
                asked = np.full(len(self.words), _PASS)
                asked[both] = np.where(self.outcomes[both] == ONGOING, _RANDOM, _PASS)
                self._step(asked, draws[turn])
            is_over = self.outcomes[unopened] != ONGOING
            if accepts is not None and (num_actions or self.game.draws_setups) and not is_over.all():
                is_over[~is_over] = ~accepts(self.game, self.words[unopened[~is_over]])
            unopened = unopened[is_over]
            if not len(unopened):
                return
        if accepts is not None and not num_actions:
            raise BadInput(
                f"{self.game.name}: too few of its random setups are balanced; allow unbalanced ones (--no-balanced)."
            )
        if accepts is not None:
            raise BadInput(
                f"{self.game.name}: too few positions after {num_actions} random actions are balanced; choose shorter "
                "openings, or allow unbalanced ones."
            )
        raise BadInput(f"{self.game.name}: {num_actions} random actions end the game; choose shorter openings.")

    def _begin(self, board: int, setup: Any) -> None:  # noqa: ANN401 - each game has its own setups
        """Set a board and its twin, the next board, to a setup."""
        words = self.game.start_state(setup).view(np.uint64)
        for each in (board, board + 1):
            self.words[each], self.setups[each] = words, setup
            self.actions[each], self.outcomes[each] = [], ONGOING

    def _step(self, asked: NDArray[np.integer], draws: NDArray[np.float64]) -> NDArray[np.bool_]:
        played = asked.astype(np.int16)
        _step(
            self.game.rules,
            self.words.view(self.game.dtype),
            played,
            draws,
            self._legal,
            self.movers,
            self.outcomes,
        )
        for board in np.flatnonzero(played >= 0):
            self.actions[board].append(int(played[board]))
            if self.outcomes[board] == ONGOING and len(self.actions[board]) >= self.game.max_actions:
                self.outcomes[board] = DRAW
        return played == _ILLEGAL


@entry
def _step(
    rules: Rules,
    states: np.ndarray,  # [B, S]
    actions: np.ndarray,  # [B] an action, _PASS or _RANDOM; replaced by the played action, _PASS or _ILLEGAL
    draws: np.ndarray,  # [B] in [0, 1): chooses the random actions
    legal: np.ndarray,  # [A]  scratch
    movers: np.ndarray,  # [B]
    outcomes: np.ndarray,  # [B]
) -> None:
    for board in range(states.shape[0]):
        action = int(actions[board])
        if action != _PASS:
            count = int(rules.legal(states[board], legal))
            found = _ILLEGAL
            if action == _RANDOM:
                found = int(legal[int(draws[board] * count)])
            for k in range(count):
                if int(legal[k]) == action:
                    found = action
            actions[board] = found
            if found != _ILLEGAL:
                rules.play(states[board], found)
        if action != _PASS or outcomes[board] == 0:
            outcomes[board] = rules.outcome(states[board])
            movers[board] = rules.to_play(states[board])
