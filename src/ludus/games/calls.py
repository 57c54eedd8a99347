"""The declarations of a game's rules, in `RULES`, and `Calls`, which calls the rules for one position at a time.

A rule is a plain function that can be compiled.  `state` is a flat array of the game's `dtype`, padded with zeros to
whole 64-bit words after `state_size` items, so write `state[:36].reshape(6, 6)`.  Actions are integers below
`num_actions`.

Each function below declares one rule: name, arguments, return type and meaning.  The function of an optional rule is
also its default.  What `Game` accepts, what is compiled, what `ludus check` tests and the table in
docs/reference/game.md follow from these declarations.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import ONGOING, State
from ludus.kernel import Rules, Signature, declare_rules, entry


class Rule(NamedTuple):
    """The declaration of a rule."""

    arguments: tuple[str, ...]
    """Names of the arguments after the state."""
    returns: type | None
    """int, float, or None for no return value."""
    default: Callable[..., Any] | None
    """What a game without this rule uses; None if every game must define it."""
    entry: Callable[..., Any]
    """The compiled caller: takes the game's `Rules`, a state and the arguments."""
    meaning: str


RULES: dict[str, Rule] = {}


def _declare(function: Callable[..., Any], default: Callable[..., Any] | None) -> Callable[..., Any]:
    name, code = function.__name__, function.__code__
    arguments = code.co_varnames[: code.co_argcount]
    given, names = ", ".join(arguments), dict[str, Any](__name__=__name__)
    exec(f"def {name}(rules, {given}): return rules.{name}({given})", names)  # Numba resolves the rule by name
    meaning = " ".join(str(function.__doc__).split())
    RULES[name] = Rule(arguments[1:], function.__annotations__["return"], default, entry(names[name]), meaning)
    return function


def _required(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a rule that every game must define."""
    return _declare(function, None)


def _optional(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a rule that a game may leave out."""
    return _declare(function, function)


def _declared_alone() -> NoReturn:
    raise AssertionError("a declaration without a default is never called")


@_required
def to_play(state: State) -> int:
    """Return 0 or 1, the player of the next action; a player may act several times in a row."""
    _declared_alone()


@_required
def legal(state: State, actions: NDArray[np.int16]) -> int:
    """Write the legal actions into `actions` and return their number."""
    _declared_alone()


@_required
def play(state: State, action: int) -> None:
    """Change `state` to the state after `action`."""


@_required
def outcome(state: State) -> int:
    """Return ONGOING, FIRST_WINS, SECOND_WINS or DRAW."""
    _declared_alone()


@_required
def encode(state: State, planes: NDArray[np.uint8]) -> None:
    """Write byte planes [C, H, W], which are zero beforehand.

    The network receives them multiplied by the game's `plane_scale`.
    """


@_optional
def heuristic(state: State, actions: NDArray[np.int16], count: int, weights: NDArray[np.float32]) -> float:
    """Write prior weights for the `count` legal actions and return a value for player 0, without a network.

    Default: equal weights, 0.0.
    """
    for index in range(count):
        weights[index] = 1.0
    return 0.0


@_optional
def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Write the state under symmetry 1..num_symmetries-1 (0 is the identity) into `out`."""
    for index in range(out.shape[0]):
        out[index] = state[index]


@_optional
def symmetric_action(state: State, symmetry: int, action: int) -> int:
    """Return the image of an action under a symmetry."""
    return action


@_optional
def final_maps(state: State, player: int, maps: NDArray[np.uint8]) -> None:
    """Write training targets for a finished game, as seen by `player`: what became of each cell.

    Write ones into byte maps [M, H, W], which are zero beforehand.
    """
    maps[:] = 0


@_optional
def survey(state: State, actions: NDArray[np.int16], count: int, ranks: NDArray[np.int16]) -> float:
    """Return a value for player 0 in [-1, 1], for minimax, and write a rank for each of the `count` legal actions.

    Minimax tries the highest rank first, and ranks below 0 only in a full-width search.  With a count of 0, only the
    value is used.  Default: equal ranks, 0.0.
    """
    for index in range(count):
        ranks[index] = 0
    return 0.0


@_optional
def foresee(state: State) -> int:
    """Return the outcome that best play leads to, if the rules can prove it, else ONGOING.

    The proof must account for the draw at `max_actions`.  Searches call this at each leaf where a turn begins, so it
    must be fast.  Default: ONGOING.
    """
    return ONGOING


declare_rules({name: Signature(1 + len(rule.arguments), rule.returns) for name, rule in RULES.items()})


pause: ContextVar[Callable[[], object]] = ContextVar("pause", default=lambda: None)
"""A function that is called often during work in plain Python, so that a server can let other work go first."""


class Calls:
    """The rules of one game, called from plain Python; states passed in are never changed."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Choose plain or compiled rules; compiled ones load in seconds, then are 40 times faster (Wall Game 8x8)."""
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
        """Return the outcome code."""
        return int(self._call("outcome", state))

    def heuristic(self, state: State, actions: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the heuristic's weights of legal actions [A] and its value for player 0."""
        legal, weights = np.array(actions, np.int16), np.zeros(len(actions), np.float32)  # [A], [A]
        value = self._call("heuristic", state, legal, len(legal), weights)
        return weights.astype(np.float64), float(value)

    def _call(self, rule: str, state: State, *arguments: object) -> Any:  # noqa: ANN401
        if self._compiled:  # compiled code accepts only writable arrays
            given = state if state.flags.writeable else state.copy()
            return RULES[rule].entry(self._rules, given, *arguments)
        pause.get()()
        with np.errstate(over="ignore"):
            return getattr(self._rules, rule)(state, *arguments)
