"""Reports the network's output for a position without a search, as KataGo's `kata-raw-nn` does."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.go.describe import handed
from ludus.games.go.engines.gtp.protocol import Failure
from ludus.games.go.view import pass_action, point_of, size_of
from ludus.network.evaluator import Forecaster, evaluate

NUM_SYMMETRIES = 8
WHITE = 1


def raw_output(evaluator: object, position: Position, symmetry: int) -> str:
    """Return the network's output as keys and values, from White's view; raises Failure without a network.

    A draw counts as half a win.  `whiteLead` and `whiteOwnership` come from the head `maps`, if the network has it.

    Args:
        evaluator: the player's evaluator.
        position: an unfinished position.
        symmetry: the symmetry under which the network sees the board, by KataGo's number: bit 0 mirrors top and bottom,
            bit 1 left and right; bit 2 then swaps rows and columns.  The output refers to the unchanged board.
    """
    if not hasattr(evaluator, "lane"):
        raise Failure("there is no network; start the engine with --model")
    turned = (symmetry & 1) << 1 | symmetry >> 1 & 1 | symmetry & 4  # Ludus numbers the mirrors the other way round
    planes = _planes(position, turned)
    logits, outcomes = evaluate(evaluator, planes[None])  # pyright: ignore[reportArgumentType] - has planes, so lanes
    win, draw, loss = (float(each) for each in outcomes[0])
    white, black = (win, loss) if position.to_play == WHITE else (loss, win)
    lines = [
        f"symmetry {symmetry}",
        f"whiteWin {white + draw / 2:.6f}",
        f"whiteLoss {black + draw / 2:.6f}",
        "noResult 0.000000",
    ]
    images = _images(position, turned)
    maps = evaluator.maps(planes[None]) if isinstance(evaluator, Forecaster) else None
    policy = _policy(position, logits[0], images)
    owners = None
    if maps is not None and position.game.num_maps == len(maps[0]):
        mine, theirs = maps[0].reshape(2, -1)
        owners = (mine - theirs if position.to_play == WHITE else theirs - mine)[images[:-1]]
        lines.append(f"whiteLead {float(owners.sum()) - handed(position.state):.4f}")
    size = size_of(position.state)
    lines += ["policy", *_rows(policy[:-1], size, 6), f"policyPass {policy[-1]:.6f}"]
    if owners is not None:
        lines += ["whiteOwnership", *_rows(owners, size, 4)]
    return "\n".join(lines)


def _planes(position: Position, symmetry: int) -> NDArray[np.uint8]:
    """Return the planes [C, H, W] of a position under a symmetry."""
    state = position.game.empty_state()
    with np.errstate(over="ignore"):
        position.game.rules.symmetric_state(position.state, symmetry, state)
    return Position(position.game, state).planes


def _images(position: Position, symmetry: int) -> NDArray[np.int64]:
    """Return the action that each point, and then the pass, becomes under a symmetry [size^2 + 1]."""
    state, sides = position.state, range(size_of(position.state))
    actions = [*(point_of(state, cell) for cell in product(sides, sides)), pass_action(state)]
    return np.array([int(position.game.rules.symmetric_action(state, symmetry, action)) for action in actions])


def _policy(position: Position, logits: NDArray[np.float32], images: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of each point and of the pass [size^2 + 1]; NaN for illegal moves."""
    legal = {*position.actions}
    here = _images(position, 0)
    wanted = logits[images].astype(np.float64)
    wanted[[int(action) not in legal for action in here]] = np.nan
    weights = np.exp(wanted - np.nanmax(wanted))
    return weights / np.nansum(weights)


def _rows(values: NDArray[np.float64] | NDArray[np.float32], size: int, digits: int) -> list[str]:
    """Return values of all points as one line for each row."""
    texts = ["NAN" if math.isnan(each) else f"{each:.{digits}f}" for each in values]
    return [" ".join(texts[first : first + size]) for first in range(0, size * size, size)]
