"""Measures parts of the training recipe: trains each arm and a base for equal processor time, and compares them.

    python bench/ablate.py --out runs/ablate --jobs 2 playout-caps passes
    python bench/ablate.py --out runs/ablate --plan            # how long all arms take; trains nothing
    python bench/ablate.py --out runs/ablate --record docs/ledger/recipe/parts.toml --machine zen4

Arms are tables of `bench/recipe/arms.toml`; each changes the base presets in one part.  An arm and the base train
with the same seeds on each game, on one thread, each for `--minutes` of processor time, so a busy machine only delays
the result.  Every network is judged at equal visits: by solved positions alone and with 200 visits where the game
brings them, and by matches of each arm's networks against the base's.  An interrupted command continues when it is
given again; arms that are named later join those that are there.  `bench/ablate_learning.py` compares settings of the
learner faster, on the same games.
"""

import argparse
import itertools
import json
import shlex
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from datetime import date
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from recipe.gains import BASE, Gain, elo_gains, gains, verdict
from recipe.judging import Judgement, grade, match
from recipe.training import TIME, Meter, train

from ludus import config, trust
from ludus.files import write_atomically
from ludus.games.registry import about
from ludus.loop.preset import Preset, load_preset
from ludus.rating import MatchScore
from ludus.selfplay.measure import describe_machine

HERE = Path(__file__).parent
ARMS = HERE / "recipe/arms.toml"
GAMES = [HERE / "recipe/connect4.toml", HERE / "recipe/wallgame-6x6.toml"]
POSITIONS = HERE.parent / "tests/golden/connect4-solved.jsonl.gz"


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the base presets in one part of the recipe."""

    part: str
    setting: str
    """The preset's key, for the table of findings."""
    prediction: str
    """Written before the arm is measured."""
    presets: str
    """What the shipped presets have."""
    changes: dict[str, dict[str, Any]]
    """Settings that replace those of the base, by table of the preset."""
    games: list[str] = []
    """Names of the base presets that the arm changes; empty: all."""


def changed(base: Preset, arm: Arm) -> Preset:
    """Return the base with the arm's settings; raises BadPreset if there are no such settings."""
    tree = msgspec.to_builtins(base)
    for table, settings in arm.changes.items():
        for key, value in settings.items():
            old = tree[table].get(key)
            tree[table][key] = old | value if isinstance(old, dict) else value
    return config.convert(tree, Preset, arm.part)


