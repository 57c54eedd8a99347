"""Prints a table of Ludus' speed beside that of other programs: one command for all rows.

python bench/peers/table.py [--seconds 10] [--only WORD]... [--no-peers]

Programs that package registries offer are installed into environments of their own (`environment.py`) and measured
here.  The others were measured once, on another machine: their lines carry the date and the machine, and no ratio.
Where other programs run, too, only figures per second of processor time are meaningful; those of self-play are by the
clock.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from environment import python_of

from ludus.selfplay.measure import describe_machine

HERE = Path(__file__).parent
THEN = "2026-11-29, quiet Zen 5, one core unless said"
JAX = ("jax", "mctx", "pgx", "open_spiel")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Measurement(NamedTuple):
    """A figure that a command prints."""

    program: str
    command: tuple[str, ...]
    figure: str
    packages: tuple[str, ...] = ()
    """Packages of another program's environment; empty: Ludus' own."""


class Earlier(NamedTuple):
    """A figure of a program that no registry offers."""

    program: str
    value: float
    when: str = THEN


class Row(NamedTuple):
    """A kind of work, and the programs that do it."""

    work: str
    ours: tuple[Measurement, ...]
    peers: tuple[Measurement | Earlier, ...] = ()


def bench(*options: str) -> tuple[str, ...]:
    """Return a command of `ludus bench`."""
    return ("-m", "ludus", "bench", *options, "--runs", "3", "--json")


def script(name: str, *options: str) -> tuple[str, ...]:
    """Return the command of a script in this folder."""
    return (str(HERE / name), *options)


def tree(game: str) -> tuple[Measurement, ...]:
    """Return the search alone, as it ships and without foresight."""
    command = bench("tree", "--game", game)
    return (
        Measurement("Ludus", command, "simulations_per_cpu_s"),
        Measurement("Ludus without foresight", command, "simulations_per_cpu_s_without_foresight"),
    )


def perft(fen: str, depth: int) -> tuple[Measurement, ...]:
    """Return the rules of chess in a position."""
    return (Measurement("Ludus", (str(HERE.parent / "chess_perft.py"), fen, str(depth)), r"([\d.]+) M/s"),)


SELFPLAY = (
    Measurement("mctx with pgx", script("mctx_pgx.py"), "evaluations_per_s", JAX),
    Measurement("OpenSpiel, Python search", script("openspiel.py"), "evaluations_per_s", JAX),
    Measurement("plain loop, as alpha-zero-general", script("plain_loop.py"), "evaluations_per_s", JAX),
    Earlier("alphazero-pybind11", 5800.0),
)
ROWS = (
    Row(
        "search with a table as network, Connect Four: simulations/s",
        tree("connect4"),
        (Earlier("alphazero-pybind11, equal work", 1.58e6), Earlier("alphazero-pybind11, as it ships", 1.85e6)),
    ),
    Row("the same, Gomoku 15x15", tree("gomoku:15x15")),
    Row(
        "one deep chess tree: simulations/s",
        (Measurement("Ludus", bench("tree", "--game", "chess"), "one_deep_search_8_leaves_per_s"),),
        (Earlier("lc0, random network", 176e3),),
    ),
    Row(
        "search with random playouts, Connect Four: simulations/s",
        (Measurement("Ludus", script("ours.py", "--playouts", "--no-foresight"), "simulations_per_cpu_s"),),
        (Measurement("OpenSpiel, C++ search", script("playouts.py"), "simulations_per_cpu_s", JAX),),
    ),
    Row(
        "self-play, Connect Four 5x64, 100 visits, all cores: evaluations/s, planes and search as they ship",
        (Measurement("Ludus", script("ours.py", "--game", "connect4:ahead"), "evaluations_per_s"),),
        SELFPLAY,
    ),
    Row(
        "the same, plain planes",
        (Measurement("Ludus without foresight", script("ours.py", "--no-foresight"), "evaluations_per_s"),),
        SELFPLAY,
    ),
    *(
        Row(
            f"perft, {name}: million positions/s",
            perft(fen, depth),
            (
                Measurement("python-chess", script("python_chess.py"), name, ("chess",)),
                *(Earlier(*each) for each in earlier),
            ),
        )
        for name, fen, depth, earlier in (
            ("start", START, 6, (("Stockfish", 322.0), ("a C++ library", 445.0))),
            ("kiwipete", KIWIPETE, 5, (("Stockfish", 343.0), ("a C++ library", 557.0))),
        )
    ),
    Row(
        "256 sessions at once, 100 visits: evaluations/s",
        (Measurement("Ludus", bench("sessions", "--sessions", "1,256"), "rows.-1.evaluations_per_s"),),
        (
            Measurement(
                "Ludus, one after the other", bench("sessions", "--sessions", "1,256"), "rows.0.evaluations_per_s"
            ),
        ),
    ),
)


def output_of(command: tuple[str, ...], packages: tuple[str, ...], said: dict[object, str]) -> str:
    """Return what a command prints; commands of several rows run once."""
    key = (command, packages)
    if key not in said:
        python = python_of(*packages) if packages else Path(sys.executable)
        said[key] = subprocess.run([python, *command], stdout=subprocess.PIPE, text=True, check=True).stdout
    return said[key]


def value_of(output: str, figure: str) -> float | None:
    """Return a figure of a command's JSON, by its path, or the first match of a pattern; None: there is none."""
    if "(" in figure:
        found = re.search(figure, output)
        return float(found[1]) if found else None
    value: Any = json.loads(output.strip().splitlines()[-1])
    for part in figure.split("."):
        value = value[int(part)] if isinstance(value, list) else value.get(part)
    return value


def lines_of(row: Row, measure: Callable[[Measurement], float | None], *, with_peers: bool) -> list[str]:
    """Return the lines of a row, with Ludus' first figure as a multiple of each figure from this machine."""
    lines, first = list[str](), None
    for each in (*row.ours, *(row.peers if with_peers else ())):
        value = each.value if isinstance(each, Earlier) else measure(each)
        if value is None:
            continue
        first = first or value
        shown = f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
        ratio, when = ("", each.when) if isinstance(each, Earlier) else (f"{first / value:.2f}", "now")
        lines.append(f"| {row.work} | {each.program} | {shown} | {ratio} | {when} |")
    return lines


def main() -> None:
    """Measure and print all rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of each measurement of self-play")
    parser.add_argument("--only", action="append", default=[], help="only rows with this word; repeatable")
    parser.add_argument("--no-peers", action="store_true", help="only Ludus")
    arguments = parser.parse_args()
    said: dict[object, str] = {}

    def measure(each: Measurement) -> float | None:
        timed = Path(each.command[0]).parent == HERE and "python_chess" not in each.command[0]
        seconds = ("--seconds", str(arguments.seconds)) if timed else ()
        return value_of(output_of((*each.command, *seconds), each.packages, said), each.figure)

    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}, {machine['date']}\n", flush=True)
    print("| work | program | figure | Ludus over it | measured |\n|---|---|---|---|---|")
    for row in ROWS:
        if all(word in row.work for word in arguments.only):
            print("\n".join(lines_of(row, measure, with_peers=not arguments.no_peers)), flush=True)


if __name__ == "__main__":
    main()
