"""Counts alarms in short healthy runs of all presets: `python bench/false_alarms.py --runs 100` (an hour on one core).

Each run plays and learns a few generations of a preset's games with a tiny network, few games and few visits.  The
games are right and the learner has no fault, so an alarm that doubts them is false.  Other alarms describe what a short
run does, such as games that end at the length cap; they are counted apart.  It prints a line for each run with alarms,
then the totals.
"""

import argparse
import itertools
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec

from ludus.loop.diagnostics.alarms import GenerationFigures, alarms
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import Alarm, GenerationMetrics, Side
from ludus.loop.preset import GateSettings, MatchSettings, Preset, load_preset
from ludus.loop.run import Run
from ludus.store.rule import WindowRule

PRESETS = Path(__file__).resolve().parents[1] / "presets"
ACCUSING = {"policy", "frozen", "value", "value-turned", "one-side", "loss", "gradients", "entropy"}
"""Alarms that doubt the rules, the targets or the learner."""
ACTIONS = 2000
"""Actions of a generation if all games have the greatest length; long games are fewer."""


def short(preset: Preset, seed: int, *, games: int, generations: int, steps: int) -> Preset:
    """Return a preset with the same games and methods whose run takes seconds."""
    games = max(8, min(games, ACTIONS // preset.make_games()[0].max_actions))
    return msgspec.structs.replace(
        preset,
        generations=generations,
        workers=1,
        seed=seed,
        device="openvino",
        start="",
        start_offset=(0, 0),
        first_teacher="auto" if preset.start else preset.first_teacher,
        network=msgspec.structs.replace(
            preset.network,
            blocks=1,
            channels=16,
            head_channels=8,
            hidden=min(preset.network.hidden, 16),
            squeeze=0,
            frozen_generations=0,
        ),
        search=msgspec.structs.replace(preset.search, cache_entries=4096),
        selfplay=msgspec.structs.replace(
            preset.selfplay,
            games=games,
            first_games=2 * games,
            parallel=min(games, 32),
            groups=1,
            visits=min(preset.selfplay.visits, 16),
            first_visits=0,
            teacher_visits=0,
            fast_visits=min(preset.selfplay.fast_visits, 4),
            accelerated_visits=min(preset.selfplay.accelerated_visits, 4),
            full_share=max(0.5, preset.selfplay.full_share),
        ),
        learner=msgspec.structs.replace(
            preset.learner,
            batch=64,
            max_steps=steps,
            warm_up=5,
            averaging=min(preset.learner.averaging, 0.95),  # its memory must fit into the few steps
            compile=False,
            processes=1,
            window=WindowRule(),
        ),
        match=MatchSettings(pairs=0),
        gate=GateSettings(),
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="number of runs, divided among the presets")
    parser.add_argument("--presets", type=Path, nargs="+", default=sorted(PRESETS.glob("*.toml")))
    parser.add_argument("--games", type=int, default=60, help="games per generation; the first one has twice as many")
    parser.add_argument("--steps", type=int, default=60, help="maximum number of steps per generation")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first run of each preset")
    parser.add_argument("--out", type=Path, help="folder that keeps the metrics of runs, which are not repeated then")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    told: Counter[str] = Counter()
    wrong = 0
    presets = itertools.cycle(arguments.presets)
    for number in range(arguments.runs):
        file, seed = next(presets), arguments.seed + number // len(arguments.presets)
        preset = short(
            load_preset(str(file)),
            seed,
            games=arguments.games,
            generations=arguments.generations,
            steps=arguments.steps,
        )
        lines = _run(preset, arguments.out and arguments.out / f"{file.stem}-{seed}.json")
        found = [_alarms(lines[: last + 1], preset) for last in range(len(lines))]
        kinds = {alarm.kind for each in found for alarm in each}
        told.update(kinds)
        wrong += bool(kinds & ACCUSING)
        if kinds & ACCUSING:
            texts = [[alarm.text for alarm in each if alarm.kind in ACCUSING] for each in found]
            sides = [[_side(side) for side in line.probe.sides] for line in lines if line.probe]
            line = {"preset": file.stem, "seed": seed, "alarms": texts, "sides": sides}
            print(json.dumps(line), flush=True)
    seconds = time.perf_counter() - begun
    print(f"{arguments.runs} runs in {seconds:.0f} s: {wrong} with an alarm that doubts the rules or the learner.")
    print(", ".join(f"{kind}: {count}" for kind, count in told.most_common()))


def _run(preset: Preset, kept: Path | None) -> list[GenerationMetrics]:
    """Return the metrics of a run, from the file that an earlier command kept."""
    if kept and kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=list[GenerationMetrics])
    with tempfile.TemporaryDirectory() as place:
        Run(preset, Path(place)).go()
        lines = Folder(Path(place)).metrics()
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.encode(lines))
    return lines


def _alarms(lines: list[GenerationMetrics], preset: Preset) -> list[Alarm]:
    """Return today's alarms of the last generation, from metrics that an earlier command may have kept."""
    return alarms([*map(GenerationFigures.of, lines)], clip=preset.learner.gradient_norm)


def _side(side: Side) -> list[float]:
    """Return the figures of one player's positions, each with its standard error."""
    pairs = (
        (side.policy_gain, side.policy_error),
        (side.value_agreement, side.value_error),
        (side.search_agreement, side.search_error),
    )
    return [side.positions, *(round(each, 3) for pair in pairs for each in pair)]


if __name__ == "__main__":
    main()
