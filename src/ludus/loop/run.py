"""Generations: self-play, learning, matches, rating; resumable at every border between them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from ludus.arena import MatchResult, play_match
from ludus.errors import BadRecord
from ludus.games.behaviour import behaviour
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.folder import Folder, Metrics
from ludus.loop.preset import Preset
from ludus.network.backends import open_evaluators
from ludus.network.checkpoint import Checkpoint, ModelInfo, load_checkpoint, save_checkpoint
from ludus.network.config import Shapes
from ludus.network.openvino import evaluator_of
from ludus.players.group import StateEvaluator, cache_for
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.players.match import SearchPlayer
from ludus.rating import rate
from ludus.search.settings import SearchSettings
from ludus.selfplay.pump import Pump
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker import WorkerReport
from ludus.store import Samples, read_shard, shard_path, window_shards, write_shard


class Progress(msgspec.Struct, frozen=True):
    """Where the run is, several times a second."""

    generation: int
    stage: str
    """`self-play`, `learning` or `matches`."""
    done: int
    total: int
    pump: str = ""
    """How self-play runs: evaluations/s, cache hits, batch fill, shares of evaluator and search, games in flight."""


Listener = Callable[[Progress | Metrics | MatchResult], object]


class Run:
    """A training run in its directory."""

    def __init__(
        self, preset: Preset, directory: Path, listener: Listener = lambda _event: None, *, workers: int = 0
    ) -> None:
        """Open or create the run.

        Args:
            preset: what to do.
            directory: where; an existing run of the same preset is continued.
            listener: is told of progress, matches and generations.
            workers: self-play threads on this machine (0: as the preset says).

        Raises:
            BadPreset: the preset's games cannot share a network.
            BadGame: there is no such game.
            Unavailable: the directory cannot be used.
        """
        self.workers = workers or preset.workers or os.cpu_count() or 1
        self.preset, self.folder, self._listener = preset, Folder(directory), listener
        self.games = preset.make_games()
        self.continued = self.folder.open(preset)
        self._rules = behaviour(self.games[0])

    def go(self, *, until: Callable[[], bool] = lambda: False) -> None:
        """Play the generations that are missing; `until` is asked between them whether to stop early.

        Raises:
            Unavailable: another process trains in the directory, or it cannot be written.
            BadRecord: a file of the run is damaged or missing.
            BadPreset: the training diverged.
        """
        with self.folder.locked():
            for generation in range(len(self.folder.metrics()), self.preset.generations):
                if until():
                    return
                self._generation(generation)

    def _generation(self, generation: int) -> None:
        begun = time.perf_counter()
        samples, reports = self._play(generation)
        played = time.perf_counter()
        losses = self._learn(generation, len(samples))
        learned = time.perf_counter()
        results = self._measure(generation)
        elo = self._rate(generation)
        busy = sum(report.search_s + report.evaluator_s for report in reports) or 1.0
        count = lambda name: sum(report.counters[name] for report in reports)  # noqa: E731 - three sums of one kind
        last = np.unique(samples.game_id, return_index=True)[1]  # [games]
        metrics = Metrics(
            generation=generation,
            games=len(last),
            positions=len(samples),
            mean_length=len(samples) / max(1, len(last)),
            first_wins=float((samples.outcome[last] == 1).mean()),
            draws=float((samples.outcome[last] == 3).mean()),
            policy_loss=losses.policy,
            outcome_loss=losses.outcome,
            gradient_norm=losses.gradient_norm,
            steps=losses.steps,
            selfplay_s=played - begun,
            learner_s=learned - played,
            match_s=time.perf_counter() - learned,
            evaluations=count("evaluations"),
            simulations=count("simulations"),
            cache_hits=count("cache_hits"),
            evaluator_share=sum(report.evaluator_s for report in reports) / busy,
            search_share=sum(report.search_s for report in reports) / busy,
            fill=sum(report.rows for report in reports) / max(1, sum(report.capacity for report in reports)),
            elo=elo[0] if elo else None,
            elo_error=elo[1] if elo else None,
        )
        for result in results:
            self._listener(result)
        self.folder.append(metrics)
        self._listener(metrics)

    def _tell(self, generation: int, stage: str, done: int, total: int, pump: str = "") -> None:
        self._listener(Progress(generation, stage, done, total, pump))

    # ---- self-play ---------------------------------------------------------------------------------------------------

    def _play(self, generation: int) -> tuple[Samples, list[WorkerReport]]:
        shard = shard_path(self.folder.shards, generation, 0)
        if shard.is_file():  # played before an interruption
            return read_shard(shard, rules_key=self._rules), []
        settings = self.preset.selfplay
        total = settings.first_games if generation == 0 and settings.first_games else settings.games
        pump = Pump(
            self.games,
            self._teacher(generation),
            self.preset.search,
            settings,
            Quota(total),
            seed=self.preset.seed * 10_000 + generation,
            workers=self.workers,
            progress=generation / max(1, self.preset.generations - 1),
        )
        with pump:
            playing = True
            while playing:
                playing = pump.wait(0.5)
                self._tell(generation, "self-play", len(pump.finished), total, str(pump.reading()))
        samples = Samples.concatenate(sorted(pump.finished, key=lambda each: int(each.game_id[0])))
        write_shard(shard, samples, rules_key=self._rules, names=self.preset.games)
        return samples, pump.reports

    def _teacher(self, generation: int) -> Callable[[int], Source]:
        """Return who plays a generation, for each worker: the last model, or the first teacher."""
        cache = cache_for(self.games[0], self.preset.search)
        if generation == 0:
            return lambda worker: Source(self._first_teacher(worker), cache, network=-1)
        checkpoint = load_checkpoint(self.folder.model(generation - 1))
        sources = [
            Source(evaluator, cache, network=generation - 1)
            for evaluator in open_evaluators(self.preset.device, checkpoint, streams=self.workers)
        ]
        return lambda worker: sources[worker % len(sources)]

    def _first_teacher(self, worker: int) -> StateEvaluator:
        if self.games[0].has_heuristic:
            return HeuristicEvaluator()
        return RolloutEvaluator(seed=self.preset.seed + worker)

    # ---- learning ----------------------------------------------------------------------------------------------------

    def _learn(self, generation: int, new_positions: int) -> Losses:
        settings = self.preset.learner
        learner = Learner(self.games, self.preset.network, settings, self.preset.seed, threads=self.workers)
        kept = self.folder.load_learner()
        last = kept.generation if kept else -1
        if last not in (generation - 1, generation):
            raise BadRecord(
                f"{self.folder.path}: metrics.jsonl ends before generation {generation}, but learner.safetensors is of "
                f"generation {last}; restore both from one backup or start anew."
            )
        if kept:
            learner.restore(kept.arrays)
        if kept and last == generation:  # learned before an interruption
            return kept.losses
        window = learner.window()
        for path in window_shards(self.folder.shards, generation, settings.window):
            window.extend(read_shard(path, rules_key=self._rules))
        losses = learner.learn(
            window,
            steps=learner.steps_for(new_positions),
            progress=generation / max(1, self.preset.generations - 1),
            seed=self.preset.seed * 10_000 + generation,
            on_step=lambda done, total: self._tell(generation, "learning", done, total),
        )
        info = ModelInfo(
            name=self.preset.name,
            network=self.preset.network,
            shapes=Shapes.of(self.games[0]),
            games={game.name: behaviour(game) for game in self.games},
            generation=generation,
            preset=self.preset.name,
        )
        save_checkpoint(self.folder.model(generation), Checkpoint(info=info, arrays=learner.arrays()))
        self.folder.save_learner(learner.state(), generation, losses)
        return losses

    # ---- matches and rating ------------------------------------------------------------------------------------------

    def _measure(self, generation: int) -> list[MatchResult]:
        settings = self.preset.match
        if settings.pairs == 0:
            return []
        opponents = sorted({generation - back for back in settings.previous if generation - back >= 0})
        players = [self._player(opponent) for opponent in opponents]
        if generation % settings.anchor_every == 0 or generation == self.preset.generations - 1:
            players.append(anchor(self.preset))
        done = {(match.a, match.b) for match in self.folder.matches()}
        results: list[MatchResult] = []
        for number, opponent in enumerate(players):
            self._tell(generation, "matches", number, len(players))
            player = self._player(generation)
            if (player.name, opponent.name) in done:
                continue
            result = play_match(
                self.games,
                player,
                opponent,
                pairs=settings.pairs,
                seed=self.preset.seed * 10_000 + generation,
                opening_actions=settings.opening_actions,
            )
            self.folder.append(result)
            results.append(result)
        return results

    def _player(self, generation: int) -> SearchPlayer:
        evaluator = evaluator_of(load_checkpoint(self.folder.model(generation)), threads=self.workers)
        search = _for_match(self.preset.search)
        return SearchPlayer(f"gen-{generation:04}", evaluator, search, visits=self.preset.match.visits)

    def _rate(self, generation: int) -> tuple[float, float] | None:
        results = [match.result for match in self.folder.matches()]
        if not results:
            return None
        ratings = {each.name: each for each in rate(results, anchor=anchor(self.preset).name)}
        mine = ratings.get(f"gen-{generation:04}")
        return (mine.elo, mine.error) if mine else None


def _for_match(search: SearchSettings) -> SearchSettings:
    return msgspec.structs.replace(search, cache_entries=0)


def anchor(preset: Preset) -> SearchPlayer:
    """Return the fixed opponent of a run: the heuristic player, or playouts where a game has no heuristic."""
    game, visits = preset.make_games()[0], preset.match.anchor_visits
    if game.has_heuristic:
        return SearchPlayer(f"heuristic-{visits}", HeuristicEvaluator(), _for_match(SearchSettings()), visits=visits)
    return SearchPlayer(f"playouts-{visits}", RolloutEvaluator(), _for_match(SearchSettings()), visits=visits)
