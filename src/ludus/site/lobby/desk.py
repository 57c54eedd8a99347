"""The desk of the lobby: obeys the messages of visitors' inboxes, which ask for opponents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ludus.errors import LudusError
from ludus.site.faults import Close, NotLoggedIn
from ludus.site.live.live_games import LiveGames
from ludus.site.lobby.challenges import ChallengeDesk
from ludus.site.lobby.inbox import Inboxes, InboxSocket
from ludus.site.lobby.lists import Lists
from ludus.site.lobby.pool import PairingPool
from ludus.site.lobby.reception import Reception
from ludus.site.messages import inbox as messages
from ludus.site.messages.incoming import PlayPing
from ludus.site.messages.page import ErrorMessage, PongMessage
from ludus.site.messages.reading import read_as
from ludus.site.people.people import People
from ludus.site.people.visitors import Visitor
from ludus.site.settings import SiteSettings


class LobbyDesk:
    """The inboxes of visitors, quick pairing and challenges."""

    def __init__(
        self,
        live_games: LiveGames,
        reception: Reception,
        lists: Lists,
        people: Callable[[], People],
        settings: SiteSettings,
    ) -> None:
        """Create the desk without visitors; `people` raises Unavailable before the site is open."""
        self.inboxes = Inboxes()
        self.pool = PairingPool(
            self.inboxes,
            reception,
            lists,
            settings,
            now=lambda: live_games.now(),
            ratings_of=lambda account: people().ratings.of(account),
        )
        self.challenges = ChallengeDesk(self.inboxes, reception, people, settings, lambda: live_games.now() / 1000)

    def come(self, visitor: Visitor) -> InboxSocket:
        """Open the inbox of a visitor on one more page."""
        socket = InboxSocket(visitor)
        self.inboxes.come(socket)
        self.challenges.greet(socket)
        return socket

    def go(self, socket: InboxSocket) -> None:
        """Close the inbox of a visitor on a page."""
        self.inboxes.go(socket)

    async def obey(self, socket: InboxSocket, text: str, who: Callable[[], Awaitable[Visitor]]) -> None:
        """Handle a message from a page; a refusal is told to that page.

        Args:
            socket: the page's socket.
            text: the message.
            who: returns the visitor as of now, since a session may have ended meanwhile; raises Unavailable.
        """
        try:
            message = read_as(messages.ToInbox, text).root
            if isinstance(message, PlayPing):
                socket.tell(PongMessage())
            elif isinstance(message, messages.LeavePool):
                self.pool.leave(socket.key)
            else:
                visitor = await who()
                if visitor.account_id != socket.visitor.account_id:
                    raise NotLoggedIn("You have logged in or out meanwhile. Load the page again.")
                await self._obey(socket, message, visitor if visitor.account else socket.visitor)
        except LudusError as error:
            socket.tell(ErrorMessage(str(error)))

    async def _obey(self, socket: InboxSocket, message: messages.ToInboxMessage, visitor: Visitor) -> None:
        match message:
            case messages.EnterPool():
                await self.pool.enter(socket, message, visitor)
            case messages.SendChallenge():
                await self.challenges.send(message, visitor)
            case messages.WithdrawChallenge():
                self.challenges.withdraw(message.id, visitor)
            case messages.AcceptChallenge():
                await self.challenges.accept(message.id, visitor)
            case messages.DeclineChallenge():
                self.challenges.decline(message.id, visitor)
            case messages.LeavePool() | PlayPing():
                pass  # handled before

    async def close(self, goodbye: Close) -> None:
        """Close all inboxes, and end quick pairing and challenges."""
        await self.pool.close()
        self.challenges.close()
        self.inboxes.close(goodbye)
