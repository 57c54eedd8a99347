"""Messages from a page over a game's socket, as strict models, and their parser."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from ludus.site.messages.reading import read_as
from ludus.site.table.table import MAX_GIVEN_S, Claim, What

MAX_BYTES = 65_536
MAX_TEXT = 280
"""The maximum length of a chat message, in characters."""
MAX_MOVE = 200
"""Most actions of a bot's move."""


class _PlayIncoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Act(_PlayIncoming):
    """Play one action."""

    type: Literal["act"]
    action: Annotated[int, Field(ge=0, le=32_767)]
    ply: Annotated[int, Field(ge=0)]
    """The number of actions in the position that the page shows; the site refuses the action if it is out of date."""


class BotMove(_PlayIncoming):
    """Play a move of the opponent, a bot that thinks in this browser; only its first actions if it is unfinished."""

    type: Literal["bot-move"]
    actions: Annotated[list[Annotated[int, Field(ge=0, le=32_767)]], Field(min_length=1, max_length=MAX_MOVE)]
    """In the numbers of the bot's engine."""
    ply: Annotated[int, Field(ge=0)]
    """The number of actions in the position that was searched; the site refuses the move if it is out of date."""


class Undo(_PlayIncoming):
    """Take back the last action of an unfinished move."""

    type: Literal["undo"]


class Resign(_PlayIncoming):
    """Resign the game."""

    type: Literal["resign"]


class Abort(_PlayIncoming):
    """Abort a game in which one side has not moved yet."""

    type: Literal["abort"]


class MakeOffer(_PlayIncoming):
    """Offer the opponent a draw, a takeback or a rematch."""

    type: Literal["offer"]
    what: What


class Accept(_PlayIncoming):
    """Accept the opponent's offer."""

    type: Literal["accept"]
    what: What


class Decline(_PlayIncoming):
    """Decline the opponent's offer, or withdraw one's own."""

    type: Literal["decline"]
    what: What


class ClaimGame(_PlayIncoming):
    """Claim a win or a draw because the opponent has left."""

    type: Literal["claim"]
    what: Claim


class WaitForBot(_PlayIncoming):
    """Let the game wait longer for a bot that does not answer."""

    type: Literal["wait"]


class EndWithoutResult(_PlayIncoming):
    """End the game without a result because the opponent, a bot, does not answer."""

    type: Literal["end"]


class GiveTime(_PlayIncoming):
    """Add time to the opponent's clock."""

    type: Literal["give-time"]
    seconds: Annotated[int, Field(ge=1, le=MAX_GIVEN_S)]


class Chat(_PlayIncoming):
    """Send a chat message to all players and spectators of the game."""

    type: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class PlayPing(_PlayIncoming):
    """Request a `pong`, which shows that the connection works."""

    type: Literal["ping"]


MAX_BOARDS = 12
"""Most boards of running games that a socket gets."""


class WatchBoards(_PlayIncoming):
    """Request the boards of these running games, now and after each move, in place of those requested before."""

    type: Literal["watch"]
    games: Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=MAX_BOARDS)]


PlayerMessage = (
    Act | Undo | Resign | Abort | MakeOffer | Accept | Decline | ClaimGame | GiveTime | WaitForBot | EndWithoutResult
)
PlayMessage = PlayerMessage | BotMove | Chat | PlayPing


class ToSite(RootModel[Annotated[PlayMessage, Field(discriminator="type")]]):
    """Any message from a page over a game's socket."""


class ToLive(RootModel[Annotated[PlayPing | WatchBoards, Field(discriminator="type")]]):
    """Any message from a page over the socket of the running games."""


def read_play_message(text: str) -> PlayMessage:
    """Parse a message from a page; raises BadMessage."""
    return read_as(ToSite, text).root
