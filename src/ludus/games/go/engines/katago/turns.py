"""Reads the game of a query in KataGo's protocol: board, rules, stones, moves, and the positions to search."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ludus.errors import BadInput
from ludus.games.board import Cell
from ludus.games.game import LONG, Position
from ludus.games.go.engines.gtp.analysis import allowed_actions
from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.forecast import without_lost_pass
from ludus.games.go.engines.gtp.players import GoPlayer
from ludus.games.go.engines.gtp.protocol import Failure, colour
from ludus.games.go.engines.gtp.rules import changed_rules, read_rules
from ludus.games.go.engines.katago.protocol import DEFAULT_VISITS, BadField, KataGoQuery, Restriction
from ludus.games.go.rulesets import rules_of
from ludus.games.go.sgf_game import going_on
from ludus.games.go.view import PASS, cell_named, pass_action, point_of, size_of

_CELL = re.compile(r"\((\d{1,2}),(\d{1,2})\)", re.ASCII)  # column and row, from the top left
PERSPECTIVES = {"black": 0, "b": 0, "white": 1, "w": 1, "sidetomove": None}
"""Values of `reportAnalysisWinratesAs`, in lower case; None: the player to move."""


class GameLine:
    """The game of the last query; the next query often has the same moves and more.

    Attributes:
        player: the player of its board.
    """

    def __init__(self, query: KataGoQuery, players: Sequence[GoPlayer]) -> None:
        """Begin the game of a query, without its moves; raises BadField."""
        rules, komi = _rules(query)
        size = query.board_x_size
        player = _player_of(players, size, rules)
        self.player, self._key, self._moves = player, _key(query), list[tuple[str, str]]()
        self._board = GtpBoard(player.find, size, rules, komi)
        first = _first_player(query)
        try:
            self._board.set_up(_stones(query), None if first is None else colour(first))
        except Failure as error:
            raise BadField(str(error), "initialStones") from error

    def fits(self, query: KataGoQuery) -> bool:
        """Return whether a query has the same board, rules and start."""
        return self._key == _key(query)

    def follow(self, moves: Sequence[tuple[str, str]]) -> list[Position]:
        """Return the positions before each move and after the last one; raises BadField if a move is illegal."""
        same = 0
        while same < min(len(moves), len(self._moves)) and moves[same] == self._moves[same]:
            same += 1
        if same < len(self._moves):
            self._board.undo(len(self._moves) - same)
            del self._moves[same:]
        if len(moves) - same >= LONG:
            self._board.position.game.compile()
        for number, (player, text) in enumerate(moves[same:], same):
            action = _action(self._board.position, text, "moves")
            try:
                self._board.play(colour(player), action)
            except Failure as error:
                raise BadField(f"Illegal move {number}: {text}", "moves") from error
            self._moves.append((player, text))
        return self._board.history


class Turns(NamedTuple):
    """The positions of a query, and how to search them."""

    query: KataGoQuery
    player: GoPlayer
    positions: dict[int, Position]
    """The positions by their number of moves; two passes do not end them."""
    visits: int
    seconds: float
    view: int | None
    """The player from whose view values are reported; None: the player to move."""
    warnings: list[tuple[str, str]]
    """Fields without full effect, with the reason."""

    def priority_of(self, number: int) -> int:
        """Return the priority of a turn."""
        query = self.query
        if query.priorities is None or query.analyze_turns is None:
            return query.priority
        return query.priorities[query.analyze_turns.index(number)]

    def perspective(self, position: Position) -> int:
        """Return the player from whose view the values of a position are reported."""
        return position.to_play if self.view is None else self.view

    def considered(self, position: Position) -> tuple[int, ...] | None:
        """Return the actions to consider; empty: all legal ones; None: the query excludes every action."""
        avoid = _restricted(position, self.query.avoid_moves, "avoidMoves")
        allow = _restricted(position, self.query.allow_moves, "allowMoves")
        only = allowed_actions(position, avoid, allow)
        return None if only is None else without_lost_pass(position, self.player.evaluator, only)


def read_turns(query: KataGoQuery, line: GameLine) -> Turns:
    """Return the positions of a query, whose game is `line`; raises BadField."""
    numbers = _turn_numbers(query)
    history = line.follow(query.moves)
    positions = {number: going_on(history[number], history[number].to_play) for number in numbers}
    visits, seconds, view, unknown = _settings(query)
    warnings = [("overrideSettings", f"Unknown config params: {','.join(unknown)}")] if unknown else []
    if query.avoid_moves and query.allow_moves:
        raise BadField("Cannot specify both allowMoves and avoidMoves", "allowMoves")
    for name, restrictions in (("avoidMoves", query.avoid_moves), ("allowMoves", query.allow_moves)):
        for text in (text for each in restrictions for text in each.moves):
            _action(history[0], text, name)  # an unreadable move is an error for either player
        if any(each.until_depth > 1 for each in restrictions):
            warnings.append((name, "untilDepth is 1 here: the restriction applies to the first move only"))
    return Turns(query, line.player, positions, visits, seconds, view, warnings)


def _player_of(players: Sequence[GoPlayer], size: int, rules: str) -> GoPlayer:
    """Return the first player of a board size and rule set; raises BadField if there is none."""
    faults, field = list[str](), "boardXSize"
    for player in players:
        try:
            player.find(size, rules)
        except BadInput as error:
            faults.append(str(error))
            field = "rules" if size <= player.largest else field
        else:
            return player
    raise BadField(" ".join(faults) or "No model plays Go", field)


def _key(query: KataGoQuery) -> tuple[object, ...]:
    board = (query.board_x_size, query.rules, query.komi, query.white_handicap_bonus)
    return (*board, query.initial_stones, _first_player(query))


def _first_player(query: KataGoQuery) -> str | None:
    return query.initial_player or (query.moves[0][0] if query.moves else None)


def _rules(query: KataGoQuery) -> tuple[str, float]:
    """Return the rule set and komi of a query."""
    said, komi = query.rules, query.komi
    if isinstance(said, dict):
        own = said.get("komi")
        komi = float(own) if komi is None and isinstance(own, (int, float)) else komi
        said = msgspec.json.encode({name: value for name, value in said.items() if name != "komi"}).decode()
    try:
        rules = read_rules(said)
    except Failure as error:
        raise BadField(f"Could not parse rules: {said[:200]}", "rules") from error
    if query.white_handicap_bonus:
        rules = changed_rules(rules, "whiteHandicapBonus", query.white_handicap_bonus)
    komi = rules_of(rules).komi if komi is None else komi
    if not (2 * komi).is_integer():
        raise BadField("Must be a integer or half-integer from -150.0 to 150.0", "komi")
    return rules, komi


def _stones(query: KataGoQuery) -> dict[Cell, int]:
    """Return the owner of each initial stone."""
    return {_cell(text, query.board_x_size, "initialStones"): colour(player) for player, text in query.initial_stones}


def _action(position: Position, text: str, field: str) -> int:
    """Return the action of a pass, or of a point's name as in `_cell`."""
    state = position.state
    return pass_action(state) if text.strip().lower() == PASS else point_of(state, _cell(text, size_of(state), field))


