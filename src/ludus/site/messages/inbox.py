"""Messages of a visitor's inbox: quick pairing, challenges, and seats in games that came of them."""

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, RootModel

from ludus.site.messages.incoming import PlayPing
from ludus.site.messages.lists import ToldTime
from ludus.site.messages.page import ErrorMessage, PongMessage
from ludus.site.messages.requests import NO_NUL, BoardConfig, GameConfig, Timing

MAX_TIMES = 16
"""Most time controls that one person waits for."""


class _InboxIncoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class EnterPool(_InboxIncoming):
    """Wait for an opponent, in place of any earlier wish."""

    type: Literal["seek"]
    config: BoardConfig
    """The board; its first position is the usual one."""
    rated: bool = False
    times: Annotated[list[Timing | None], Field(min_length=1, max_length=MAX_TIMES)]
    """The time controls that the visitor accepts, the preferred one first; null: no clocks."""
    range: Annotated[int, Field(ge=25, le=1000)] | None = None
    """The largest difference of ratings at the beginning of the wait; null: any."""


class LeavePool(_InboxIncoming):
    """Stop waiting for an opponent."""

    type: Literal["stop"]


class SendChallenge(_InboxIncoming):
    """Challenge an account to a game."""

    type: Literal["challenge"]
    to: Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
    """The account's name."""
    config: GameConfig
    host_is_first: Annotated[bool | None, Field(alias="hostIsPlayer1")] = None
    """Whether the challenger moves first; null draws lots."""


_Id = Annotated[str, Field(max_length=32)]


class WithdrawChallenge(_InboxIncoming):
    """Withdraw a challenge of one's own."""

    type: Literal["withdraw"]
    id: _Id


class AcceptChallenge(_InboxIncoming):
    """Accept a challenge: the game begins."""

    type: Literal["accept"]
    id: _Id


class DeclineChallenge(_InboxIncoming):
    """Decline a challenge."""

    type: Literal["decline"]
    id: _Id


ToInboxMessage = (
    EnterPool | LeavePool | SendChallenge | WithdrawChallenge | AcceptChallenge | DeclineChallenge | PlayPing
)


class ToInbox(RootModel[Annotated[ToInboxMessage, Field(discriminator="type")]]):
    """Any message from a page over the socket of a visitor's inbox."""


class ChallengeInfo(Struct, frozen=True, rename="camel"):
    """An open challenge."""

    id: str
    name: str
    """The other person."""
    account: bool
    """Whether the other person has an account."""
    rating: int | None
    """The other person's rating in this game and time class."""
    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    with_evaluation: bool
    """Whether both players are to see the evaluation bar."""
    usual: bool
    """Whether the game begins at the usual position."""
    time_control: ToldTime
    you: int | None
    """The side of the receiver of this message; null: lots are drawn."""
    expires_in: int
    """Milliseconds until it ends by itself."""


class Challenges(Struct, frozen=True, tag_field="type", tag="challenges"):
    """All open challenges to this visitor, and of this visitor."""

    incoming: list[ChallengeInfo]
    outgoing: list[ChallengeInfo]


class ChallengeEnded(Struct, frozen=True, tag_field="type", tag="ended"):
    """A challenge has ended without a game."""

    id: str
    name: str
    """The other person."""
    mine: bool
    """Whether the receiver of this message made it."""
    why: Literal["declined", "expired", "withdrawn", "left"]


class PoolState(Struct, frozen=True, rename="camel", tag_field="type", tag="pool"):
    """How a visitor's wait for an opponent goes on."""

    waiting: bool
    """Whether the visitor waits; then the other fields are valid."""
    waited: int = 0
    """Milliseconds since the beginning of the wait."""
    others: int = 0
    """How many other people wait for an opponent on the same board."""
    range: int | None = None
    """The largest difference of ratings at present; null: any."""


class SeatedAt(Struct, frozen=True, rename="camel", tag_field="type", tag="seated"):
    """The visitor has a seat in a game that begins now; the site sends its token only this once."""

    game_id: str
    token: str
    opponent: str


InboxMessage = Challenges | ChallengeEnded | PoolState | SeatedAt | ErrorMessage | PongMessage
"""Any message from the site over the socket of a visitor's inbox."""
