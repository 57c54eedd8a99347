"""Start positions of Go: the empty board, a handicap, a setup of stones, or the state of a running game.

A setup is a JSON object; every key is optional.

    black, white   points with stones: `"D4 Q16"`
    to_play        `"black"` or `"white"` (default: White if there are only black stones and none to place, else Black)
    komi           replaces the komi of the game's name; `bonus` replaces White's points for a handicap
    handicap       stones at the usual points; `free`: stones that Black places freely before White moves
    ...            further keys hold the history that `Game.setup` writes
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from ludus.errors import BadInput, BadNotation
from ludus.games.board import Cell
from ludus.games.go import layout
from ludus.games.go.layout import first_hash, recent_action, width_of
from ludus.games.go.points import point_sets
from ludus.games.go.rules import remember
from ludus.games.go.rulesets import HANDICAP_KOMI, RuleSet, fixed_handicap
from ludus.games.go.stones import key, stones
from ludus.games.go.view import (
    COLOURS,
    cell_named,
    cell_of,
    point_of,
    points_of,
    size_of,
    vertex,
    write_points,
)
from ludus.games.packed import Field, read_field, write_field
from ludus.games.rules import State

MOST_KOMI = 400.0
COUNTERS: dict[str, Field] = {
    "passes": layout.PASSES,
    "phase": layout.PHASE,
    "agreed": layout.AGREED,
    "taken_by_black": layout.TAKEN[0],
    "taken_by_white": layout.TAKEN[1],
    "placing": layout.PLACING,
    "turned": layout.TURNED,
    "neutral": layout.NEUTRAL,
    "steady": layout.STEADY,
    "searched": layout.SEARCHED,
    "button": layout.BUTTON,
}
"""The numeric keys of a setup, with their fields in the state."""


NumStones = Annotated[int, msgspec.Meta(ge=0, le=layout.MAX_SIZE * layout.MAX_SIZE)]


class Setup(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A start position in JSON."""

    black: str = ""
    white: str = ""
    to_play: str = ""
    komi: float | None = None
    bonus: int | None = None
    handicap: NumStones = 0
    free: NumStones = 0
    ko: str = ""
    dead: str = ""
    lost_black: str = ""
    lost_white: str = ""
    recent: str = ""
    """The last five actions, newest first."""
    past: list[tuple[str, str]] = []
    history: list[str] = []
    """Hashes of earlier positions, in hexadecimal digits."""
    ply: int = 0
    counters: dict[str, int] = {}


class Defaults(NamedTuple):
    """The defaults for start positions, from a game's name."""

    rules: np.uint64
    options: np.uint64
    rule_set: RuleSet
    komi: float | None
    handicap: int
    free: int

    def usual_komi(self, handicap: int) -> float:
        """Return the komi of a game with `handicap` stones."""
        if self.komi is not None:
            return self.komi
        return HANDICAP_KOMI if handicap else self.rule_set.komi


