"""Measures the size of 19x19 policies in evaluation files: `python bench/policy_bytes.py RECORDS [--visits 400 1600]`.

Policies are visit shares of searches with the heuristic, in positions of recorded games (JSON lines with `size` and
`moves`, as in tests/golden/go-finished.jsonl.gz); policies of trained networks are similar.  The bytes of the symbol
code are compared with the entropy of the single numbers, a lower limit for codes that ignore the position.
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
    """A recorded game; other fields are ignored."""

    size: int
    moves: str
    handicap: int = 0


def positions_of(path: Path, every: int) -> list[ludus.Position]:
    """Return every `every`-th position of the games of this size in a file; raises BadInput for other files."""
    game, found = ludus.game(f"go:{SIZE}x{SIZE}:ko=simple:suicide=no"), list[ludus.Position]()
    try:
        records = [msgspec.json.decode(line, type=Record) for line in gzip.decompress(path.read_bytes()).splitlines()]
    except (EOFError, OSError, zlib.error, msgspec.DecodeError) as error:
        raise BadInput(f"{path}: contains no games of Go like tests/golden/go-finished.jsonl.gz ({error}).") from error
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
    """Return the visit shares of the legal actions, in units of 1/2048, ordered by action number."""
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
    """Return the bits per policy if each number is coded by its frequency in all policies."""
    numbers = np.concatenate(policies)
    chances = np.unique(numbers, return_counts=True)[1] / len(numbers)
    return float(-(chances * np.log2(chances)).sum() * len(numbers) / len(policies))


def main() -> None:
    """Run the command; print one line per number of visits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--visits", type=int, nargs="+", default=[400, 1600])
    parser.add_argument("--every", type=int, default=8, help="plies between two positions")
    parser.add_argument("--keep", type=Path, help="file name for the policies")
    options = parser.parse_args()
    try:
        positions = positions_of(options.records, options.every)
    except LudusError as error:
        sys.exit(str(error))
    if not positions:
        sys.exit(f"{options.records}: contains no game on {SIZE}x{SIZE} without handicap.")
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
