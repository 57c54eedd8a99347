"""Evaluates a Go network on finished games: the effect of `end_share` on the value, and the safety of resigning.

    python bench/go_end_share.py MODEL --spec go:9x9:chinese:liberties:komi=7 RECORD...

Records are from `tools/twogtp.py`.  Every position is evaluated without search.  The JSON output contains, for each
share of the final maps' value, the Brier score of the winner (mean squared error of the mover's winning probability;
0.25 for a constant guess), over all positions and over each half of the games.  For each threshold of resigning it
contains the number of positions with a lower value, the number of their games, and the number of these games that the
mover won.  A program that resigned counts as the loser.
"""

import argparse
import json
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.lines import unsealed, whole_lines
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import evaluate
from ludus.network.openvino import evaluator_of
from ludus.selfplay.measure import describe_machine

SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
THRESHOLDS = (-0.8, -0.9, -0.95, -0.98)


def positions(spec: str, record: Path) -> tuple[NDArray[np.uint8], NDArray[np.float64], list[tuple[int, float]]]:
    """Return planes [P, C, H, W], the mover's points [P], and (game, progress) of each position."""
    game, planes, points, places = ludus.game(spec).compile(), [], [], []
    for number, line in enumerate(whole_lines(record)[1:], 2):
        played = msgspec.json.decode(unsealed(record, number, line))
        if played["fault"]:
            continue
        black = 0.5 if played["result"] == "0" else float(played["result"][0] == "B")
        opening = played["opening"]
        position = game.start({"black": " ".join(opening[::2]), "white": " ".join(opening[1::2]), "bonus": 0})
        for ply, move in enumerate(played["moves"]):
            planes.append(position.planes)
            points.append(1.0 - black if position.to_play else black)
            places.append((number, ply / len(played["moves"])))
            position = position.play(move)
    return np.array(planes), np.array(points), places


def values(
    model: Path, spec: str, planes: NDArray[np.uint8], batch: int = 256
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mover's value from the outcome head and from the final maps [P], -1 to 1."""
    checkpoint = load_checkpoint(model)
    evaluator, settings = evaluator_of(checkpoint, threads=1), checkpoint.info.network
    assert not settings.end_share, "the network's end_share must be 0"
    weights = np.array(ludus.game(spec).score_weights)
    by_outcome, by_maps = [], []
    for first in range(0, len(planes), batch):
        part = planes[first : first + batch]
        _, shares = evaluate(evaluator, part)
        by_outcome.append(shares[:, 0] - shares[:, 2])
        maps = evaluator.maps(part).astype(np.float64)  # [B, 2, H, W]
        handed = part.mean((2, 3)) @ weights
        score = (maps[:, 0] - maps[:, 1]).sum((1, 2)) + handed
        sure = 2.0 * ((maps - 0.5) ** 2).sum((1, 2, 3)) / maps[0, 0].size
        by_maps.append(np.tanh(score * sure / settings.end_points))
    return np.concatenate(by_outcome).astype(np.float64), np.concatenate(by_maps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--spec", required=True, help="the game's spec, with the network's planes")
    given = parser.parse_args()
    for record in given.records:
        planes, points, places = positions(given.spec, record)
        by_outcome, by_maps = values(given.model, given.spec, planes)
        numbers, progress = (np.array(each) for each in zip(*places, strict=True))
        brier = {}
        for share in SHARES:
            wrong = ((1.0 + (1.0 - share) * by_outcome + share * by_maps) / 2.0 - points) ** 2
            parts = (wrong, wrong[progress < 0.5], wrong[progress >= 0.5])
            brier[share] = [round(float(part.mean()), 4) for part in parts]
        hopeless = {}
        for threshold in THRESHOLDS:
            chosen = by_outcome < threshold
            games, won = numbers[chosen], numbers[chosen & (points == 1.0)]
            hopeless[threshold] = [int(chosen.sum()), len(set(games.tolist())), len(set(won.tolist()))]
        found = {"record": record.name, "games": len(set(numbers.tolist())), "positions": len(points)}
        print(json.dumps(found | {"brier": brier, "hopeless": hopeless} | describe_machine()))


if __name__ == "__main__":
    main()
