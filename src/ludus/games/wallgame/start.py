"""Start positions: each variant's own, random ones, and any position as JSON; and the conversion back to JSON."""

from typing import Any

import msgspec
import numpy as np

from ludus.errors import BadNotation
from ludus.games.board import Cell
from ludus.games.wallgame.layout import ANIMAL_CYCLE, ANIMALS, FREESTYLE, SURVIVAL, VARIANTS
from ludus.games.wallgame.view import HORIZONTAL, VERTICAL, Wall, WallgameView
from ludus.seeding import stream

TRIES = 500  # random slots tried for one wall
MAX_TURNS = 0xFFFF  # maximum that the state can store
SURVIVAL_TURNS = 10
SMALLEST_SQUARE = 4  # cells on a side of the square on whose corners the animals of a random start stand
PLAYERS = ("p1", "p2")
_FORMS = (
    'a setup is empty (the variant\'s own start), "random:SEED", or the JSON object that the site calls initialState'
)


def start(board: WallgameView, setup: Any = None) -> WallgameView:  # noqa: ANN401 - JSON
    """Return the first position on an open board.

    Args:
        board: the open board.
        setup: None for the variant's own start (in freestyle, `random:0`), `random:SEED` for a random mirrored
            position, or the `initialState` of the site's protocols as a dict.

    Raises:
        BadNotation: the setup has another form, or the position breaks a rule.
    """
    if isinstance(setup, dict):
        return _from_json(board, setup)
    if setup is None:
        return _random(board, "0") if board.variant == FREESTYLE else _own(board)
    if isinstance(setup, str) and setup.startswith("random:") and board.variant == ANIMAL_CYCLE:
        return _random_cycle(board, setup.removeprefix("random:"))
    if isinstance(setup, str) and setup.startswith("random:") and board.variant != SURVIVAL:
        return _random(board, setup.removeprefix("random:"))
    raise BadNotation(f"wallgame: {setup!r} is not a start position of {VARIANTS[board.variant]}; {_FORMS}.")


def _place(board: WallgameView, cats: tuple[Cell, Cell], mice: tuple[Cell, Cell]) -> WallgameView:
    """Place the cats and the players' mice; in classic, each home takes the slot of the opponent's mouse."""
    cells = (cats[0], mice[1], cats[1], mice[0])
    return msgspec.structs.replace(board, pawns=tuple(map(board.cell, cells)))


def _own(board: WallgameView) -> WallgameView:
    bottom, last = board.rows - 1, board.columns - 1
    if board.variant == ANIMAL_CYCLE:
        corners = ((0, 0), (0, last), (bottom, last), (bottom, 0))  # each hunts the next one clockwise
        return msgspec.structs.replace(board, pawns=tuple(map(board.cell, corners)))
    if board.variant == SURVIVAL:
        board = msgspec.structs.replace(board, turns_left=SURVIVAL_TURNS)
        return _place(board, ((0, 0), (0, 0)), ((0, 0), (bottom, last)))
    return _place(board, ((0, 0), (0, last)), ((bottom, 0), (bottom, last)))


def draw_setup(rng: np.random.Generator) -> str:
    """Return the setup of a random position, for each game of freestyle."""
    return f"random:{rng.integers(1 << 32)}"


