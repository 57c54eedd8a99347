"""How hard an engine tries in a session: visits and temperature, written `VISITS[,TEMPERATURE]`."""

import msgspec

from ludus.errors import BadInput

MAX_VISITS = 10_000_000


class Level(msgspec.Struct, frozen=True):
    """A strength of play."""

    visits: int = 200
    """Simulations for each evaluation."""
    temperature: float = 0.0
    """0 plays the most visited move; higher values choose more freely among the visited."""

    def __str__(self) -> str:
        """Write it as `read_level` reads it."""
        return f"{self.visits},{self.temperature:g}" if self.temperature else str(self.visits)


def read_level(text: str) -> Level:
    """Read `VISITS[,TEMPERATURE]`, e.g. `30,0.5`; raises BadInput."""
    visits, _, temperature = text.partition(",")
    try:
        level = Level(int(visits), float(temperature) if temperature else 0.0)
    except ValueError:
        level = Level(0)
    if not (1 <= level.visits <= MAX_VISITS and 0 <= level.temperature <= 10):
        raise BadInput(f"Level {text!r}: write VISITS[,TEMPERATURE], such as 200 or 30,0.5 (temperature 0 to 10).")
    return level


def read_levels(texts: list[str]) -> dict[str, Level]:
    """Read `BOT=VISITS[,TEMPERATURE]` for several bots; raises BadInput."""
    levels: dict[str, Level] = {}
    for text in texts:
        bot, equals, level = text.rpartition("=")
        if not equals or not bot:
            raise BadInput(f"Level {text!r}: write BOT=VISITS[,TEMPERATURE], such as wally=30,0.5.")
        levels[bot] = read_level(level)
    return levels
