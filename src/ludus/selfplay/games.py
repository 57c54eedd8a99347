"""Many self-play games at once, as arrays: what each game has seen so far, and the compiled step that plays moves.

Axes: G games (one tree each), P actions of a game, W words of a state, V policy entries of a game.
A game's history is complete when `finished[g]` is not 0; Python then takes it and starts the next one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import Rules, entry, kernel
from ludus.search.random import uniform
from ludus.search.reuse import plant, reroot
from ludus.search.step import is_done
from ludus.search.tree import EXPANDED, TERMINAL, Trees

CAPPED = 3  # a game that reaches the length cap is a draw


class Games(NamedTuple):
    """The histories of a group of games, and their schedules."""

    words: NDArray[np.uint64]  # [G, P, W] the state before each action
    mover: NDArray[np.uint8]  # [G, P]
    value: NDArray[np.float32]  # [G, P] root value, seen by player 0
    draw: NDArray[np.float32]  # [G, P] root probability of a draw
    policy_start: NDArray[np.int32]  # [G, P + 1]
    policy_action: NDArray[np.int16]  # [G, V]
    policy_visits: NDArray[np.int32]  # [G, V]
    length: NDArray[np.int32]  # [G] actions played
    played: NDArray[np.int32]  # [G] actions played before the record began (random opening)
    cap: NDArray[np.int32]  # [G] length cap
    finished: NDArray[np.uint8]  # [G] outcome code, 0 while the game goes on
    full: NDArray[np.uint8]  # [G] 1: this move is searched fully and teaches the policy


class Schedule(NamedTuple):
    """How self-play searches and chooses, as compiled code takes it."""

    visits: int
    """Visits of a full search."""
    fast_visits: int
    """Visits of a fast search, which teaches the outcome only."""
    full_share: float
    """Share of full searches."""
    temperature: float
    """At the start of a game."""
    final_temperature: float
    halflife: float
    """Actions in which the temperature above the final one is halved."""


def make_games(num_games: int, *, max_actions: int, state_words: int, max_legal: int, visits: int) -> Games:
    """Allocate histories for `num_games` games of at most `max_actions` recorded actions."""
    entries = max_actions * min(max_legal, visits)
    return Games(
        words=np.zeros((num_games, max_actions, state_words), np.uint64),
        mover=np.zeros((num_games, max_actions), np.uint8),
        value=np.zeros((num_games, max_actions), np.float32),
        draw=np.zeros((num_games, max_actions), np.float32),
        policy_start=np.zeros((num_games, max_actions + 1), np.int32),
        policy_action=np.zeros((num_games, entries), np.int16),
        policy_visits=np.zeros((num_games, entries), np.int32),
        length=np.zeros(num_games, np.int32),
        played=np.zeros(num_games, np.int32),
        cap=np.full(num_games, max_actions, np.int32),
        finished=np.zeros(num_games, np.uint8),
        full=np.zeros(num_games, np.uint8),
    )


@kernel
def schedule_search(t: Trees, games: Games, g: int, schedule: Schedule) -> None:
    """Decide how long the next move of game `g` is searched, and whether with noise."""
    full = uniform(t.stream[g]) < schedule.full_share
    games.full[g] = 1 if full else 0
    tree = t.tree[g]
    tree.target = schedule.visits if full else schedule.fast_visits
    tree.wants_noise = 1 if full else 0


@kernel
def choose(t: Trees, g: int, temperature: float) -> int:
    """Return the root's child (its number) drawn in proportion to visits^(1/temperature)."""
    root = t.node[g, 0]
    count = int(root.num_children)
    most = 0
    for k in range(count):
        most = max(most, int(t.child[g, int(root.first_child) + k].visits))
    total = 0.0
    for k in range(count):
        share = float(t.child[g, int(root.first_child) + k].visits) / most
        weight = share ** (1.0 / max(temperature, 0.01))
        t.prior[k] = np.float32(weight)
        total += float(t.prior[k])
    left = uniform(t.stream[g]) * total
    for k in range(count):
        left -= float(t.prior[k])
        if left < 0.0:
            return k
    return count - 1


@kernel
def note(t: Trees, games: Games, g: int) -> None:
    """Write the position at the root, and what the search found, into the history."""
    root, at = t.node[g, 0], int(games.length[g])
    for w in range(t.words.shape[2]):
        games.words[g, at, w] = t.words[g, 0, w]
    games.mover[g, at] = root.mover
    visits = max(1.0, float(root.visits))
    games.value[g, at] = np.float32(float(root.value_sum) / visits)
    games.draw[g, at] = np.float32(float(root.draw_sum) / visits)
    end = int(games.policy_start[g, at])
    if games.full[g] == 1:
        for k in range(int(root.num_children)):
            n = int(t.child[g, int(root.first_child) + k].visits)
            if n > 0:
                games.policy_action[g, end] = int(t.edge[g, int(root.first_edge) + k]) & 0xFFFF
                games.policy_visits[g, end] = n
                end += 1
    games.policy_start[g, at + 1] = end
    games.length[g] = at + 1


@entry
def advance(t: Trees, games: Games, schedule: Schedule) -> int:
    """Play one action in every game whose search is done.

    Returns:
        How many games are finished and wait to be taken.
    """
    waiting = 0
    for g in range(t.tree.shape[0]):
        if games.finished[g] != 0:
            waiting += 1
            continue
        tree, root = t.tree[g], t.node[g, 0]
        if (
            int(tree.target) == 0
            or int(tree.pending) > 0
            or int(root.kind) != EXPANDED
            or int(root.num_children) == 0
            or not is_done(t, g)
        ):
            continue
        note(t, games, g)
        ply = int(games.played[g]) + int(games.length[g]) - 1
        warmth = 0.5 ** (ply / schedule.halflife)
        temperature = schedule.final_temperature + (schedule.temperature - schedule.final_temperature) * warmth
        picked = int(t.child[g, int(root.first_child) + choose(t, g, temperature)].node)
        if int(t.node[g, picked].kind) == TERMINAL:
            games.finished[g] = t.node[g, picked].outcome
        elif ply + 1 >= int(games.cap[g]):
            games.finished[g] = CAPPED
        if games.finished[g] != 0:
            waiting += 1
            tree.target = 0
        else:
            reroot(t, g, picked)
            schedule_search(t, games, g, schedule)
    return waiting


@entry
def begin(
    rules: Rules, t: Trees, states: np.ndarray, games: Games, schedule: Schedule, g: int, random_actions: int
) -> None:
    """Start game `g` from the position in `games.words[g, 0]`, after some random actions for variety.

    Args:
        rules: the game's rules.
        t: the trees.
        states: `games.words` seen as the game's dtype.  # [G, P, S]
        games: the histories.
        schedule: how it is searched.
        g: which game.
        random_actions: how many random actions come first; fewer if the game would end.
    """
    played = 0
    words, state = games.words[g], states[g]
    while played < random_actions and games.words.shape[1] > 1:
        count = int(rules.legal(state[0], t.legal))
        action = int(t.legal[int(uniform(t.stream[g]) * count)])
        for w in range(words.shape[1]):
            words[1, w] = words[0, w]
        rules.play(state[1], action)
        if int(rules.outcome(state[1])) != 0:
            break
        for w in range(words.shape[1]):
            words[0, w] = words[1, w]
        played += 1
    games.length[g] = 0
    games.played[g] = played
    games.finished[g] = 0
    games.policy_start[g, 0] = 0
    plant(t, g, words[0])
    schedule_search(t, games, g, schedule)
