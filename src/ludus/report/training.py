"""Describes a run for the page of a site that grows it: its generations, and sample games."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import msgspec

from ludus.errors import BadRecord
from ludus.games.behaviour import behaviour
from ludus.games.registry import about
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.forecast.remaining import seconds_to_come
from ludus.loop.preset import Preset
from ludus.loop.stages.measure import anchor
from ludus.report.examples import ExampleGame, replayed, text_of
from ludus.site.faults import NotHere
from ludus.site.messages.training import SampleGame, SampleStep, TrainedGeneration, TrainingRun
from ludus.store import read_header, read_shard, shard_path

SAMPLES = 5  # games of a generation that the page shows


def described(preset: Preset, lines: list[GenerationMetrics], level: str, bot_of: Callable[[int], str]) -> TrainingRun:
    """Return a run as the page shows it while nothing trains.

    Args:
        preset: the run's settings.
        lines: its finished generations.
        level: the strongest bot that plays with its newest network, `CLIENT:BOT`.
        bot_of: returns the bot that plays with the network of a generation, `CLIENT:BOT`.
    """
    kind, _, visits = anchor(preset).name.partition("-")
    return TrainingRun(
        title=about(preset.games[0]).title,
        level=level,
        state="starting",
        note="",
        generation=len(lines),
        of=preset.generations,
        stage="",
        done=0,
        total=0,
        remaining_s=sum(seconds_to_come(preset, lines)) if lines else None,
        trained_s=sum(line.seconds for line in lines),
        playing=lines[-1].plays_next if lines else None,
        opponent=f"{'random playouts' if kind == 'playouts' else 'the heuristic player'} with {visits} visits a move",
        generations=[_generation(line, bot_of) for line in lines],
    )


def _generation(line: GenerationMetrics, bot_of: Callable[[int], str]) -> TrainedGeneration:
    return TrainedGeneration(
        generation=line.generation,
        games=line.facts.games,
        elo=line.elo,
        elo_error=line.elo_error,
        policy_loss=line.losses.policy,
        outcome_loss=line.losses.outcome,
        seconds=line.seconds,
        passed=line.playing is None,
        alarms=[alarm.text for alarm in line.alarms],
        bot=bot_of(line.generation),
    )


def sample_game(folder: Folder, preset: Preset, generation: int, number: int) -> SampleGame:
    """Return a game of self-play of a finished generation, step by step.

    Raises:
        NotHere: there is no such game.
        BadRecord: the games are damaged, or were played under other rules.
    """
    games = _samples(folder.path, tuple(preset.games), generation)
    if not 0 <= number < len(games):
        raise NotHere(f"Generation {generation} has no game {number} to show.")
    game = games[number]
    steps = [
        SampleStep(
            msgspec.structs.replace(position.describe(), choices=[]),
            text_of(position),
            game.values[at] if at < len(game.values) else None,
        )
        for at, position in enumerate(game.positions)
    ]
    return SampleGame(len(games), game.winner, game.reason, steps)


@lru_cache(maxsize=8)
def _samples(run: Path, specs: tuple[str, ...], generation: int) -> list[ExampleGame]:
    path = shard_path(Folder(run).shards, generation, 0)
    if not path.is_file():
        raise NotHere(f"There are no games of generation {generation}.")
    games = Preset(name="shown", games=list(specs)).make_games()
    if read_header(path).rules_key != behaviour(games[0]):
        raise BadRecord(f"{path}: the rules of {games[0].name} have changed since these games were played.")
    return replayed(read_shard(path), games, SAMPLES)
