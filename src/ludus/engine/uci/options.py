"""What a program may set of a chess engine, and how a setting is read."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ludus.engine.ladder import Ladder
from ludus.errors import BadInput
from ludus.protocol.uci import Option, SetOption

MOST_LINES = 256
MOST_MEGABYTES = 65_536
CLEAR = "Clear Hash"


class UciSettings(msgspec.Struct, frozen=True):
    """What is set."""

    threads: int = 1
    """Processor threads of the network; the search has one of its own."""
    megabytes: int = 128
    """Most memory of the search tree."""
    lines: int = 1
    ponder: bool = False
    """Whether the program will ask to ponder; nothing depends on it."""
    chess960: bool = False
    limited: bool = False
    elo: int = 0
    shows_wdl: bool = False
    overhead_ms: int = 50
    """Lost between the engine and the clock with each move."""


def options(defaults: UciSettings, ladder: Ladder | None, most_threads: int) -> dict[str, tuple[Option, str]]:
    """Return the options by their names in small letters, each with the field of `Settings` that it sets.

    Args:
        defaults: of the settings.
        ladder: how the model's strength can be limited; None: that was not measured, and is not offered.
        most_threads: that are worth having.
    """
    offered = [
        (Option("Threads", "spin", defaults.threads, 1, max(most_threads, defaults.threads)), "threads"),
        (Option("Hash", "spin", defaults.megabytes, 1, MOST_MEGABYTES), "megabytes"),
        (Option(CLEAR, "button"), ""),
        (Option("MultiPV", "spin", defaults.lines, 1, MOST_LINES), "lines"),
        (Option("Ponder", "check", default=defaults.ponder), "ponder"),
        (Option("Move Overhead", "spin", defaults.overhead_ms, 0, 10_000), "overhead_ms"),
        (Option("UCI_Chess960", "check", default=defaults.chess960), "chess960"),
        (Option("UCI_ShowWDL", "check", default=defaults.shows_wdl), "shows_wdl"),
    ]
    if ladder:
        offered += [
            (Option("UCI_LimitStrength", "check", default=defaults.limited), "limited"),
            (Option("UCI_Elo", "spin", ladder.highest, ladder.lowest, ladder.highest), "elo"),
        ]
    return {option.name.lower(): (option, field) for option, field in offered}


def changed(settings: UciSettings, offered: dict[str, tuple[Option, str]], command: SetOption) -> UciSettings:
    """Return the settings after a command; raises BadInput if there is no such option, or not of this value."""
    if command.name.lower() not in offered:
        raise BadInput(f"There is no option {command.name!r}.")
    option, field = offered[command.name.lower()]
    if option.kind == "button":
        return settings
    read: Callable[[str, Option], bool | int] = _read_check if option.kind == "check" else _read_spin
    return msgspec.structs.replace(settings, **{field: read(command.value.strip(), option)})


def _read_check(text: str, option: Option) -> bool:
    if text.lower() not in ("true", "false"):
        raise BadInput(f"{option.name} is true or false, not {text[:40]!r}.")
    return text.lower() == "true"


def _read_spin(text: str, option: Option) -> int:
    try:
        number = int(text)
    except ValueError:
        number = option.low - 1
    if not option.low <= number <= option.high:
        raise BadInput(f"{option.name} is a number from {option.low} to {option.high}, not {text[:40]!r}.")
    return number
