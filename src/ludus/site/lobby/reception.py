"""Opens games on request: against a bot, with an open seat, or between two bots; and assigns seats to people."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ludus.errors import BadInput
from ludus.site.bots.bots import PRIVATE, Bots
from ludus.site.catalogue.catalogue import Chosen, bot_for
from ludus.site.catalogue.specs import between_people, spec_for
from ludus.site.database.records import SeatRow
from ludus.site.faults import NotLoggedIn, NotYours, SeatTaken
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.inbox import SeatedAt
from ludus.site.messages.requests import GameConfig, JoinGame, MatchBots, OpenGame, PlayBot, Timing
from ludus.site.moderation.blocks import Blocks
from ludus.site.people.guests import name_of_guest
from ludus.site.people.visitors import Visitor
from ludus.site.safety.secrets import hash_of, new_secret
from ludus.site.settings import SiteSettings
from ludus.site.table.clock import TimeControl

OPEN_SEAT = SeatRow("open", "")


@dataclass(frozen=True)
class Placed:
    """A person's seat, with its token in plain text; the site stores only the token's hash."""

    game: LiveGame
    side: int
    token: str

    @property
    def told(self) -> SeatedAt:
        """Return the message that tells the person of this seat."""
        return SeatedAt(self.game.id, self.token, self.game.seats[1 - self.side].name)


class Reception:
    """Opens games and assigns seats for the HTTP routes."""

    def __init__(self, live_games: LiveGames, bots: Bots, settings: SiteSettings, blocks: Blocks) -> None:
        self._live_games = live_games
        self.are_apart, self.must_meet = blocks.are_apart, blocks.must_meet
        self._bots = bots
        self._settings = settings

    async def play_bot(self, request: PlayBot, visitor: Visitor) -> Placed:
        """Open a game of the visitor against a bot; raises BadInput, TooOften or Unavailable."""
        control = control_of(request.time_control)
        if control and control.days:
            raise BadInput("Games over days are between people. Choose another time for a game against a bot.")
        bot = bot_for(self._bots, request.bot_id, request.config, visitor.account_name)
        token = new_secret()
        host = await self._person(visitor, request.host_name, request.host_appearance, token, host=True)
        side = side_of(request.host_is_first)
        seats = _in_order(host, _seat_of(bot), side)
        kind, seconds = PRIVATE if bot.private else "bot", request.bot_seconds
        if seconds is not None and seconds > bot.max_seconds:
            raise BadInput(f"{bot.name} cannot be given {seconds} seconds a move. The most is {bot.max_seconds:g}.")
        game = await self._live_games.open_table(
            bot.spec,
            request.config,
            kind,
            seats,
            control,
            opener=visitor.address,
            bot_ms=None if seconds is None else 1000 * seconds,
        )
        game.people[side] = visitor.person
        return Placed(game, side, token)

    async def match_bots(self, request: MatchBots, visitor: Visitor) -> LiveGame:
        """Open a game between two bots; raises BadInput or Unavailable."""
        first, second = (
            bot_for(self._bots, bot_id, request.config, visitor.account_name) for bot_id in request.bot_ids
        )
        if first.in_browser or second.in_browser:
            name = first.name if first.in_browser else second.name
            raise BadInput(f"{name} thinks in the browser of its opponent, so it plays only against people.")
        seats, kind = (_seat_of(first), _seat_of(second)), PRIVATE if first.private or second.private else "bot"
        return await self._live_games.open_table(first.spec, request.config, kind, seats, None, opener=visitor.address)

    async def open_game(self, request: OpenGame, visitor: Visitor) -> Placed:
        """Open a game with an open seat, for a friend or in the lobby; raises BadInput or Unavailable."""
        config = request.config
        control = control_of(config.time_control)
        spec = self.spec_of(config, visitor)
        if control and control.days:
            await self._may_play_over_days(visitor)
        token, side = new_secret(), side_of(request.host_is_first)
        host = await self._person(visitor, request.host_name, request.host_appearance, token, host=True)
        seats = _in_order(host, OPEN_SEAT, side)
        kind = "lobby" if request.match_type == "matchmaking" else "friend"
        game = await self._live_games.open_table(
            spec,
            config,
            kind,
            seats,
            control,
            rated=config.rated,
            with_evaluation=config.with_evaluation,
            opener=visitor.address,
        )
        game.people[side] = visitor.person
        return Placed(game, side, token)

    def spec_of(self, config: GameConfig, visitor: Visitor) -> str:
        """Return the name of a game between two people that a visitor wants to play.

        Raises:
            NotLoggedIn: the game is rated and the visitor is a guest.
            BadInput: the site has no such game, or it cannot be rated.
        """
        if config.rated:
            _must_have_account(visitor, "rated games")
            if config.setup is not None:
                raise BadInput("A rated game starts from the usual position. Leave the setup out.")
            if config.with_evaluation:
                raise BadInput("In a rated game the players see no evaluation. Choose one of the two.")
        return between_people(
            spec_for(config.game, config.variant, config.board_width, config.board_height, self._settings.games)
        )

    async def seat_both(
        self, config: GameConfig, control: TimeControl | None, kind: str, people: tuple[Visitor, Visitor], side: int
    ) -> tuple[Placed, Placed]:
        """Open a game of two people who have agreed to play.

        Args:
            config: the game.
            control: its time control, which counts in place of that of `config`; None: no clocks.
            kind: see `GameRow`.
            people: the host, for whose address the game counts, and the other one.
            side: the host's side.

        Raises:
            NotYours: one of the two has blocked the other.
            NotLoggedIn: the game is rated or played over days, and one of the two is a guest.
            BadInput: the site has no such game, or the setup is invalid.
            TooOften: the host's address has opened too many games.
            Unavailable: the site has its maximum of games, or the database cannot store the game.
        """
        self.must_meet(people[0].person, people[1].person)
        tokens = new_secret(), new_secret()
        spec, _ = (self.spec_of(config, person) for person in people)
        if control and control.days:
            for person in people:
                await self._may_play_over_days(person)
        host, other = [
            await self._person(person, person.name, {}, token, host=person is people[0])
            for person, token in zip(people, tokens, strict=True)
        ]
        game = await self._live_games.open_table(
            spec,
            config,
            kind,
            _in_order(host, other, side),
            control,
            rated=config.rated,
            with_evaluation=config.with_evaluation,
            opener=people[0].address,
        )
        game.people[side], game.people[1 - side] = (person.person for person in people)
        return Placed(game, side, tokens[0]), Placed(game, 1 - side, tokens[1])

    async def join(self, game: LiveGame, request: JoinGame, visitor: Visitor) -> Placed | None:
        """Take the open seat of a game; None if there is none.  Raises BadInput or Unavailable."""
        self._live_games.must_be_open()
        free = next((side for side in (0, 1) if game.seats[side].kind == "open"), None)
        if free is None or game.table.over:
            return None
        self.must_meet(visitor.person, game.people[1 - free])
        if game.table.over_days:
            await self._may_play_over_days(visitor)
        elif game.row.rated:
            _must_have_account(visitor, "rated games")
        if (game.row.rated or game.table.over_days) and visitor.account_id in (seat.account_id for seat in game.seats):
            raise BadInput("You already have the other seat. This game needs another player.")
        token = new_secret()
        seat = await self._person(visitor, request.name, request.appearance, token)
        try:
            await game.seat(free, seat)
        except SeatTaken:  # by a concurrent request
            return None
        game.people[free] = visitor.person
        return Placed(game, free, token)

    async def sit_again(self, game: LiveGame, visitor: Visitor) -> Placed:
        """Replace the token of an account's seat, so that the account can continue on another device.

        Raises:
            NotYours: the account has no seat in this game.
            Unavailable: the database cannot store the token.
        """
        mine = visitor.account_id
        own = [side for side in (0, 1) if mine is not None and game.seats[side].account_id == mine]
        if not own:
            raise NotYours("You have no seat in this game.")
        side = own[-1] if game.table.to_play == own[-1] else own[0]  # with both seats: the one to move
        token = new_secret()
        await game.renew_token(side, hash_of(token))
        return Placed(game, side, token)

    async def _may_play_over_days(self, visitor: Visitor) -> None:
        """Raise NotLoggedIn for guests, whose seats would be lost with their browser, BadInput for a full account."""
        _must_have_account(visitor, "games over days")
        most = self._settings.max_days_games
        if visitor.account_id and await self._live_games.store.num_over_days(visitor.account_id) >= most:
            raise BadInput(f"You have {most} unfinished games over days. End one of them first.")

    async def _person(
        self, visitor: Visitor, name: str, appearance: dict[str, str], token: str, *, host: bool = False
    ) -> SeatRow:
        """Return a seat row for a visitor, named by the account or by the guest's chosen name."""
        if len(appearance) > 16:
            raise BadInput("The appearance of the pieces has more than 16 fields. Leave some out.")
        if visitor.account:
            name = visitor.name
        else:
            name = await name_of_guest(visitor, name, self._bots, self._live_games.store)
        return SeatRow(
            "person",
            name,
            host,
            hash_of(token),
            appearance=appearance,
            account_id=visitor.account_id,
            device_hash=hash_of(visitor.guest_id),
        )


def _seat_of(bot: Chosen) -> SeatRow:
    return SeatRow("bot", bot.name, bot=str(bot.key), appearance=bot.appearance)


def _must_have_account(visitor: Visitor, games: str) -> None:
    if visitor.account is None:
        raise NotLoggedIn(f"Only accounts can play {games}. Log in first.")


def control_of(timing: Timing | None) -> TimeControl | None:
    """Return the time control that a request asks for; None: no clocks."""
    return timing.control if timing else None


def side_of(host_is_first: bool | None) -> int:
    """Return the host's side; None draws lots."""
    return secrets.randbelow(2) if host_is_first is None else int(not host_is_first)


def _in_order(host: SeatRow, other: SeatRow, side: int) -> tuple[SeatRow, SeatRow]:
    return (host, other) if side == 0 else (other, host)
