"""The page's dialect of a game's socket: sends whole game states, and to a slow client only the latest one."""

from ludus.errors import BadInput, LudusError
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
    encode,
)
from ludus.site.live.game import LiveGame
from ludus.site.live.view import game_state
from ludus.site.messages import incoming, page


class PageWatcher(Watcher):
    """The socket of an open game page."""

    def __init__(self, game: LiveGame, you: int | None, token: str | None, address: str = "", person: str = "") -> None:
        super().__init__(you, token, address, person)
        self._game = game
        self._stale = True
        self._obeying = ""
        self.wake.set()

    def hear(self, event: Event) -> None:
        """Queue the message for an event, or mark the page's game state as stale."""
        match event:
            case Changed() | Seated() | Evaluated():
                self._stale = True
            case Declined():
                self.tell(page.DeclinedMessage(event.what, event.by))
            case RematchOpened():
                self._stale = True
                self.tell(page.RematchMessage(event.id))
            case Said():
                self.tell(page.ChatMessage(event.text, event.name, event.side, event.at, event.line, event.key))
            case Notice():
                self.tell(page.NoticeMessage(event.message))
            case Evicted():
                pass  # a game with an open page is not evicted
        self.wake.set()

    def tell(self, message: page.PageNote) -> None:
        """Queue a message that is not a game state."""
        self.note(encode(message))

    def take(self) -> list[str]:
        """Return the game state if it has changed since it was sent, followed by the queued messages."""
        texts = super().take()
        if self._stale:
            self._stale = False
            texts.insert(0, self._game.shared(("page", self.you), lambda: encode(game_state(self._game, self.you))))
        return texts

    async def obey(self, text: str) -> None:
        """Handle a message from the page; if it raises BadInput or Unavailable, nothing has changed."""
        self._obeying = ""
        message = incoming.read_play_message(text)
        self._obeying = message.type
        if isinstance(message, incoming.PlayPing):
            self.tell(page.PongMessage())
        elif isinstance(message, incoming.Chat):
            if not self._game.chat.say(self, message.text):
                raise BadInput("You are sending chat messages too fast. Wait a few seconds.")
        elif self.you is None:
            raise BadInput("You are a spectator. Only the players can do this.")
        elif isinstance(message, incoming.BotMove):
            await asking.play_for_bot(self._game, self.you, message, self.address)
        else:
            await self._play(self.you, message)

    def refuse(self, error: LudusError) -> None:
        """Queue an error message about the message that was just handled."""
        self.tell(page.ErrorMessage(str(error), self._obeying))

    async def _play(self, you: int, message: incoming.PlayerMessage) -> None:
        game = self._game
        match message:
            case incoming.Act():
                await game.play(lambda table, now: table.act(you, message.action, message.ply, now), self.address)
            case incoming.Undo():
                await game.do(lambda table, _now: table.undo(you))
            case incoming.Resign():
                await game.do(lambda table, now: table.resign(you, now))
            case incoming.Abort():
                await game.do(lambda table, now: table.abort(now))
            case incoming.MakeOffer():
                await asking.offer(game, you, message.what)
            case incoming.Accept():
                await game.do(lambda table, now: table.accept(you, message.what, now))
            case incoming.Decline():
                await asking.decline(game, you, message.what)
            case incoming.ClaimGame():
                await asking.claim(game, you, message.what)
            case incoming.WaitForBot():
                asking.wait_for_bot(game, you)
            case incoming.EndWithoutResult():
                await asking.end_without_result(game, you)
            case incoming.GiveTime():
                await game.do(lambda table, now: table.give_time(you, message.seconds, now))
