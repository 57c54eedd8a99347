"""Ends for games that were given up: their heuristic plays them on, so that final maps can be learned from them, too.

Games that are over go on, too, where the board says another winner than the record: their dead stones were not taken.
So the records of a run, or of other people, teach a head that nobody thought of when the games were played (cbaduk made
its third head so from games of Leela Zero).  Nobody learns policy or outcome from the moves that are added.
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
    """Return samples in which games go on to their ends, by moves that are never drawn.

    Args:
        samples: whole games.
        games: to which `Samples.game` points; those without final maps, or without a heuristic, stay as they are.
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
    """Yield the positions of a game, and those that come after."""
    state, action = part.states[-1].view(game.dtype).copy(), int(part.action[-1])
    stays = action == NO_ACTION
    if not stays:
        after = game.calls.play(state, action)
        stays = game.calls.outcome(after) not in (ONGOING, part.outcome[-1])  # whose dead stones were not taken
        state = state if stays else after
    number, ply = int(part.game_id[-1]), int(part.ply[-1]) + (not stays)
    states, actions = _play_on(game, state, game.max_actions - ply, number)
    if not actions:
        yield part
        return
    if stays:  # the last position goes on with the first of these actions
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
    """Return the actions of the heuristic that lead to the end, and the state before each of them."""
    rng = stream(number, "ending")
    states, actions = list[State](), list[int]()
    while game.calls.outcome(state) == ONGOING and len(actions) < most:
        legal = game.calls.legal(state)
        weights, _ = game.calls.heuristic(state, legal)
        states.append(state)
        actions.append(int(rng.choice(legal, p=weights / weights.sum())))
        state = game.calls.play(state, actions[-1])
    return states, actions
