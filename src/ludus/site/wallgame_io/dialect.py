"""wallgame.io's dialect of a game's socket, for clients that were written for that site."""

import logging
from typing import Any

from ludus.errors import BadInput, LudusError
from ludus.site.live import asking
from ludus.site.live.broadcast import Changed, Declined, Event, RematchOpened, Said, Watcher, encode
from ludus.site.live.chat import SilencedError
from ludus.site.live.fairness import hides_evaluations
from ludus.site.live.game import LiveGame
from ludus.site.messages.incoming import MAX_TEXT
from ludus.site.table.table import What
from ludus.site.wallgame_io.incoming import ClientMessage, notation, read_client_message
from ludus.site.wallgame_io.view import serialized_state, snapshot

_log = logging.getLogger(__name__)

CHAT_PAUSE_MS = 1000
_TOO_FAST = ("RATE_LIMITED", "Please wait before sending another message.")

_OFFERS: tuple[What, ...] = ("draw", "takeback", "rematch")
_ANSWERS: dict[str, tuple[What, str]] = {
    f"{what}-{word}": (what, verb)
    for what in _OFFERS
    for word, verb in (("offer", "offer"), ("accept", "accept"), ("reject", "decline"))
}


class NackError(LudusError):
    """Refuses an `action-request` with an error code of wallgame.io's contract."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class WallgameIoWatcher(Watcher):
    """The socket of a client in wallgame.io's dialect, which receives every state in order."""

    def __init__(self, game: LiveGame, you: int | None, token: str | None, address: str = "", person: str = "") -> None:
        super().__init__(you, token, address, person)
        self._game = game
        self._said_at = 0
        self._id = f"socket-{self.number}-{game.now()}"
        self._send({"type": "welcome", "socketId": self._id})
        self._send_state()
        self._send_status()

    def hear(self, event: Event) -> None:
        """Queue the messages for an event; some events have none in this dialect."""
        match event:
            case Changed():
                self._hear_change(event)
            case Declined():
                self._send({"type": f"{event.what}-rejected", "playerId": event.by + 1})
            case RematchOpened():
                started: dict[str, Any] = {"type": "rematch-started", "newGameId": event.id}
                seat = {"token": self.token, "socketToken": self.token}
                self._send(started if self.you is None else started | {"seat": seat})
            case Said():
                self._send(
                    {
                        "type": "chat-message",
                        "channel": "audience" if event.side is None else "game",
                        "senderId": f"socket-{event.speaker}",
                        "senderName": event.name,
                        "text": event.text,
                        "timestamp": event.at,
                    }
                )
            case _:
                pass

    def _hear_change(self, event: Changed) -> None:
        before, after = event.before, event.after
        given = before.clock and after.clock and before.moves == after.moves and before.clock.left != after.clock.left
        if before.moves != after.moves or before.result != after.result or given:
            self._send_state()
        if before.result != after.result or before.waiting != after.waiting:
            self._send_status()
        for offer in after.offers:
            if offer not in before.offers and self.you == 1 - offer.by and len(after.offers) == len(before.offers) + 1:
                self._send({"type": f"{offer.what}-offer", "playerId": offer.by + 1})

    async def obey(self, text: str) -> None:
        """Handle a message from the client; if it raises BadInput or Unavailable, nothing has changed."""
        message = read_client_message(text)
        if message.type == "ping":
            self._send({"type": "pong", "timestamp": self._game.now()})
        elif message.type == "chat-message":
            self._chat(message)
        elif self.you is None:
            raise BadInput("Spectators cannot send game messages")
        elif message.type == "action-request":
            await self._request(self.you, message)
        else:
            await self._play(self.you, message)

    def refuse(self, error: LudusError) -> None:
        """Queue an error message."""
        self._send({"type": "error", "message": str(error)})

    async def _play(self, you: int, message: ClientMessage) -> None:
        game = self._game
        if message.type in _ANSWERS:
            what, verb = _ANSWERS[message.type]
            await self._answer(you, what, verb)
        elif message.type == "submit-move" and message.move is not None:
            as_played = game.row.variant == "animal-cycle"
            move = message.move
            text = move if isinstance(move, str) else notation(move, game.row.height, as_played=as_played)
            await game.play(lambda table, now: table.play(you, text, now), self.address)
        elif message.type == "resign":
            await game.do(lambda table, now: table.resign(you, now))
        elif message.type == "give-time" and message.seconds is not None:
            seconds = message.seconds
            await game.do(lambda table, now: table.give_time(you, seconds, now))
        else:
            raise BadInput("Unknown message type")

    async def _answer(self, you: int, what: What, verb: str) -> None:
        game = self._game
        if verb == "offer":
            await asking.offer(game, you, what)
        elif verb == "accept":
            await game.do(lambda table, now: table.accept(you, what, now))
        else:
            await asking.decline(game, you, what)

    async def _request(self, you: int, message: ClientMessage) -> None:
        """Perform an `action-request`, and answer with `actionAck` or `actionNack`."""
        answer = {"requestId": message.request_id, "action": message.action}
        try:
            await self._act(you, message)
        except NackError as error:
            nack = {"type": "actionNack", **answer, "code": error.code, "retryable": False}
        except BadInput as error:
            nack = {"type": "actionNack", **answer, "code": "NOT_ALLOWED", "message": str(error), "retryable": False}
        else:
            self._send({"type": "actionAck", **answer, "serverTime": self._game.now()})
            return
        self._send({**nack, "serverTime": self._game.now()})

    async def _act(self, you: int, message: ClientMessage) -> None:
        game = self._game
        payload: dict[str, Any] = message.payload if isinstance(message.payload, dict) else {}
        match message.action:
            case "resign":
                await game.do(lambda table, now: table.resign(you, now))
            case "offerDraw":
                await asking.offer(game, you, "draw")
            case "requestTakeback":
                await asking.offer(game, you, "takeback")
            case "offerRematch":
                await asking.offer(game, you, "rematch")
            case "respondRematch":
                if payload.get("decision") not in ("accepted", "declined"):
                    raise NackError("INVALID_PAYLOAD")
                await self._answer(you, "rematch", "accept" if payload["decision"] == "accepted" else "decline")
            case "giveTime":
                seconds = payload.get("seconds")
                if not isinstance(seconds, int) or isinstance(seconds, bool) or not 1 <= seconds <= 600:
                    raise NackError("INVALID_SECONDS")
                if game.table.control is not None:  # without clocks the request succeeds and does nothing
                    await game.do(lambda table, now: table.give_time(you, seconds, now))
            case _:
                raise NackError("UNKNOWN_ACTION")

    def _chat(self, message: ClientMessage) -> None:
        now, text = self._game.now(), message.text.strip()
        if now - self._said_at < CHAT_PAUSE_MS:
            self._chat_error(*_TOO_FAST)
        elif message.channel not in ("game", "audience", "team"):
            self._chat_error("INVALID_CHANNEL", "The channel must be game, audience or team.")
        elif message.channel != "audience" and self.you is None:
            self._chat_error("INVALID_CHANNEL", "Game chat is disabled for spectators.")
        elif len(text) > MAX_TEXT:
            self._chat_error("TOO_LONG", f"A chat message may have at most {MAX_TEXT} characters.")
        elif text:
            self._speak(text, now)

    def _speak(self, text: str, now: int) -> None:
        try:
            if self._game.chat.say(self, text):
                self._said_at = now
            else:
                self._chat_error(*_TOO_FAST)
        except SilencedError as error:
            self._chat_error("SILENCED", str(error))

    def _chat_error(self, code: str, text: str) -> None:
        self._send({"type": "chat-error", "code": code, "message": text})

    def _send_state(self) -> None:
        self.send(self._game.shared("wallgame.io state", lambda: encode(_state(self._game))))

    def _send_status(self) -> None:
        status = {"type": "match-status"}
        self.send(self._game.shared("wallgame.io status", lambda: encode(status | {"snapshot": snapshot(self._game)})))

    def _send(self, message: dict[str, Any]) -> None:
        self.send(encode(message))


def _state(game: LiveGame) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "state", "state": serialized_state(game)}
    known = game.evaluations
    return message | {"evaluation": known[max(known)].value} if known and not hides_evaluations(game) else message
