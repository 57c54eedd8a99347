"""The UCI options of an engine: their declarations, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from ludus.engine.ladder import Ladder
from ludus.errors import BadInput
from ludus.protocol.uci import Option, SetOption

MOST_LINES = 256
MOST_MEGABYTES = 65_536
CLEAR = "Clear Hash"
SWITCH = "switches"  # the field of all options that select the rules


class UciSettings(msgspec.Struct, frozen=True):
    """The values of the options."""

    threads: int = 1
    """Processor threads of the network; the search uses one more."""
    megabytes: int = 1024
    """Memory limit of the search tree."""
    lines: int = 1
    ponder: bool = False
    """Whether the program may ponder; has no effect."""
    switches: frozenset[str] = frozenset()
    """The options that are on among those that select the game's rules."""
    limited: bool = False
    elo: int = 0
    shows_wdl: bool = False
    overhead_ms: int = 50
    """Time lost by communication in each move."""


def options(
    defaults: UciSettings, ladder: Ladder | None, most_threads: int, switches: Iterable[str] = ()
) -> dict[str, tuple[Option, str]]:
    """Return the options by lower-case name, each with the field of `UciSettings` that it sets.

    Args:
        defaults: default settings.
        ladder: measured levels, for limiting the strength; None: there is no such option.
        most_threads: upper bound of the option Threads.
        switches: names of the options that select the game's rules.
    """
    offered = [
        (Option("Threads", "spin", defaults.threads, 1, max(most_threads, defaults.threads)), "threads"),
        (Option("Hash", "spin", defaults.megabytes, 1, MOST_MEGABYTES), "megabytes"),
        (Option(CLEAR, "button"), ""),
        (Option("MultiPV", "spin", defaults.lines, 1, MOST_LINES), "lines"),
        (Option("Ponder", "check", default=defaults.ponder), "ponder"),
        (Option("Move Overhead", "spin", defaults.overhead_ms, 0, 10_000), "overhead_ms"),
        *((Option(name, "check", default=name in defaults.switches), SWITCH) for name in switches),
        (Option("UCI_ShowWDL", "check", default=defaults.shows_wdl), "shows_wdl"),
    ]
    if ladder:
        offered += [
            (Option("UCI_LimitStrength", "check", default=defaults.limited), "limited"),
            (Option("UCI_Elo", "spin", ladder.highest, ladder.lowest, ladder.highest), "elo"),
        ]
    return {option.name.lower(): (option, field) for option, field in offered}


def changed(settings: UciSettings, offered: dict[str, tuple[Option, str]], command: SetOption) -> UciSettings:
    """Return the settings after a `setoption`; raises BadInput if the option or its value is invalid."""
    if command.name.lower() not in offered:
        raise BadInput(f"There is no option {command.name!r}.")
    option, field = offered[command.name.lower()]
    if option.kind == "button":
        return settings
    read: Callable[[str, Option], bool | int] = _read_check if option.kind == "check" else _read_spin
    value = read(command.value.strip(), option)
    if field == SWITCH:
        others = settings.switches - {option.name}
        return msgspec.structs.replace(settings, switches=others | {option.name} if value else others)
    return msgspec.structs.replace(settings, **{field: value})


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
