"""A game, which combines rules, sizes and functions for people; and the positions of a game.

The compiled rules are declared in `ludus.games.calls`.  The functions for people, such as `start(state, setup)`,
`action_text`, `parse_move`, `describe` and `reason`, are never compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games import notation
from ludus.games.blame import Blaming, blamed
from ludus.games.board import Board, Choice
from ludus.games.calls import RULES, Calls, pause
from ludus.games.declarations import Numbers, declared
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, State
from ludus.kernel import COMPILED, Rules
from ludus.lazy import lazy_property

LONG = 1000
"""Moves from which reading a game is faster with compiled rules."""


class Game(Numbers):
    """The rules of a game on one board size, under a name such as `wallgame:classic:8x8`."""

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
        plane_scale: tuple[float, ...] | None = None,
        plane_names: Sequence[str] = (),
        num_symmetries: int = 1,
        num_maps: int = 0,
        score_weights: Sequence[float] = (),
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
        **rules: Callable[..., Any],
    ) -> None:
        """Define a game.

        Args:
            name: the spec that `ludus.game` accepts.
            state_size: number of items in the flat state.
            num_actions: one more than the largest action.
            planes: shape [C, H, W] of the network's input.
            max_actions: length cap; in training and matches, a longer game is a draw.  Searches may exceed it: if the
                state stores the moves played, `outcome` must end the game before that storage is full.
            start: writes the initial state.  An optional second argument is the setup given to `Game.start`; it may
                come from anybody on the internet, so raise BadNotation if it cannot be read.
            plane_scale: factors by which the network multiplies each plane's bytes [C] (default: 1.0).
            plane_names: a short name for each plane [C]; they label pictures, and match planes when a network trained
                with fewer planes is loaded (default: planes are matched by number).
            num_symmetries: number of symmetries, including the identity.
            num_maps: number of maps that `final_maps` writes.
            score_weights: for games whose two final maps (mine, the opponent's) give a score: points for the mover per
                plane's mean byte on the board [C], in addition to the maps (default: no score).
            mask_plane: number of the plane that is 1 on the board and 0 outside, for boards inside a larger frame.
            action_places: location of each action, for networks that work on every board size: (layer, row, column) of
                the planes, or (number, -1, -1) for an action without a cell (default: unknown).
            action_classes: named sets of actions, whose priors a training run may boost (default: none).
            dtype: type of the state's items: uint8, int16, int32, int64 or uint64.
            max_legal: maximum number of legal actions at a position (default: `num_actions`).
            players: names of the two sides.
            action_text: returns the notation of one action (default: its number).
            parse_move: returns the actions of a move text; raises BadNotation or IllegalMove
                (default: reads the default notation).
            move_text: returns the notation of a whole move (default: its actions joined by dots).
            describe: returns the board that pages and terminals draw (default: a list of buttons; a terminal lists the
                moves).
            reason: returns why a finished game is over, in a few words.
            setup: the inverse of `start`: returns the setup that leads to a state (default: none).
            draw_setup: returns a random setup, a text or a JSON object; self-play, matches and people's new games begin
                with one (default: every game has the same start).
            for_search: returns the state that an engine searches instead, where people have choices that engines need
                not consider (default: the same state).
            renew: for games that people may continue when the state's storage is full: takes the state after an action
                and the game's memory (None at first), returns the state to continue with and the new memory.
            can_win: returns whether a player could still win if the opponent helped; a player who runs out of time
                draws if the opponent could not (default: always True).
            rules: the rules by their names in `ludus.games.calls`; optional ones may be left out.

        Raises:
            BadGame: an argument is missing or has the wrong form.
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
        if fault := self.fault():
            raise BadGame(f"{name}: {fault}.")
        if num_symmetries > 1 and not {"symmetric_state", "symmetric_action"} <= rules.keys():
            raise BadGame(f"{name}: {num_symmetries} symmetries need the rules symmetric_state and symmetric_action.")
        if (num_maps > 0) != ("final_maps" in rules):
            raise BadGame(f"{name}: num_maps and the rule final_maps belong together; num_maps is {num_maps}.")
        self.rules = Rules(name, {each: rule.default for each, rule in RULES.items() if rule.default} | rules)
        self._own = frozenset(rules)
        self.calls = Calls(self.rules, self.max_legal)
        if not isinstance(start, FunctionType) or start.__code__.co_argcount not in (1, 2):
            raise BadGame(f"{name}: start must be a plain function of the state, or of the state and a setup.")
        self.author_start = start
        self.action_text = blamed(self, action_text or (lambda _state, action: str(action)))
        self.has_parse_move, self.has_renew = parse_move is not None, renew is not None
        self.parse_move = blamed(self, parse_move or (lambda state, text: notation.read(self, state, text)))
        self.move_text = blamed(self, move_text or (lambda state, actions: notation.written(self, state, actions)))
        """The notation of a move: all actions of a player up to the end of the turn."""
        self.describe = blamed(self, describe or self._describe_as_buttons)
        self.reason = blamed(self, reason or (lambda _state: ""))
        self.setup = blamed(self, setup or (lambda _state: None))
        self.draws_setups = draw_setup is not None
        self.draw_setup = blamed(self, draw_setup or (lambda _rng: None))
        self.for_search = blamed(self, for_search or (lambda state: state))
        self.renew = blamed(self, renew or (lambda state, past: (state, past)))
        self.can_win = blamed(self, can_win or (lambda _state, _player: True))

    def __repr__(self) -> str:
        """Return the Python expression that loads this game."""
        return f"ludus.game({self.name!r})"

    def has_rule(self, rule: str) -> bool:
        """Return whether the game defines this rule instead of using the default."""
        assert rule in RULES, f"{rule} is not a declared rule"
        return rule in self._own

    def start_state(self, setup: Any = None) -> State:  # noqa: ANN401 - each game has its own setups
        """Return the initial state, or the state of a setup; raise BadNotation if the setup cannot be read."""
        state = self.empty_state()
        with np.errstate(over="ignore"):
            blamed(self, self.write_start)(state, setup)
        return state

    def write_start(self, state: State, setup: Any = None) -> object:  # noqa: ANN401
        """Write the initial state over zeros, and return the result of the author's `start`, which should be None."""
        if self.author_start.__code__.co_argcount == 1:
            if setup is not None:
                raise BadNotation(f"{self.name} has only one start position; leave out the setup.")
            return self.author_start(state)
        try:
            return self.author_start(state, setup)
        except UnicodeEncodeError as error:  # a JSON escape can encode half a surrogate pair
            half = error.object[error.start : error.end]
            raise BadNotation(
                f"{self.name}: the setup contains half a surrogate pair, {half!r}; write the whole character."
            ) from error

    def start(self, setup: Any = None) -> Position:  # noqa: ANN401
        """Return the first position, or the position of a setup in the game's own form."""
        position = Position(self, self.start_state(setup))
        position.setup = setup
        return position

    def compile(self) -> Game:
        """Use compiled rules for this game's positions from now on; it pays off for `LONG` moves.

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


class Outcome(msgspec.Struct, frozen=True):
    """The result of a finished game."""

    winner: int | None
    """Player 0 or 1; None for a draw."""
    reason: str

    @property
    def value(self) -> float:
        """Return the result for player 0: 1.0, 0.0 or -1.0."""
        return 0.0 if self.winner is None else (1.0, -1.0)[self.winner]


class Position:
    """A state of a game with the actions that led to it; `play` returns a new position."""

    def __init__(
        self,
        game: Game,
        state: State,
        parent: Position | None = None,
        action: int | None = None,
        past: Any = None,  # noqa: ANN401 - each game has its own
    ) -> None:
        """Wrap `state`, which must not change afterwards; use `Game.start` and `play` instead of this."""
        state.flags.writeable = False
        self.game, self.state = game, state
        self.parent, self.action = parent, action
        self.past = past  # the game's memory in addition to the state (`Game.renew`)
        self.is_renewed = False  # whether `Game.renew` replaced the state
        self.setup: Any = None  # on the first position: the argument of `Game.start`
        self.num_actions_played: int = 0 if parent is None else parent.num_actions_played + 1

    @lazy_property
    def to_play(self) -> int:
        """The player of the next action: 0 or 1."""
        with Blaming(self.game.name):
            return int(self.game.rules.to_play(self.state))

    @lazy_property
    def actions(self) -> list[int]:
        """The legal actions; empty when the game is over."""
        if self.outcome:
            return []
        with Blaming(self.game.name):
            return self.game.calls.legal(self.state)

    @lazy_property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game is not over."""
        with Blaming(self.game.name):
            code = self.game.calls.outcome(self.state)
        if code == ONGOING:
            return None
        winner = None if code == DRAW else code - FIRST_WINS
        return Outcome(winner=winner, reason=self.game.reason(self.state))

    def play(self, move: str | int) -> Position:
        """Return the position after `move`: the number of one action, or the text of a whole move.

        Raises:
            BadNotation: the text cannot be read as a move.
            IllegalMove: the move is not legal here.
        """
        if isinstance(move, (int, np.integer)):
            return self._play_action(int(move))
        return self._play_move(self._read(move))

    def parse(self, text: str) -> list[int]:
        """Return the actions of a move text; raise BadNotation or IllegalMove."""
        actions = self._read(text)
        if len(actions) > 1:
            self._play_move(actions)
        return actions

    def _read(self, text: str) -> list[int]:
        if self.outcome:
            raise IllegalMove(f"{self.game.name}: the game is over ({self.outcome.reason or 'finished'}).")
        with np.errstate(over="ignore"):
            return self.game.parse_move(self.state, text)

    def _play_move(self, actions: Sequence[int]) -> Position:
        """Return the position after a move; raise BadNotation if it continues after the end of the turn or game."""
        before, position = self, self
        for action in actions:
            if position is not self and (position.outcome or position.to_play != self.to_play):
                last, more = before.text(cast("int", position.action)), self.game.action_text(position.state, action)
                raise BadNotation(f"{self.game.name}: the move ends with {last!r}; {more!r} cannot follow.")
            before, position = position, position._play_action(int(action))
        return position

    def _play_action(self, action: int) -> Position:
        if action not in self.actions:
            raise IllegalMove(f"{self.game.name}: action {action} may not be played here.")
        with Blaming(self.game.name):
            after = self.game.calls.play(self.state, action)
        state, past = self.game.renew(after, self.past)
        position = Position(self.game, state, parent=self, action=action, past=past)
        position.is_renewed = state is not after
        return position

    def instead(self, state: State) -> Position:
        """Return a position with another state and the same history."""
        state, past = self.game.renew(state, self.past)
        return Position(self.game, state, self.parent, self.action, past)

    def text(self, action: int) -> str:
        """Return the notation of one action."""
        text = cast("object", self.game.action_text(self.state, action))  # an author may return a number
        if not isinstance(text, str):
            raise BadGame(f"{self.game.name}: action_text() returns {text!r}; it must return a string.")
        return text

    @lazy_property
    def history(self) -> list[Position]:
        """The positions from the start to this one, both included."""
        positions: list[Position] = [self]
        while parent := positions[-1].parent:
            positions.append(parent)
        return positions[::-1]

    @lazy_property
    def moves(self) -> list[str]:
        """The moves from the start in notation, including an unfinished last move."""
        moves: list[str] = []
        actions: list[int] = []
        begin = self.history[0]
        for before, after in zip(self.history, self.history[1:], strict=False):
            if not actions:
                begin = before
            assert after.action is not None, "only the first position has no action"
            actions.append(after.action)
            if after.outcome or after.to_play != before.to_play or after is self:
                pause.get()()
                moves.append(self.game.move_text(begin.state, actions))
                actions = []
        return moves

    @property
    def planes(self) -> NDArray[np.uint8]:
        """The network's input before scaling by `plane_scale`, of shape [C, H, W]."""
        planes = np.zeros(self.game.planes, np.uint8)
        with np.errstate(over="ignore"), Blaming(self.game.name):
            self.game.rules.encode(self.state, planes)
        return planes

    def describe(self) -> Board:
        """Return the board that pages and terminals draw."""
        board = cast("object", self.game.describe(self))  # an author may return something else
        if not isinstance(board, Board):
            raise BadGame(f"{self.game.name}: describe() returns {board!r}; it must return a ludus.Board.")
        return board


def unusual_setup(first: Position) -> Any:  # noqa: ANN401 - each game has its own setups
    """Return the setup of a game's first position; None for the usual start."""
    if (first.state == first.game.start_state()).all():
        return None
    return first.game.setup(first.state) if first.setup is None else first.setup
