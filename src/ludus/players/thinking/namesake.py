"""Which games are one game seen through other planes, such as `connect4` and `connect4:ahead`."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.games.behaviour import same_rules
from ludus.games.game import Game, Position
from ludus.games.registry import game as find_game
from ludus.protocol.spec import setting_of


def namesake(spec: str, game: Game) -> Game | None:
    """Return the game that `spec` names if its rules, states and actions are those of `game`, else None."""
    if setting_of(spec) != setting_of(game.name):
        return None
    found = find_game(spec)
    return found if same_rules(found, game) else None


def seen_in(position: Position, game: Game) -> Position:
    """Return a position as one of a namesake of its game, with the same way that led to it."""
    if position.game is game:
        return position
    seen = Position(game, position.state, position.parent, position.action, position.past)
    seen.is_renewed, seen.setup = position.is_renewed, position.setup
    return seen


def find_namesake(spec: str, games: Sequence[Game]) -> int | None:
    """Return which of `games` `spec` names: that very game if it is there, else a namesake, else None."""
    names = [game.name for game in games]
    if spec in names:
        return names.index(spec)
    return next((number for number, game in enumerate(games) if namesake(spec, game)), None)
