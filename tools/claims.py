"""Says which claims of strength are older than today's play, and reruns their commands.

python tools/claims.py [NAME]...              lists the claims, each with its state
python tools/claims.py --mark                 writes into the records which claims are older than today's play
python tools/claims.py --rerun FOLDER [NAME]... [--seeds 1 2]     plays them again; repeat it after an interruption
python tools/claims.py --renew NAME...        notes that these results come from today's play, machine and commit

A claim is a record `strength/NAME`.  Today's play has a key: a hash of the model, of the rules, and of short games in
which a search without a network plays the claim's opponent (or itself).  It changes if rules, search, openings or the
opponent play otherwise, but not if they only become faster.  Keys of different kinds of machines are not compared.
"""

import argparse
import datetime
import hashlib
import json
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from findings import LEDGER, ROOT, Record, read_ledger, read_machines
from rerun import program_of, replace_keys, this_kind

import ludus
from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.summary import MatchGame
from ludus.games.behaviour import behaviour
from ludus.lines import append, unsealed, whole_lines
from ludus.network.checkpoint import FILE, load_checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.matches.roster import find_player
from ludus.players.matches.search_player import SearchPlayer
from ludus.selfplay.measure import describe_machine

VISITS, PAIRS, SEED, OPENING = 24, 2, 1, 4
LIMITS = {"heuristic": VISITS, "minimax": 2}
"""Opponents of claims, each with the limit that the short games have: visits, or actions ahead."""


class Rerun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the command of a claim printed."""

    claim: str
    seed: int
    command: str
    commit: str
    said: dict[str, Any]


def play_key(record: Record) -> str:
    """Return eight hexadecimal digits of today's play of a claim."""
    model = re.search(r"models/[\w-]+", record.command)
    assert model, f"{record.command}: names no model"
    file = ROOT / model[0] / FILE
    games = [ludus.game(next(iter(load_checkpoint(file).info.games)))]
    found = re.search(rf" ({'|'.join(LIMITS)}):", record.command)
    ours = SearchPlayer("ours", UniformEvaluator(Shapes.of(games[0])), visits=VISITS)
    if found:
        theirs = find_player(f"{found[1]}:{LIMITS[found[1]]}", *games, visits=VISITS)
    else:
        theirs = SearchPlayer("theirs", UniformEvaluator(Shapes.of(games[0])), visits=VISITS // 2)
    played: list[MatchGame] = []
    play_match(
        games, ours, theirs,
        pairs=PAIRS, seed=SEED, opening_actions=OPENING, accepts=Balance(SEED), on_game=played.append,
    )  # fmt: skip
    played.sort(key=lambda game: (game.pair, game.first))
    parts: list[object] = [hashlib.sha256(file.read_bytes()).hexdigest(), *map(behaviour, games)]
    parts += [(game.pair, game.first, game.actions) for game in played]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]


def is_outdated(record: Record, kind: str | None) -> bool:
    """Return whether today's play differs from that of a claim, or the claim does not say how it was played.

    Keys of another kind of machine are not compared: then the record's own word counts.
    """
    recorded_on, _, key = record.play_key.partition(" ")
    if key and recorded_on != kind:
        return record.outdated
    return not key or play_key(record) != key


def rerun(name: str, record: Record, folder: Path, seeds: Sequence[int]) -> None:
    """Run a claim's command with each seed, from the usual openings, and print results; `folder` keeps them."""
    folder.mkdir(parents=True, exist_ok=True)
    results = folder / "results.jsonl"
    done: list[Rerun] = []
    if results.is_file():
        sealed = enumerate(whole_lines(results), 1)
        done = [msgspec.json.decode(unsealed(results, number, line), type=Rerun) for number, line in sealed]
    takes_seed = "--seed" in record.command or record.command.startswith("ludus match")
    for seed in seeds if takes_seed else seeds[:1]:
        if any((each.claim, each.seed) == (name, seed) for each in done):
            continue
        games = folder / f"{name.rpartition('/')[2]}-{seed}.jsonl"
        command = re.sub(r" --judge models/\S+|\s+#.*", "", record.command.strip())  # from the usual openings
        command = re.sub(r"--seed \d+", f"--seed {seed}", command, count=1).replace("match.jsonl", str(games))
        if command.startswith("ludus match"):
            command += f" --record {games}{'' if '--seed' in command else f' --seed {seed}'}"
        if command.startswith("ludus"):
            command += " --json"
        answer = subprocess.run(
            program_of(shlex.split(command)), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        )
        lines = answer.stdout.strip().splitlines()
        if answer.returncode or not lines:
            print(f"{name}, seed {seed}: exit status {answer.returncode}: {command}", flush=True)
            continue
        commit = describe_machine()["commit"]
        for said in [json.loads(line) for line in lines if line.startswith("{")]:
            append(results, Rerun(name, seed, command, commit, said))
            shown = {key: value for key, value in said.items() if key not in ("lengths", "pairs")}
            print(f"{name}, seed {seed}, commit {commit}: {json.dumps(shown)}", flush=True)


def main() -> None:
    """List, mark, rerun or renew claims."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="claims such as strength/chess (default: all)")
    parser.add_argument("--mark", action="store_true")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--rerun", type=Path, metavar="FOLDER")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2])
    arguments = parser.parse_args()
    ledger, kind = read_ledger(), this_kind(read_machines())
    commit = describe_machine()["commit"]  # before this changes the records
    for name in arguments.names or [name for name in ledger if name.startswith("strength/")]:
        record = ledger[name]
        if arguments.rerun:
            rerun(name, record, arguments.rerun.resolve(), arguments.seeds)
            continue
        if arguments.renew:
            if kind is None or not arguments.names:
                parser.error("--renew: name the claims, and describe this machine in docs/ledger/machines.toml")
            keys = {"machine": f'"{kind}"', "commit": f'"{commit}"'}
            keys |= {
                "date": str(datetime.date.today()),
                "play_key": f'"{kind} {play_key(record)}"',
                "outdated": "false",
            }
            replace_keys(LEDGER / f"{name}.toml", keys)
            continue
        outdated = is_outdated(record, kind)
        print(f"{name}: {'older than' if outdated else 'of'} today's play: {record.command.strip()}", flush=True)
        if arguments.mark:
            replace_keys(LEDGER / f"{name}.toml", {"outdated": str(outdated).lower()})


if __name__ == "__main__":
    main()
