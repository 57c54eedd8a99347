"""Challenges from one person to another: kept in memory, shown on every page of both, ended after minutes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from ludus.errors import BadInput, LudusError
from ludus.site.faults import NotHere, NotYours, TooOften
from ludus.site.lobby.inbox import Inboxes, InboxSocket
from ludus.site.lobby.reception import Reception, control_of, side_of
from ludus.site.messages.inbox import (
    AcceptChallenge,
    ChallengeEnded,
    ChallengeInfo,
    Challenges,
    DeclineChallenge,
    SendChallenge,
    WithdrawChallenge,
)
from ludus.site.messages.requests import GameConfig
from ludus.site.people.accounts import Account
from ludus.site.people.people import People
from ludus.site.people.ratings import rating_in
from ludus.site.people.visitors import Visitor
from ludus.site.safety.limits import RateLimit, RateLimiter
from ludus.site.settings import SiteSettings
from ludus.site.wallgame_io.view import told_time

EXPIRES_S = 300.0
LEFT_S = 10.0
"""How long a challenge outlives the last open page of its challenger, who may be reloading the page."""
MAX_OUTGOING = 3
"""Most open challenges of one person."""
MAX_INCOMING = 8
"""Most open challenges to one person."""
DECLINED_S = 300.0
"""How long a person who was declined may not challenge the same person again."""
_AGAIN = RateLimit(most=1, per_s=1 / DECLINED_S)


class _Challenge(Struct, eq=False):
    id: str
    challenger: Visitor
    target: Account
    config: GameConfig
    side: int | None
    """The challenger's side; None: lots are drawn."""
    ratings: tuple[int | None, int | None]
    """The ratings of the challenger and of the target."""
    ends_at: float
    """When it expires, in the event loop's time."""
    timer: asyncio.TimerHandle
    is_taken: bool = False
    """Whether its game is being opened."""

    @property
    def by(self) -> str:
        """Return the challenger's key."""
        return self.challenger.person

    @property
    def to(self) -> str:
        """Return the target's key."""
        return f"account {self.target.id}"


