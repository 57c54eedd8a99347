"""Messages about accounts, ratings, and bot tokens."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

Welcome = Literal["everyone", "accounts", "nobody"]
"""Whose challenges an account accepts."""


class RatingInfo(Struct, frozen=True, rename="camel"):
    """A player's rating in one game and time class."""

    name: str
    game: str
    time_class: str
    rating: int
    deviation: int
    games: int
    wins: int
    draws: int
    losses: int
    provisional: bool


class RatingList(Struct, frozen=True, rename="camel"):
    """A game and a time class that have rated players."""

    game: str
    time_class: str
    people: int
    """The number of rated players, without provisional ratings."""


class RatingPoint(Struct, frozen=True, rename="camel"):
    """An account's rating after a rated game."""

    game_id: str
    at: float
    """When the game ended, in seconds since 1970."""
    rating: int


class RatingHistory(Struct, frozen=True):
    """The response to `GET /api/people/{name}/ratings`: the ratings after the latest rated games, oldest first."""

    points: list[RatingPoint]


class TokenInfo(Struct, frozen=True, rename="camel"):
    """A bot token in the list of its owner, without the secret itself."""

    client_id: str
    ending: str
    made: float
    used: float | None


class AccountBody(BaseModel):
    """The base of request bodies about the requester's account."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Credentials(AccountBody):
    """The body of `POST /api/account` and `/api/session`: a name and a password."""

    name: Annotated[str, Field(max_length=200)]
    password: Annotated[str, Field(max_length=200)]


class Password(AccountBody):
    """The body of `DELETE /api/account`: the password, as a confirmation."""

    password: Annotated[str, Field(max_length=200)]


class NewPassword(Password):
    """The body of `PUT /api/account/password`: the old and the new password."""

    new_password: Annotated[str, Field(max_length=200, alias="newPassword")]


class ClaimClient(AccountBody):
    """The body of `POST /api/bot-tokens`: the client name to reserve for the account."""

    client_id: Annotated[str, Field(max_length=200, alias="clientId")]


class Me(Struct, frozen=True):
    """The response to `GET /api/me`, and to changes of one's account or session."""

    name: str
    account: bool
    settings: dict[str, Any]
    ratings: list[RatingInfo]
    key: str = ""
    """The visitor's public key, by which other people can block the visitor."""


class Person(Struct, frozen=True):
    """The response to `GET /api/people/{name}`: the public data of an account."""

    name: str
    since: float
    """When the account was created, in seconds since 1970."""
    ratings: list[RatingInfo]
    here: bool = False
    """Whether this person has a page of the site open, and accepts challenges."""
    challenges: Welcome = "everyone"
    key: str = ""
    """The person's public key, by which one can block the person."""


class PersonFound(Struct, frozen=True):
    """An account in the answer to a search for players."""

    name: str
    here: bool
    """Whether this person has a page of the site open, and accepts challenges."""
    challenges: Welcome


class BotFound(Struct, frozen=True):
    """A bot in the answer to a search for players."""

    id: str
    name: str
    level: str
    spec: str
    """A game that the bot recommends."""
    title: str
    """The title of that game."""


class PlayersFound(Struct, frozen=True):
    """The response to `GET /api/players`: accounts whose names begin with a text, and bots whose names contain it."""

    people: list[PersonFound]
    bots: list[BotFound]


class RatingPage(Struct, frozen=True):
    """The response to `GET /api/ratings`: a page of the best players of a game in a time class."""

    ratings: list[RatingInfo]
    page: int
    pages: int


class RatingLists(Struct, frozen=True):
    """The response to `GET /api/ratings/lists`."""

    lists: list[RatingList]


class TokenList(Struct, frozen=True):
    """The response to `GET /api/bot-tokens`."""

    tokens: list[TokenInfo]


class NewToken(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/bot-tokens`: the new token, which the site shows only once."""

    client_id: str
    token: str
