"""The inboxes of visitors: the sockets over which the site tells them of opponents, on whatever page they are."""

from collections.abc import Callable

from ludus.site.faults import Close
from ludus.site.live.broadcast import Outgoing, encode
from ludus.site.messages.inbox import InboxMessage, SeatedAt
from ludus.site.people.visitors import Visitor


class InboxSocket(Outgoing):
    """The socket of one page of a visitor."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__()
        self.visitor = visitor
        self.key = visitor.person

    def tell(self, message: InboxMessage) -> None:
        """Queue a message for this page alone."""
        self.send(encode(message))


class Inboxes:
    """The open sockets of all visitors."""

    def __init__(self) -> None:
        self._sockets: dict[str, list[InboxSocket]] = {}
        self.coming: list[Callable[[InboxSocket], None]] = []
        """Functions that are called with every socket that has opened."""
        self.leaving: list[Callable[[InboxSocket], None]] = []
        """Functions that are called with every socket that has closed."""
        self.seated: list[Callable[[str], None]] = []
        """Functions that are called with the key of a visitor who has got a seat in a game."""

    def come(self, socket: InboxSocket) -> None:
        """Add an opened socket."""
        self._sockets.setdefault(socket.key, []).append(socket)
        for listener in self.coming:
            listener(socket)

    def go(self, socket: InboxSocket) -> None:
        """Remove a closed socket."""
        others = [each for each in self._sockets.get(socket.key, ()) if each is not socket]
        if others:
            self._sockets[socket.key] = others
        else:
            self._sockets.pop(socket.key, None)
        for listener in self.leaving:
            listener(socket)

    def has(self, key: str) -> bool:
        """Return whether a visitor has a page open."""
        return key in self._sockets

    def has_account(self, account_id: str) -> bool:
        """Return whether an account has a page open."""
        return self.has(f"account {account_id}")

    def tell(self, key: str, message: InboxMessage) -> None:
        """Queue a message for all pages of a visitor."""
        text = encode(message)
        for socket in self._sockets.get(key, ()):
            socket.send(text)

    def seat(self, key: str, seat: SeatedAt) -> None:
        """Tell a visitor of a new seat, and end what else the visitor has asked for."""
        for listener in self.seated:
            listener(key)
        self.tell(key, seat)

    def close(self, goodbye: Close) -> None:
        """Close all sockets."""
        for sockets in self._sockets.values():
            for socket in sockets:
                socket.close(goodbye)
