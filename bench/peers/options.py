"""Options that programs beside Ludus share, so that all of them are measured and judged with the same settings."""

import argparse
from collections.abc import Callable, Collection
from pathlib import Path


def selfplay_options(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the network's size, the visits of a search and the duration of a measurement."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    return parser


def train_or_answer(
    description: str | None,
    games: Collection[str],
    train: Callable[[argparse.Namespace], object],
    answer: Callable[[argparse.Namespace], object],
) -> None:
    """Do what the command line asks for: train in `out`, or answer `positions` with a `checkpoint` and `visits`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    trains, answers = commands.add_parser("train"), commands.add_parser("answer")
    for each in (trains, answers):
        each.add_argument("--game", choices=games, required=True)
    trains.add_argument("--out", type=Path, required=True)
    trains.set_defaults(do=train)
    answers.add_argument("--checkpoint", type=Path, required=True)
    answers.add_argument("--positions", type=Path, required=True)
    answers.add_argument("--visits", type=int, default=200)
    answers.set_defaults(do=answer)
    arguments = parser.parse_args()
    arguments.do(arguments)
