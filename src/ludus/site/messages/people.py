"""What the site says of people, and what they ask of it: accounts, ratings, tokens for bots."""

from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field


class RatingInfo(Struct, frozen=True, rename="camel"):
    """A rating as people see it."""

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
    """A game at a speed at which somebody is rated."""

    game: str
    time_class: str
    people: int
    """Provisional ones left out."""


class TokenInfo(Struct, frozen=True, rename="camel"):
    """A token as its owner sees it, once it was shown."""

    client_id: str
    ending: str
    made: float
    used: float | None


class AccountBody(BaseModel):
    """What somebody sends about the own account."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Credentials(AccountBody):
    """`POST /api/account` and `/api/session`: who somebody is."""

    name: Annotated[str, Field(max_length=200)]
    password: Annotated[str, Field(max_length=200)]


class Password(AccountBody):
    """`DELETE /api/account`: proves that it is the owner who asks."""

    password: Annotated[str, Field(max_length=200)]


class NewPassword(Password):
    """`PUT /api/account/password`."""

    new_password: Annotated[str, Field(max_length=200, alias="newPassword")]


class ClaimClient(AccountBody):
    """`POST /api/bot-tokens`: a client's name is to belong to the account."""

    client_id: Annotated[str, Field(max_length=200, alias="clientId")]


class Me(Struct, frozen=True):
    """The answer about oneself."""

    name: str
    account: bool
    settings: dict[str, Any]
    ratings: list[RatingInfo]


class Person(Struct, frozen=True):
    """The answer to `GET /api/people/{name}`: what everybody may know of an account."""

    name: str
    since: float
    """Seconds since 1970."""
    ratings: list[RatingInfo]


class RatingPage(Struct, frozen=True):
    """The answer to `GET /api/ratings`: a page of the best of a game at a speed."""

    ratings: list[RatingInfo]
    page: int
    pages: int


class RatingLists(Struct, frozen=True):
    """The answer to `GET /api/ratings/lists`."""

    lists: list[RatingList]


class TokenList(Struct, frozen=True):
    """The answer to `GET /api/bot-tokens`."""

    tokens: list[TokenInfo]


class NewToken(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/bot-tokens`: the site shows the secret this once."""

    client_id: str
    token: str
