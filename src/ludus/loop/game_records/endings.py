"""Endings for resigned games: the heuristic plays them on to the end, so that final maps can be learned.

Finished games also continue if the board contradicts the recorded winner, because dead stones were not captured.
Thus old records can train a head that was added later (cbaduk trained its third head this way on games of Leela Zero).
The added moves have no weight in the policy and outcome losses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ludus.games.game import Game
from ludus.games.rules import ONGOING, State
from ludus.loop.game_records.replayed import Replayed, samples_of
from ludus.seeding import stream
from ludus.store import Samples
from ludus.store.samples import NO_ACTION


def with_ends(samples: Samples, games: Sequence[Game]) -> Samples:
    """Return samples with endings added; the added positions have weight 0, so they are never drawn.

    Args:
        samples: positions of whole games.
        games: games that `Samples.game` numbers; those without final maps or a heuristic are not changed.
    """
    parts = list(_games_with_ends(samples, list(games)))
    return Samples.concatenate(parts) if parts else samples


def _games_with_ends(samples: Samples, games: list[Game]) -> Iterator[Samples]:
    last_ones = np.flatnonzero(np.diff(samples.game_id, append=samples.game_id[-1:] + 1))
    begin = 0
    for last in last_ones.tolist():
        part = samples.take(np.arange(begin, last + 1))
        begin = last + 1
        game = games[int(part.game[-1])]
        if game.num_maps and game.has_rule("heuristic"):
            yield from _with_end(part, game.compile(), games)
        else:
            yield part


def _with_end(part: Samples, game: Game, games: list[Game]) -> Iterator[Samples]:
    """Yield the positions of a game and those of its ending."""
    state, action = part.states[-1].view(game.dtype).copy(), int(part.action[-1])
    stays = action == NO_ACTION
    if not stays:
        after = game.calls.play(state, action)
        stays = game.calls.outcome(after) not in (ONGOING, part.outcome[-1])  # dead stones were not captured
        state = state if stays else after
    number, ply = int(part.game_id[-1]), int(part.ply[-1]) + (not stays)
    states, actions = _play_on(game, state, game.max_actions - ply, number)
    if not actions:
        yield part
        return
    if stays:  # the last position continues with the first added action
        played = part.action.copy()
        played[-1] = actions[0]
        part, states, actions, ply = replace(part, action=played), states[1:], actions[1:], ply + 1
    yield part
    if actions:
        added = samples_of([Replayed(int(part.game[-1]), number, states, actions, int(part.outcome[-1]))], games)
        yield replace(
            added,
            ply=added.ply + np.int16(ply),
            weight=np.zeros_like(added.weight),
            policy_start=np.zeros_like(added.policy_start),
            policy_action=added.policy_action[:0],
            policy_weight=added.policy_weight[:0],
        )


def _play_on(game: Game, state: State, most: int, number: int) -> tuple[list[State], list[int]]:
    """Play the heuristic's actions to the end of the game; return the state before each action, and the actions."""
    rng = stream(number, "ending")
    states, actions = list[State](), list[int]()
    while game.calls.outcome(state) == ONGOING and len(actions) < most:
        legal = game.calls.legal(state)
        weights, _ = game.calls.heuristic(state, legal)
        states.append(state)
        actions.append(int(rng.choice(legal, p=weights / weights.sum())))
        state = game.calls.play(state, actions[-1])
    return states, actions