def starter(defaults: Defaults) -> Callable[[State, Any], None]:
    """Build the function `start` for a game."""

    def start(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        state[layout.RULES], state[layout.OPTIONS] = defaults.rules, defaults.options
        try:
            found = msgspec.convert({} if setup is None else setup, Setup)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is not a setup of Go: {error}.") from error
        with np.errstate(over="ignore"):
            _write(state, found, defaults)

    return start


def _write(state: State, setup: Setup, defaults: Defaults) -> None:
    size, width = size_of(state), width_of(read_field(state, layout.FRAME))
    handicap, free = setup.handicap, setup.free
    try:
        black, white = _cells(setup.black, size), _cells(setup.white, size)
        plain = not black and not white and not setup.ply
        if plain and not handicap and not free:
            handicap, free = defaults.handicap, defaults.free
        _check_handicap(handicap, free, size)
        if plain and handicap:
            black = fixed_handicap(size, handicap)
    except BadInput as error:
        raise BadNotation(f"Setup of Go: {error}") from error
    for name, value in setup.counters.items():
        if name not in COUNTERS or not 0 <= value < 1 << COUNTERS[name][1]:
            raise BadNotation(f"Setup of Go: {name[:20]!r} cannot be {value}; the numbers are {', '.join(COUNTERS)}.")
        write_field(state, COUNTERS[name], value)
    if defaults.rule_set.button and "button" not in setup.counters:
        write_field(state, layout.BUTTON, layout.BUTTON_LEFT)
    if defaults.rule_set.button == (read_field(state, layout.BUTTON) == layout.NO_BUTTON):
        kind = "with" if defaults.rule_set.button else "without"
        raise BadNotation(f"Setup of Go: this game is played {kind} a button; leave out the counter 'button'.")
    _put_stones(state, black, white)
    count = handicap or free or (len(black) if not white and not setup.ply else 0)
    _write_komi(state, setup, defaults, handicap or free)
    write_field(state, layout.HANDICAP, min(count, 511))
    if setup.to_play not in ("", *COLOURS):
        raise BadNotation(f"{setup.to_play[:20]!r} is not a player; write black or white.")
    if free:
        write_field(state, layout.PLACING, free)
    is_placing = read_field(state, layout.PLACING) > 0
    if is_placing and setup.to_play == "white":
        raise BadNotation("Setup of Go: Black places a free handicap before White moves; leave out to_play.")
    black_stands = bool(black) and not white and not is_placing
    write_field(state, layout.TURN, int(setup.to_play == "white" or (not setup.to_play and black_stands)))
    _write_memory(state, setup, width)


def _check_handicap(fixed: int, free: int, size: int) -> None:
    """Raise BadNotation if this board has no such handicap."""
    if fixed and free:
        raise BadNotation("handicap and free exclude each other; leave one out.")
    if fixed > size * size or free > size * size // 2:
        raise BadNotation(f"{fixed or free} stones of handicap are too many for a board of {size}x{size}.")


def _cells(text: str, size: int) -> list[Cell]:
    return [cell_named(name, size) for name in text.split()]


def _put_stones(state: State, black: list[Cell], white: list[Cell]) -> None:
    """Write the board; refuse repeated points and stones without liberties."""
    size, width = size_of(state), width_of(read_field(state, layout.FRAME))
    named = black + white
    if len(set(named)) < len(named):
        twice = next(cell for cell in named if named.count(cell) > 1)
        raise BadNotation(f"Setup of Go: two stones are on {vertex(twice, size)}.")
    sets = [[point_of(state, cell) for cell in cells] for cells in (black, white)]
    board = [point_of(state, (row, column)) for row in range(size) for column in range(size)]
    write_points(state, layout.BLACK, sets[0])
    write_points(state, layout.WHITE, sets[1])
    write_points(state, layout.EMPTY, sorted(set(board) - set(sets[0]) - set(sets[1])))
    code = np.uint64(0)
    for player, points in enumerate(sets):
        for point in points:
            code ^= key(state, player, point)
    state[layout.HASH] = code
    for player, points in enumerate(sets):
        for point in points:
            _measure(state, width, player, point)


def _measure(state: State, width: int, player: int, point: int) -> None:
    """Store the liberties of a group of the setup; refuse a group without any."""
    operations, frame = point_sets(width), read_field(state, layout.FRAME)
    stone = operations.single(point)
    group = operations.fill(stone, operations.load(state, layout.SETS + (layout.BLACK + player) * width), frame)
    empty = operations.load(state, layout.SETS + layout.EMPTY * width)
    if operations.is_empty(operations.common(operations.around(group, frame), empty)):
        name = vertex(cell_of(state, point), size_of(state))
        raise BadNotation(f"Setup of Go: the stones at {name} have no liberty.")
    stones(width).measure(state, stone)


def _write_komi(state: State, setup: Setup, defaults: Defaults, handicap: int) -> None:
    komi = setup.komi if setup.komi is not None else defaults.usual_komi(handicap)
    if not (abs(komi) <= MOST_KOMI and 2 * komi == int(2 * komi)):
        raise BadNotation(f"A komi of {komi} is not a multiple of 0.5 between -{MOST_KOMI:g} and {MOST_KOMI:g}.")
    bonus = setup.bonus if setup.bonus is not None else defaults.rule_set.compensation(handicap)
    if not 0 <= bonus < 1 << layout.BONUS[1]:
        raise BadNotation(f"A compensation of {bonus} points for a handicap is not between 0 and 511.")
    write_field(state, layout.KOMI, int(2 * komi) + layout.NO_KOMI)
    write_field(state, layout.BONUS, bonus)


def _write_memory(state: State, setup: Setup, width: int) -> None:
    """Write the setup's history into the state."""
    size, frame = size_of(state), read_field(state, layout.FRAME)
    sets = {layout.DEAD: setup.dead, layout.LOST: setup.lost_black, layout.LOST_WHITE: setup.lost_white}
    for number, text in sets.items():
        write_points(state, number, [point_of(state, cell) for cell in _cells(text, size)])
    if setup.ko:
        write_field(state, layout.KO, 1 + point_of(state, cell_named(setup.ko, size)))
    if not 0 <= setup.ply <= read_field(state, layout.LIMIT) or (setup.history and len(setup.history) != setup.ply):
        raise BadNotation(f"Setup of Go: ply {setup.ply} does not fit {len(setup.history)} earlier positions.")
    write_field(state, layout.PLY, setup.ply)
    for back, name in enumerate(setup.recent.split()[: layout.NUM_RECENT]):
        action = frame * frame if name == "pass" else point_of(state, cell_named(name, size))
        write_field(state, (layout.ACTION_BITS * back, layout.ACTION_BITS, layout.RECENT), action + 1)
    if read_field(state, layout.SHOWS_HISTORY):
        for index, texts in enumerate(setup.past[: layout.PAST_BOARDS]):
            for player, text in enumerate(texts):
                points = [point_of(state, cell) for cell in _cells(text, size)]
                write_points(state, layout.NUM_SETS + 2 * index + player, points)
    if read_field(state, layout.KO_RULE) != layout.SIMPLE:
        first = first_hash(np.uint64(state[layout.OPTIONS]), width)
        for index, text in enumerate(setup.history):
            try:
                state[first + index] = np.uint64(int(text, 16))
            except (ValueError, OverflowError) as error:
                raise BadNotation(f"Setup of Go: {text[:20]!r} is not a position hash.") from error
    remember(state, width)


def setup_of(state: State) -> Any:  # noqa: ANN401 - JSON
    """Return the setup of a state."""
    size, frame = size_of(state), read_field(state, layout.FRAME)
    width, ply = width_of(frame), read_field(state, layout.PLY)

    def names(number: int) -> str:
        return " ".join(vertex(cell_of(state, point), size) for point in points_of(state, number))

    ko = read_field(state, layout.KO)
    actions = [recent_action(state, back) for back in range(layout.NUM_RECENT)]
    first = first_hash(np.uint64(state[layout.OPTIONS]), width)
    counters = {name: read_field(state, where) for name, where in COUNTERS.items()}
    handicap = read_field(state, layout.HANDICAP)
    is_free = ply == 0 and read_field(state, layout.PLACING) > 0
    hashes = [] if read_field(state, layout.KO_RULE) == layout.SIMPLE else state[first : first + ply]
    past = range(layout.PAST_BOARDS if read_field(state, layout.SHOWS_HISTORY) else 0)
    return msgspec.to_builtins(
        Setup(
            black=names(layout.BLACK),
            white=names(layout.WHITE),
            to_play=COLOURS[read_field(state, layout.TURN)],
            komi=(read_field(state, layout.KOMI) - layout.NO_KOMI) / 2,
            bonus=read_field(state, layout.BONUS),
            handicap=0 if is_free else handicap,
            free=handicap if is_free else 0,
            ko=vertex(cell_of(state, ko - 1), size) if ko else "",
            dead=names(layout.DEAD),
            lost_black=names(layout.LOST),
            lost_white=names(layout.LOST_WHITE),
            recent=" ".join(
                "pass" if action == frame * frame else vertex(cell_of(state, action), size)
                for action in actions
                if action >= 0
            ),
            past=[(names(layout.NUM_SETS + 2 * index), names(layout.NUM_SETS + 2 * index + 1)) for index in past],
            history=[f"{int(code):x}" for code in hashes],
            ply=ply,
            counters={name: value for name, value in counters.items() if value},
        )
    )
