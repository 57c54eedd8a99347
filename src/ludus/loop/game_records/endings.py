"""Endings for resigned games: the heuristic or a player plays them on to the end, so that final maps can be learned.

Finished games also continue if the board contradicts the recorded winner, because dead stones were not captured.
Thus old records can train a head that was added later.  cbaduk trained its third head this way on games of Leela Zero:
its engine played them on with few playouts a move.  The added moves have no weight in the policy and outcome losses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ludus.arena.match import MatchPlayer
from ludus.games.game import Game
from ludus.games.rules import ONGOING, State
from ludus.loop.game_records.replayed import Replayed, samples_of
from ludus.seeding import stream
from ludus.store import Samples
from ludus.store.samples import NO_ACTION


@dataclass
class Continuation:
    """A recorded game that is played on from its last state."""

    game: Game
    number: int
    """Number of the recorded game."""
    state: State
    most: int
    """Maximum number of actions to add."""
    repeats: bool
    """Whether it starts at the last recorded state, whose action it replaces, rather than after it."""
    states: list[State] = field(default_factory=list[State])
    """State before each added action."""
    actions: list[int] = field(default_factory=list[int])

    @property
    def goes_on(self) -> bool:
        """Return whether another action must be added."""
        return self.game.calls.outcome(self.state) == ONGOING and len(self.actions) < self.most

    def play(self, action: int) -> None:
        """Add an action."""
        self.states.append(self.state)
        self.actions.append(action)
        self.state = self.game.calls.play(self.state, action)


def with_ends(samples: Samples, games: Sequence[Game], player: MatchPlayer | None = None) -> Samples:
    """Return samples with endings added; the added positions have weight 0, so they are never drawn.

    Args:
        samples: positions of whole games.
        games: games that `Samples.game` numbers; those without final maps are not changed.
        player: plays all games on side by side; None: each game's heuristic draws the actions, and games without one
            are not changed.
    """
    parts = list(_games_of(samples))
    numbered = list(games)
    begun = {
        index: _continuation(part, game.compile())
        for index, part in enumerate(parts)
        for game in [games[int(part.game[-1])]]
        if game.num_maps and (player or game.has_rule("heuristic"))
    }
    if player:
        _play_with(player, list(begun.values()))
    else:
        for each in begun.values():
            _draw_by_heuristic(each)
    ended: list[Samples] = []
    for index, part in enumerate(parts):
        ended += _joined(part, begun[index], numbered) if index in begun else [part]
    return Samples.concatenate(ended) if ended else samples


def _games_of(samples: Samples) -> Iterator[Samples]:
    last_ones = np.flatnonzero(np.diff(samples.game_id, append=samples.game_id[-1:] + 1))
    begin = 0
    for last in last_ones.tolist():
        yield samples.take(np.arange(begin, last + 1))
        begin = last + 1


def _continuation(part: Samples, game: Game) -> Continuation:
    """Return the continuation of one game's positions, without actions yet."""
    state, action = part.states[-1].view(game.dtype).copy(), int(part.action[-1])
    repeats = action == NO_ACTION
    if not repeats:
        after = game.calls.play(state, action)
        repeats = game.calls.outcome(after) not in (ONGOING, part.outcome[-1])  # dead stones were not captured
        state = state if repeats else after
    played = int(part.ply[-1]) + (not repeats)
    return Continuation(game, int(part.game_id[-1]), state, game.max_actions - played, repeats)


def _joined(part: Samples, continued: Continuation, games: list[Game]) -> Iterator[Samples]:
    """Yield the positions of a game and those of its continuation."""
    states, actions, ply = continued.states, continued.actions, int(part.ply[-1]) + 1
    if actions and continued.repeats:  # the last position continues with the first added action
        played = part.action.copy()
        played[-1] = actions[0]
        part, states, actions = replace(part, action=played), states[1:], actions[1:]
    yield part
    if actions:
        game = Replayed(int(part.game[-1]), continued.number, states, actions, int(part.outcome[-1]))
        added = samples_of([game], games)
        yield replace(
            added,
            ply=added.ply + np.int16(ply),
            weight=np.zeros_like(added.weight),
            policy_start=np.zeros_like(added.policy_start),
            policy_action=added.policy_action[:0],
            policy_weight=added.policy_weight[:0],
        )


def _play_with(player: MatchPlayer, continued: Sequence[Continuation]) -> None:
    """Let a player add actions to all games, those of one game's rules and board at a time."""
    for name in dict.fromkeys(each.game.name for each in continued):
        while left := [each for each in continued if each.game.name == name and each.goes_on]:
            states = np.stack([each.state.view(np.uint64) for each in left])  # [K, W]
            for each, action in zip(left, player.choose(left[0].game, states).tolist(), strict=True):
                each.play(action)


def _draw_by_heuristic(continued: Continuation) -> None:
    """Add actions drawn from the heuristic's weights."""
    rng, calls = stream(continued.number, "ending"), continued.game.calls
    while continued.goes_on:
        legal = calls.legal(continued.state)
        weights, _ = calls.heuristic(continued.state, legal)
        continued.play(int(rng.choice(legal, p=weights / weights.sum())))
