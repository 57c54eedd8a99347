"""Many self-play games at once, as arrays: what each game has seen so far, and the compiled step that plays moves.

Axes: G games (one tree each), P actions of a game, W words of a state, V policy entries of a game.
A game's history is complete when `finished[g]` is not 0; Python then takes it and starts the next one.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import Rules, entry, kernel
from ludus.search.absorb import absorb_rows
from ludus.search.backup import root_draw, root_value
from ludus.search.cache import Cache
from ludus.search.collect import collect_leaves, is_done
from ludus.search.edges import SMALLEST_PRIOR, edge_action, edge_prior
from ludus.search.random import uniform
from ludus.search.reuse import can_go_on, new_tree, reroot
from ludus.search.settings import SearchParameters
from ludus.search.target import sample_child, write_policy
from ludus.search.tree import EXPANDED, TERMINAL, Trees
from ludus.selfplay.settings import SelfplaySettings
from ludus.store.samples import NO_ACTION
from ludus.viewpoint import turn

NOBODY = -1


class GameHistories(NamedTuple):
    """The histories of a group of games, and their caps."""

    words: NDArray[np.uint64]  # [G, P, W] the state before each action
    mover: NDArray[np.uint8]  # [G, P]
    action: NDArray[np.int16]  # [G, P] what was played; NO_ACTION: the mover resigned
    value: NDArray[np.float32]  # [G, P] root value, seen by player 0
    draw: NDArray[np.float32]  # [G, P] root probability of a draw
    surprise: NDArray[np.float32]  # [G, P] nats from the priors to the policy target
    weight: NDArray[np.float32]  # [G, P] how often it is drawn
    network: NDArray[np.int32]  # [G, P] which network was asked when the search ended
    policy_start: NDArray[np.int32]  # [G, P + 1]
    policy_action: NDArray[np.int16]  # [G, V]
    policy_weight: NDArray[np.float32]  # [G, V]
    length: NDArray[np.int32]  # [G] actions played
    played: NDArray[np.int32]  # [G] actions played before the record began (random opening)
    cap: NDArray[np.int32]  # [G] length cap
    finished: NDArray[np.uint8]  # [G] outcome code, 0 while the game goes on
    full: NDArray[np.uint8]  # [G] 1: this move is searched fully and teaches the policy
    hopeless: NDArray[np.int32]  # [G, 2] moves in a row at which each player's position was hopeless
    resigner: NDArray[np.int8]  # [G] who resigned, or would have if the game were not played out; else NOBODY
    plays_out: NDArray[np.uint8]  # [G] 1: nobody resigns this game, to see what resigning would have cost


def make_games(num_games: int, *, max_actions: int, state_words: int, max_policy: int) -> GameHistories:
    """Allocate histories for games of at most `max_actions` actions, each with at most `max_policy` targets."""
    return GameHistories(
        words=np.zeros((num_games, max_actions, state_words), np.uint64),
        mover=np.zeros((num_games, max_actions), np.uint8),
        action=np.zeros((num_games, max_actions), np.int16),
        value=np.zeros((num_games, max_actions), np.float32),
        draw=np.zeros((num_games, max_actions), np.float32),
        surprise=np.zeros((num_games, max_actions), np.float32),
        weight=np.zeros((num_games, max_actions), np.float32),
        network=np.zeros((num_games, max_actions), np.int32),
        policy_start=np.zeros((num_games, max_actions + 1), np.int32),
        policy_action=np.zeros((num_games, max_actions * max_policy), np.int16),
        policy_weight=np.zeros((num_games, max_actions * max_policy), np.float32),
        length=np.zeros(num_games, np.int32),
        played=np.zeros(num_games, np.int32),
        cap=np.full(num_games, max_actions, np.int32),
        finished=np.zeros(num_games, np.uint8),
        full=np.zeros(num_games, np.uint8),
        hopeless=np.zeros((num_games, 2), np.int32),
        resigner=np.full(num_games, NOBODY, np.int8),
        plays_out=np.zeros(num_games, np.uint8),
    )


@kernel
def is_given_up(games: GameHistories, g: int, settings: SelfplaySettings) -> bool:
    """Return whether somebody gave game `g` up, which goes on to its end in haste."""
    return settings.accelerated_visits > 0 and int(games.resigner[g]) != NOBODY and int(games.plays_out[g]) == 0


@kernel
def schedule_search(t: Trees, games: GameHistories, g: int, settings: SelfplaySettings) -> None:
    """Decide how long the next move of game `g` is searched, and whether with noise."""
    given_up = is_given_up(games, g, settings)
    full = uniform(t.stream[g]) < settings.full_share and not given_up
    games.full[g] = 1 if full else 0
    tree = t.tree[g]
    fast_visits = settings.accelerated_visits if given_up else settings.fast_visits
    tree.target = settings.visits if full else fast_visits
    tree.explores = 1 if full else 0


@kernel
def record_position(
    t: Trees, games: GameHistories, parameters: SearchParameters, settings: SelfplaySettings, g: int, network: int
) -> None:
    """Write the position at the root, and what the search found, into the history."""
    root, at = t.child[g, 0], int(games.length[g])
    for w in range(t.words.shape[2]):
        games.words[g, at, w] = t.words[g, 0, w]
    games.mover[g, at] = root.mover
    games.value[g, at] = np.float32(root_value(t, g))
    games.draw[g, at] = np.float32(root_draw(t, g))
    games.network[g, at] = network
    games.weight[g, at] = np.float32(settings.accelerated_weight if is_given_up(games, g, settings) else 1.0)
    games.action[g, at] = NO_ACTION
    games.surprise[g, at] = np.float32(0.0)
    begin = end = int(games.policy_start[g, at])
    if games.full[g] == 1:
        end = write_policy(t, g, parameters, games.policy_action[g], games.policy_weight[g], begin)
        games.surprise[g, at] = np.float32(surprise(t, games, g, begin, end))
    games.policy_start[g, at + 1] = end
    games.length[g] = at + 1


@kernel
def surprise(t: Trees, games: GameHistories, g: int, begin: int, end: int) -> float:
    """Return how far the search moved away from its priors: the divergence of the policy target from them, in nats.

    The priors are those of the root, its noise included (as in KataGo); the target stands in places `begin` to `end`,
    in the order of the root's edges.
    """
    node = t.node[g, int(t.child[g, 0].node)]
    total, far = 0.0, 0.0
    for at in range(begin, end):
        total += float(games.policy_weight[g, at])
    at = begin
    for k in range(int(node.kept)):
        edge = t.edge[g, int(node.first_edge) + k]
        if at < end and int(edge_action(edge)) == int(games.policy_action[g, at]):
            share = float(games.policy_weight[g, at]) / total
            far += share * math.log(share / max(edge_prior(edge), SMALLEST_PRIOR))
            at += 1
    return max(0.0, far)


@kernel
def resigns(t: Trees, games: GameHistories, settings: SelfplaySettings, g: int) -> bool:
    """Return whether the mover of game `g` resigns now, which nobody does in the middle of a move; note if it would."""
    mover, at = int(t.child[g, 0].mover), int(games.length[g]) - 1
    if at > 0 and int(games.mover[g, at - 1]) == mover:
        return False
    hopeless = turn(root_value(t, g), mover) < settings.resign_below
    games.hopeless[g, mover] = int(games.hopeless[g, mover]) + 1 if hopeless else 0
    if settings.resign_moves == 0 or int(games.hopeless[g, mover]) < settings.resign_moves:
        return False
    if int(games.resigner[g]) == NOBODY:
        games.resigner[g] = mover
    return int(games.plays_out[g]) == 0 and settings.accelerated_visits == 0


@kernel
def play_move(
    t: Trees, games: GameHistories, parameters: SearchParameters, settings: SelfplaySettings, g: int, network: int
) -> None:
    """Play one action in game `g`, whose search is done."""
    record_position(t, games, parameters, settings, g, network)
    if resigns(t, games, settings, g):
        games.finished[g] = 2 - int(t.child[g, 0].mover)
        return
    ply = int(games.played[g]) + int(games.length[g]) - 1
    warmth = 0.5 ** (ply / settings.halflife)
    temperature = settings.final_temperature + (settings.temperature - settings.final_temperature) * warmth
    chosen = sample_child(t, g, parameters, temperature)
    picked = int(t.child[g, 0].first_child) + chosen
    edge = int(t.node[g, int(t.child[g, 0].node)].first_edge) + chosen
    games.action[g, int(games.length[g]) - 1] = edge_action(t.edge[g, edge])
    if int(t.child[g, picked].kind) == TERMINAL:
        games.finished[g] = t.child[g, picked].proof
        return
    schedule_search(t, games, g, settings)
    begins_anew = int(games.full[g]) == 1 and (not settings.reuse or parameters.gumbel_actions > 0)
    if begins_anew or not can_go_on(t, g, picked):
        # A full search that begins anew has noise, or Gumbel's schedule, in all its visits.
        words = t.words[g, int(t.child[g, picked].node)].copy()
        new_tree(t, g, words, max(0, int(t.tree[g].actions_left) - 1))
    else:
        reroot(t, g, picked)


@kernel
def can_move(t: Trees, games: GameHistories, g: int) -> bool:
    """Return whether the search of game `g` is done, so that an action can be played."""
    tree, root = t.tree[g], t.child[g, 0]
    return (
        games.finished[g] == 0
        and int(tree.target) > 0
        and int(tree.pending) == 0
        and int(root.kind) == EXPANDED
        and int(root.num_children) > 0
        and is_done(t, g)
    )


@kernel
def play_moves(
    t: Trees, games: GameHistories, parameters: SearchParameters, settings: SelfplaySettings, network: int
) -> int:
    """Play one action in every game whose search is done; return how many games are finished."""
    finished = 0
    for g in range(t.tree.shape[0]):
        if can_move(t, games, g):
            play_move(t, games, parameters, settings, g, network)
            if games.finished[g] != 0:
                t.tree[g].target = 0
        finished += int(games.finished[g] != 0)
    return finished


@entry
def advance(  # noqa: PLR0913 - one call a batch: each costs a microsecond
    rules: Rules,
    t: Trees,
    cache: Cache,
    parameters: SearchParameters,
    games: GameHistories,
    settings: SelfplaySettings,
    network: int,
    first: int,
    count: int,
    logits: np.ndarray,
    outcome: np.ndarray,
) -> int:
    """Take in the answers to the last batch, play the moves that are ready, and collect the next batch.

    Args:
        rules: the game's rules.
        t: the trees.
        cache: what the evaluator has said before.
        parameters: the search formula.
        games: the histories.
        settings: how games are played.
        network: which network is asked from now on.
        first: the tree that is served first; were it always the same one, the last ones might get no rows at all.
        count: rows of the last batch; 0 = there was none.
        logits: policy logits.  # [B, A] float32
        outcome: probabilities of win, draw and loss of the mover.  # [B, 3] float32

    Returns:
        Rows of the next batch, 0 if no game goes on; or -1 if there are finished games, which must be taken first.
    """
    absorb_rows(t, cache, count, logits, outcome)
    while True:
        if play_moves(t, games, parameters, settings, network) > 0:
            return -1
        rows = collect_leaves(rules, t, cache, parameters, first)
        if rows > 0:
            return rows
        waiting = False  # a whole search may have needed no evaluation: all cached, proved, or kept from the last move
        for g in range(t.tree.shape[0]):
            waiting = waiting or can_move(t, games, g)
        if not waiting:
            return 0


@kernel
def move_start(rules: Rules, states: np.ndarray, games: GameHistories, g: int, action: int) -> bool:
    """Let game `g` begin one action later, unless that ends it; return whether it does."""
    words = games.words[g]
    for w in range(words.shape[1]):
        words[1, w] = words[0, w]
    rules.play(states[g, 1], action)
    if int(rules.outcome(states[g, 1])) != 0:
        return False
    for w in range(words.shape[1]):
        words[0, w] = words[1, w]
    games.played[g] += 1
    return True


@entry
def fork(rules: Rules, t: Trees, states: np.ndarray, games: GameHistories, g: int, recorded: int) -> bool:
    """Let game `g` begin one action later, by a random one of those that were not played there and do not end it.

    Args:
        rules: the game's rules.
        t: the trees.
        states: `games.words` seen as the game's dtype.  # [G, P, S]
        games: the histories; `played` says how many actions led to the position in `games.words[g, 0]`.
        g: which game.
        recorded: the action that was played there, or NO_ACTION.

    Returns:
        Whether there is such an action; if not, the position stays.
    """
    if int(games.played[g]) + 1 >= int(games.cap[g]):
        return False
    legal = t.row_legal[0]
    count = int(rules.legal(states[g, 0], legal))
    while count > 0:
        drawn = int(uniform(t.stream[g]) * count)
        action = int(legal[drawn])
        count -= 1
        legal[drawn] = legal[count]
        if action != recorded and move_start(rules, states, games, g, action):
            return True
    return False


@entry
def begin(
    rules: Rules,
    t: Trees,
    states: np.ndarray,
    games: GameHistories,
    settings: SelfplaySettings,
    g: int,
    random_actions: int,
) -> None:
    """Start game `g` from the position in `games.words[g, 0]`, after some random actions for variety.

    Args:
        rules: the game's rules.
        t: the trees.
        states: `games.words` seen as the game's dtype.  # [G, P, S]
        games: the histories; `played` says how many actions led to the position.
        settings: how it is searched.
        g: which game.
        random_actions: how many random actions come first; fewer if the game would end.
    """
    for _ in range(random_actions):
        if int(games.played[g]) + 1 >= int(games.cap[g]):
            break
        count = int(rules.legal(states[g, 0], t.row_legal[0]))
        if not move_start(rules, states, games, g, int(t.row_legal[0, int(uniform(t.stream[g]) * count)])):
            break
    games.length[g] = 0
    games.finished[g] = 0
    games.policy_start[g, 0] = 0
    games.hopeless[g, 0] = games.hopeless[g, 1] = 0
    games.resigner[g] = NOBODY
    games.plays_out[g] = 1 if uniform(t.stream[g]) < settings.played_out_share else 0
    new_tree(t, g, games.words[g, 0], int(games.cap[g]) - int(games.played[g]))
    schedule_search(t, games, g, settings)
