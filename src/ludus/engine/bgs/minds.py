"""Minds and seats as an engine needs them, and the choice of a mind for a session's game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput, LudusError
from ludus.games.game import Position
from ludus.games.registry import game as game_named
from ludus.games.registry import plays_as
from ludus.players.thinking.thought import Thought
from ludus.protocol.bgs import SessionConfig
from ludus.protocol.spec import framed, setting_of, spec_in_play

_log = logging.getLogger(__name__)


class SessionSeat(Protocol):
    """What a session needs of a seat."""

    @property
    def position(self) -> Position:
        """The position on the board."""
        ...

    def ask(
        self, visits: int, temperature: float = 0.0, *, seconds: float = ..., explores: bool = ..., lines: int = ...
    ) -> Future[Thought]:
        """Begin to think about the position, without making anybody wait."""
        ...

    def play(self, action: int) -> None:
        """Make an action of either side and keep what was thought about it."""
        ...

    def expected_maps(self) -> NDArray[np.float32] | None:
        """Return how likely each cell of the final maps is, seen by player 0 [M, H, W]; None if nobody can say."""
        ...


class SessionMind(Protocol):
    """Something that plays games: a network with a search, or less."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """Names of the games that it was made for."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> SessionSeat:
        """Sit down at a position, or raise BadInput if this mind cannot play it; the seed is for choices by chance."""
        ...


def sit_down(
    minds: Sequence[SessionMind], config: SessionConfig, *, seed: int = 0, edition: str = ""
) -> tuple[SessionMind, SessionSeat]:
    """Return the mind that takes a session's game, and a seat at its first position.

    The first mind that was made for the very board takes it.  Else a smaller board is played in a larger one's frame,
    the smallest there is, at its top left: so are boards in frames laid out when networks are trained on them.

    Args:
        minds: to choose from.
        config: the game.
        seed: for the mind's choices by chance.
        edition: of the Wall Game's rules (empty: the newest).

    Raises:
        BadInput: no mind plays the game, or its first position is invalid.
    """
    refusal = ""
    for spec, mind in _candidates(minds, config):
        try:
            played = game_named(spec_in_play(spec, edition))
            position = played.start(config.initial_state)
        except LudusError as error:
            raise BadInput(str(error)) from error
        try:
            seat = mind.seat(position, seed=seed)
        except BadInput as error:
            refusal = refusal or f" ({str(error).rstrip('.')})"
            continue
        if spec not in mind.games:
            _log.info("%s plays %s, on which it was not trained.", mind.name, spec)
        return mind, seat
    known = ", ".join(spec for mind in minds for spec in mind.games)
    raise BadInput(
        f"No model here plays {config.game}, variant {config.variant}, on {config.board_width}x"
        f"{config.board_height}; they play: {known}{refusal}"
    )


def _candidates(minds: Sequence[SessionMind], config: SessionConfig) -> list[tuple[str, SessionMind]]:
    """Return specs under which the game may be played and their minds, the best first."""
    exact: list[tuple[str, SessionMind]] = []
    padded: list[tuple[int, str, SessionMind]] = []
    for mind in minds:
        for spec in mind.games:
            if _fits(spec, config):
                exact.append((spec, mind))
            elif _is_kin(spec, config):
                frame = framed(spec, config.variant, config.board_width, config.board_height)
                if frame:
                    padded.append((frame.cells, frame.spec, mind))
    return exact + [(spec, mind) for _, spec, mind in sorted(padded, key=lambda each: each[0])]


def _fits(spec: str, config: SessionConfig) -> bool:
    """Return whether a game's name means the game of a session; a name without a size has one board, whatever it is."""
    setting = setting_of(spec)
    if (setting.game, setting.variant) != (config.game, config.variant):
        return False
    return setting.width is None or (setting.width, setting.height) == (config.board_width, config.board_height)


def _is_kin(spec: str, config: SessionConfig) -> bool:
    setting = setting_of(spec)
    if setting.game != config.game:
        return False
    return plays_as(setting.game, setting.variant) == plays_as(config.game, config.variant)
