"""A game: plain functions over one flat state, a few numbers about them, and what people need to read and write it.

Rules (compiled; `state` is a flat array of the game's `dtype`, actions are integers below `num_actions`; behind the
items of `state_size` lie zeros up to a whole 64-bit word, so write `state[:36].reshape(6, 6)`):

    to_play(state) -> int                     0 or 1; a player may move twice in a row
    legal(state, actions) -> int              writes the legal actions into `actions`, returns how many
    play(state, action)                       changes `state`
    outcome(state) -> int                     ONGOING, FIRST_WINS, SECOND_WINS or DRAW
    encode(state, planes)                     writes byte planes [C, H, W], which come filled with zeros;
                                              the network sees them multiplied by the game's `plane_scale`
    heuristic(state, actions, count, weights) -> float
                                              optional: prior weights of the `count` legal actions and a value seen by
                                              player 0, from common sense; default: all alike, 0.0
    symmetric_state(state, symmetry, out)     optional: the state under symmetry 1..num_symmetries-1 (0 is identity)
    symmetric_action(state, symmetry, action) -> int
    final_maps(state, player, maps)           optional: what became of the cells in a game that ends in this state, seen
                                              by `player`: writes ones into byte maps [M, H, W], which come filled with
                                              zeros; training alone uses them
    survey(state, actions, count, ranks) -> float
                                              optional, for minimax: a value seen by player 0, in [-1, 1], and how
                                              promising each of the `count` legal actions looks: the highest rank is
                                              tried first, ranks below 0 only by a search of full width; with a count
                                              of 0 the value alone is wanted; default: all alike, 0.0
    foresee(state) -> int                     optional, for searches: the outcome under best play of a game that goes
                                              on, where the rules can tell it for sure (a draw by `max_actions` is
                                              thought of, too), else ONGOING; each leaf of a search at which a turn
                                              begins is asked, so it must be quick; default: ONGOING

For people (never compiled): `start(state, setup)`, `draw_setup`, `action_text`, `parse_move`, `describe`, `reason`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame, BadNotation
from ludus.games import notation
from ludus.games.blame import blamed
from ludus.games.board import Board, Choice
from ludus.games.calls import Calls, State
from ludus.games.declarations import declared
from ludus.kernel import COMPILED, Rules

if TYPE_CHECKING:
    from ludus.games.position import Position

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3


def _no_heuristic(state: State, actions: NDArray[np.int16], count: int, weights: NDArray[np.float32]) -> float:  # noqa: ARG001
    for index in range(count):
        weights[index] = 1.0
    return 0.0


def _same_state(state: State, symmetry: int, out: State) -> None:  # noqa: ARG001
    for index in range(out.shape[0]):
        out[index] = state[index]


def _same_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    return action


def _no_maps(state: State, player: int, maps: NDArray[np.uint8]) -> None:  # noqa: ARG001
    maps[:] = 0


def _no_survey(state: State, actions: NDArray[np.int16], count: int, ranks: NDArray[np.int16]) -> float:  # noqa: ARG001
    for index in range(count):
        ranks[index] = 0
    return 0.0


def _no_foresight(state: State) -> int:  # noqa: ARG001
    return ONGOING


class Game:
    """The rules of a game on one board, under a name such as `wallgame:classic:8x8`."""

    @declared
    def __init__(  # noqa: PLR0913 - the interface of a game, each part named by the caller
        self,
        *,
        name: str,
        state_size: int,
        num_actions: int,
        planes: tuple[int, int, int],
        max_actions: int,
        start: Callable[..., None],
        to_play: Callable[[State], int],
        legal: Callable[[State, NDArray[np.int16]], int],
        play: Callable[[State, int], None],
        outcome: Callable[[State], int],
        encode: Callable[[State, NDArray[np.uint8]], None],
        plane_scale: tuple[float, ...] | None = None,
        plane_names: Sequence[str] = (),
        heuristic: Callable[..., float] = _no_heuristic,
        num_symmetries: int = 1,
        symmetric_state: Callable[[State, int, State], None] = _same_state,
        symmetric_action: Callable[[State, int, int], int] = _same_action,
        num_maps: int = 0,
        final_maps: Callable[[State, int, NDArray[np.uint8]], None] = _no_maps,
        score_weights: Sequence[float] = (),
        survey: Callable[..., float] = _no_survey,
        foresee: Callable[[State], int] = _no_foresight,
        mask_plane: int | None = None,
        action_places: Sequence[tuple[int, int, int]] = (),
        action_classes: Mapping[str, Sequence[int]] | None = None,
        dtype: str = "uint8",
        max_legal: int | None = None,
        players: tuple[str, str] = ("First", "Second"),
        action_text: Callable[[State, int], str] | None = None,
        parse_move: Callable[[State, str], list[int]] | None = None,
        move_text: Callable[[State, list[int]], str] | None = None,
        describe: Callable[[Position], Board] | None = None,
        reason: Callable[[State], str] | None = None,
        setup: Callable[[State], Any] | None = None,
        draw_setup: Callable[[np.random.Generator], Any] | None = None,
        for_search: Callable[[State], State] | None = None,
        renew: Callable[[State, Any], tuple[State, Any]] | None = None,
        can_win: Callable[[State, int], bool] | None = None,
    ) -> None:
        """Define a game.

        Args:
            name: what `ludus.game` is called with.
            state_size: items of the flat state.
            num_actions: one more than the largest action.
            planes: shape [C, H, W] of the network's input.
            max_actions: the declared length cap: a game of more actions is a draw (in training and matches).  Searches
                look beyond it: where a state holds what was played, `outcome` must end the game before it is full.
            start: writes the first position; a second argument, if it takes one, is the setup of `Game.start`, of
                which people may send anything: it raises BadNotation on what it cannot read.
            to_play: see the module's table, as for the other rules.
            legal: rule.
            play: rule.
            outcome: rule.
            encode: rule.
            plane_scale: what the network multiplies each plane's bytes by [C] (default: 1.0 throughout).
            plane_names: what each plane shows, in a few words [C]: pictures are labelled with them, and a network that
                is given more planes finds its own by them (default: planes go by their order).
            heuristic: optional rule.
            num_symmetries: how many symmetries there are, identity included.
            symmetric_state: optional rule.
            symmetric_action: optional rule.
            num_maps: maps that `final_maps` writes.
            final_maps: optional rule.
            score_weights: where two final maps, mine and the opponent's, make a score: what the mover gets in points
                beside them is this by each plane's mean byte on the board [C] (default: there is no score).
            survey: optional rule.
            foresee: optional rule.
            mask_plane: the plane that is 1 on the board and 0 around it, where boards lie in larger frames.
            action_places: where each action sits, for networks that fit every board size: (layer, row, column) of the
                planes, or (number, -1, -1) for an action that belongs to no cell (default: unknown).
            action_classes: names of sets of actions, whose priors a training run may boost (default: none).
            dtype: type of the state's items: uint8, int16, int32, int64 or uint64.
            max_legal: most legal actions of any position (default: `num_actions`).
            players: names of the sides.
            action_text: the notation of one action (default: its number).
            parse_move: the actions that a text means here; raises BadNotation or IllegalMove
                (default: reads what the default notation writes).
            move_text: the notation of a whole move (default: its actions joined by dots).
            describe: the position drawn for people (default: a list of buttons; a terminal lists the
                moves).
            reason: why a finished game is over, in a few words.
            setup: the inverse of `start`: what `start` takes to reach this state (default: none).
            draw_setup: for games that begin anew each time: a setup that `start` takes, drawn at random.  Self-play,
                matches and new games of people begin with one: a text or a JSON object (default: all begin alike).
            for_search: the state that an engine searches in place of this one, where people may do more than engines
                consider (default: the same).
            renew: for games that people play on where a state's room ends, and training ends them: the state in which
                a game goes on from the one after an action, and what it remembers beside it, from what was remembered
                before (None: nothing).
            can_win: whether a player could win from here if the opponent helped: one who runs out of time against a
                player who could not has drawn (default: always).

        Raises:
            BadGame: a part is missing or has the wrong form.
        """
        self.name = name
        self.state_size, self.dtype = state_size, np.dtype(dtype)
        self.num_actions, self.planes, self.max_actions = num_actions, (*planes,), max_actions
        self.plane_scale = (1.0,) * planes[0] if plane_scale is None else tuple(plane_scale)
        self.plane_names = tuple(plane_names)
        self.max_legal = num_actions if max_legal is None else max_legal
        self.num_symmetries = num_symmetries
        self.num_maps, self.mask_plane = num_maps, mask_plane
        self.score_weights = tuple(score_weights)
        self.action_places = tuple(action_places)
        self.action_classes = {each: tuple(actions) for each, actions in (action_classes or {}).items()}
        self.players = players
        if fault := self._fault():
            raise BadGame(f"{name}: {fault}.")
        if num_symmetries > 1 and (symmetric_state is _same_state or symmetric_action is _same_action):
            raise BadGame(f"{name}: {num_symmetries} symmetries need the rules symmetric_state and symmetric_action.")
        if (num_maps > 0) != (final_maps is not _no_maps):
            raise BadGame(f"{name}: num_maps and the rule final_maps belong together; num_maps is {num_maps}.")
        self.rules = Rules(
            name,
            {
                "to_play": to_play,
                "legal": legal,
                "play": play,
                "outcome": outcome,
                "encode": encode,
                "heuristic": heuristic,
                "symmetric_state": symmetric_state,
                "symmetric_action": symmetric_action,
                "final_maps": final_maps,
                "survey": survey,
                "foresee": foresee,
            },
        )
        self.calls = Calls(self.rules, self.max_legal)
        self.has_heuristic = heuristic is not _no_heuristic
        self.has_survey = survey is not _no_survey
        self.has_foresight = foresee is not _no_foresight
        if not isinstance(start, FunctionType) or start.__code__.co_argcount not in (1, 2):
            raise BadGame(f"{name}: start must be a plain function of the state, or of the state and a setup.")
        self._start = start
        self.action_text = blamed(self, action_text or (lambda _state, action: str(action)))
        self.parse_move = blamed(self, parse_move or (lambda state, text: notation.read(self, state, text)))
        self.move_text = blamed(self, move_text or (lambda state, actions: notation.written(self, state, actions)))
        """The notation of a move: the actions that one player makes before the turn passes."""
        self.describe = blamed(self, describe or self._describe_as_buttons)
        self.reason = blamed(self, reason or (lambda _state: ""))
        self.setup = blamed(self, setup or (lambda _state: None))
        self.draws_setups = draw_setup is not None
        self.draw_setup = blamed(self, draw_setup or (lambda _rng: None))
        self.for_search = blamed(self, for_search or (lambda state: state))
        self.renew = blamed(self, renew or (lambda state, past: (state, past)))
        self.can_win = blamed(self, can_win or (lambda _state, _player: True))

    def _fault(self) -> str:
        """Return what is wrong with the numbers and names of this game."""
        numbers = {name: getattr(self, name) for name in ("state_size", "num_actions", "max_actions", "num_symmetries")}
        numbers |= {f"planes[{index}]": size for index, size in enumerate(self.planes)}
        for name, number in numbers.items():
            if type(number) is not int or number < 1:
                return f"{name} is {number!r}; it must be a positive integer"
        if type(self.num_maps) is not int or self.num_maps < 0:
            return f"num_maps is {self.num_maps!r}; it must be 0 or a positive integer"
        if len(self.plane_scale) != self.planes[0] or not all(0.0 < scale < math.inf for scale in self.plane_scale):
            return f"plane_scale is {self.plane_scale}; it must hold a finite number above 0 for each plane"
        names = {name for name in self.plane_names if type(name) is str}
        if self.plane_names and not len(names) == len(self.plane_names) == self.planes[0]:
            return (
                f"plane_names is {self.plane_names}; it must hold {self.planes[0]} different names, one for each plane"
            )
        if self.score_weights and (len(self.score_weights) != self.planes[0] or self.num_maps != len("mo")):
            return f"score_weights is {self.score_weights}; it must hold a number for each plane, beside two final maps"
        if self.dtype.kind not in "iu":
            return f"dtype {self.dtype} is not an integer type; use uint8, int16, int32, int64 or uint64"
        if self.mask_plane is not None and self.mask_plane not in range(self.planes[0]):
            return f"mask_plane is {self.mask_plane}; it must be one of the {self.planes[0]} planes"
        return self._fault_of_actions() or self._fault_of_places()

    def _fault_of_actions(self) -> str:
        if self.num_actions > np.iinfo(np.int16).max:
            return f"{self.num_actions} actions are more than {np.iinfo(np.int16).max}"
        if type(self.max_legal) is not int or not 1 <= self.max_legal <= self.num_actions:
            return f"max_legal is {self.max_legal!r}; it must be an integer from 1 to num_actions, {self.num_actions}"
        for each, actions in self.action_classes.items():
            if not actions or not all(action in range(self.num_actions) for action in actions):
                return f"action_classes names {each!r} with actions {actions}; a class holds actions, at least one"
        return ""

    def _fault_of_places(self) -> str:
        places, rows, columns = self.action_places, *self.planes[1:]
        if places and len(places) != self.num_actions:
            return f"action_places holds {len(places)} places for {self.num_actions} actions; it must hold one for each"
        known: dict[tuple[int, int, int], int] = {}
        for action, place in enumerate(places):
            layer, row, column = place
            if layer < 0 or not ((row, column) == (-1, -1) or (0 <= row < rows and 0 <= column < columns)):
                return f"action {action} sits at {place}; a place is (layer, row, column), or (number, -1, -1)"
            if known.setdefault(place, action) != action:
                return f"actions {known[place]} and {action} both sit at {place}"
        return ""

    def __repr__(self) -> str:
        """Show the name as `ludus.game` takes it."""
        return f"ludus.game({self.name!r})"

    @property
    def state_words(self) -> int:
        """Return how many 64-bit words hold a state."""
        return -(-self.state_size * self.dtype.itemsize // 8)

    def empty_state(self) -> State:
        """Return a state of zeros, padded to whole 64-bit words."""
        return np.zeros(self.state_words, np.uint64).view(self.dtype)

    def start_state(self, setup: Any = None) -> State:  # noqa: ANN401 - each game has its own setups
        """Return the first state, or the one that `setup` describes; raises BadNotation if it describes none."""
        state = self.empty_state()
        with np.errstate(over="ignore"):
            blamed(self, self.write_start)(state, setup)
        return state

    def write_start(self, state: State, setup: Any = None) -> object:  # noqa: ANN401
        """Write the first state over zeros, and return what the author's `start` returns: nothing, if all is well."""
        if self._start.__code__.co_argcount == 1:
            if setup is not None:
                raise BadNotation(f"{self.name} has one start position and takes no setup.")
            return self._start(state)
        try:
            return self._start(state, setup)
        except UnicodeEncodeError as error:  # JSON's escapes can name half a character
            half = error.object[error.start : error.end]
            raise BadNotation(
                f"{self.name}: the setup holds half a character, {half!r}; write it whole, or leave it out."
            ) from error

    def start(self, setup: Any = None) -> Position:  # noqa: ANN401
        """Return the first position, or the one that `setup` describes (its form is the game's own)."""
        from ludus.games.position import Position  # a position knows its game

        position = Position(self, self.start_state(setup))
        position.setup = setup
        return position

    def compile(self) -> Game:
        """Let positions of this game run machine code from now on; worth seconds of compilation for thousands of moves.

        Returns:
            The same game.
        """
        self.calls = Calls(self.rules, self.max_legal, compiled=COMPILED)
        return self

    def _describe_as_buttons(self, position: Position) -> Board:
        choices = [
            Choice(action=action, text=text, kind="button", label=text)
            for action in position.actions
            for text in [self.action_text(position.state, action)]
        ]
        return Board(rows=0, columns=0, style="squares", choices=choices)
