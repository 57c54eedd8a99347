"""The last stage of a generation: the gate's match, matches against earlier networks and a fixed opponent, the rating.

With a gate, a new network plays a match against the one that plays self-play, and replaces it only if it wins.  The
learner continues from its newest weights in both cases.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec

from ludus.arena.balance import Balance
from ludus.arena.match import Accepts, MatchPlayer, play_match
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
"""Pairs of games between two checks of a sequential test."""


def choose_player(stage: Stage, generation: int, playing: int | None) -> int:
    """Return the generation whose network plays from now on: with a gate, the new one only if it wins the gate's match.

    The match is recorded with the run's matches, so an interruption does not repeat it.  A sequential test stops at a
    favourable moment and overstates the score, so its match only decides and does not count for the rating.

    Args:
        stage: the run.
        generation: the new generation; its network is trained.
        playing: the generation whose network has played self-play so far; None: there is none.

    Raises:
        Unavailable: the disk cannot be written.
    """
    gate = stage.preset.gate
    if gate.kind == "off" or playing is None:
        return generation
    names = name_of(generation), name_of(playing)
    result = next((match for match in stage.folder.matches() if (match.a, match.b) == names), None)
    if result is None:
        pairs = most_pairs(stage.preset)
        result = meet(
            stage,
            generation,
            player_of(stage, generation),
            player_of(stage, playing),
            pairs=pairs,
            tell=partial(_tell_games, stage, generation, before=0, total=2 * pairs),
            at_once=None if gate.kind == "score" else WAVE,
            is_over=None if gate.kind == "score" else lambda pairs: gate.passes(pairs, is_last=False) is not None,
        )
        stage.folder.note(result)
        stage.hear(result)
    return generation if gate.passes(result.pairs, is_last=True) else playing


def most_pairs(preset: Preset) -> int:
    """Return the most pairs of games that the gate's match may have; 0: there is no gate."""
    gate = preset.gate
    return {"off": 0, "score": preset.match.pairs, "sprt": gate.most_pairs}[gate.kind]


def measure(stage: Stage, generation: int) -> list[MatchResult]:
    """Play the missing matches of a generation; raises Unavailable if the disk cannot be written."""
    settings = stage.preset.match
    if settings.pairs == 0:
        return []
    opponents = opponents_of(stage.preset, generation)
    done = {(match.a, match.b) for match in stage.folder.matches() if not match.sequential}
    player = player_of(stage, generation)
    results: list[MatchResult] = []
    games = 2 * settings.pairs
    for number, opponent in enumerate(opponents):
        rival = anchor(stage.preset) if opponent is None else player_of(stage, opponent)
        if (player.name, rival.name) in done:
            continue
        tell = partial(_tell_games, stage, generation, before=games * number, total=games * len(opponents))
        result = meet(stage, generation, player, rival, pairs=settings.pairs, tell=tell)
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
    tell: Callable[[int], object] = lambda _games: None,
    at_once: int | None = None,
    is_over: Callable[[list[int]], bool] | None = None,
) -> MatchResult:
    """Play a match of the run from balanced openings, or from any openings if balanced ones are too rare.

    Args:
        stage: the run.
        generation: its seed chooses the openings.
        a: the first player.
        b: the second player.
        pairs: the largest number of pairs of games.
        tell: called with the number of finished games, at the start and after each one.
        at_once: pairs that are played concurrently (default: all).
        is_over: called with the results so far; True ends the match, as in `play_match`.

    Raises:
        BadInput: the openings are so long that games end in them.
    """
    seed = stage.seed(generation)

    def play(accepts: Accepts | None = None) -> MatchResult:
        finished = itertools.count(1)
        tell(0)
        return play_match(
            stage.games, a, b,
            pairs=pairs, seed=seed, opening_actions=stage.preset.match.opening_actions, accepts=accepts,
            on_game=lambda _game: tell(next(finished)), at_once=at_once, is_over=is_over,
        )  # fmt: skip

    with suppress(BadInput):  # balanced openings are too rare; each opening is still played with both colours
        return play(Balance(seed))
    return play()


def _tell_games(stage: Stage, generation: int, finished: int, *, before: int, total: int) -> None:
    stage.tell(generation, "matches", before + finished, total)


def opponents_of(preset: Preset, generation: int) -> list[int | None]:
    """Return the opponents of a generation: numbers of earlier generations, and None for the fixed opponent."""
    settings = preset.match
    met: list[int | None] = [*sorted({generation - back for back in settings.previous if generation - back >= 0})]
    if generation % settings.anchor_every == 0 or generation == preset.generations - 1:
        met.append(None)
    return met


def rating_of(stage: Stage, generation: int) -> tuple[float, float] | None:
    """Return (Elo, error) of a generation; None if no chain of matches connects it to the fixed opponent.

    Matches of a gate's sequential test are ignored, since their scores are biased.
    """
    results = [match.result for match in stage.folder.matches() if not match.sequential]
    fixed = anchor(stage.preset).name
    try:
        ratings = {each.name: each for each in rate(reached(results, fixed), anchor=fixed)}
    except BadInput:  # match settings may change during a run
        return None
    mine = ratings.get(name_of(generation))
    return (mine.elo, mine.error) if mine else None


def name_of(generation: int) -> str:
    """Return the name of a generation in match records."""
    return f"gen-{generation:04}"


def anchor(preset: Preset) -> SearchPlayer:
    """Return the fixed opponent of a run: the heuristic player, or random playouts if the game has no heuristic."""
    visits = preset.match.anchor_visits
    has_heuristic = preset.make_games()[0].has_rule("heuristic")
    kind, evaluator = ("heuristic", HeuristicEvaluator()) if has_heuristic else ("playouts", PlayoutEvaluator())
    return SearchPlayer(f"{kind}-{visits}", evaluator, search_for_match(SearchSettings()), visits=visits)


def player_of(stage: Stage, generation: int) -> SearchPlayer:
    """Return a match player that uses the network of a generation."""
    checkpoint = load_checkpoint(stage.folder.model(generation))
    evaluator = open_for_one(stage.preset.device, checkpoint, threads=stage.workers)
    search = search_for_match(stage.preset.search)
    return SearchPlayer(name_of(generation), evaluator, search, visits=stage.preset.match.visits)


def search_for_match(search: SearchSettings) -> SearchSettings:
    """Return search settings for matches: without an evaluation cache, which would hold results of another network."""
    return msgspec.structs.replace(search, cache_entries=0)
