"""A game: its rules, a few numbers about them, and what people need to read and write it; and its positions.

For people (never compiled): `start(state, setup)`, `draw_setup`, `action_text`, `parse_move`, `describe`, `reason`.
The rules are the functions of `ludus.games.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games import notation
from ludus.games.blame import Blaming, blamed
from ludus.games.board import Board, Choice
from ludus.games.calls import RULES, Calls
from ludus.games.declarations import Numbers, declared
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, State
from ludus.kernel import COMPILED, Rules


class Game(Numbers):
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
            name: what `ludus.game` is called with.
            state_size: items of the flat state.
            num_actions: one more than the largest action.
            planes: shape [C, H, W] of the network's input.
            max_actions: the declared length cap: a game of more actions is a draw (in training and matches).  Searches
                look beyond it: where a state holds what was played, `outcome` must end the game before it is full.
            start: writes the first position; a second argument, if it takes one, is the setup of `Game.start`, of
                which people may send anything: it raises BadNotation on what it cannot read.
            plane_scale: what the network multiplies each plane's bytes by [C] (default: 1.0 throughout).
            plane_names: what each plane shows, in a few words [C]: pictures are labelled with them, and a network that
                is given more planes finds its own by them (default: planes go by their order).
            num_symmetries: how many symmetries there are, identity included.
            num_maps: maps that `final_maps` writes.
            score_weights: where two final maps, mine and the opponent's, make a score: what the mover gets in points
                beside them is this by each plane's mean byte on the board [C] (default: there is no score).
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
            rules: the game's rules under their names in `ludus.games.rules`; optional ones may be left out.

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

    def __repr__(self) -> str:
        """Show the name as `ludus.game` takes it."""
        return f"ludus.game({self.name!r})"

    def has_rule(self, rule: str) -> bool:
        """Return whether the game has a rule of its own, rather than what `ludus.games.rules` has in its place."""
        assert rule in RULES, f"{rule} is no rule"
        return rule in self._own

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


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    """Player 0 or 1; None for a draw."""
    reason: str

    @property
    def value(self) -> float:
        """Return the result seen by player 0: 1.0, 0.0 or -1.0."""
        return 0.0 if self.winner is None else (1.0, -1.0)[self.winner]


class Position:
    """A state of a game and the way that led to it; `play` returns a new one."""

    def __init__(
        self,
        game: Game,
        state: State,
        parent: Position | None = None,
        action: int | None = None,
        past: Any = None,  # noqa: ANN401 - each game has its own
    ) -> None:
        """Wrap `state`, which must not be changed afterwards; use `Game.start` and `play` instead of this."""
        state.flags.writeable = False
        self.game, self.state = game, state
        self.parent, self.action = parent, action
        self.past = past  # what the game remembers beside the state (`Game.renew`)
        self.is_renewed = False  # whether the state is another one than the rules alone have made
        self.setup: Any = None  # what `Game.start` was given, on the first position
        self.num_actions_played: int = 0 if parent is None else parent.num_actions_played + 1

    @cached_property
    def to_play(self) -> int:
        """The player who makes the next action: 0 or 1."""
        with Blaming(self.game.name):
            return int(self.game.rules.to_play(self.state))

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions; empty when the game is over."""
        if self.outcome:
            return []
        with Blaming(self.game.name):
            return self.game.calls.legal(self.state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        with Blaming(self.game.name):
            code = self.game.calls.outcome(self.state)
        if code == ONGOING:
            return None
        winner = None if code == DRAW else code - FIRST_WINS
        return Outcome(winner=winner, reason=self.game.reason(self.state))

    def play(self, move: str | int) -> Position:
        """Return the position after `move`: one action's number, or a move (all its actions) as people write it.

        Raises:
            BadNotation: the text names no move of this game.
            IllegalMove: the move may not be played here.
        """
        if isinstance(move, (int, np.integer)):
            return self._play_action(int(move))
        return self._play_move(self._read(move))

    def parse(self, text: str) -> list[int]:
        """Return the actions of the move that `text` names; raises BadNotation or IllegalMove."""
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
        """Return the position after a move; raises BadNotation if it goes on where the turn, or the game, is over."""
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
        """Return a position with another state, to which the same way has led."""
        state, past = self.game.renew(state, self.past)
        return Position(self.game, state, self.parent, self.action, past)

    def text(self, action: int) -> str:
        """Return the notation of one action."""
        text = cast("object", self.game.action_text(self.state, action))  # an author's may be a number
        if not isinstance(text, str):
            raise BadGame(f"{self.game.name}: action_text() returns {text!r}; it must return a string.")
        return text

    @cached_property
    def history(self) -> list[Position]:
        """The positions from the start to this one, both included."""
        positions: list[Position] = [self]
        while parent := positions[-1].parent:
            positions.append(parent)
        return positions[::-1]

    @cached_property
    def moves(self) -> list[str]:
        """The moves from the start in notation; an unfinished last move is included."""
        moves: list[str] = []
        actions: list[int] = []
        begin = self.history[0]
        for before, after in zip(self.history, self.history[1:], strict=False):
            if not actions:
                begin = before
            assert after.action is not None, "only the first position has no action"
            actions.append(after.action)
            if after.outcome or after.to_play != before.to_play or after is self:
                moves.append(self.game.move_text(begin.state, actions))
                actions = []
        return moves

    @property
    def planes(self) -> NDArray[np.uint8]:
        """What a network sees of this position before `plane_scale` is applied, of shape [C, H, W]."""
        planes = np.zeros(self.game.planes, np.uint8)
        with np.errstate(over="ignore"), Blaming(self.game.name):
            self.game.rules.encode(self.state, planes)
        return planes

    def describe(self) -> Board:
        """Return the description that pages and terminals draw."""
        board = cast("object", self.game.describe(self))  # an author's may have forgotten to return it
        if not isinstance(board, Board):
            raise BadGame(f"{self.game.name}: describe() returns {board!r}; it must return a ludus.Board.")
        return board