def _cell(text: str, size: int, field: str) -> Cell:
    """Return the cell of a vertex, or of `(column,row)` from the top left; raises BadField."""
    column_row = _CELL.fullmatch(text)
    if column_row and int(column_row[1]) < size and int(column_row[2]) < size:
        return int(column_row[2]), int(column_row[1])
    try:
        return cell_named(text, size)
    except BadInput as error:
        raise BadField(f"Could not parse board location: {text[:20]}", field) from error


def _turn_numbers(query: KataGoQuery) -> list[int]:
    last = len(query.moves)
    numbers = [last] if query.analyze_turns is None else query.analyze_turns
    if query.priorities is not None:
        if query.analyze_turns is None:
            raise BadField("Can only specify when also specifying analyzeTurns", "priorities")
        if len(query.priorities) != len(numbers):
            raise BadField("Must be of matching length to analyzeTurns", "priorities")
    if not numbers:
        raise BadField("Must specify at least one turn", "analyzeTurns")
    if wrong := [number for number in numbers if not 0 <= number <= last]:
        raise BadField(f"Invalid turn number: {wrong[0]}", "analyzeTurns")
    return sorted({*numbers})


def _settings(query: KataGoQuery) -> tuple[int, float, int | None, list[str]]:
    """Return visits, seconds, perspective and the unknown names of `overrideSettings`."""
    said = dict(query.override_settings)
    view = str(said.pop("reportAnalysisWinratesAs", "black")).lower()
    visits, seconds = said.pop("maxVisits", DEFAULT_VISITS), said.pop("maxTime", math.inf)
    try:
        visits = query.max_visits or int(visits)
        seconds = float(seconds)
    except (TypeError, ValueError) as error:
        raise BadField(f"Could not set settings: {error}", "overrideSettings") from error
    if view not in PERSPECTIVES or not (visits > 0 and seconds > 0.0):
        raise BadField(
            "Could not set settings: reportAnalysisWinratesAs must be BLACK, WHITE or SIDETOMOVE, and numbers positive",
            "overrideSettings",
        )
    return visits, seconds if seconds < 1e9 else math.inf, PERSPECTIVES[view], sorted(said)


def _restricted(position: Position, restrictions: Sequence[Restriction], field: str) -> set[int]:
    """Return the actions that restrictions name for the player to move."""
    return {
        _action(position, text, field)
        for each in restrictions
        for text in each.moves
        if colour(each.player) == position.to_play
    }
