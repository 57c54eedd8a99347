"""Analyse a game with `ludus engine analysis`: `analyse.py GAME [--model PATH] [--visits N] MOVE ...`.

Prints, for each position, player 0's winning chances, the best move, and the cost of the move played.
"""

import argparse
import json
import subprocess
import sys


def main(arguments):
    """Analyse a game; return the exit status."""
    parser = argparse.ArgumentParser(description="Analyse a game.")
    parser.add_argument("game", help="such as gomoku:15x15 or chess")
    parser.add_argument("moves", nargs="*", help="in the game's notation")
    parser.add_argument("--model", action="append", default=[], help="a model's folder")
    parser.add_argument("--visits", type=int, default=400)
    options = parser.parse_intermixed_args(arguments)
    models = [part for path in options.model for part in ("--model", path)]
    command = [sys.executable, "-m", "ludus", "engine", "analysis", *models]
    question = {"type": "analyse", "id": "game", "game": options.game, "moves": options.moves, "plies": "all"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as engine:
        engine.stdin.write(json.dumps(question | {"visits": options.visits}) + "\n")
        engine.stdin.close()
        answers = [json.loads(line) for line in engine.stdout]
    errors = [answer["error"] for answer in answers if answer["type"] == "error"]
    print("\n".join(errors), end="\n" if errors else "", file=sys.stderr)
    results = sorted((answer for answer in answers if answer["type"] == "result"), key=lambda each: each["ply"])
    for before, after in zip(results, [*results[1:], None], strict=False):
        print(described(before, after, options.moves))
    return 1 if errors else 0


def described(result, after, moves):
    """Return a line about a position and the move played there."""
    line = f"{result['ply']:3}  player 0 wins {100 * result['winrate']:3.0f} %  "
    if result["outcome"] is not None:
        return line + result["outcome"]
    line += f"best {'.'.join(result['best'])}"
    if after is None:
        return line
    lost = (result["winrate"] - after["winrate"]) * (1 if result["toPlay"] == 0 else -1)
    return f"{line}, played {moves[result['ply']]} ({-100 * lost:+.0f} %)"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
