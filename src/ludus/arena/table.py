"""Many boards of one game played side by side: one compiled step for all of them, knowing nothing of players."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.rules import DRAW, ONGOING
from ludus.kernel import Rules, entry
from ludus.seeding import stream

_PASS, _RANDOM, _ILLEGAL = (
    -1,
    -2,
    -3,
)  # in place of an action: leave the board alone; play any; what was asked for may not be played
_MAX_ATTEMPTS = 100  # openings thrown away because they ended the game, or were not accepted


class Tables:
    """B boards of one game; `outcomes[k]` tells how board k ended, or ONGOING."""

    def __init__(self, game: Game, num_boards: int) -> None:
        """Set up `num_boards` boards in the game's first position."""
        self.game = game
        self.words = np.repeat(game.start_state().view(np.uint64)[None], num_boards, axis=0)  # [B, words]
        self.movers = np.zeros(num_boards, np.uint8)  # [B]
        self.outcomes = np.zeros(num_boards, np.uint8)  # [B]
        self.actions: list[list[int]] = [[] for _ in range(num_boards)]  # played on each board so far
        self.setups: list[Any] = [None] * num_boards  # what each board began with, as `Game.start_state` takes it
        self._legal = np.zeros(game.max_legal, np.int16)
        self._step(np.full(num_boards, _PASS), np.zeros(num_boards))

    @property
    def ongoing(self) -> NDArray[np.intp]:
        """Return the numbers of the boards on which the game goes on."""
        return np.flatnonzero(self.outcomes == ONGOING)

    def play(self, actions: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Play one action [B] on each board that goes on (negative: none) and return which were illegal [B].

        A board of an illegal action stays as it was.  A game that reaches its length cap is a draw.
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
        """Begin boards 2i and 2i + 1 alike and play the same `num_actions` random actions on them, others on each pair.

        Where a game draws its setups, each pair has its own; that is the opening, even without an action.

        Args:
            num_actions: length of the openings.
            seed: an opening depends on the seed and the number of its pair alone.
            pairs: the numbers of the tables' pairs [B / 2] (default: 0, 1, 2 ...).
            accepts: which positions [K, words] may begin a game [K]; others are drawn again, where there is a draw.

        Raises:
            BadInput: random games of this length are over, or hardly any is accepted.
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
                f"{self.game.name}: hardly any start that it draws is balanced; allow unbalanced ones (--no-balanced)."
            )
        if accepts is not None:
            raise BadInput(
                f"{self.game.name}: hardly any position after {num_actions} random actions is balanced; choose shorter "
                "openings, or allow unbalanced ones."
            )
        raise BadInput(f"{self.game.name}: {num_actions} random actions end the game; choose shorter openings.")

    def _begin(self, board: int, setup: Any) -> None:  # noqa: ANN401 - each game has its own setups
        """Put a board and its twin, the next one, at the start of a setup."""
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
    actions: np.ndarray,  # [B]  an action, _PASS or _RANDOM; becomes the action played, _PASS or _ILLEGAL
    draws: np.ndarray,  # [B]  in [0, 1): which action _RANDOM means
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
