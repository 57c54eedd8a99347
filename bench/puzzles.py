"""Checks puzzles of Connect Four from `ludus mine` against the solver, and prints the share of correct ones.

python bench/puzzles.py FILE [--write TRUE]

A puzzle is correct if its solutions are exactly the moves that keep the outcome, and the move played in the game does
not.  `--write` creates a file of the correct puzzles and their games.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

import ludus
from ludus import lines
from ludus.errors import BadInput, LudusError
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.puzzle import Puzzle, begin_of, read_puzzles
from ludus.players.opponents.solver import action_values
from ludus.viewpoint import turn

GAME = ludus.game("connect4")


def puzzles_of(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of Connect Four in a file."""
    for mined in read_puzzles(path)[1]:
        yield from (puzzle for puzzle in mined.puzzles if puzzle.spec == GAME.name)


def fault(puzzle: Puzzle, solver: ConnectFourSolver) -> str | None:
    """Return the fault of a puzzle; "": none, None: the solver reached its limit."""
    begin = begin_of(puzzle, GAME)
    values = action_values(solver, GAME, begin.state)
    if None in values.values():
        return None
    worth = {begin.text(action): turn(value, begin.to_play) for action, value in values.items() if value is not None}
    keeping = {text for text, value in worth.items() if value == max(worth.values())}
    if puzzle.played in keeping:
        return f"{puzzle.id}: the played move {puzzle.played} keeps the outcome"
    if {*puzzle.right} != keeping:
        return f"{puzzle.id}: solutions are {sorted(puzzle.right)}, but {sorted(keeping)} keep the outcome"
    return ""


def write(path: Path, source: Path, names: set[str]) -> None:
    """Create a file with the named puzzles of another file."""
    mining, found = read_puzzles(source)
    if not lines.begin(path, mining):
        raise BadInput(f"{path}: exists already; name another file.")
    for mined in found:
        if kept := [puzzle for puzzle in mined.puzzles if puzzle.id in names]:
            lines.append(path, msgspec.structs.replace(mined, puzzles=kept))


def main() -> int:
    """Run the command; print faults and the share of correct puzzles."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    solver = ConnectFourSolver()
    try:
        faults = {puzzle.id: fault(puzzle, solver) for puzzle in puzzles_of(arguments.file)}
        if arguments.write:
            write(arguments.write, arguments.file, {name for name, found in faults.items() if found == ""})
    except LudusError as error:
        print(error, file=sys.stderr)
        return 1
    for found in filter(None, faults.values()):
        print(found)
    known = [found for found in faults.values() if found is not None]
    print(f"{known.count('')} of {len(known)} puzzles are correct; {len(faults) - len(known)} others are unsolved.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
