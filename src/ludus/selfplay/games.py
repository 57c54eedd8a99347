"""Many self-play games at once, as arrays: the history of each game, and the compiled step that plays moves.

Axes: G games (one tree each), P actions of a game, W words of a state, V policy entries of a game.
The history of game `g` is complete when `finished[g]` is not 0; Python then collects it and starts the next game.
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
    """The histories of a group of games and their length caps."""

    words: NDArray[np.uint64]  # [G, P, W] the state before each action
    mover: NDArray[np.uint8]  # [G, P]
    action: NDArray[np.int16]  # [G, P] the action played; NO_ACTION: the mover resigned
    value: NDArray[np.float32]  # [G, P] root value from player 0's perspective
    draw: NDArray[np.float32]  # [G, P] root probability of a draw
    surprise: NDArray[np.float32]  # [G, P] nats from the priors to the policy target
    weight: NDArray[np.float32]  # [G, P] sampling weight
    network: NDArray[np.int32]  # [G, P] number of the network in use when the search ended
    policy_start: NDArray[np.int32]  # [G, P + 1]
    policy_action: NDArray[np.int16]  # [G, V]
    policy_weight: NDArray[np.float32]  # [G, V]
    length: NDArray[np.int32]  # [G] actions played
    played: NDArray[np.int32]  # [G] actions played before the record began (random opening)
    cap: NDArray[np.int32]  # [G] length cap
    finished: NDArray[np.uint8]  # [G] outcome code, 0 during the game
    full: NDArray[np.uint8]  # [G] 1: this move is searched fully and teaches the policy
    hopeless: NDArray[np.int32]  # [G, 2] number of consecutive hopeless moves of each player
    resigner: NDArray[np.int8]  # [G] the first player to meet the conditions for resigning, or NOBODY
    plays_out: NDArray[np.uint8]  # [G] 1: resigning is off in this game, to measure its error rate


def make_games(num_games: int, *, max_actions: int, state_words: int, max_policy: int) -> GameHistories:
    """Allocate histories for games of at most `max_actions` actions with at most `max_policy` policy entries."""
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
    """Return whether a player would have resigned game `g`, so that it is finished with accelerated searches."""
    return settings.accelerated_visits > 0 and int(games.resigner[g]) != NOBODY and int(games.plays_out[g]) == 0


@kernel
def schedule_search(t: Trees, games: GameHistories, g: int, settings: SelfplaySettings) -> None:
    """Choose the visits of the next search of game `g`, and whether the root gets noise."""
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
    """Append the root position and its search result to the history."""
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
    """Return the divergence of the policy target from the root's priors in nats: how far the search moved from them.

    The priors include the root's noise (as in KataGo).  The target is stored at indices `begin` to `end`, in the order
    of the root's edges.
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
    """Return whether the mover of game `g` resigns now, at the start of a turn; record the first resigner."""
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
    """Play one action in game `g`, with a finished search."""
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
        # A full search with a new tree has noise, or Gumbel's schedule, for all its visits.
        words = t.words[g, int(t.child[g, picked].node)].copy()
        new_tree(t, g, words, max(0, int(t.tree[g].actions_left) - 1))
    else:
        reroot(t, g, picked)


@kernel
def can_move(t: Trees, games: GameHistories, g: int) -> bool:
    """Return whether the search of game `g` is done, so that its next action can be played."""
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
    """Play one action in every game with a finished search; return the number of finished games."""
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
    """Process the evaluations of the last batch, play the moves that are ready, and collect the next batch.

    Args:
        rules: the game's rules.
        t: the trees.
        cache: evaluations of earlier positions.
        parameters: the search settings.
        games: the histories.
        settings: the self-play settings.
        network: number of the network that is used from now on.
        first: the tree that is served first; if it never changed, the last trees might get no rows.
        count: number of rows in the last batch; 0 if there was none.
        logits: policy logits.  # [B, A] float32
        outcome: probabilities of win, draw and loss of the mover.  # [B, 3] float32

    Returns:
        Number of rows in the next batch, 0 if all games are over; -1 if finished games must be collected first.
    """
    absorb_rows(t, cache, count, logits, outcome)
    while True:
        if play_moves(t, games, parameters, settings, network) > 0:
            return -1
        rows = collect_leaves(rules, t, cache, parameters, first)
        if rows > 0:
            return rows
        waiting = False  # a whole search may need no evaluation if all nodes are cached, proved or reused
        for g in range(t.tree.shape[0]):
            waiting = waiting or can_move(t, games, g)
        if not waiting:
            return 0


@kernel
def move_start(rules: Rules, states: np.ndarray, games: GameHistories, g: int, action: int) -> bool:
    """Start game `g` one action later by playing `action`; return False if that would end the game."""
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
    """Start game `g` one action later, with a random action other than the recorded one that does not end the game.

    Args:
        rules: the game's rules.
        t: the trees.
        states: `games.words` seen as the game's dtype.  # [G, P, S]
        games: the histories; `played` says how many actions led to the position in `games.words[g, 0]`.
        g: index of the game.
        recorded: the action played there in the recorded game, or NO_ACTION.

    Returns:
        False if there is no such action; the position is then unchanged.
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
    """Start game `g` from the position in `games.words[g, 0]`, after random actions that add variety.

    Args:
        rules: the game's rules.
        t: the trees.
        states: `games.words` seen as the game's dtype.  # [G, P, S]
        games: the histories; `played` says how many actions led to the position.
        settings: the self-play settings.
        g: index of the game.
        random_actions: number of random actions to play first; fewer if the game would end.
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
