"""The page's dialect of a game's socket: whole states, of which a slow page gets the latest alone."""

from collections import deque

import msgspec

from ludus.errors import BadInput
from ludus.site.live import asking
from ludus.site.live.broadcast import (
    Changed,
    Declined,
    Evaluated,
    Event,
    Evicted,
    Notice,
    RematchOpened,
    Said,
    Seated,
    Watcher,
)
from ludus.site.live.game import LiveGame
from ludus.site.live.view import game_state
from ludus.site.messages.incoming import (
    Abort,
    Accept,
    Act,
    Chat,
    ClaimGame,
    Decline,
    GiveTime,
    MakeOffer,
    PlayPing,
    Resign,
    Undo,
    read_play_message,
)
from ludus.site.messages.page import (
    ChatMessage,
    DeclinedMessage,
    NoticeMessage,
    PageNote,
    PongMessage,
    RematchMessage,
)

MAX_NOTES = 64
"""Messages besides the state that may wait for a page; older ones are dropped."""


class PageWatcher(Watcher):
    """An open page."""

    def __init__(self, game: LiveGame, you: int | None, token: str | None, address: str = "") -> None:
        super().__init__(you, token, address)
        self._game = game
        self._stale = True
        self._notes: deque[PageNote] = deque(maxlen=MAX_NOTES)
        self.wake.set()

    def hear(self, event: Event) -> None:
        """PageNote what happened at the table."""
        match event:
            case Changed() | Seated() | Evaluated():
                self._stale = True
            case Declined():
                self._notes.append(DeclinedMessage(event.what, event.by))
            case RematchOpened():
                self._stale = True
                self._notes.append(RematchMessage(event.id))
            case Said():
                self._notes.append(ChatMessage(event.text, event.name, event.side, event.at))
            case Notice():
                self._notes.append(NoticeMessage(event.message))
            case Evicted():
                pass  # a page that is open keeps its game in memory
        self.wake.set()

    def note(self, message: PageNote) -> None:
        """Say something to this page alone."""
        self._notes.append(message)
        self.wake.set()

    def take(self) -> list[str]:
        """Return the messages that are to be sent now."""
        texts: list[str] = []
        if self._stale:
            self._stale = False
            texts.append(state_text(self._game, self.you))
        while self._notes:
            texts.append(encode(self._notes.popleft()))
        return texts

    async def obey(self, text: str) -> None:
        """Do what the page asks; raises BadInput or Unavailable, and then nothing has changed."""
        message = read_play_message(text)
        if isinstance(message, PlayPing):
            self.note(PongMessage())
        elif isinstance(message, Chat):
            if not self._game.say(self, message.text):
                raise BadInput("You say much at once; wait a moment before you say more.")
        elif self.you is None:
            raise BadInput("You are watching; only the players can do that.")
        else:
            await self._play(self.you, message)

    async def _play(
        self, you: int, message: Act | Undo | Resign | Abort | MakeOffer | Accept | Decline | ClaimGame | GiveTime
    ) -> None:
        game = self._game
        match message:
            case Act():
                await game.do(lambda table, now: table.act(you, message.action, message.ply, now))
            case Undo():
                await game.do(lambda table, _now: table.undo(you))
            case Resign():
                await game.do(lambda table, now: table.resign(you, now))
            case Abort():
                await game.do(lambda table, now: table.abort(now))
            case MakeOffer():
                await asking.offer(game, you, message.what)
            case Accept():
                await game.do(lambda table, now: table.accept(you, message.what, now))
            case Decline():
                await asking.decline(game, you, message.what)
            case ClaimGame():
                await asking.claim(game, you, message.what)
            case GiveTime():
                await game.do(lambda table, _now: table.give_time(you, message.seconds))


def state_text(game: LiveGame, you: int | None) -> str:
    """Return the state for whoever sits on side `you`, or watches; all who see the same get the same text."""
    return game.shared(("page", you), lambda: encode(game_state(game, you)))


def encode(message: msgspec.Struct) -> str:
    """Return a message's JSON text."""
    return msgspec.json.encode(message).decode()
