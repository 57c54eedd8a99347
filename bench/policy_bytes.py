"""Prints the bytes of a 19x19 policy in an evaluation file: `python bench/policy_bytes.py RECORDS [--visits 400 1600]`.

Policies are those of real searches: the shares of the visits that a search by the heuristic gave to the actions, in
positions of recorded games (lines of JSON with `size` and `moves`, as in tests/golden/go-finished.jsonl.gz).  A network
that learns from such a search says the like.  Beside the bytes of the symbol code stand the bits that no code without
knowledge of the position can do without: the entropy of the numbers, each taken by itself.
"""

import argparse
import gzip
import json
import sys
import zlib
from pathlib import Path

import msgspec
import numpy as np

import ludus
from ludus.errors import BadInput, LudusError
from ludus.evaluations.code import STEPS, compress
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.selfplay.measure import describe_machine

SIZE = 19


class Record(msgspec.Struct):
    """A recorded game; its other fields are not read."""

    size: int
    moves: str
    handicap: int = 0


def positions_of(path: Path, every: int) -> list[ludus.Position]:
    """Return every so many positions of the games of this size in a file; raises BadInput if it is none of games."""
    game, found = ludus.game(f"go:{SIZE}x{SIZE}:ko=simple:suicide=no"), list[ludus.Position]()
    try:
        records = [msgspec.json.decode(line, type=Record) for line in gzip.decompress(path.read_bytes()).splitlines()]
    except (EOFError, OSError, zlib.error, msgspec.DecodeError) as error:
        raise BadInput(f"{path}: holds no games of Go, as tests/golden/go-finished.jsonl.gz does ({error}).") from error
    for record in records:
        if record.size != SIZE or record.handicap:
            continue
        position = game.start()
        for number, move in enumerate(record.moves.split()):
            if number % every == 0:
                found.append(position)
            position = position.play(move)
            if position.outcome:
                break
    return found


def searched(positions: list[ludus.Position], visits: int) -> list[np.ndarray]:
    """Return the shares of the legal actions, in the order of their numbers, in 2048ths."""
    mind = HeuristicMind(slots=32, max_visits=visits)
    requests = [mind.seat(position).ask(visits) for position in positions]
    policies: list[np.ndarray] = []
    for position, request in zip(positions, requests, strict=True):
        shares = {each.action: each.visits for each in request.result().candidates}
        counts = np.array([shares.get(action, 0) for action in sorted(position.actions)], np.float64)
        policies.append((counts / counts.sum() * STEPS).astype(np.int32))
    mind.close()
    return policies


def entropy_bits(policies: list[np.ndarray]) -> float:
    """Return the bits of a policy if each number is coded by how often it occurs in all of them."""
    numbers = np.concatenate(policies)
    chances = np.unique(numbers, return_counts=True)[1] / len(numbers)
    return float(-(chances * np.log2(chances)).sum() * len(numbers) / len(policies))


def main() -> None:
    """Print a line for each number of visits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--visits", type=int, nargs="+", default=[400, 1600])
    parser.add_argument("--every", type=int, default=8, help="plies between two positions")
    parser.add_argument("--keep", type=Path, help="a file for the policies")
    options = parser.parse_args()
    try:
        positions = positions_of(options.records, options.every)
    except LudusError as error:
        sys.exit(str(error))
    if not positions:
        sys.exit(f"{options.records}: holds no game on {SIZE}x{SIZE} without handicap.")
    for visits in options.visits:
        policies = searched(positions, visits)
        if options.keep:
            np.savez(options.keep.with_suffix(f".{visits}.npz"), *policies)
        numbers = np.concatenate(policies)
        result = {
            "bench": "policy_bytes",
            "policies": len(policies),
            "visits": visits,
            "zeros": float((numbers == 0).mean()),
            "bytes_per_policy": float(np.mean([len(compress(each)[0]) for each in policies])),
            "entropy_bytes": entropy_bits(policies) / 8,
        }
        print(json.dumps(result | describe_machine()), flush=True)


if __name__ == "__main__":
    main()