class ChallengeDesk:
    """All open challenges."""

    def __init__(
        self,
        inboxes: Inboxes,
        reception: Reception,
        people: Callable[[], People],
        settings: SiteSettings,
        clock: Callable[[], float],
    ) -> None:
        """Start without challenges.

        Args:
            inboxes: the sockets of visitors.
            reception: opens games.
            people: returns accounts and ratings; raises Unavailable before the site is open.
            settings: the site's settings.
            clock: returns seconds; only differences matter.
        """
        self._inboxes, self._reception, self._people = inboxes, reception, people
        self._open: dict[str, _Challenge] = {}
        self._unlimited = settings.safety.exempt()
        self._rate = RateLimiter(settings.safety.challenges, clock)
        self._again = RateLimiter(_AGAIN, clock)
        inboxes.coming.append(self._greet)
        inboxes.leaving.append(self._hear_leaving)
        inboxes.seated.append(self._withdraw_all)

    async def send(self, _socket: InboxSocket, wish: SendChallenge, visitor: Visitor) -> None:
        """Challenge an account.

        Raises:
            NotHere: there is no such account.
            NotYours: it does not want this visitor's challenges.
            NotLoggedIn: a guest asks for a rated game.
            BadInput: the site has no such game, or the visitor challenges itself or has done so already.
            TooOften: the visitor has sent too many challenges, or the account has too many.
            Unavailable: the database cannot be read.
        """
        config = wish.config
        self._reception.spec_of(config, visitor)
        target = await self._people().accounts.named(wish.to)
        if target is None:
            raise NotHere(f"There is no account named {wish.to[:40]!r}.")
        self._must_be_welcome(visitor, target)
        self._must_not_be_too_many(visitor, target)
        control = control_of(config.time_control)
        ratings = [
            rating_in(await self._people().ratings.of(account), config.game, config.variant, control)
            if account
            else None
            for account in (visitor.account_id, target.id)
        ]
        loop, challenge_id = asyncio.get_running_loop(), secrets.token_urlsafe(6)
        timer = loop.call_later(EXPIRES_S, self._end, challenge_id, "expired")
        challenge = _Challenge(
            challenge_id, visitor, target, config, None if wish.host_is_first is None else side_of(wish.host_is_first),
            (ratings[0], ratings[1]), loop.time() + EXPIRES_S, timer,
        )  # fmt: skip
        self._open[challenge_id] = challenge
        self._tell(challenge)

    async def accept(self, _socket: InboxSocket, wish: AcceptChallenge, visitor: Visitor) -> None:
        """Open the game of a challenge; raises NotHere if it has ended, and as `Reception.seat_both`."""
        challenge = self._of(wish.id, visitor.person, mine=False)
        if not self._inboxes.has(challenge.by):
            raise BadInput(f"{challenge.challenger.name} has lost the connection. Try again in a few seconds.")
        challenge.is_taken = True
        people, control = (challenge.challenger, visitor), control_of(challenge.config.time_control)
        side = side_of(None) if challenge.side is None else challenge.side
        try:
            seated = await self._reception.seat_both(challenge.config, control, "friend", people, side)
        except LudusError as error:
            challenge.is_taken = False
            raise BadInput(f"The game could not be opened. {error}") from error
        for key, placed in zip((challenge.by, challenge.to), seated, strict=True):
            self._inboxes.seat(key, placed.told)
        self._forget(challenge)  # afterwards: the page of a guest closes its inbox when nothing is open

    async def decline(self, _socket: InboxSocket, wish: DeclineChallenge, visitor: Visitor) -> None:
        """Decline a challenge; raises NotHere if it has ended."""
        challenge = self._of(wish.id, visitor.person, mine=False)
        self._again.take(f"{challenge.by} {challenge.to}")
        self._end(wish.id, "declined")

    async def withdraw(self, _socket: InboxSocket, wish: WithdrawChallenge, visitor: Visitor) -> None:
        """Withdraw a challenge of one's own; raises NotHere if it has ended."""
        self._of(wish.id, visitor.person, mine=True)
        self._end(wish.id, "withdrawn")

    def _greet(self, socket: InboxSocket) -> None:
        """Tell a new socket of the open challenges, if there are any."""
        if any(socket.key in (each.by, each.to) for each in self._open.values()):
            socket.tell(self._told(socket.key))

    def close(self) -> None:
        """Forget all challenges."""
        for challenge in list(self._open.values()):
            self._forget(challenge)

    def _must_be_welcome(self, visitor: Visitor, target: Account) -> None:
        if visitor.account_id == target.id:
            raise BadInput("You cannot challenge yourself. Choose another person.")
        self._reception.must_meet(visitor.person, f"account {target.id}")
        if target.welcome == "nobody":
            raise NotYours(f"{target.name} accepts no challenges at present.")
        if target.welcome == "accounts" and visitor.account is None:
            raise NotYours(f"{target.name} accepts challenges of accounts only. Log in first.")

    def _must_not_be_too_many(self, visitor: Visitor, target: Account) -> None:
        key, to = visitor.person, f"account {target.id}"
        mine = self._sent_by(key)
        if any(each.to == to for each in mine):
            raise BadInput(
                f"You have already challenged {target.name}. Wait for the answer, or withdraw the challenge."
            )
        if len(mine) >= MAX_OUTGOING:
            raise TooOften(f"You have {MAX_OUTGOING} open challenges. Withdraw one of them first.")
        if sum(each.to == to for each in self._open.values()) >= MAX_INCOMING:
            raise TooOften(f"{target.name} has too many challenges at the moment. Try again in a few minutes.")
        if self._again.peek(f"{key} {to}"):
            raise TooOften(f"{target.name} has just declined. Try again in a few minutes, or challenge somebody else.")
        limited = [key] if visitor.account else []
        if visitor.address not in self._unlimited:
            limited.append(visitor.address)
        for name in limited:
            if wait_s := self._rate.take(name):
                raise TooOften.of_address("challenges were sent", wait_s)

    def _of(self, challenge_id: str, key: str, *, mine: bool) -> _Challenge:
        """Return an open challenge of, or to, a visitor; raises NotHere."""
        challenge = self._open.get(challenge_id)
        if challenge is None or challenge.is_taken or key != (challenge.by if mine else challenge.to):
            raise NotHere("This challenge has ended.")
        return challenge

    def _end(self, challenge_id: str, why: Literal["declined", "expired", "withdrawn", "left"]) -> None:
        challenge = self._open.get(challenge_id)
        if challenge is None or challenge.is_taken:
            return
        # before the lists: the page of a guest closes its inbox when nothing is open
        self._inboxes.tell(challenge.by, ChallengeEnded(challenge_id, challenge.target.name, True, why))
        self._inboxes.tell(challenge.to, ChallengeEnded(challenge_id, challenge.challenger.name, False, why))
        self._forget(challenge)

    def _forget(self, challenge: _Challenge) -> None:
        challenge.timer.cancel()
        if self._open.pop(challenge.id, None):
            self._tell(challenge)

    def _tell(self, challenge: _Challenge) -> None:
        """Tell both persons of their open challenges."""
        for key in (challenge.by, challenge.to):
            self._inboxes.tell(key, self._told(key))

    def _told(self, key: str) -> Challenges:
        return Challenges(
            [_shown(each, mine=False) for each in self._open.values() if each.to == key],
            [_shown(each, mine=True) for each in self._sent_by(key)],
        )

    def _sent_by(self, key: str) -> list[_Challenge]:
        """Return the open challenges of a challenger."""
        return [each for each in self._open.values() if each.by == key]

    def _withdraw_all(self, key: str) -> None:
        """Withdraw the open challenges of a person who plays now."""
        for challenge in self._sent_by(key):
            self._end(challenge.id, "withdrawn")

    def _hear_leaving(self, socket: InboxSocket) -> None:
        if not self._inboxes.has(socket.key) and self._sent_by(socket.key):
            asyncio.get_running_loop().call_later(LEFT_S, self._end_if_left, socket.key)

    def _end_if_left(self, key: str) -> None:
        if not self._inboxes.has(key):
            for challenge in self._sent_by(key):
                self._end(challenge.id, "left")


def _shown(challenge: _Challenge, *, mine: bool) -> ChallengeInfo:
    """Return a challenge as its challenger (`mine`) or its target sees it."""
    config, side = challenge.config, challenge.side
    left_s = challenge.ends_at - asyncio.get_running_loop().time()
    return ChallengeInfo(
        id=challenge.id,
        name=challenge.target.name if mine else challenge.challenger.name,
        account=mine or challenge.challenger.account is not None,
        rating=challenge.ratings[1 if mine else 0],
        game=config.game,
        variant=config.variant,
        board_width=config.board_width,
        board_height=config.board_height,
        rated=config.rated,
        with_evaluation=config.with_evaluation,
        usual=config.setup is None,
        time_control=told_time(control_of(config.time_control)),
        you=None if side is None else side if mine else 1 - side,
        expires_in=max(0, round(1000 * left_s)),
    )
