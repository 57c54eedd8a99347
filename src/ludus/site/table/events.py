"""What happens at a table, as those hear it who sit or stand around it; each dialect says it in its own words."""

from msgspec import Struct

from ludus.site.table.table import Table, What


class Changed(Struct, frozen=True):
    """The table is another one now."""

    before: Table
    after: Table


class Seated(Struct, frozen=True):
    """Somebody sat down, came, or went."""


class Evaluated(Struct, frozen=True):
    """A bot said what a position is worth."""


class Declined(Struct, frozen=True):
    """Side `by` said no."""

    what: What
    by: int


class RematchOpened(Struct, frozen=True):
    """The next game is there; seats and their tokens are the same persons'."""

    id: str


class Said(Struct, frozen=True):
    """Somebody said something to everybody."""

    text: str
    name: str
    side: int | None
    """None: a spectator."""
    speaker: int
    """Tells apart those whose names are alike."""
    at: int


class Notice(Struct, frozen=True):
    """Something that concerns everybody, in a sentence."""

    message: str


class Evicted(Struct, frozen=True):
    """The game has left memory; whoever asks for it is given another one from the database."""


Event = Changed | Seated | Evaluated | Declined | RematchOpened | Said | Notice | Evicted
