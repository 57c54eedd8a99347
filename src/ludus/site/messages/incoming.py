"""What a page may say over its game's socket: strict models, read or refused in a sentence."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from ludus.site.messages.reading import read_as
from ludus.site.table.table import MAX_GIVEN_S, Claim, What

MAX_BYTES = 65_536
MAX_TEXT = 280
"""Characters that may be said at a time."""


class _PlayIncoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Act(_PlayIncoming):
    """One action on the board."""

    type: Literal["act"]
    action: Annotated[int, Field(ge=0, le=32_767)]
    ply: Annotated[int, Field(ge=0)]
    """How many actions the page has seen; an older board is refused."""


class Undo(_PlayIncoming):
    """Take back the last action of an unfinished move."""

    type: Literal["undo"]


class Resign(_PlayIncoming):
    """Give up."""

    type: Literal["resign"]


class Abort(_PlayIncoming):
    """Call off a game that has hardly begun."""

    type: Literal["abort"]


class MakeOffer(_PlayIncoming):
    """Ask the other side."""

    type: Literal["offer"]
    what: What


class Accept(_PlayIncoming):
    """Agree to what the other side offers."""

    type: Literal["accept"]
    what: What


class Decline(_PlayIncoming):
    """Refuse what the other side offers, or withdraw one's own offer."""

    type: Literal["decline"]
    what: What


class ClaimGame(_PlayIncoming):
    """End a game that the other side has left."""

    type: Literal["claim"]
    what: Claim


class GiveTime(_PlayIncoming):
    """Add to the other side's clock."""

    type: Literal["give-time"]
    seconds: Annotated[int, Field(ge=1, le=MAX_GIVEN_S)]


class Chat(_PlayIncoming):
    """Say something to everybody at the table."""

    type: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class PlayPing(_PlayIncoming):
    """Is the site there?"""

    type: Literal["ping"]


PlayMessage = Act | Undo | Resign | Abort | MakeOffer | Accept | Decline | ClaimGame | GiveTime | Chat | PlayPing


class ToSite(RootModel[Annotated[PlayMessage, Field(discriminator="type")]]):
    """Whatever a page says over its game's socket."""


def read_play_message(text: str) -> PlayMessage:
    """Read what a page says about its game; raises BadMessage."""
    return read_as(ToSite, text).root
