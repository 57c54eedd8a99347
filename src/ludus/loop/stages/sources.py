"""Evaluation sources of self-play: the first teacher, the start model, or the newest network."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec

from ludus.arena.table import Tables
from ludus.errors import BadInput, BadPreset
from ludus.loop.stages.stage import Order, Stage
from ludus.loop.stages.start import grown_start
from ludus.network.backends import open_evaluators
from ludus.network.boost import BoostedEvaluator
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import NetworkEvaluator, UniformEvaluator
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.thinking.group import cache_for
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples

Sources = Callable[[int], Source]  # maps a worker's number to its source


def sources_of(stage: Stage, generation: int, playing: int | None) -> Sources:
    """Return the sources of a generation, using the network of generation `playing`; None: no network exists yet."""
    if playing is None:
        return first_sources(stage)
    return share(network_sources(stage, load_checkpoint(stage.folder.model(playing)), generation, network=playing))


def first_sources(stage: Stage) -> Sources:
    """Return the sources of generation 0: the start model, or the first teacher."""
    preset, game = stage.preset, stage.games[0]
    if not preset.begins_taught:
        return share(network_sources(stage, grown_start(preset, stage.games), 0, network=-1))
    _check_teacher(stage)
    teacher, search = preset.first_teacher, preset.search
    playouts = teacher == "playouts" or (teacher == "auto" and not game.has_rule("heuristic"))
    if playouts:  # a single random playout is noisy: do not cache it for all games of the generation
        search = msgspec.structs.replace(search, cache_entries=0)
    cache = cache_for(game, search)
    if playouts:
        return lambda worker: Source(PlayoutEvaluator(seed=preset.seed + worker), cache, network=-1)
    if teacher == "uniform":
        return lambda _worker: Source(UniformEvaluator(Shapes.of(game)), cache, network=-1)
    return lambda _worker: Source(HeuristicEvaluator(), cache, network=-1)


def check_first(stage: Stage) -> None:
    """Check the teacher, the start model, the recorded openings and the match openings before generation 0.

    Raises:
        BadPreset: the game lacks the heuristic that the preset names, or `match.opening_actions` end a game.
        BadModel: the start model is missing, or cannot become the preset's network.
        BadGame: a game of the start model does not exist here.
        BadInput: the records of `openings_from` are missing or unusable.
        BadRecord: a record is damaged.
    """
    _check_teacher(stage)
    if stage.preset.start:
        grown_start(stage.preset, stage.games)
    _ = stage.openings  # reads them now and keeps them
    if stage.preset.match.pairs or stage.preset.gate.kind != "off":
        for game in stage.games:
            try:
                Tables(game, 2).open_with(stage.preset.match.opening_actions, stage.seed(0))
            except BadInput as error:
                raise BadPreset(f"{stage.preset.name}: match.opening_actions: {error}") from error


def _check_teacher(stage: Stage) -> None:
    preset, game = stage.preset, stage.games[0]
    if preset.first_teacher == "heuristic" and not game.has_rule("heuristic"):
        raise BadPreset(f'{preset.name}: {game.name} has no heuristic; set first_teacher = "playouts".')


def network_sources(stage: Stage, checkpoint: Checkpoint, generation: int, *, network: int) -> list[Source]:
    """Return sources that evaluate with a network, one for each device of the preset.

    Args:
        stage: the run.
        checkpoint: the network.
        generation: the generation to play; the preset may boost its priors.
        network: the generation that trained the network; with a gate it may be an older one.
    """
    sources, boost = open_sources(stage, checkpoint, network=network), stage.preset.boost
    if boost.boosts(generation):
        chosen = boost.chosen(stage.games[0].action_classes)
        for source in sources:
            source.evaluator = BoostedEvaluator(cast(NetworkEvaluator, source.evaluator), chosen, boost.prior)
    return sources


def open_sources(stage: Stage, checkpoint: Checkpoint, *, network: int) -> list[Source]:
    """Return a source for each device of the preset; raises Unavailable if this machine lacks one."""
    cache = cache_for(stage.games[0], stage.preset.search)
    return [
        Source(evaluator, cache, network=network)
        for evaluator in open_evaluators(stage.preset.device, checkpoint, streams=stage.workers)
    ]


def share(sources: list[Source]) -> Sources:
    """Return a function that divides these sources among workers."""
    return lambda worker: sources[worker % len(sources)]


def worker_pool_of(
    stage: Stage,
    order: Order,
    sources: Sources,
    on_game: Callable[[Samples], object],
    *,
    quota: Quota | None = None,
) -> WorkerPool:
    """Return a pool of threads in this process that plays an order.

    Args:
        stage: the run.
        order: the games to play.
        sources: function from a worker's number to its source.
        on_game: called with each finished game.
        quota: supplies the games if another process deals them; None: all games of the order.
    """
    preset, generation = stage.preset, order.generation
    if quota is None:
        shares = preset.shares_of(generation)
        quota = Quota(order.games, done=order.done, shares=shares, openings=stage.openings)
    taught = generation == 0 and preset.begins_taught
    return WorkerPool(
        stage.games,
        sources,
        preset.search,
        preset.selfplay.of_teacher() if taught else preset.selfplay,
        quota,
        seed=order.seed,
        workers=stage.workers,
        progress=stage.progress(generation),
        on_game=on_game,
    )
