"""Start positions of Go: the empty board, handicap, stones that were set up, and whatever a game has come to.

A setup is a JSON object; all of it may be left out.

    black, white   points with stones: `"D4 Q16"`
    to_play        `"black"` or `"white"` (default: White if there are black stones alone and none to place, else Black)
    komi           in place of the one of the game's name; `bonus`: White's points for a handicap, likewise
    handicap       stones at the usual points; `free`: stones that Black places where he likes, before White moves
    ...            the others say what a game remembers; `Game.setup` writes them
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from ludus.errors import BadInput, BadNotation
from ludus.games.board import Cell
from ludus.games.go.layout import (
    AGREED,
    BLACK,
    BONUS,
    DEAD,
    EMPTY,
    FRAME,
    GAME,
    HANDICAP,
    HASH,
    KO,
    KO_RULE,
    KOMI,
    LIMIT,
    LOST,
    LOST_WHITE,
    MAX_SIZE,
    NEUTRAL,
    NO_KOMI,
    NUM_RECENT,
    NUM_SETS,
    OPTIONS,
    PASSES,
    PAST_BOARDS,
    PHASE,
    PLACING,
    PLY,
    RECENT,
    RULES,
    SEARCHED,
    SETS,
    SHOWS_HISTORY,
    SIMPLE,
    STEADY,
    TAKEN,
    TURN,
    TURNED,
    WHITE,
    first_hash,
    recent_action,
    width_of,
)
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
    rule,
    set_rule,
    size_of,
    vertex,
    write_points,
)
from ludus.games.packed import Field
from ludus.games.rules import State

MOST_KOMI = 400.0
COUNTERS: dict[str, tuple[int, Field]] = {
    "passes": (GAME, PASSES),
    "phase": (GAME, PHASE),
    "agreed": (GAME, AGREED),
    "taken_by_black": (GAME, TAKEN[0]),
    "taken_by_white": (GAME, TAKEN[1]),
    "placing": (GAME, PLACING),
    "turned": (GAME, TURNED),
    "neutral": (RECENT, NEUTRAL),
    "steady": (RECENT, STEADY),
    "searched": (RULES, SEARCHED),
}
"""Numbers that a setup may hold, and where they stand."""


NumStones = Annotated[int, msgspec.Meta(ge=0, le=MAX_SIZE * MAX_SIZE)]


class Setup(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a start position is made from."""

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
    """The last five actions, the newest first."""
    past: list[tuple[str, str]] = []
    history: list[str] = []
    """Hashes of the positions before this one, in hexadecimal digits."""
    ply: int = 0
    counters: dict[str, int] = {}


class Defaults(NamedTuple):
    """What a game's name says about its start positions."""

    rules: np.uint64
    options: np.uint64
    rule_set: RuleSet
    komi: float | None
    handicap: int
    free: int

    def usual_komi(self, handicap: int) -> float:
        """Return the komi of a game with so many handicap stones."""
        if self.komi is not None:
            return self.komi
        return HANDICAP_KOMI if handicap else self.rule_set.komi


