"""Reads training samples from games of Go (SGF); reports and skips broken games and other board sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.go.sgf import Node, read_trees
from ludus.games.go.sgf_game import cell_in_sgf, result_in, setup_in, size_in, turned_to
from ludus.games.go.view import pass_action, point_of, size_of
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.loop.game_records.replayed import OnFault, Replayed, first_number, read_bytes, samples_of
from ludus.store import Samples

OUTCOMES = {"B": FIRST_WINS, "W": SECOND_WINS, "0": DRAW}  # by the first letter of a result
SET_UP = {"AB", "AW", "AE"}


def read_games(path: Path, games: Sequence[Game], on_fault: OnFault) -> Samples:
    """Return samples of the main lines in an SGF file.

    Args:
        path: the file.
        games: the preset's games; each SGF game is read as the first one with its board size.
        on_fault: called with a description of each game that is skipped.

    Raises:
        BadRecord: the file cannot be read.
        BadInput: the preset has no Go.
    """
    sizes: dict[int, int] = {}
    for number, game in enumerate(games):
        if game.name.split(":")[0] == "go":
            sizes.setdefault(size_of(game.start_state()), number)
            game.compile()
    if not sizes:
        raise BadInput(f"{path}: holds games of Go, but the preset has none.")
    return samples_of(_replay_all(path, list(games), sizes, on_fault), list(games))


def roots_of(path: Path, on_fault: OnFault) -> list[tuple[int, Node]]:
    """Return the roots of the game trees of an SGF file that can be read, each with its number, counted from 1.

    Args:
        path: the file.
        on_fault: called with a description of each game that is left out, and of each place whose meaning is unclear.

    Raises:
        BadRecord: the file cannot be read.
    """
    data = read_bytes(path)
    try:
        trees = read_trees(data, lambda doubt: on_fault(f"{path}, {doubt}"))
    except BadInput as error:
        on_fault(f"left out: {path}: {error}")
        return []
    whole: list[tuple[int, Node]] = []
    for number, found in enumerate(trees, 1):
        if isinstance(found, Node):
            whole.append((number, found))
        else:
            on_fault(f"left out: {path}, game {number}, {found}")
    return whole


def _replay_all(path: Path, games: list[Game], sizes: dict[int, int], on_fault: OnFault) -> Iterator[Replayed]:
    """Yield the usable games, and report the others."""
    first = first_number(path)
    for number, root in roots_of(path, on_fault):
        try:
            size = size_in(root)
            if size not in sizes:
                raise BadInput(f"the preset has no {size}x{size} board.")
            game = games[sizes[size]]
            states, actions, last = _replay(root, game, size)
        except BadInput as error:
            on_fault(f"left out: {path}, game {number}: {error}")
            continue
        outcome = OUTCOMES.get(result_in(root)[:1], game.calls.outcome(last))
        if outcome == ONGOING or not actions:
            on_fault(f"left out: {path}, game {number}: it has no {'result' if actions else 'moves'}.")
            continue
        yield Replayed(sizes[size], first + number, states, actions, outcome)


def _replay(root: Node, game: Game, size: int) -> tuple[list[State], list[int], State]:
    state = game.start_state(setup_in(root, size))
    states: list[State] = []
    actions: list[int] = []
    for number, node in enumerate(root.main_line()):
        if number and SET_UP & node.properties.keys():
            raise BadInput(f"line {node.line}: stones are set up during the game.")
        for player, point in node.moves():
            if game.calls.outcome(state) != ONGOING:
                continue
            cell = cell_in_sgf(point, size)
            action = pass_action(state) if cell is None else point_of(state, cell)
            state = turned_to(state, player)
            if cell is not None and action not in game.calls.legal(state):
                raise BadInput(f"line {node.line}: {game.action_text(state, action)} is illegal.")
            states.append(state)
            actions.append(action)
            state = game.calls.play(state, action)
    return states, actions, state
