"""Which share of the puzzles of Connect Four that `ludus mine` finds is true, as perfect play sees it?

python bench/puzzles.py FILE ...

True is a puzzle whose right moves are all those that keep the outcome, and whose move of the game throws it away.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ludus
from ludus.errors import LudusError
from ludus.games.puzzle import Puzzle, begin_of, read_puzzles
from ludus.players.solver import Solver
from ludus.viewpoint import turn

GAME = ludus.game("connect4")


def puzzles_of(paths: list[Path]) -> Iterator[Puzzle]:
    """Yield the puzzles of Connect Four in files."""
    for path in paths:
        for mined in read_puzzles(path)[1]:
            yield from (puzzle for puzzle in mined.puzzles if puzzle.spec == GAME.name)


def fault(puzzle: Puzzle, solver: Solver) -> str | None:
    """Return what is wrong with a puzzle; "" if nothing is, None if the solver does not know within its limit."""
    begin = begin_of(puzzle, GAME)
    values = solver.values(GAME, begin.state.view(np.uint64))
    if None in values.values():
        return None
    worth = {begin.text(action): turn(value, begin.to_play) for action, value in values.items() if value is not None}
    keeping = {text for text, value in worth.items() if value == max(worth.values())}
    if puzzle.played in keeping:
        return f"{puzzle.id}: the move of the game, {puzzle.played}, keeps the outcome"
    if {*puzzle.right} != keeping:
        return f"{puzzle.id}: {sorted(puzzle.right)} are to be right, and {sorted(keeping)} keep the outcome"
    return ""


def main(arguments: list[str]) -> int:
    """Print what is wrong, and the share."""
    solver = Solver()
    try:
        faults = [fault(puzzle, solver) for puzzle in puzzles_of([Path(each) for each in arguments])]
    except LudusError as error:
        print(error, file=sys.stderr)
        return 1
    for each in filter(None, faults):
        print(each)
    known = [each for each in faults if each is not None]
    print(f"{known.count('')} of {len(known)} puzzles are true; of {len(faults) - len(known)} others it is not known.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
