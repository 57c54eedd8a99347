"""Checks puzzles from `ludus mine`, and prints the share of correct ones.

python bench/puzzles.py FILE [--write TRUE]                            # Connect Four, by the solver
python bench/puzzles.py FILE --model MODEL --visits N [--write TRUE]   # any game, by a longer search

By the solver, a puzzle is correct if its solutions are exactly the moves that keep the outcome, and the move played in
the game does not.  By a search, it is correct if the search chooses a solution, a second one without the solutions
finds nothing as good, and a third one after the solution finds no answer that loses what it won.  `--write` creates a
file of the correct puzzles and their games.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

import ludus
from ludus import lines
from ludus.errors import BadInput, LudusError
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.puzzle import Puzzle, begin_of, ends_of, read_puzzles
from ludus.games.registry import game as find_game
from ludus.players.jobs.puzzle_check import Demands, PuzzleCheck
from ludus.players.opponents.solver import action_values
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.seat import Limits
from ludus.protocol.spec import plain_spec, spec_in_play
from ludus.viewpoint import turn

GAME = ludus.game("connect4")
AT_ONCE = 8  # puzzles that are searched side by side
WORTH, LOST = 0.6, 0.3  # least value of a solution, and least difference that counts


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


def fault_by_search(puzzle: Puzzle, mind: Mind, visits: int) -> str:
    """Return the fault of a puzzle that searches of so many visits find; "": none."""
    spec = next(each for each in mind.games if plain_spec(each) == puzzle.spec)  # with the planes of the network
    begin = begin_of(puzzle, find_game(spec_in_play(spec)))
    ends, demands = ends_of(puzzle, begin), Demands(short=0, visits=visits)
    found = PuzzleCheck(mind, begin, demands).long
    after = begin
    for action in found.move:
        after = after.play(action)
    if after.state.tobytes() not in ends:
        return f"{puzzle.id}: a longer search prefers {after.moves[-1]} to {puzzle.right[0]}"
    kept = found.worth
    if not after.outcome:
        kept = turn(PuzzleCheck(mind, after, demands).value("long"), begin.to_play)
    if kept < found.worth - LOST or kept < (0.0 if puzzle.proof else WORTH):
        return f"{puzzle.id}: after {after.moves[-1]} an answer leaves only {kept:.2f}"
    parts = {action for move in puzzle.right for action in begin.parse(move)}  # a move's actions may come in any order
    others = tuple(action for action in begin.actions if action not in parts)
    if others:
        other = mind.seat(begin).ask_within(Limits(visits, only=others)).result()
        best = next(each for each in other.candidates if each.action == other.best[0])
        if turn(best.value, begin.to_play) > kept - LOST:
            return f"{puzzle.id}: {begin.text(best.action)} is nearly as good as {puzzle.right[0]}"
    return ""


def faults_by_search(puzzles: list[Puzzle], model: Path, visits: int) -> dict[str, str | None]:
    """Return the faults of puzzles that searches with a model find."""
    mind = Mind.load(model, threads=1, streams=2, slots=4 * AT_ONCE, max_visits=visits)
    try:
        with ThreadPoolExecutor(AT_ONCE) as threads:
            found = list(threads.map(lambda puzzle: fault_by_search(puzzle, mind, visits), puzzles))
    finally:
        mind.close()
    return {puzzle.id: each for puzzle, each in zip(puzzles, found, strict=True)}


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
    parser.add_argument("--model", type=Path)
    parser.add_argument("--visits", type=int, default=800)
    arguments = parser.parse_args()
    try:
        if arguments.model:
            every = [puzzle for mined in read_puzzles(arguments.file)[1] for puzzle in mined.puzzles]
            faults = faults_by_search(every, arguments.model, arguments.visits)
        else:
            solver = ConnectFourSolver()
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
