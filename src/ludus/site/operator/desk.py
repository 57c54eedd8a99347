"""What an operator can do: end games, ban, silence, remove bots, lift these, and close reports; each act is logged."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from ludus.errors import BadInput
from ludus.site.bots.bots import Bots
from ludus.site.database.database import Database
from ludus.site.database.people_schema import bot_tokens, sessions
from ludus.site.faults import NotHere
from ludus.site.live.broadcast import Notice
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.moderation import OperatorAct
from ludus.site.moderation import acts
from ludus.site.moderation.reports import Reports
from ludus.site.moderation.restrictions import PATIENCE_S, ActiveRestriction, Kind, Restrictions
from ludus.site.people.people import People
from ludus.site.safety.limits import is_address, neighbourhood
from ludus.site.table.table import TableResult

_ACCOUNT, _GUEST, _ADDRESS, _CLIENT = "account ", "guest ", "address ", "client "


class Subject(NamedTuple):
    """Somebody who is banned or silenced."""

    key: str
    """See `ActiveRestriction.subject`."""
    name: str


class Desk:
    """Does what operators want, and writes it into the log."""

    def __init__(
        self,
        live_games: LiveGames,
        bots: Bots,
        restrictions: Restrictions,
        *,
        people: Callable[[], People],
        reports: Callable[[], Reports],
        database: Callable[[], Database],
        unlimited: set[str],
    ) -> None:
        """Create the desk.

        Args:
            live_games: the games in memory.
            bots: the attached bots.
            restrictions: the bans and silences.
            people: returns the accounts; these functions raise Unavailable before the site is open.
            reports: returns the reports.
            database: returns the database.
            unlimited: addresses without limits, which cannot be banned.
        """
        self._live_games, self._bots, self._restrictions = live_games, bots, restrictions
        self._people, self._reports, self._database = people, reports, database
        self._unlimited = unlimited
        restrictions.listeners.append(self._hear)

    async def do(self, act: OperatorAct, address: str) -> None:
        """Do and log an act.

        Args:
            act: the act.
            address: the operator's address.

        Raises:
            BadInput: the act makes no sense, or there is nothing to do.
            Unavailable: the database cannot be used.
        """
        match act.act:
            case "end-game":
                await self._end_game(act, address)
            case "ban" | "silence":
                await self._restrict(act, act.act, await self.subject_of(act.subject, act.act, address), address)
            case "remove-bots":
                await self._restrict(act, "ban", self._client(act.subject), address)
            case "lift":
                restriction = self._restrictions.with_id(_number(act.subject))
                told = f"the {restriction.kind} of {_told(restriction.subject, restriction.name)}"
                await self._log(act, address, told, lambda connection: self._restrictions.lift(connection, restriction))
                self._restrictions.forget(restriction)
            case "close-report":
                number = _number(act.subject)
                closing = self._reports().close
                await self._log(act, address, f"report {number}", lambda connection: closing(connection, number))

    async def subject_of(self, text: str, kind: Kind, operator: str) -> Subject:
        """Return whom a text means: `account ID`, `guest ID`, an IP address, or the name of an account.

        Args:
            text: the text.
            kind: what is to be done.
            operator: the operator's address.

        Raises:
            NotHere: there is no such account.
            BadInput: this subject cannot be banned.
            Unavailable: the database cannot be used.
        """
        if text.startswith(_GUEST):
            if kind == "ban":
                raise BadInput("A guest has no account to ban. Ban the guest's address.")
            return Subject(text, f"Guest {text.removeprefix(_GUEST)[:4]}")
        if is_address(text.partition("/")[0]):
            key = neighbourhood(text.partition("/")[0])
            if key in self._unlimited:
                raise BadInput(f"{key} is exempt from limits: everybody behind a proxy on it may share this address.")
            if kind == "ban" and key == operator:
                raise BadInput("This is your own address.")
            return Subject(_ADDRESS + key, key)
        accounts = self._people().accounts
        found = await (
            accounts.with_id(text.removeprefix(_ACCOUNT)) if text.startswith(_ACCOUNT) else accounts.named(text)
        )
        if found is None:
            raise NotHere(f"There is no account {text.removeprefix(_ACCOUNT)[:40]!r}. Give a name or an IP address.")
        return Subject(_ACCOUNT + found.id, found.name)

    def _client(self, client_id: str) -> Subject:
        link = self._bots.link_of(client_id)
        if link and link.official:
            raise BadInput("These are the site's own bots. Stop them where they were started.")
        return Subject(_CLIENT + client_id, client_id)

    async def _restrict(self, act: OperatorAct, kind: Kind, subject: Subject, address: str) -> None:
        made: list[ActiveRestriction] = []
        clients: list[str] = []
        account_id = subject.key.removeprefix(_ACCOUNT)

        def work(connection: Connection) -> None:
            made[:] = [self._restrictions.write(connection, kind, *subject, act.why, act.hours)]
            if kind == "ban" and subject.key.startswith(_ACCOUNT):
                connection.execute(delete(sessions).where(sessions.c.account_id == account_id))
                own = select(bot_tokens.c.client_id).where(bot_tokens.c.account_id == account_id)
                clients[:] = connection.execute(own).scalars().all()

        period = f"for {act.hours:g} hours" if act.hours else "for good"
        await self._log(act, address, f"{_told(*subject)} {period}", work)
        self._restrictions.note(made[0])
        for client in clients:
            self._bots.remove(client, made[0].goodbye)

    async def _end_game(self, act: OperatorAct, address: str) -> None:
        game = await self._live_games.find(act.subject)
        if game.table.over:
            raise BadInput("This game is over already.")
        names = " and ".join(seat.name or "an open seat" for seat in game.seats)
        await self._log(act, address, f"game {game.id} of {names}", lambda _: None)
        game.publish(Notice(f"The operator has ended this game without a result. Reason: {act.why.rstrip('.')}."))
        aborted = TableResult(None, "aborted")
        await game.do(lambda table, now: table if table.over else table.ended(aborted, now))

    async def _log(self, act: OperatorAct, address: str, subject: str, work: Callable[[Connection], object]) -> None:
        """Run `work` and write the act into the log, in one transaction."""

        def both(connection: Connection) -> None:
            work(connection)
            acts.note(connection, act.who, address, act.act, subject, act.why)

        await self._database().write(both, PATIENCE_S)
        acts.tell(act.who, address, act.act, subject, act.why)

    def _hear(self, restriction: ActiveRestriction) -> None:
        """Remove a banned bot client; `Restrictions.over` closes sockets of accounts, `safety.guard` of addresses."""
        if restriction.kind == "ban" and restriction.subject.startswith(_CLIENT):
            self._bots.remove(restriction.subject.removeprefix(_CLIENT), restriction.goodbye)


def _told(key: str, name: str) -> str:
    """Return a subject for the log: its kind and its name."""
    return f"{key.partition(' ')[0]} {name}"


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadInput(f"{text[:20]!r} is no id.")
    return int(text)
