"""A training run: generations of self-play, learning, matches and rating, resumable after any interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ludus import config, trust
from ludus.cores import usable_cores
from ludus.errors import BadInput, BadPreset
from ludus.games.behaviour import behaviour
from ludus.kernel import working_s
from ludus.learner.losses import Losses
from ludus.learner.team import check_shares, team_size
from ludus.loop.diagnostics.alarms import GenerationFigures, alarms
from ludus.loop.diagnostics.facts import facts_of
from ludus.loop.diagnostics.probe import moved, probe
from ludus.loop.directory.changes import turned_back
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics, NetworkProbe, RunStart
from ludus.loop.distributed.cluster import Cluster
from ludus.loop.distributed.cluster_pool import ClusterPool
from ludus.loop.distributed.local_processes import LocalProcesses
from ludus.loop.distributed.member import Member
from ludus.loop.distributed.ray_process import RayProcess
from ludus.loop.game_records.readers import read_openings
from ludus.loop.preset import Preset, load_preset
from ludus.loop.stages.learn import learn
from ludus.loop.stages.measure import choose_player, measure, rating_of
from ludus.loop.stages.pipeline import Pipeline, RemotePlayers
from ludus.loop.stages.play import PlayedGeneration, SelfplayPool, play
from ludus.loop.stages.sources import check_first, sources_of, worker_pool_of
from ludus.loop.stages.stage import Listener, Order, RunNotice, RunProgress, Stage
from ludus.network.backends import KNOWN, available, devices, is_backend, open_for_one
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.selfplay.measure import describe_machine
from ludus.store import Samples
from ludus.version import __version__

__all__ = ["Run", "RunProgress", "choose_run", "run_named"]


class Run:
    """A training run and its directory."""

    def __init__(
        self,
        preset: Preset,
        directory: Path,
        listener: Listener = lambda _event: None,
        *,
        workers: int = 0,
        cluster: str = "",
    ) -> None:
        """Check the preset against the directory and the machine; `go` is the first to write.

        Args:
            preset: settings of the run.
            directory: the run's directory; an existing run of the same preset is continued.
            listener: called with progress, matches, finished generations and notices about machines.
            workers: self-play threads on this machine (0: the preset's number).
            cluster: address of a Ray cluster that plays, `HOST:PORT` or `auto`; empty: this machine plays.

        Raises:
            BadPreset: the preset's games cannot share a network; it is deterministic but several workers or machines
                are given; or this machine lacks a device that it names.
            BadGame: a game does not exist.
            Unavailable: the directory belongs to another run, or there are too few GPUs.
        """
        if workers < 0:
            raise BadPreset(f"--workers {workers}: name 1 or more, or 0 for one per core.")
        if preset.deterministic and workers > 1:
            raise BadPreset(f"{preset.name}: a deterministic run has one worker; leave out --workers.")
        if preset.deterministic and cluster:
            raise BadPreset(f"{preset.name}: a deterministic run uses one machine; leave out --cluster.")
        self.workers = 1 if preset.deterministic else workers or preset.workers or usable_cores()
        self.preset, self.folder, self._listener = preset, Folder(directory), listener
        self.cluster = cluster
        _check_machine(preset, plays=not cluster)
        self.games = preset.make_games()
        self._changes = self.folder.changes(preset)
        self.continued = self.folder.preset() is not None
        self._stage = Stage(
            preset,
            self.folder,
            self.games,
            self.workers,
            listener,
            read_openings=partial(read_openings, preset, self.games),
        )
        self._machines: Cluster | None = None

    def go(self, *, until: Callable[[], bool] = lambda: False) -> None:
        """Run the missing generations; `until()` is called between them and stops the run by returning True.

        Raises:
            Unavailable: another process trains in the directory; it is not writable; the cluster was not found or its
                head was lost; or none of its machines can play.
            BadRecord: a file of the run is damaged or missing.
            BadPreset: the training diverged.
            BadModel: the start model is missing, or cannot become the preset's network.
            BadGame: a game of the start model does not exist here.
            BadInput: the records of `openings_from` are missing or unusable; or a machine of the cluster has another
                Ludus or other rules.
        """
        with self.folder.locked(), ExitStack() as stack:
            done = self.folder.metrics()
            if not done:
                check_first(self._stage)  # fail before the directory belongs to a run that cannot start
            if self.cluster and len(done) < self.preset.generations:
                ray = RayProcess(
                    self.cluster, Member, self.preset.device, lambda text: self._stage.hear(RunNotice(text))
                )
                self._machines = stack.enter_context(Cluster(self._stage, ray))
            self.folder.begin(self.preset, self._start(len(done)))
            if self.preset.mode == "pipelined":
                machines = self._machines
                remote = RemotePlayers(machines.play_with, partial(ClusterPool, machines)) if machines else None
                with Pipeline(self._stage, len(done), remote) as pipeline:
                    self._go(done, until, pipeline.take, pipeline.learned)
            else:
                self._go(done, until, self._play, lambda _generation: None)

    def _go(
        self,
        done: list[GenerationMetrics],
        until: Callable[[], bool],
        take: Callable[[int], PlayedGeneration],
        learned: Callable[[int], None],
    ) -> None:
        ended = working_s()
        if notice := turned_back(self._changes, len(done)):
            self._stage.hear(RunNotice(notice))
        for generation in range(len(done), self.preset.generations):
            if until():
                return
            played = take(generation)
            begun = working_s()
            losses = learn(self._stage, generation, played.weight)
            learned(generation)
            learner_s = working_s() - begun
            done.append(self._finish(done, generation, played, losses, learner_s, ended))
            ended = working_s()

    def _playing(self, generation: int) -> int | None:
        """Return the generation whose network plays the games of `generation`; None: no network is trained yet."""
        return None if generation == 0 else self.folder.metrics()[generation - 1].plays_next

    def _play(self, generation: int) -> PlayedGeneration:
        stage, device, playing = self._stage, self.preset.device, self._playing(generation)
        size = self.preset.processes or max(1, sum(name.startswith("cuda") for name in devices(device)))
        with ExitStack() as stack:

            def open_pool(order: Order, on_game: Callable[[Samples], object]) -> SelfplayPool:
                cluster = self._machines
                if cluster is None and size > 1:  # the processes end before learning needs their GPUs
                    processes = LocalProcesses(Member, device, workers=self.workers, size=size)
                    cluster = stack.enter_context(Cluster(stage, processes))
                if cluster is None:
                    return worker_pool_of(stage, order, sources_of(stage, generation, playing), on_game)
                cluster.play_with(playing)
                return ClusterPool(cluster, order, on_game)

            return play(stage, generation, open_pool)

    def _finish(
        self,
        done: list[GenerationMetrics],
        generation: int,
        played: PlayedGeneration,
        losses: Losses,
        learner_s: float,
        since: float,
    ) -> GenerationMetrics:
        """Measure a generation after learning, and append its line to metrics.jsonl."""
        begun = working_s()
        found = self._probe(generation, played)
        playing = choose_player(self._stage, generation, self._playing(generation))
        results = measure(self._stage, generation)
        elo = rating_of(self._stage, generation)
        facts = facts_of(played.samples, self.games)
        reports = played.reports
        played_out = sum(report.played_out for report in reports)
        wrongly_resigned = sum(report.wrongly_resigned for report in reports)
        asked = self.preset.learner.steps_asked(played.weight)
        seen = [*map(GenerationFigures.of, done)]
        seen.append(GenerationFigures(facts, losses, found, played_out, wrongly_resigned, asked))
        busy = sum(report.search_s + report.evaluator_s for report in reports) or 1.0
        count = lambda name: sum(report.counters[name] for report in reports)  # noqa: E731 - three sums of one kind
        metrics = GenerationMetrics(
            generation=generation,
            facts=facts,
            losses=losses,
            probe=found,
            selfplay_s=played.seconds,
            learner_s=learner_s,
            match_s=working_s() - begun,
            seconds=working_s() - since,
            evaluations=count("evaluations"),
            simulations=count("simulations"),
            cache_hits=count("cache_hits"),
            evaluator_share=sum(report.evaluator_s for report in reports) / busy,
            search_share=sum(report.search_s for report in reports) / busy,
            fill=sum(report.rows for report in reports) / max(1, sum(report.capacity for report in reports)),
            played_out=played_out,
            wrongly_resigned=wrongly_resigned,
            alarms=alarms(seen, clip=self.preset.learner.gradient_norm),
            elo=elo[0] if elo else None,
            elo_error=elo[1] if elo else None,
            playing=None if playing == generation else playing,
            weights=weights_fingerprint(load_checkpoint(self.folder.model(generation))),
        )
        for result in results:
            self._listener(result)
        self.folder.note(metrics)
        self._listener(metrics)
        return metrics

    def _probe(self, generation: int, played: PlayedGeneration) -> NetworkProbe:
        checkpoint = load_checkpoint(self.folder.model(generation))
        evaluator = open_for_one(self.preset.device, checkpoint, threads=self.workers)
        found = probe(self.games, evaluator, played.samples, self._stage.seed(generation))
        if generation == 0:
            return found
        before = load_checkpoint(self.folder.model(generation - 1))
        return msgspec.structs.replace(found, moved=moved(before.arrays, checkpoint.arrays))

    def _start(self, generation: int) -> RunStart:
        machine = describe_machine()
        return RunStart(
            generation=generation,
            date=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            ludus=__version__,
            commit=machine["commit"],
            processor=machine["processor"],
            python=machine["python"],
            workers=self.workers,
            games={game.name: behaviour(game) for game in self.games},
        )


def choose_run(preset: str | Path | Mapping[str, Any], run: str | Path | None = None) -> tuple[Preset, Path]:
    """Return the settings and the directory of the run that a user begins or continues, and permit its games.

    Args:
        preset: name of a shipped preset, path of a .toml file, directory of a run, or a table of settings.
        run: directory of the run (default: that of the preset, or `runs/PRESET`).

    Raises:
        BadPreset: a setting is wrong.
        BadInput: the directory is a file.
    """
    if isinstance(preset, Mapping):
        settings, begun = config.convert(dict(preset), Preset, "preset"), None
        name = settings.name
    else:
        name, begun = Path(preset).stem, run_named(Path(preset))
        settings = (Folder(begun).preset() if begun else None) or load_preset(str(preset))
    if isinstance(preset, Mapping) or begun != Path(preset):  # named here; a run's directory may come from anybody
        trust.permit(*settings.games)
    directory = Path(run) if run else begun or Path("runs") / name
    if directory.exists() and not directory.is_dir():
        raise BadInput(f"{directory}: is not a folder; choose another with --run.")
    return settings, directory


def run_named(path: Path) -> Path | None:
    """Return the directory of the run that is named by its directory or by the preset in it; None if it is no run."""
    own = path.parent if path.name == "preset.toml" else path
    return own if (own / "preset.toml").is_file() and (own / "history.jsonl").is_file() else None


def _check_machine(preset: Preset, *, plays: bool) -> None:
    """Raise BadPreset for devices that this machine lacks, before a whole self-play stage runs in vain."""
    known = available()
    if plays and preset.device not in ("auto", *known, *(["cuda:0"] if "cuda" in known else [])):
        raise BadPreset(
            f"{preset.name}: device is {preset.device!r}, and this machine has {', '.join(known)}; name one of them, "
            "or use auto."
        )
    if not plays and preset.device != "auto" and not is_backend(preset.device):
        raise BadPreset(f"{preset.name}: device is {preset.device!r}; use auto or one of {KNOWN}.")
    try:
        check_shares(preset.learner, team_size(preset.learner))
    except BadPreset as error:
        raise BadPreset(f"{preset.name}: {error}") from error
