"""Evaluation bars: one for each watched game, with an analyst that requests missing evaluations."""

import asyncio
import logging
from collections.abc import Callable

from ludus.errors import LudusError
from ludus.site.database.records import Evaluation
from ludus.site.evaluation.analyst import Analyst, config_of, missing
from ludus.site.evaluation.choice import NO_JUDGE
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.evaluation.judgement import Asked, JudgeError
from ludus.site.faults import Close, NotHere
from ludus.site.live.broadcast import Changed, Evaluated, Event, Outgoing, Seated, encode
from ludus.site.live.fairness import sees_best_moves, sees_evaluations, side_of_person
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.evaluation import (
    BarAccepted,
    BarEntry,
    BarHistory,
    BarMessage,
    BarPending,
    BarTrouble,
    BarUpdate,
    Handshake,
    Rejection,
)
from ludus.site.operations.logs import context_of_game
from ludus.site.people.visitors import Visitor
from ludus.site.safety.settings import SafetySettings

_log = logging.getLogger(__name__)

MAX_ANALYSTS = 32
"""Most games that have an analyst at a time."""
MAX_WATCHERS = 200
"""Most watchers of one bar."""
RATED = "This game is rated. Its players see evaluations after its end."
NOT_AGREED = (
    "Between people, players see evaluations after the game, unless both have agreed on the evaluation bar before it."
)


class RejectedError(LudusError):
    """Raised when a handshake is rejected; `code` is the reason as the protocol names it."""

    def __init__(self, code: Rejection, text: str) -> None:
        """Create the error with the protocol's code and a message for the user."""
        super().__init__(text)
        self.code: Rejection = code


class BarWatcher(Outgoing):
    """The queue of outgoing messages for one socket that watches an evaluation bar."""

    def __init__(self, bar: "Bar", side: int | None) -> None:
        super().__init__()
        self.bar = bar
        self.side = side
        """The side that the watcher plays; None for a spectator."""
        self._whole = True
        self._fresh = set(bar.game.evaluations)
        self.send(encode(BarAccepted()))
        if bar.filling and bar.game.table.moves:
            self.send(encode(BarPending(len(bar.game.table.moves))))

    def learn(self, plies: set[int]) -> None:
        """Queue updates for these plies."""
        self._fresh |= plies
        self.wake.set()

    def begin_anew(self) -> None:
        """Queue the whole history, since sent evaluations have become invalid, or may be told in full."""
        self._whole = True
        self.wake.set()

    def take(self) -> list[str]:
        """Return the queued messages; a history is sent once it is complete, and updates are sent before that."""
        known, texts = self.bar.game.evaluations, super().take()
        if self._whole and not self.bar.filling:
            texts.append(encode(BarHistory([BarEntry(*self._told(ply, known[ply])) for ply in sorted(known)])))
            self._whole = False
        else:
            texts += [encode(BarUpdate(*self._told(ply, known[ply]))) for ply in sorted(self._fresh & known.keys())]
        self._fresh = set()
        return texts

    def _told(self, ply: int, found: Evaluation) -> tuple[int, float, str, float | None, int]:
        """Return what this watcher may see of an evaluation."""
        sees_all = sees_best_moves(self.bar.game, self.side)
        return ply, found.value, found.best_move if sees_all else "", found.lead, found.wins_in if sees_all else 0


class Bar:
    """The evaluation bar of one game; it listens to the game while it has watchers."""

    def __init__(self, game: LiveGame, judge: SiteJudge, address: str, must_have_room: Callable[[str], None]) -> None:
        """Create the bar of a game, without watchers.

        Args:
            game: the game to evaluate.
            judge: evaluates its positions.
            address: the address that opened the bar; "" for the site itself.
            must_have_room: raises RejectedError if the address may not have another analyst.
        """
        self.game = game
        self.address = address
        """The address whose limit of analyses this bar counts towards."""
        self.watchers: set[BarWatcher] = set()
        self._judge = judge
        self._must_have_room = must_have_room
        self._told = dict(game.evaluations)
        self._analyst: Analyst | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def analyses(self) -> bool:
        """Return whether its analyst is running."""
        return self._task is not None and not self._task.done()

    @property
    def filling(self) -> bool:
        """Return whether evaluations are missing and are being computed."""
        return bool(missing(self.game)) and self.analyses

    def watch(self, side: int | None = None) -> BarWatcher:
        """Add a watcher, who plays a side or is a spectator."""
        if not self.watchers:
            self.game.listeners.append(self._hear)
        watcher = BarWatcher(self, side)
        self.watchers.add(watcher)
        self._tell_game()
        return watcher

    def leave(self, watcher: BarWatcher) -> None:
        """Remove a watcher."""
        self.watchers.discard(watcher)
        self._tell_game()

    def _tell_game(self) -> None:
        """Tell the game how many spectators see evaluations, which its players may know."""
        number = sum(watcher.side is None for watcher in self.watchers)
        if number != self.game.num_evaluating:
            self.game.num_evaluating = number
            self.game.publish(Seated())

    def begin(self, address: str) -> None:
        """Start an analyst on behalf of an address, unless one runs; raises RejectedError if too many run."""
        if self.analyses:
            return
        self._must_have_room(address)
        self.address = address
        self._analyst = Analyst(self.game, self._ask)
        name, context = f"analyst of game {self.game.id}", context_of_game(self.game.id)
        self._task = asyncio.create_task(self._analyse(self._analyst), name=name, context=context)

    async def _ask(self, moves: tuple[str, ...]) -> Evaluation:
        """Return the judge's evaluation of the position after some moves; raises JudgeError or Unavailable."""
        found = await self._judge.judge(Asked(config_of(self.game), moves), self.address)
        best = next(iter(found.lines), None)
        return Evaluation(found.evaluation, found.best_move, found.lead, best.wins_in if best else 0)

    async def close(self, goodbye: Close | None = None) -> None:
        """Stop listening to the game, stop the analyst, and close all sockets if `goodbye` is given."""
        if self._hear in self.game.listeners:
            self.game.listeners.remove(self._hear)
        for watcher in self.watchers:
            if goodbye:
                watcher.close(goodbye)
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _hear(self, _game: LiveGame, event: Event) -> None:
        known = self.game.evaluations
        has_ended = isinstance(event, Changed) and event.after.over and not event.before.over
        if (isinstance(event, Changed) and not known.items() >= self._told.items()) or has_ended:
            for watcher in self.watchers:
                watcher.begin_anew()
        elif isinstance(event, Changed | Evaluated):
            fresh = {ply for ply, found in known.items() if self._told.get(ply) != found}
            for watcher in self.watchers if fresh else ():
                watcher.learn(fresh)
        self._told = dict(known)
        if self._analyst and isinstance(event, Changed):
            self._analyst.wake()
            if missing(self.game):
                try:  # an earlier analyst may have failed
                    self.begin(self.address)
                except RejectedError as error:
                    self._tell(BarTrouble("NOT_CONNECTED", str(error)))

    async def _analyse(self, analyst: Analyst) -> None:
        try:
            await analyst.run()
        except LudusError as error:
            _log.info("Game %s: %s", self.game.id, error)
            self._tell(BarTrouble(error.code if isinstance(error, JudgeError) else "INTERNAL_ERROR", str(error)))
        except Exception:  # noqa: BLE001 - watchers must get a message in any case
            _log.exception("Game %s: its evaluation failed.", self.game.id)
            self._tell(BarTrouble("INTERNAL_ERROR", "Internal error of the site."))

    def _tell(self, message: BarMessage) -> None:
        for watcher in self.watchers:
            watcher.note(encode(message))


