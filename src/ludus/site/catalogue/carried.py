"""Positions in the games of engines that browsers run.

An engine's game may have other state words and action numbers than the site's game of the same board, such as a board
inside the frame of a larger one.  Only the site converts between the two.
"""

import base64
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise

from ludus.errors import BadNotation, IllegalMove
from ludus.games.game import Game, Position, unusual_setup
from ludus.games.registry import about, game
from ludus.paths import spec_parts
from ludus.protocol.spec import spec_in_play
from ludus.site.bots.in_browser import DeviceEngine
from ludus.site.messages.page import DevicePosition


def device_position(position: Position, engine: DeviceEngine) -> DevicePosition:
    """Return a position as an engine takes it, as far as the engine's game allows the actions that led to it."""
    own = _game_of(engine)
    history = position.history
    if not _is_alike(own, position.game):
        history = carried(position, engine).history
    elif own is not position.game and any(each.is_renewed for each in history):
        after = own.start(unusual_setup(history[0]))
        for action in _actions(history):
            after = after.play(action)
        history = after.history
    begin = max((ply for ply, each in enumerate(history) if each.is_renewed), default=0)
    if begin:
        words = _words(history[begin])
    else:
        setup = unusual_setup(history[0])
        words = "" if setup is None else _words(own.start(setup))  # states may tell which planes they are for
    return DevicePosition(engine.manifest, engine.spec, words, begin, _actions(history[begin:]))


def carried(position: Position, engine: DeviceEngine) -> Position:
    """Return a position in a game with an engine's action numbers, before the first move that it does not allow."""
    own = _game_of(engine)
    if _is_alike(own, position.game):
        return position
    return translated(position.history, own.start(unusual_setup(position.history[0])))


def site_actions(position: Position, engine: DeviceEngine, found: Sequence[int]) -> list[int]:
    """Return actions of one move, in the numbers of an engine's game, in those of the site's game.

    Args:
        position: where the move begins.
        engine: the engine.
        found: its actions; the last ones of the move may be missing.

    Raises:
        IllegalMove: an action is illegal, or the engine's game does not reach the position.
    """
    own = carried(position, engine)
    if own.num_actions_played != position.num_actions_played:
        raise IllegalMove(f"{engine.spec}: the engine's game does not reach this position.")
    after = without_history(own)
    for action in found:
        after = after.play(action)
    return _actions(translated(after.history, without_history(position)).history)


def without_history(position: Position) -> Position:
    """Return the first position of a line that begins at a position."""
    return Position(position.game, position.state, past=position.past)


def line_from(begin: Position, moves: Iterable[str | int]) -> Position:
    """Return the position after a line up to its first illegal move; its history has the line alone."""
    after = without_history(begin)
    with suppress(BadNotation, IllegalMove):
        for move in moves:
            after = after.play(move)
    return after


def translated(history: Sequence[Position], target: Position) -> Position:
    """Play the moves of a line in another game, up to the first move that this game does not allow.

    Args:
        history: the positions of the line, the first one included.
        target: the first position in the other game.
    """
    begin, actions = history[0], list[int]()
    with suppress(BadNotation, IllegalMove):
        for before, after in pairwise(history):
            assert after.action is not None, "only the first position has no action"
            actions.append(after.action)
            if after.outcome or after.to_play != before.to_play or after is history[-1]:
                text = begin.game.move_text(begin.state, actions)
                for action in target.parse(text)[: len(actions)]:  # an unfinished move may be read as a short one
                    target = target.play(action)
                begin, actions = after, []
    return target


def _game_of(engine: DeviceEngine) -> Game:
    return game(spec_in_play(engine.spec))


def _actions(history: Sequence[Position]) -> list[int]:
    """Return the actions between the first and the last of some positions."""
    return [each.action for each in history[1:] if each.action is not None]


def _words(position: Position) -> str:
    return base64.b64encode(position.state.tobytes()).decode()


def _is_alike(own: Game, other: Game) -> bool:
    """Return whether two games have the same rules and action numbers, and differ at most in planes for networks."""
    return _without_planes(own.name) == _without_planes(other.name)


@lru_cache(maxsize=256)
def _without_planes(spec: str) -> str:
    planes = about(spec).options.planes
    return ":".join(part for part in spec_parts(spec) if part not in planes)
