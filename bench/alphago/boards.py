"""Boards of one game side by side: planes, legal actions and moves for many states at once."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING
from ludus.kernel import Rules, entry
from ludus.network.checkpoint import Checkpoint
from ludus.network.model import Network


@entry
def _look(
    rules: Rules,
    states: np.ndarray,
    scratch: np.ndarray,
    planes: np.ndarray,
    legal: np.ndarray,
    movers: np.ndarray,
) -> None:
    for row in range(states.shape[0]):
        rules.encode(states[row], planes[row])
        movers[row] = rules.to_play(states[row])
        for k in range(int(rules.legal(states[row], scratch))):
            legal[row, int(scratch[k])] = 1


@entry
def _advance(rules: Rules, states: np.ndarray, actions: np.ndarray, outcomes: np.ndarray) -> None:
    for row in range(states.shape[0]):
        rules.play(states[row], int(actions[row]))
        outcomes[row] = rules.outcome(states[row])


class Boards:
    """Unfinished and finished games; methods act on the unfinished ones."""

    def __init__(self, game: Game, words: NDArray[np.uint64]) -> None:
        """Copy the states [B, W]."""
        self.game, self.words = game, np.ascontiguousarray(words).copy()
        self.outcomes = np.full(len(words), ONGOING, np.uint8)  # [B]
        self._plies = 0

    @property
    def ongoing(self) -> NDArray[np.intp]:
        """Return the numbers of boards with unfinished games."""
        return np.flatnonzero(self.outcomes == ONGOING)

    def look(self, boards: NDArray[np.intp]) -> tuple[torch.Tensor, torch.Tensor, NDArray[np.uint8]]:
        """Return planes [K, C, H, W] as floats, the mask of legal actions [K, A], and the movers [K]."""
        states = np.ascontiguousarray(self.words[boards]).view(self.game.dtype)
        planes = np.zeros((len(boards), *self.game.planes), np.uint8)
        legal, movers = np.zeros((len(boards), self.game.num_actions), np.uint8), np.zeros(len(boards), np.uint8)
        _look(self.game.rules, states, np.zeros(self.game.max_legal, np.int16), planes, legal, movers)
        return torch.from_numpy(planes).float(), torch.from_numpy(legal).bool(), movers

    def play(self, boards: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Play one action [K] on each of the boards; a game that reaches its length cap is a draw."""
        states = np.ascontiguousarray(self.words[boards]).view(self.game.dtype)
        outcomes = np.zeros(len(boards), np.uint8)
        _advance(self.game.rules, states, actions.astype(np.int16), outcomes)
        self.words[boards], self.outcomes[boards] = states.view(np.uint64), outcomes
        self._plies += 1
        if self._plies >= self.game.max_actions:
            self.outcomes[self.outcomes == ONGOING] = DRAW

    def results(self, movers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return 1, 0 or -1 for a win, draw or loss of each of the players [B]."""
        won = np.where(self.outcomes == FIRST_WINS, 0, 1)
        return np.where(self.outcomes == DRAW, 0.0, np.where(won == movers, 1.0, -1.0)).astype(np.float32)


def draw(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Draw one legal action [K] for each row of logits [K, A]."""
    return torch.distributions.Categorical(logits=logits.masked_fill(~legal, -torch.inf)).sample()


def network_of(checkpoint: Checkpoint) -> Network:
    """Return a model's network in PyTorch, ready to evaluate."""
    network = Network(checkpoint.info.network, checkpoint.info.shapes)
    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            if name in checkpoint.arrays:
                tensor.copy_(torch.from_numpy(np.array(checkpoint.arrays[name])).reshape(tensor.shape))
    return network.eval()