def starter(defaults: Defaults) -> Callable[[State, Any], None]:
    """Return `start` for a game."""

    def start(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        state[RULES], state[OPTIONS] = defaults.rules, defaults.options
        try:
            found = msgspec.convert({} if setup is None else setup, Setup)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no setup of Go: {error}.") from error
        with np.errstate(over="ignore"):
            _write(state, found, defaults)

    return start


def _write(state: State, setup: Setup, defaults: Defaults) -> None:
    size, width = size_of(state), width_of(rule(state, FRAME))
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
    _write_counters(state, setup)
    _put_stones(state, black, white)
    count = handicap or free or (len(black) if not white and not setup.ply else 0)
    _write_komi(state, setup, defaults, handicap or free)
    set_rule(state, HANDICAP, min(count, 511), OPTIONS)
    if setup.to_play not in ("", *COLOURS):
        raise BadNotation(f"{setup.to_play[:20]!r} is nobody to play; write black or white.")
    if free:
        set_rule(state, PLACING, free, GAME)
    is_placing = rule(state, PLACING, GAME) > 0
    if is_placing and setup.to_play == "white":
        raise BadNotation("Setup of Go: Black places a free handicap before White moves; leave out to_play.")
    black_stands = bool(black) and not white and not is_placing
    set_rule(state, TURN, int(setup.to_play == "white" or (not setup.to_play and black_stands)), GAME)
    _write_memory(state, setup, width)


def _check_handicap(fixed: int, free: int, size: int) -> None:
    """Raise BadNotation if no game on this board has such a handicap."""
    if fixed and free:
        raise BadNotation("a handicap is either free or not; leave out handicap or free.")
    if fixed > size * size or free > size * size // 2:
        raise BadNotation(f"{fixed or free} stones of handicap are too many for a board of {size}x{size}.")


def _cells(text: str, size: int) -> list[Cell]:
    return [cell_named(name, size) for name in text.split()]


def _put_stones(state: State, black: list[Cell], white: list[Cell]) -> None:
    """Write the board; refuse points that are named twice, and stones without liberties."""
    size, width = size_of(state), width_of(rule(state, FRAME))
    named = black + white
    if len(set(named)) < len(named):
        twice = next(cell for cell in named if named.count(cell) > 1)
        raise BadNotation(f"Setup of Go: two stones are set up on {vertex(twice, size)}.")
    sets = [[point_of(state, cell) for cell in cells] for cells in (black, white)]
    board = [point_of(state, (row, column)) for row in range(size) for column in range(size)]
    write_points(state, BLACK, sets[0])
    write_points(state, WHITE, sets[1])
    write_points(state, EMPTY, sorted(set(board) - set(sets[0]) - set(sets[1])))
    code = np.uint64(0)
    for player, points in enumerate(sets):
        for point in points:
            code ^= key(state, player, point)
    state[HASH] = code
    for player, points in enumerate(sets):
        for point in points:
            _measure(state, width, player, point)


def _measure(state: State, width: int, player: int, point: int) -> None:
    """Note the liberties of a group that is set up; refuse it if it has none."""
    operations, frame = point_sets(width), rule(state, FRAME)
    stone = operations.single(point)
    group = operations.fill(stone, operations.load(state, SETS + (BLACK + player) * width), frame)
    empty = operations.load(state, SETS + EMPTY * width)
    if operations.is_empty(operations.common(operations.around(group, frame), empty)):
        name = vertex(cell_of(state, point), size_of(state))
        raise BadNotation(f"Setup of Go: the stones at {name} have no liberty.")
    stones(width).measure(state, stone)


def _write_komi(state: State, setup: Setup, defaults: Defaults, handicap: int) -> None:
    komi = setup.komi if setup.komi is not None else defaults.usual_komi(handicap)
    if not (abs(komi) <= MOST_KOMI and 2 * komi == int(2 * komi)):
        raise BadNotation(f"A komi of {komi} is no multiple of a half between -{MOST_KOMI:g} and {MOST_KOMI:g}.")
    bonus = setup.bonus if setup.bonus is not None else defaults.rule_set.compensation(handicap)
    if not 0 <= bonus < 1 << BONUS[1]:
        raise BadNotation(f"A compensation of {bonus} points for a handicap is not between 0 and 511.")
    set_rule(state, KOMI, int(2 * komi) + NO_KOMI, OPTIONS)
    set_rule(state, BONUS, bonus, OPTIONS)


def _write_counters(state: State, setup: Setup) -> None:
    for name, value in setup.counters.items():
        if name not in COUNTERS or not 0 <= value < 1 << COUNTERS[name][1][1]:
            raise BadNotation(f"Setup of Go: {value} is no value of {name[:20]!r}; there are {', '.join(COUNTERS)}.")
        word, where = COUNTERS[name]
        set_rule(state, where, value, word)


def _write_memory(state: State, setup: Setup, width: int) -> None:
    """Write what a game remembers beyond its board."""
    size, frame = size_of(state), rule(state, FRAME)
    for number, text in ((DEAD, setup.dead), (LOST, setup.lost_black), (LOST_WHITE, setup.lost_white)):
        write_points(state, number, [point_of(state, cell) for cell in _cells(text, size)])
    if setup.ko:
        set_rule(state, KO, 1 + point_of(state, cell_named(setup.ko, size)), GAME)
    if not 0 <= setup.ply <= rule(state, LIMIT) or (setup.history and len(setup.history) != setup.ply):
        raise BadNotation(f"Setup of Go: ply {setup.ply} with {len(setup.history)} earlier positions.")
    set_rule(state, PLY, setup.ply, GAME)
    for back, name in enumerate(setup.recent.split()[:NUM_RECENT]):
        action = frame * frame if name == "pass" else point_of(state, cell_named(name, size))
        set_rule(state, (10 * back, 10), action + 1, RECENT)
    if rule(state, SHOWS_HISTORY, OPTIONS):
        for index, texts in enumerate(setup.past[:PAST_BOARDS]):
            for player, text in enumerate(texts):
                points = [point_of(state, cell) for cell in _cells(text, size)]
                write_points(state, NUM_SETS + 2 * index + player, points)
    if rule(state, KO_RULE) != SIMPLE:
        first = first_hash(np.uint64(state[OPTIONS]), width)
        for index, text in enumerate(setup.history):
            try:
                state[first + index] = np.uint64(int(text, 16))
            except (ValueError, OverflowError) as error:
                raise BadNotation(f"Setup of Go: {text[:20]!r} is no hash of a position.") from error
    remember(state, width)


def setup_of(state: State) -> Any:  # noqa: ANN401 - JSON
    """Return what `start` takes to reach this state."""
    size, frame = size_of(state), rule(state, FRAME)
    width, ply = width_of(frame), rule(state, PLY, GAME)

    def names(number: int) -> str:
        return " ".join(vertex(cell_of(state, point), size) for point in points_of(state, number))

    ko = rule(state, KO, GAME)
    actions = [recent_action(state, back) for back in range(NUM_RECENT)]
    first = first_hash(np.uint64(state[OPTIONS]), width)
    counters = {name: rule(state, where, word) for name, (word, where) in COUNTERS.items()}
    handicap = rule(state, HANDICAP, OPTIONS)
    is_free = ply == 0 and rule(state, PLACING, GAME) > 0
    history = [] if rule(state, KO_RULE) == SIMPLE else [f"{int(code):x}" for code in state[first : first + ply]]
    past = range(PAST_BOARDS if rule(state, SHOWS_HISTORY, OPTIONS) else 0)
    return msgspec.to_builtins(
        Setup(
            black=names(BLACK),
            white=names(WHITE),
            to_play=COLOURS[rule(state, TURN, GAME)],
            komi=(rule(state, KOMI, OPTIONS) - NO_KOMI) / 2,
            bonus=rule(state, BONUS, OPTIONS),
            handicap=0 if is_free else handicap,
            free=handicap if is_free else 0,
            ko=vertex(cell_of(state, ko - 1), size) if ko else "",
            dead=names(DEAD),
            lost_black=names(LOST),
            lost_white=names(LOST_WHITE),
            recent=" ".join(
                "pass" if action == frame * frame else vertex(cell_of(state, action), size)
                for action in actions
                if action >= 0
            ),
            past=[(names(NUM_SETS + 2 * index), names(NUM_SETS + 2 * index + 1)) for index in past],
            history=history,
            ply=ply,
            counters={name: value for name, value in counters.items() if value},
        )
    )