class Bars:
    """The open evaluation bars of a site, by game."""

    def __init__(self, live_games: LiveGames, judge: SiteJudge, safety: SafetySettings) -> None:
        self._live_games = live_games
        self._judge = judge
        self._most = safety.max_analyses
        self._unlimited = safety.exempt()
        self._bars: dict[str, Bar] = {}

    def __len__(self) -> int:
        """Return the number of open bars."""
        return len(self._bars)

    async def enter(self, game_id: str, wish: Handshake, visitor: Visitor, address: str = "") -> BarWatcher:
        """Add a watcher to a game's bar, and open the bar if necessary.

        Args:
            game_id: the game.
            wish: the client's handshake; it must state the game and board correctly.
            visitor: the person who asks; a player of the game is one without the seat's token as well.
            address: the client's address as a key for limits; "" for the site itself.

        Raises:
            RejectedError: the game cannot be evaluated for this person, or a limit is reached.
            NotYours: the token opens no seat of the game.
            Unavailable: the database cannot be read.
        """
        try:
            game = await self._live_games.find(game_id, address)
        except NotHere:
            raise RejectedError("GAME_NOT_FOUND", "This site has no such game.") from None
        row = game.row
        if (wish.game, wish.variant, wish.board_width, wish.board_height) != (
            row.game,
            row.variant,
            row.width,
            row.height,
        ):
            raise RejectedError("UNSUPPORTED_VARIANT", "This game has another variant or board than requested.")
        side = game.side_of(wish.token)
        side = side_of_person(game, visitor) if side is None else side
        if not sees_evaluations(game, side):
            raise RejectedError("RATED_PLAYER", RATED) if row.rated else RejectedError("NOT_AGREED", NOT_AGREED)
        if game.table.waiting:
            raise RejectedError("NO_BOT", "The game has not begun; try again when it has two players.")
        bar = self._bars.get(game.id)
        if bar is None or bar.game is not game:
            bar = Bar(game, self._judge, address, self._must_have_room)
        if len(bar.watchers) >= MAX_WATCHERS:
            raise RejectedError("INTERNAL_ERROR", "Too many people are watching this evaluation; try again later.")
        if not bar.analyses and (missing(game) or not game.table.over):
            if self._judge.chosen(config_of(game)) is None:
                raise RejectedError("NO_BOT", NO_JUDGE)
            bar.begin(address)
        self._bars[game.id] = bar
        return bar.watch(side)

    def _must_have_room(self, address: str) -> None:
        busy = [bar for bar in self._bars.values() if bar.analyses]
        if len(busy) >= MAX_ANALYSTS:
            raise RejectedError("NO_BOT", "Too many games are being evaluated; try again in a minute.")
        if address not in self._unlimited and sum(bar.address == address for bar in busy) >= self._most:
            raise RejectedError(
                "NO_BOT", f"{self._most} games are already being evaluated for your address; close one first."
            )

    async def leave(self, watcher: BarWatcher) -> None:
        """Remove a watcher, and close its bar if no watcher is left."""
        bar = watcher.bar
        bar.leave(watcher)
        if not bar.watchers:
            if self._bars.get(bar.game.id) is bar:
                del self._bars[bar.game.id]
            await bar.close()

    async def close(self, goodbye: Close) -> None:
        """Close all bars and their sockets."""
        await asyncio.gather(*(bar.close(goodbye) for bar in list(self._bars.values())))
