"""The desk of the lobby: passes messages from visitors' inboxes, which ask for opponents, to their handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ludus.errors import LudusError
from ludus.site.faults import NotLoggedIn
from ludus.site.lobby.inbox import Inboxes, InboxSocket
from ludus.site.messages.inbox import LeavePool, ToInbox
from ludus.site.messages.incoming import PlayPing
from ludus.site.messages.page import ErrorMessage, PongMessage
from ludus.site.messages.reading import read_as
from ludus.site.people.visitors import Visitor

Handlers = Mapping[type, Callable[[InboxSocket, Any, Visitor], Awaitable[None]]]
"""The handler of each kind of message, which gets the socket, the message and the visitor; it may raise LudusError."""


class LobbyDesk:
    """The inboxes of visitors, and the handlers of their messages."""

    def __init__(self, inboxes: Inboxes, handlers: Handlers) -> None:
        self.inboxes = inboxes
        self._handlers = handlers

    def come(self, visitor: Visitor) -> InboxSocket:
        """Open the inbox of a visitor on one more page."""
        socket = InboxSocket(visitor)
        self.inboxes.come(socket)
        return socket

    async def obey(self, socket: InboxSocket, text: str, who: Callable[[], Awaitable[Visitor]]) -> None:
        """Handle a message from a page; a refusal is told to that page.

        Args:
            socket: the page's socket.
            text: the message.
            who: returns the visitor as of now, since a session may have ended meanwhile; raises Unavailable.
        """
        try:
            message = read_as(ToInbox, text).root
            if isinstance(message, PlayPing):
                socket.tell(PongMessage())
                return
            visitor = socket.visitor
            if not isinstance(message, LeavePool):
                now = await who()
                if now.account_id != visitor.account_id:
                    raise NotLoggedIn("You have logged in or out meanwhile. Load the page again.")
                visitor = now if now.account else visitor
            await self._handlers[type(message)](socket, message, visitor)
        except LudusError as error:
            socket.tell(ErrorMessage(str(error)))