class Ablation:
    """All arms, games and seeds, in a folder `OUT/ARM/GAME/seed-N` for each network."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Read the arms and the base presets; raises BadPreset or SystemExit if one is faulty."""
        known = config.load(given.arms, dict[str, Arm])
        if unknown := set(given.names) - set(known):
            raise SystemExit(f"There is no arm {sorted(unknown)[0]!r}; known: {', '.join(known)}.")
        self.arms = {name: known[name] for name in given.names or known}
        self.bases = {preset.name: preset for preset in map(load_preset, map(str, given.game or GAMES))}
        for preset in self.bases.values():
            trust.permit(*preset.games)  # the command names their preset
        self.out, self.budget_s, self.jobs = given.out, 60.0 * given.minutes, given.jobs
        self.seeds = range(1, given.seeds + 1)
        self.how = Judgement(given.pairs, given.visits, given.positions)

    def entrants(self, game: str) -> list[str]:
        """Return the base and the arms that train on a game."""
        return [BASE, *(name for name, arm in self.arms.items() if not arm.games or game in arm.games)]

    def preset(self, name: str, game: str, seed: int) -> Preset:
        """Return the settings of one training."""
        base = msgspec.structs.replace(self.bases[game], seed=seed)
        return base if name == BASE else changed(base, self.arms[name])

    def place(self, name: str, game: str, seed: int) -> Path:
        """Return the folder of one network."""
        return self.out / name / game / f"seed-{seed}"

    def networks(self) -> list[tuple[str, str, int]]:
        """Return arm, game and seed of all networks, the seeds of one game one after another."""
        return [(name, game, seed) for game in self.bases for name in self.entrants(game) for seed in self.seeds]

    def duels(self, game: str) -> list[tuple[tuple[str, int], tuple[str, int]]]:
        """Return the matches of a game: each network of an arm, and each other one of the base, against the base's."""
        bases = [(BASE, seed) for seed in self.seeds]
        arms = [(name, seed) for name in self.entrants(game)[1:] for seed in self.seeds]
        return [*itertools.combinations(bases, 2), *itertools.product(arms, bases)]

    def run(self, what: str, tasks: list[tuple[str, Callable[[], Any]]]) -> list[Any]:
        """Run tasks in fresh processes, `jobs` at a time, and return their results in order.

        A fresh process has the memory, threads and loaded code of no other training.
        """
        pool = ProcessPoolExecutor(
            self.jobs,
            mp_context=get_context("spawn"),
            initializer=trust.permit,
            initargs=trust.permitted(),
            max_tasks_per_child=1,
        )
        try:
            futures: dict[Future[Any], str] = {pool.submit(task): name for name, task in tasks}
            for number, future in enumerate(as_completed(futures), 1):
                print(f"{what} {number}/{len(tasks)}: {futures[future]}: {future.result()}", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
        return [future.result() for future in futures]

    def train(self) -> None:
        """Train all networks that are not finished."""
        tasks = [
            ("/".join(map(str, each)), partial(train, self.preset(*each), self.place(*each), self.budget_s))
            for each in self.networks()
        ]
        self.run("trained", tasks)

    def graded(self) -> dict[str, dict[str, list[list[float]]]]:
        """Return the shares of solved positions by game and arm: a list of shares for each seed."""
        brought = [
            each for each in self.networks() if self.how.positions and about(self.bases[each[1]].games[0]).read_solved
        ]
        tasks = [
            (
                "/".join(map(str, each)),
                partial(
                    grade, self.place(*each) / "run", self.bases[each[1]], self.how, self.place(*each) / "solved.json"
                ),
            )
            for each in brought
        ]
        found: dict[str, dict[str, list[list[float]]]] = {}
        for (name, game, _), kept in zip(brought, self.run("graded", tasks), strict=True):
            found.setdefault(game, {}).setdefault(name, []).append(kept)
        return found

    def played(self) -> dict[str, list[MatchScore]]:
        """Return the results of all matches by game."""
        duels = [(game, *duel) for game in self.bases for duel in self.duels(game)]
        tasks = []
        for game, one, other in duels:
            names = "-".join(map(str, one)), "-".join(map(str, other))
            own, rival = (self.place(name, game, seed) for name, seed in (one, other))
            runs, file = (own / "run", rival / "run"), own / f"against-{names[1]}.json"
            tasks.append(
                (f"{game}: {' - '.join(names)}", partial(match, names, runs, self.bases[game], self.how, file))
            )
        found: dict[str, list[MatchScore]] = {game: [] for game in self.bases}
        for (game, *_), score in zip(duels, self.run("played", tasks), strict=True):
            found[game].append(score)
        return found


def plan(ablation: Ablation) -> str:
    """Return how long the trainings take."""
    networks = ablation.networks()
    left_s = [max(0.0, ablation.budget_s - Meter(ablation.place(*each) / TIME).spent.seconds) for each in networks]
    hours = sum(left_s) / 3600
    minutes, hours = ablation.budget_s / 60, sum(left_s) / 3600
    return (
        f"{len(networks)} trainings of {minutes:g} processor minutes; {hours:.1f} processor hours are left, so about "
        f"{hours / ablation.jobs:.1f} hours with {ablation.jobs} at a time, each on a core of its own. Solved "
        "positions and matches need about a tenth more."
    )


def figures(ablation: Ablation) -> dict[str, dict[str, Gain]]:
    """Judge all networks; return the gains of each arm by what was measured, such as `connect4, alone`."""
    found: dict[str, dict[str, Gain]] = {}
    graded, played = ablation.graded(), ablation.played()
    for game in ablation.bases:
        for index, visits in enumerate(ablation.how.graded_visits if game in graded else ()):
            what = f"{game}, {'alone' if visits == 1 else f'{visits} visits'}, points"
            found[what] = gains({name: [kept[index] for kept in each] for name, each in graded[game].items()})
        names = {name: [f"{name}-{seed}" for seed in ablation.seeds] for name in ablation.entrants(game)}
        if len(names) > 1:
            found[f"{game}, Elo"] = elo_gains(played[game], names)
    return found


def rows(ablation: Ablation, found: dict[str, dict[str, Gain]]) -> list[list[str]]:
    """Return a row for each arm: its part, its gains, and the verdict."""
    lines = []
    for name, arm in ablation.arms.items():
        measured = {what: each[name] for what, each in found.items() if name in each}
        texts = [measured[what].text(0 if what.endswith("Elo") else 1) if what in measured else "" for what in found]
        lines.append([arm.part, *texts, verdict([*measured.values()])])
    return lines


def record(ablation: Ablation, found: dict[str, dict[str, Gain]], machine: str) -> str:
    """Return the ledger's record in TOML."""
    lines = rows(ablation, found)
    by_verdict = {
        end: [line[0] for line in lines if line[-1] == end] for end in dict.fromkeys(line[-1] for line in lines)
    }
    minutes, comparisons = ablation.budget_s / 60, sum(map(len, found.values()))
    top = {
        "question": "What are the parts of the recipe worth, each against a base without it?",
        "command": shlex.join(["python", *sys.argv]),
        "settings": f"base presets {', '.join(ablation.bases)}; {minutes:g} processor minutes for each network; "
        f"{len(ablation.seeds)} seeds; matches of {ablation.how.pairs} pairs at {ablation.how.visits} visits",
        "machine": machine,
        "commit": describe_machine()["commit"],
        "prediction": "; ".join(f"{arm.part}: {arm.prediction}" for arm in ablation.arms.values()),
        "result": "; ".join(f"{end}: {' / '.join(names)}" for end, names in by_verdict.items()),
        "kept": "no change yet",
        "notes": "Errors come from the differences between seeds, for which all arms share one estimate. About one in "
        f"twenty of the {comparisons} figures leaves its interval by chance.",
    }
    parts = [
        {
            "part": arm.part,
            "setting": arm.setting,
            "compute": "equal processor time",
            "found": "; ".join(
                f"{what.removesuffix(unit).rstrip(', ')} {each[name].text(0 if unit == 'Elo' else 1, f' {unit}')}"
                for what, each in found.items()
                if name in each
                for unit in [what.rsplit(", ", 1)[1]]
            ),
            "verdict": line[-1],
            "presets": arm.presets,
        }
        for (name, arm), line in zip(ablation.arms.items(), lines, strict=True)
    ]
    table = {"columns": ["part", *found, "verdict"], "rows": lines}
    blocks = [(f"date = {date.today()}\n", top), *(("[[parts]]\n", part) for part in parts), ("[[tables]]\n", table)]
    return "\n".join(head + config.dump_table(block) for head, block in blocks)


def show(columns: Iterable[str], lines: list[list[str]]) -> str:
    """Return a table in plain text."""
    grid = [[*columns], *lines]
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in grid)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="arms (default: all)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the trainings, which can be continued")
    parser.add_argument("--arms", type=Path, default=ARMS, help="file of arms")
    parser.add_argument("--game", type=Path, action="append", help="a base preset; repeatable (default: both)")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=20.0, help="processor minutes of each training")
    parser.add_argument("--jobs", type=int, default=1, help="trainings at a time, each on one core")
    parser.add_argument("--positions", default=str(POSITIONS), help="solved positions, for games that read them")
    parser.add_argument("--pairs", type=int, default=50, help="pairs of games in each match")
    parser.add_argument("--visits", type=int, default=100, help="visits for each action in matches")
    parser.add_argument("--plan", action="store_true", help="only print how long all takes")
    parser.add_argument("--record", type=Path, help="write a record of the ledger")
    parser.add_argument("--machine", default="unknown", help="the record's machine, as in docs/ledger/machines.toml")
    given = parser.parse_args()
    ablation = Ablation(given)
    print(plan(ablation), flush=True)
    if given.plan:
        return
    try:
        ablation.train()
        found = figures(ablation)
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; the same command continues.") from None
    print(show(["part", *found, "verdict"], rows(ablation, found)))
    print(json.dumps(describe_machine()))
    if given.record:
        write_atomically(given.record, record(ablation, found, given.machine).encode())


if __name__ == "__main__":
    main()
