"""The life of one game: moves, clocks, offers, results; immutable and pure, it knows no sockets, no database, no bots.

Every change returns a new table; what is not allowed raises and changes nothing.  Moments are milliseconds since 1970.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ludus.errors import BadInput, IllegalMove
from ludus.games.game import Position
from ludus.site.table.clock import Clock, TimeControl

What = Literal["draw", "takeback", "rematch"]
"""What one side may offer the other."""

Claim = Literal["win", "draw"]
"""What a player may make of a game that the other one has left."""
LEFT = "the other side left"
ABANDONED = "abandoned"
DRAWN_ON_TIME = "timeout, but the other side could not win"

MAX_GIVEN_S = 600
"""Seconds that may be given at a time."""
MAX_LEFT_MS = 24 * 3600 * 1000
"""More than this nobody's clock may show."""


class PlayedMove(NamedTuple):
    """A whole move that was played."""

    text: str
    player: int
    start: int
    """Actions played before it."""
    end: int
    """Actions played after it."""
    left: tuple[int, int] | None
    """Milliseconds of both sides after it; None without clocks."""
    at: int
    """When it was played."""


class TableResult(Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    reason: str


class Offer(NamedTuple):
    """Something that one side asks of the other."""

    what: What
    by: int


class Table(Struct, frozen=True):
    """A game from its first position to its result."""

    position: Position
    """The present position, an unfinished move included."""
    control: TimeControl | None = None
    """None: no clocks."""
    clock: Clock | None = None
    moves: tuple[PlayedMove, ...] = ()
    offers: tuple[Offer, ...] = ()
    result: TableResult | None = None
    ended_at: int | None = None
    waiting: bool = False
    """A seat is open; nothing can be played."""
    max_plies: int = 2000
    """Actions after which the game is a draw, whatever its rules say."""

    @property
    def ply(self) -> int:
        """Return how many actions were played."""
        return self.position.num_actions_played

    @property
    def settled(self) -> int:
        """Return how many actions the finished moves have."""
        return self.moves[-1].end if self.moves else 0

    @property
    def staged(self) -> int:
        """Return how many actions of an unfinished move were played."""
        return self.ply - self.settled

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.result is not None

    @property
    def to_play(self) -> int | None:
        """Return the side that the game waits for; None if it is over or has not begun."""
        return None if self.over or self.waiting else self.position.to_play

    def at(self, ply: int) -> Position:
        """Return the position after so many actions."""
        position = self.position  # it is walked to: a list of all positions, kept with each, would grow with the square
        while position.num_actions_played > ply and position.parent:
            position = position.parent
        return position

    def actions_since(self, ply: int) -> list[int]:
        """Return the actions that were played after so many."""
        actions: list[int] = []
        position = self.position
        while position.num_actions_played > ply and position.parent and position.action is not None:
            actions.append(position.action)
            position = position.parent
        return actions[::-1]

    def act(self, side: int, action: int, ply: int, now: int) -> Table:
        """Play one action for `side`, who has seen `ply` actions; raises IllegalMove."""
        self._must_be_turn(side)
        if ply != self.ply:
            raise IllegalMove("The board has changed since; look again.")
        return self._played([action], now)

    def play(self, side: int, text: str, now: int) -> Table:
        """Play a whole move in notation, in place of what is staged; raises BadNotation or IllegalMove."""
        self._must_be_turn(side)
        before = self.at(self.settled)
        actions, after = before.parse(text), before
        for action in actions:
            after = after.play(action)
        if not actions or (after.outcome is None and after.to_play == side):
            raise IllegalMove(f"{text[:40]!r} is not a whole move.")
        return replace(self, position=before)._played(actions, now)

    def undo(self, side: int) -> Table:
        """Take back the last action of an unfinished move; raises IllegalMove."""
        self._must_be_turn(side)
        if not self.staged:
            raise IllegalMove("There is nothing to take back in this move.")
        return replace(self, position=self.at(self.ply - 1))

    def resign(self, side: int, now: int) -> Table:
        """Give up; raises IllegalMove."""
        self._must_go_on()
        return self.ended(TableResult(1 - side, "resignation"), now)

    def claimed(self, side: int, what: Claim, now: int) -> Table:
        """Return the table after `side` claimed a win or a draw; raises IllegalMove."""
        self._must_go_on()
        return self.ended(TableResult(side if what == "win" else None, LEFT), now)

    @property
    def can_abort(self) -> bool:
        """Return whether the game can be called off: one side has not moved yet."""
        return not self.over and len(self.moves) < 2

    def abort(self, now: int) -> Table:
        """Call the game off; raises IllegalMove."""
        if not self.can_abort:
            raise IllegalMove("The game is over." if self.over else "Both have moved; resign, or offer a draw.")
        return self.ended(TableResult(None, "aborted"), now)

    def abandoned(self, loser: int, now: int) -> Table:
        """Return the table after all players left: called off, or lost by `loser` once both have moved."""
        return self.abort(now) if self.can_abort else self.ended(TableResult(1 - loser, ABANDONED), now)

    def flag(self, now: int) -> Table:
        """Return the table with the game lost by whoever has no time left, or the table as it is.

        It is a draw if the other side could not have won by any play (FIDE Laws of Chess, 6.9).
        """
        falls = self.clock.falls_at if self.clock and not self.over else None
        if self.clock is None or self.clock.running is None or falls is None or now < falls:
            return self
        position, other = self.at(self.settled), 1 - self.clock.running
        could_win = position.game.can_win(position.state, other)
        return self.ended(TableResult(other, "timeout") if could_win else TableResult(None, DRAWN_ON_TIME), falls)

    def ended(self, result: TableResult, now: int) -> Table:
        """Return the table with a result, without staged actions and offers."""
        clock = self.clock.stopped(now) if self.clock else None
        position = self.at(self.settled)
        return replace(self, position=position, clock=clock, offers=(), result=result, ended_at=now, waiting=False)

    def give_time(self, side: int, seconds: int) -> Table:
        """Add to the other side's clock; raises IllegalMove."""
        self._must_go_on()
        if self.clock is None:
            raise IllegalMove("This game has no clocks.")
        if not 1 <= seconds <= MAX_GIVEN_S:
            raise IllegalMove(f"1 to {MAX_GIVEN_S} seconds can be given at a time.")
        clock = self.clock.added(1 - side, 1000 * seconds)
        if clock.left[1 - side] > MAX_LEFT_MS:
            raise IllegalMove("The other side has time enough.")
        return replace(self, clock=clock)

    def takeback_target(self, side: int) -> int | None:
        """Return how many moves are left when `side` takes back its last one; None if it has made none."""
        if self.over or self.waiting:
            return None
        return next((ply for ply, move in reversed([*enumerate(self.moves)]) if move.player == side), None)

    def offer(self, side: int, what: What, now: int) -> Table:
        """Ask the other side; a draw or a rematch that both ask for is agreed.  Raises IllegalMove."""
        self._must_be_possible(side, what)
        if Offer(what, side) in self.offers:
            raise IllegalMove(f"You have offered a {what} already; the other side has not answered.")
        if what != "takeback" and Offer(what, 1 - side) in self.offers:
            return self.accept(side, what, now)
        return replace(self, offers=(*self.offers, Offer(what, side)))

    def accept(self, side: int, what: What, now: int) -> Table:
        """Agree to what the other side offers; a rematch is agreed when both offers stand.  Raises IllegalMove."""
        if Offer(what, 1 - side) not in self.offers:
            raise IllegalMove(f"The other side has not offered a {what}, or not any more.")
        if what == "rematch":
            self._must_not_be_agreed()
            return replace(self, offers=(*self.offers, Offer(what, side)))
        if what == "draw":
            return self.ended(TableResult(None, "draw-agreement"), now)
        return self.taken_back(1 - side, now)

    @property
    def rematch_agreed(self) -> bool:
        """Return whether both want another game."""
        return {Offer("rematch", 0), Offer("rematch", 1)} <= set(self.offers)

    def decline(self, what: What) -> Table:
        """Refuse what the other side offers, or withdraw one's own offer: all offers of a kind; raises IllegalMove."""
        if what == "rematch":
            self._must_not_be_agreed()  # the next game may be being opened at this moment
        kept = tuple(offer for offer in self.offers if offer.what != what)
        if len(kept) == len(self.offers):
            raise IllegalMove(f"Nobody offers a {what}.")
        return replace(self, offers=kept)

    def taken_back(self, side: int, now: int) -> Table:
        """Take back the last move of `side` and what followed; clocks keep their time.  Raises IllegalMove."""
        target = self.takeback_target(side)
        if target is None:
            raise IllegalMove("There is nothing to take back.")
        position = self.at(self.moves[target].start)
        clock = self.clock
        if clock:
            clock = clock.started(position.to_play, now) if target else clock.stopped(now)
        return replace(self, position=position, moves=self.moves[:target], clock=clock, offers=())

    def _played(self, actions: list[int], now: int) -> Table:
        """Play legal actions, and finish the moves that they complete."""
        table = self
        for action in actions:
            if table.over:  # by the limit of actions, in the middle of a move
                break
            after = table.position.play(action)
            finished = after.outcome is not None or after.to_play != table.position.to_play
            table = replace(table, position=after)
            if finished or after.num_actions_played >= table.max_plies:
                table = table._pressed(now)
        return table

    def _pressed(self, now: int) -> Table:
        """Record the move that was just completed."""
        start, position = self.settled, self.position
        mover = self.at(start).to_play
        clock = self.clock
        if clock and self.control:
            clock = clock.stopped(now).added(mover, self.control.increment_ms)
        text = position.game.move_text(self.at(start).state, self.actions_since(start))
        move = PlayedMove(text, mover, start, self.ply, clock.left if clock else None, now)
        offers = tuple(each for each in self.offers if each.what == "draw" and each.by == mover)
        table = replace(self, moves=(*self.moves, move), clock=clock, offers=offers)
        if position.outcome:
            return table.ended(TableResult(position.outcome.winner, position.outcome.reason), now)
        if self.ply >= self.max_plies:
            return table.ended(TableResult(None, f"{self.max_plies} actions without a winner"), now)
        return replace(table, clock=clock.started(position.to_play, now) if clock else None)

    def _must_go_on(self) -> None:
        if self.over:
            raise IllegalMove("The game is over.")
        if self.waiting:
            raise IllegalMove("Nobody sits on the other side yet.")

    def _must_not_be_agreed(self) -> None:
        if self.rematch_agreed:
            raise IllegalMove("Both sides have agreed to a rematch.")

    def _must_be_turn(self, side: int) -> None:
        self._must_go_on()
        if side != self.position.to_play:
            raise IllegalMove("It is not your turn.")

    def _must_be_possible(self, side: int, what: What) -> None:
        if what == "rematch":
            if not self.over:
                raise BadInput("The game is not over yet.")
            return
        self._must_go_on()
        if what == "takeback" and self.takeback_target(side) is None:
            raise IllegalMove("There is nothing to take back.")


def new_table(position: Position, control: TimeControl | None, *, waiting: bool, max_plies: int) -> Table:
    """Return a game at its first position, with stopped clocks."""
    clock = Clock((control.initial_ms, control.initial_ms)) if control else None
    table = Table(position, control, clock, waiting=waiting, max_plies=max_plies)
    outcome = position.outcome
    return table.ended(TableResult(outcome.winner, outcome.reason), 0) if outcome else table
