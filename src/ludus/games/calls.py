"""The rules of a game: plain functions over one flat state, each declared once, in `RULES`; and calls of them.

They are compiled (`state` is a flat array of the game's `dtype`, actions are integers below `num_actions`; behind the
items of `state_size` lie zeros up to a whole 64-bit word, so write `state[:36].reshape(6, 6)`).

The functions below declare them: name, arguments, type returned and meaning.  The function of an optional rule is also
what games have that leave the rule out.  What `Game` takes, what the compiler makes of it, what `ludus check` calls and
the table in docs/game.md follow from these declarations.

Python calls them by `Calls`, one position at a time: as plain functions, or as machine code after `Game.compile`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import ONGOING, State
from ludus.kernel import Rules, Signature, declare_rules, entry


class Rule(NamedTuple):
    """A rule as it is declared."""

    arguments: tuple[str, ...]
    """What it is called with, behind the state."""
    returns: type | None
    """int, float, or None for nothing."""
    default: Callable[..., Any] | None
    """What a game has that leaves the rule out; None: no game may."""
    entry: Callable[..., Any]
    """Its machine code, as Python calls it: with the game's `Rules`, a state, and the arguments."""
    meaning: str


RULES: dict[str, Rule] = {}


def _required(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a rule that every game has."""
    name, code = function.__name__, function.__code__
    arguments = code.co_varnames[: code.co_argcount]
    given, names = ", ".join(arguments), dict[str, Any](__name__=__name__)
    exec(f"def {name}(rules, {given}): return rules.{name}({given})", names)  # compiled code names what it calls
    meaning = " ".join(str(function.__doc__).split())
    RULES[name] = Rule(arguments[1:], function.__annotations__["return"], None, entry(names[name]), meaning)
    return function


def _optional(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a rule that a game may leave out."""
    _required(function)
    RULES[function.__name__] = RULES[function.__name__]._replace(default=function)
    return function


def _declared_alone() -> NoReturn:
    raise AssertionError("every game has a rule of its own for this")


@_required
def to_play(state: State) -> int:
    """Return 0 or 1, the player who makes the next action; a player may move twice in a row."""
    _declared_alone()


@_required
def legal(state: State, actions: NDArray[np.int16]) -> int:
    """Write the legal actions into `actions`, and return how many."""
    _declared_alone()


@_required
def play(state: State, action: int) -> None:
    """Change `state` to the one after the action."""


@_required
def outcome(state: State) -> int:
    """Return ONGOING, FIRST_WINS, SECOND_WINS or DRAW."""
    _declared_alone()


@_required
def encode(state: State, planes: NDArray[np.uint8]) -> None:
    """Write byte planes [C, H, W], which come filled with zeros.

    The network sees them multiplied by the game's `plane_scale`.
    """


@_optional
def heuristic(state: State, actions: NDArray[np.int16], count: int, weights: NDArray[np.float32]) -> float:
    """Write prior weights of the `count` legal actions, and return a value seen by player 0, without a network.

    Default: all alike, 0.0.
    """
    for index in range(count):
        weights[index] = 1.0
    return 0.0


@_optional
def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Write the state under symmetry 1..num_symmetries-1 (0 is identity)."""
    for index in range(out.shape[0]):
        out[index] = state[index]


@_optional
def symmetric_action(state: State, symmetry: int, action: int) -> int:
    """Return the action under a symmetry."""
    return action


@_optional
def final_maps(state: State, player: int, maps: NDArray[np.uint8]) -> None:
    """Write what became of the cells in a game that ends in this state, seen by `player`.

    It writes ones into byte maps [M, H, W], which come filled with zeros; training alone uses them.
    """
    maps[:] = 0


@_optional
def survey(state: State, actions: NDArray[np.int16], count: int, ranks: NDArray[np.int16]) -> float:
    """Return, for minimax, a value seen by player 0, in [-1, 1], and write a rank for each of `count` legal actions.

    The rank says how promising the action looks: the highest one is tried first, ranks below 0 only by a search of full
    width; with a count of 0 the value alone is wanted.  Default: all alike, 0.0.
    """
    for index in range(count):
        ranks[index] = 0
    return 0.0


@_optional
def foresee(state: State) -> int:
    """Return, for searches, the outcome under best play of a game that goes on, where the rules can tell it for sure.

    A draw by `max_actions` is thought of, too; ONGOING where the rules cannot tell.  Each leaf of a search at which a
    turn begins is asked, so it must be quick.  Default: ONGOING.
    """
    return ONGOING


declare_rules({name: Signature(1 + len(rule.arguments), rule.returns) for name, rule in RULES.items()})


class Calls:
    """The rules of one game for people-side code; states are never changed in place."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Call the plain rules, or machine code: 40 times faster on an 8x8 Wall Game, after seconds of compilation."""
        self._rules, self._max_legal, self._compiled = rules, max_legal, compiled

    def legal(self, state: State) -> list[int]:
        """Return the legal actions."""
        actions = np.zeros(self._max_legal, np.int16)
        count = self._call("legal", state, actions)
        return actions[:count].tolist()

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        state = state.copy()
        self._call("play", state, action)
        return state

    def outcome(self, state: State) -> int:
        """Return the outcome's code."""
        return int(self._call("outcome", state))

    def heuristic(self, state: State, actions: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the heuristic's weights of legal actions [A], and its value of the state for player 0."""
        legal, weights = np.array(actions, np.int16), np.zeros(len(actions), np.float32)  # [A], [A]
        value = self._call("heuristic", state, legal, len(legal), weights)
        return weights.astype(np.float64), float(value)

    def _call(self, rule: str, state: State, *arguments: object) -> Any:  # noqa: ANN401
        if self._compiled:  # machine code takes only arrays that can be written
            given = state if state.flags.writeable else state.copy()
            return RULES[rule].entry(self._rules, given, *arguments)
        with np.errstate(over="ignore"):
            return getattr(self._rules, rule)(state, *arguments)
