"""The settings of a Go engine; controllers may read and change some of them, under KataGo's names."""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

from ludus.games.go.engines.gtp.protocol import Failure
from ludus.players.thinking.seat import Limits
from ludus.search.settings import MAX_VISITS


class GtpSettings(msgspec.Struct, frozen=True):
    """Settings of the engine."""

    visits: int = 800
    """Visits of a move without a clock."""
    resign_below: float = -1.0
    """The engine resigns if the value for it is below this; -1: never."""
    size: int = 19
    rules: str = "tromp-taylor"
    komi: float = 7.5
    seconds: float = math.inf
    """Longest search for a move."""


UNLIMITED_S = 1e9
"""Longer times are no limit; KataGo writes 1e20 for none."""


class _Parameter(NamedTuple):
    """A setting that controllers may change within limits; without a name, one of KataGo's that has no effect here."""

    setting: str
    kind: type[int | float]
    least: float
    most: float


PARAMETERS = {
    "maxVisits": _Parameter("visits", int, 2, MAX_VISITS),
    "maxTime": _Parameter("seconds", float, 0.01, math.inf),
    "resignThreshold": _Parameter("resign_below", float, -1.0, 1.0),
    "playoutDoublingAdvantage": _Parameter("", float, 0.0, 0.0),
    "analysisWideRootNoise": _Parameter("", float, 0.0, 0.0),
}


class Parameters:
    """The current settings of an engine.

    Attributes:
        settings: the settings.
    """

    def __init__(self, settings: GtpSettings) -> None:
        """Begin with `settings`."""
        self.settings = settings

    def text(self, name: str) -> str:
        """Return a parameter's value; raises Failure if there is no such parameter."""
        setting, _, least, _ = _known(name)
        value = getattr(self.settings, setting) if setting else least
        return "1e20" if value == math.inf else str(value)

    def change(self, name: str, text: str) -> None:
        """Change a parameter; raises Failure if there is no such parameter or the value is not valid."""
        setting, kind, least, most = _known(name)
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if least == most != value:
            raise Failure(f"{name} is always {least:g} here")
        if not least <= value <= most:
            raise Failure(f"{name} must be {'an integer' if kind is int else 'a number'} from {least} to {most}")
        if value >= UNLIMITED_S:
            value = math.inf
        if setting:
            self.settings = msgspec.structs.replace(self.settings, **{setting: value})

    def limited(self, limits: Limits) -> Limits:
        """Return the limits of a search for a move, shortened to the longest search."""
        seconds = min(limits.seconds, self.settings.seconds)
        extension = min(limits.extension, self.settings.seconds - seconds) if limits.extension else 0.0
        return msgspec.structs.replace(limits, seconds=seconds, extension=extension)


def _known(name: str) -> _Parameter:
    if name not in PARAMETERS:
        raise Failure(f"unknown parameter {name[:40]!r}; parameters are {', '.join(PARAMETERS)}")
    return PARAMETERS[name]