def _random(board: WallgameView, seed: str) -> WallgameView:
    """Return a random position that is symmetric under a mirror and an exchange of players."""
    random = stream(0, "wallgame", VARIANTS[board.variant], board.columns, board.rows, seed)
    columns = min(max(1, board.columns // 3), -(-board.columns // 2) - 1)
    cells = [(row, column) for column in range(columns) for row in range(board.rows)]
    cat, mouse = (cells[int(index)] for index in random.choice(len(cells), 2, replace=board.variant == FREESTYLE))
    if board.variant == FREESTYLE and cat[0] > mouse[0]:
        cat, mouse = mouse, cat
    mirror = board.columns - 1
    board = _place(board, (cat, (cat[0], mirror - cat[1])), (mouse, (mouse[0], mirror - mouse[1])))

    area = board.rows * board.columns
    fewest, most = max(1, int(area / 30 + 0.5)), max(1, int(area / 12 + 0.5))
    slots = [wall for wall in board.slots() if wall[0][1] <= (board.columns - 1) // 2]
    for _ in range(int(random.integers(fewest, most + 1))):
        for index in random.integers(len(slots), size=TRIES):
            walled = _with_pair(board, slots[int(index)])
            if walled:
                board = walled
                break
    return board


def _with_pair(board: WallgameView, wall: Wall) -> WallgameView | None:
    """Return the board with a wall and its mirror image, or None if one of them is illegal."""
    (row, column), orientation = wall
    mirrored = (row, board.columns - (2 if orientation == VERTICAL else 1) - column), orientation
    return _with_all(board, {wall, mirrored})


def _with_all(board: WallgameView, walls: set[Wall]) -> WallgameView | None:
    """Return the board with some walls, or None if one of them is illegal."""
    for wall in walls:
        if not board.has_slot(wall) or not board.is_open(wall):
            return None
        board = board.with_wall(wall)
    return None if any(board.distance(hunter, goal) is None for _, hunter, goal in board.hunts) else board


def _random_cycle(board: WallgameView, seed: str) -> WallgameView:
    """Return a random position of animal-cycle, which a quarter turn takes to itself, each animal to its prey."""
    if min(board.rows, board.columns) < SMALLEST_SQUARE:
        least = f"{SMALLEST_SQUARE} rows and {SMALLEST_SQUARE} columns"
        raise BadNotation(f"wallgame: a random start of animal-cycle needs at least {least}.")
    random = stream(0, "wallgame", VARIANTS[board.variant], board.columns, board.rows, seed)
    side = int(random.integers(SMALLEST_SQUARE, min(board.rows, board.columns) + 1))
    top, left = (board.rows - side) // 2, (board.columns - side) // 2

    def turned(at: Cell) -> Cell:
        return top + at[1] - left, left + side - 1 - (at[0] - top)

    pawns = [(top, left)]
    while len(pawns) < len(board.pawns):
        pawns.append(turned(pawns[-1]))
    board = msgspec.structs.replace(board, pawns=tuple(map(board.cell, pawns)))
    area = board.rows * board.columns
    slots = list(board.slots())
    for _ in range(int(random.integers(area // 32, -(-area // 24) + 1))):
        for index in random.integers(len(slots), size=TRIES):
            orbit = [slots[int(index)]]
            while len(orbit) < len(board.pawns):
                (row, column), orientation = orbit[-1]
                at = turned((row, column))  # a wall on the right turns into one below, one above into one on the right
                orbit.append(((at[0] + 1, at[1]), HORIZONTAL) if orientation == VERTICAL else (at, VERTICAL))
            walled = _with_all(board, set(orbit))
            if walled:
                board = walled
                break
    return board


def _from_json(board: WallgameView, setup: dict[Any, Any]) -> WallgameView:
    if board.variant == SURVIVAL:
        _check_keys("the initial state", setup, {"cat", "mouse", "turnsToSurvive", "mouseCanMove", "walls"})
        turns = setup["turnsToSurvive"]
        if type(turns) is not int or not 1 <= turns <= MAX_TURNS:
            raise BadNotation(
                f"wallgame: turnsToSurvive is {turns!r}; it must be a whole number from 1 to {MAX_TURNS}."
            )
        if type(setup["mouseCanMove"]) is not bool:
            raise BadNotation(f"wallgame: mouseCanMove is {setup['mouseCanMove']!r}; it must be true or false.")
        movable = 0b1001 if setup["mouseCanMove"] else 0b0001
        board = msgspec.structs.replace(board, turns_left=turns, movable=movable)
        cat, mouse = _cell(board, setup["cat"], "the cat"), _cell(board, setup["mouse"], "the mouse")
        board = _place(board, (cat, (0, 0)), ((0, 0), mouse))
    else:
        _check_keys("the initial state", setup, {"pawns", "walls"})
        _check_keys("pawns", setup["pawns"], set(PLAYERS))
        pawns = list(board.pawns)
        for player, name in enumerate(PLAYERS):
            _check_keys(f"pawns.{name}", setup["pawns"][name], set(board.shapes[player]))
            for kind, shape in enumerate(board.shapes[player]):
                cell = _cell(board, setup["pawns"][name][shape], f"{name}'s {shape}")
                pawns[board.slot_of(player, kind)] = board.cell(cell)
        board = msgspec.structs.replace(board, pawns=tuple(pawns))
        _check_teammates(board)
    if not isinstance(setup["walls"], list):
        raise BadNotation("wallgame: walls must be a list.")
    for index, wall in enumerate(setup["walls"]):
        board = _with_wall(board, wall, f"walls[{index}]")
    for hunt, (player, hunter, target) in enumerate(board.hunts):
        if board.distance(hunter, target) is None:
            name = ANIMALS[hunt] if board.variant == ANIMAL_CYCLE else "cat"
            raise BadNotation(f"wallgame: the walls leave player {player + 1}'s {name} no path to its goal.")
    return board


def _check_teammates(board: WallgameView) -> None:
    """Refuse two pawns of one player on a cell in animal-cycle, where they may not meet."""
    for player, name in enumerate(PLAYERS if board.variant == ANIMAL_CYCLE else ()):
        first, second = (board.pawns[board.slot_of(player, kind)] for kind in (0, 1))
        if first == second:
            raise BadNotation(f"wallgame: {name}'s {' and '.join(board.shapes[player])} are on the same cell.")


def _with_wall(board: WallgameView, wall: Any, name: str) -> WallgameView:  # noqa: ANN401 - JSON
    _check_keys(name, wall, {"cell", "orientation"}, {"playerId"})
    at, orientation = _cell(board, wall["cell"], name), wall["orientation"]
    if orientation not in (VERTICAL, HORIZONTAL):
        raise BadNotation(f"wallgame: {name}: orientation is {orientation!r}; it must be vertical or horizontal.")
    if wall.get("playerId") not in (None, 1, 2):
        raise BadNotation(f"wallgame: {name}: playerId is {wall['playerId']!r}; it must be 1, 2 or absent.")
    if not board.has_slot((at, orientation)):
        raise BadNotation(f"wallgame: {name}: no wall can be built on the border of the board.")
    if not board.is_open((at, orientation)):
        raise BadNotation(f"wallgame: {name}: there is already a wall.")
    return board.with_wall((at, orientation))


def _check_keys(name: str, thing: Any, needed: set[str], optional: frozenset[str] | set[str] = frozenset()) -> None:  # noqa: ANN401
    if not isinstance(thing, dict):
        raise BadNotation(f"wallgame: {name} must be a JSON object.")
    wrong = [f"{key!r} is missing" for key in sorted(needed - thing.keys())]
    wrong += [f"{key!r} is unknown" for key in map(str, thing) if key not in needed | optional]
    if wrong:
        raise BadNotation(f"wallgame: {name}: {', '.join(wrong)}.")


def _cell(board: WallgameView, cell: Any, name: str) -> Cell:  # noqa: ANN401
    if not isinstance(cell, (list, tuple)) or len(cell) != 2 or any(type(number) is not int for number in cell):
        raise BadNotation(f"wallgame: {name} is on {cell!r}; a cell is [row, column], counted from 0 at the top left.")
    row, column = cell
    if not board.on_board((row, column)):
        size = f"{board.rows} rows and {board.columns} columns"
        raise BadNotation(f"wallgame: {name} is on [{row}, {column}], outside the board of {size}.")
    return row, column


def setup(view: WallgameView) -> dict[str, Any] | None:
    """Return the `initialState` of a position; None unless player 1 is about to start a move."""
    if view.player or view.second or view.result:
        return None
    walls = [{"cell": list(at), "orientation": orientation} for at, orientation in view.walls]
    cells = [list(view.at(cell)) for cell in view.pawns]
    if view.variant == SURVIVAL:
        return {
            "cat": cells[0],
            "mouse": cells[1],
            "turnsToSurvive": view.turns_left,
            "mouseCanMove": view.movable == 0b1001,
            "walls": walls,
        }
    pawns = {
        name: {shape: cells[view.slot_of(player, kind)] for kind, shape in enumerate(view.shapes[player])}
        for player, name in enumerate(PLAYERS)
    }
    return {"pawns": pawns, "walls": walls}
