"""The strength of an engine in a session (visits, seconds, temperature, noise), and its notation."""

import math

import msgspec

from ludus.errors import BadInput
from ludus.search.settings import MAX_VISITS

LONGEST_S = 8.0
"""Servers of the V3 protocol forfeit a bot that does not answer within ten seconds."""
_FORM = "write VISITS[,TEMPERATURE][,moves:N][,seconds:S][,noise], such as 200, or 30,0.5,moves:10, or seconds:2"


class Level(msgspec.Struct, frozen=True):
    """The strength of a bot: limits of its search, temperature and noise."""

    visits: int = 200
    """Visits of each search, including those kept from earlier searches."""
    temperature: float = 0.0
    """Temperature of the choice of moves: 0 plays the best one; higher values make weaker visited moves more likely."""
    moves: int = 0
    """Moves of the game, of both sides, for which the temperature applies; 0: the whole game."""
    seconds: float = LONGEST_S
    """Time limit of each answer."""
    noise: bool = False
    """Whether the root gets exploration noise as in self-play, which adds variety and costs strength."""

    def temperature_at(self, ply: int) -> float:
        """Return the temperature after `ply` moves."""
        return 0.0 if 0 < self.moves <= ply else self.temperature

    def __str__(self) -> str:
        """Write the level in the notation of `read_level`."""
        parts = [str(self.visits)]
        parts += [f"{self.temperature:g}"] if self.temperature else []
        parts += [f"moves:{self.moves}"] if self.moves else []
        parts += [f"seconds:{self.seconds:g}"] if self.seconds != LONGEST_S else []
        return ",".join(parts + ["noise"] * self.noise)


def read_level(text: str) -> Level:
    """Read `VISITS[,TEMPERATURE][,moves:N][,seconds:S][,noise]`; `seconds:S` alone sets no limit of visits.

    Raises:
        BadInput: the text has another form, or a number is out of range.
    """
    try:
        level = _read(text)
    except ValueError:
        level = Level(0)
    if not (1 <= level.visits <= MAX_VISITS and 0 <= level.temperature <= 10 and level.moves >= 0):
        raise BadInput(f"Level {text!r}: {_FORM} (temperature 0 to 10).")
    if not (0 < level.seconds < math.inf):
        raise BadInput(f"Level {text!r}: seconds must be a number above 0.")
    return level


def _read(text: str) -> Level:
    plain: list[str] = []
    named: dict[str, str] = {}
    for part in text.split(","):
        name, colon, value = part.partition(":")
        if colon or part == "noise":
            if name in named or name not in ("moves", "seconds", "noise") or bool(colon) == (name == "noise"):
                raise ValueError(part)
            named[name] = value
        else:
            plain.append(part)
    if len(plain) > 2 or not (plain or "seconds" in named):
        raise ValueError(text)
    return Level(
        visits=int(plain[0]) if plain else MAX_VISITS,
        temperature=float(plain[1]) if len(plain) == 2 else 0.0,
        moves=int(named.get("moves", "0")),
        seconds=float(named.get("seconds", LONGEST_S)),
        noise="noise" in named,
    )


def read_levels(texts: list[str]) -> dict[str, Level]:
    """Read `BOT=LEVEL` texts, one per bot; raises BadInput."""
    levels: dict[str, Level] = {}
    for text in texts:
        bot, equals, level = text.rpartition("=")
        if not equals or not bot:
            raise BadInput(f"Level {text!r}: write BOT=VISITS[,TEMPERATURE], such as wally=30,0.5.")
        if bot in levels:
            raise BadInput(f"Level {text!r}: {bot} already has a level; give one level for each bot.")
        levels[bot] = read_level(level)
    return levels
