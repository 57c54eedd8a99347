"""The third stage of a generation: the gate's match, matches against earlier networks and a fixed opponent, the rating.

With a gate, a new network plays the one that makes the games, and takes its place only if it is better; the learner
goes on from its newest weights in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec

from ludus.arena.balance import Balance
from ludus.arena.match import MatchPlayer, play_match
from ludus.arena.summary import MatchResult
from ludus.errors import BadInput
from ludus.loop.preset import Preset
from ludus.loop.stages.stage import Stage
from ludus.network.backends import open_for_one
from ludus.network.checkpoint import load_checkpoint
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.rating import rate, reached
from ludus.search.settings import SearchSettings

WAVE = 20
"""Pairs after which a sequential test is asked whether it has decided."""


def choose_player(stage: Stage, generation: int, playing: int | None) -> int:
    """Return the generation whose network plays from now on: with a gate, the new one only if it wins a match.

    The match is one of the run's, and is not played again after an interruption.  That of a sequential test only
    decides: it ends when it is clear, so that its score is overstated, and the generation is measured without it.

    Args:
        stage: the run.
        generation: the new one, whose network has been learned.
        playing: the generation whose network has played so far; None: there was none.

    Raises:
        Unavailable: the disk refuses.
    """
    gate = stage.preset.gate
    if gate.kind == "off" or playing is None:
        return generation
    names = name_of(generation), name_of(playing)
    result = next((match for match in stage.folder.matches() if (match.a, match.b) == names), None)
    if result is None:
        stage.tell(generation, "matches", 0, 1)
        result = meet(
            stage,
            generation,
            player_of(stage, generation),
            player_of(stage, playing),
            pairs=most_pairs(stage.preset),
            at_once=None if gate.kind == "score" else WAVE,
            is_over=None if gate.kind == "score" else lambda pairs: gate.passes(pairs, is_last=False) is not None,
        )
        stage.folder.note(result)
        stage.hear(result)
    return generation if gate.passes(result.pairs, is_last=True) else playing


def most_pairs(preset: Preset) -> int:
    """Return how many pairs of games the gate's match has, which a sequential test may end earlier; 0: no gate."""
    gate = preset.gate
    return {"off": 0, "score": preset.match.pairs, "sprt": gate.most_pairs}[gate.kind]


def measure(stage: Stage, generation: int) -> list[MatchResult]:
    """Play the matches of a generation that are missing; raises Unavailable if the disk refuses."""
    settings = stage.preset.match
    if settings.pairs == 0:
        return []
    opponents = opponents_of(stage.preset, generation)
    done = {(match.a, match.b) for match in stage.folder.matches() if not match.sequential}
    player = player_of(stage, generation)
    results: list[MatchResult] = []
    for number, opponent in enumerate(opponents):
        stage.tell(generation, "matches", number, len(opponents))
        rival = anchor(stage.preset) if opponent is None else player_of(stage, opponent)
        if (player.name, rival.name) in done:
            continue
        result = meet(stage, generation, player, rival, pairs=settings.pairs)
        stage.folder.note(result)
        results.append(result)
    return results


def meet(
    stage: Stage,
    generation: int,
    a: MatchPlayer,
    b: MatchPlayer,
    *,
    pairs: int,
    at_once: int | None = None,
    is_over: Callable[[list[int]], bool] | None = None,
) -> MatchResult:
    """Let two players meet in a match of the run: from balanced openings, or from any if a board has hardly one.

    Args:
        stage: the run.
        generation: whose seed names the openings.
        a: one player.
        b: the other.
        pairs: pairs of games in all, at most.
        at_once: pairs that are played side by side (default: all).
        is_over: ends the match early, as `play_match` has it.

    Raises:
        BadInput: the openings are so long that the games are over.
    """
    seed = stage.seed(generation)
    play = partial(
        play_match, stage.games, a, b,
        pairs=pairs, seed=seed, opening_actions=stage.preset.match.opening_actions, at_once=at_once, is_over=is_over,
    )  # fmt: skip
    with suppress(BadInput):  # games may be uneven by nature; a run goes on, since sides are swapped
        return play(accepts=Balance(seed))
    return play()


def opponents_of(preset: Preset, generation: int) -> list[int | None]:
    """Return whom a generation meets: earlier generations, and None for the fixed opponent."""
    settings = preset.match
    met: list[int | None] = [*sorted({generation - back for back in settings.previous if generation - back >= 0})]
    if generation % settings.anchor_every == 0 or generation == preset.generations - 1:
        met.append(None)
    return met


def rating_of(stage: Stage, generation: int) -> tuple[float, float] | None:
    """Return a generation's Elo and its error, or None if no chain of matches leads to the fixed opponent.

    Matches that ended when they were clear, as those of a gate's sequential test, are no part of a chain.
    """
    results = [match.result for match in stage.folder.matches() if not match.sequential]
    fixed = anchor(stage.preset).name
    try:
        ratings = {each.name: each for each in rate(reached(results, fixed), anchor=fixed)}
    except BadInput:  # match settings may change while a run goes on
        return None
    mine = ratings.get(name_of(generation))
    return (mine.elo, mine.error) if mine else None


def name_of(generation: int) -> str:
    """Return the name of a generation in matches."""
    return f"gen-{generation:04}"


def anchor(preset: Preset) -> SearchPlayer:
    """Return the fixed opponent of a run: the heuristic player, or playouts where a game has no heuristic."""
    visits = preset.match.anchor_visits
    has_heuristic = preset.make_games()[0].has_rule("heuristic")
    kind, evaluator = ("heuristic", HeuristicEvaluator()) if has_heuristic else ("playouts", PlayoutEvaluator())
    return SearchPlayer(f"{kind}-{visits}", evaluator, search_for_match(SearchSettings()), visits=visits)


def player_of(stage: Stage, generation: int) -> SearchPlayer:
    """Return the network of a generation as it plays in matches."""
    checkpoint = load_checkpoint(stage.folder.model(generation))
    evaluator = open_for_one(stage.preset.device, checkpoint, threads=stage.workers)
    search = search_for_match(stage.preset.search)
    return SearchPlayer(name_of(generation), evaluator, search, visits=stage.preset.match.visits)


def search_for_match(search: SearchSettings) -> SearchSettings:
    """Return the search of a match: without what an earlier network said."""
    return msgspec.structs.replace(search, cache_entries=0)
