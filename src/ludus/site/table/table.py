"""The immutable state of one game: moves, clocks, offers and result, without sockets, database or bots.

Every change returns a new table, or raises an error if it is not allowed.  Times are in milliseconds since 1970.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ludus.errors import BadInput, IllegalMove
from ludus.games.game import Position
from ludus.site.table.clock import Clock, TimeControl, new_clock

What = Literal["draw", "takeback", "rematch"]
"""The kinds of offers to the opponent."""

Claim = Literal["win", "draw"]
"""The results that a player may claim when the opponent has left."""
LEFT = "the other side left"
ABANDONED = "abandoned"
CHANGED = "The position has changed meanwhile. Look at the board again."
DRAWN_ON_TIME = "timeout, but the other side could not win"

MAX_GIVEN_S = 600
"""The maximum time, in seconds, that a player may give the opponent at once."""
MAX_LEFT_MS = 24 * 3600 * 1000
"""The maximum time on a clock after time was given."""


class PlayedMove(NamedTuple):
    """A finished move, with the clocks after it."""

    text: str
    player: int
    start: int
    """The number of actions before the move."""
    end: int
    """The number of actions after the move."""
    left: tuple[int, int] | None
    """The time of both sides after the move until their flags fall, in milliseconds; None without clocks."""
    at: int
    """When the move was played."""


class TableResult(Struct, frozen=True):
    """The result of a game: the winner, or None for a draw or an aborted game, and the reason."""

    winner: int | None
    reason: str


class Offer(NamedTuple):
    """A pending offer of side `by` to its opponent."""

    what: What
    by: int


class Table(Struct, frozen=True):
    """The state of one game, from its first position to its result."""

    position: Position
    """The present position, including an unfinished move."""
    control: TimeControl | None = None
    """The time control; None for a game without clocks."""
    clock: Clock | None = None
    moves: tuple[PlayedMove, ...] = ()
    offers: tuple[Offer, ...] = ()
    result: TableResult | None = None
    ended_at: int | None = None
    waiting: bool = False
    """Whether a seat is open, so that no move can be played yet."""
    max_plies: int = 2000
    """The number of actions after which the site ends the game as a draw."""
    untimed: int | None = None
    """The side whose clock never runs, a bot that thinks in its opponent's browser; None: there is no such side."""

    @property
    def ply(self) -> int:
        """Return the number of actions played, including an unfinished move."""
        return self.position.num_actions_played

    @property
    def settled(self) -> int:
        """Return the number of actions without those of an unfinished move."""
        return self.moves[-1].end if self.moves else 0

    @property
    def staged(self) -> int:
        """Return the number of actions of the unfinished move."""
        return self.ply - self.settled

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.result is not None

    @property
    def over_days(self) -> bool:
        """Return whether each move of the game has days, so that its players need not be connected."""
        return self.control is not None and self.control.days is not None

    @property
    def to_play(self) -> int | None:
        """Return the side to move; None if the game is over or waits for an opponent."""
        return None if self.over or self.waiting else self.position.to_play

    def at(self, ply: int) -> Position:
        """Return the position after `ply` actions."""
        position = self.position  # follow its parents: a list of positions in every table would need quadratic memory
        while position.num_actions_played > ply and position.parent:
            position = position.parent
        return position

    def actions_since(self, ply: int) -> list[int]:
        """Return the actions that were played after the first `ply` ones."""
        actions: list[int] = []
        position = self.position
        while position.num_actions_played > ply and position.parent and position.action is not None:
            actions.append(position.action)
            position = position.parent
        return actions[::-1]

    def act(self, side: int, action: int, ply: int, now: int) -> Table:
        """Play one action for `side`; raises IllegalMove, also if `ply` is not the number of actions played so far."""
        self._must_be_turn(side)
        if ply != self.ply:
            raise IllegalMove(CHANGED)
        return self._played([action], now)

    def play(self, side: int, text: str, now: int) -> Table:
        """Play a whole move in notation, replacing an unfinished one; raises BadNotation or IllegalMove."""
        self._must_be_turn(side)
        before = self.at(self.settled)
        actions, after = before.parse(text), before
        for action in actions:
            after = after.play(action)
        if not actions or (after.outcome is None and after.to_play == side):
            raise IllegalMove(f"{text[:40]!r} is not exactly one move.")
        return replace(self, position=before)._played(actions, now)

    def play_actions(self, side: int, actions: list[int], ply: int, now: int) -> Table:
        """Play actions of one move of `side`, all or the first ones; raises IllegalMove, also for a wrong `ply`."""
        self._must_be_turn(side)
        if ply != self.ply:
            raise IllegalMove(CHANGED)
        table = self._played(actions, now)
        if any(move.end < ply + len(actions) for move in table.moves[len(self.moves) :]):
            raise IllegalMove("The actions go on after the end of the move.")
        return table

    def undo(self, side: int) -> Table:
        """Undo the last action of the unfinished move; raises IllegalMove."""
        self._must_be_turn(side)
        if not self.staged:
            raise IllegalMove("There is no unfinished move to undo.")
        return replace(self, position=self.at(self.ply - 1))

    def resign(self, side: int, now: int) -> Table:
        """Resign the game for `side`; raises IllegalMove."""
        self._must_go_on()
        return self.ended(TableResult(1 - side, "resignation"), now)

    def claimed(self, side: int, what: Claim, now: int) -> Table:
        """End the game with the result that `side` claims; raises IllegalMove."""
        self._must_go_on()
        return self.ended(TableResult(side if what == "win" else None, LEFT), now)

    @property
    def can_abort(self) -> bool:
        """Return whether the game can be aborted: it is not over, and one side has not moved yet."""
        return not self.over and len(self.moves) < 2

    def abort(self, now: int) -> Table:
        """Abort the game; raises IllegalMove."""
        if not self.can_abort:
            raise IllegalMove("The game is over." if self.over else "Both sides have moved. Resign, or offer a draw.")
        return self.ended(TableResult(None, "aborted"), now)

    def abandoned(self, loser: int, now: int) -> Table:
        """End an abandoned game: abort it, or let `loser` lose it if both sides have moved."""
        return self.abort(now) if self.can_abort else self.ended(TableResult(1 - loser, ABANDONED), now)

    def seated(self, now: int) -> Table:
        """Begin the game when both seats are taken; in a game over days, the first player's clock runs at once."""
        table = replace(self, waiting=False)
        if self.clock and self.over_days:
            return replace(table, clock=self.clock.started(self.position.to_play, now))
        return table

    def flag(self, now: int) -> Table:
        """End the game if the running clock is at 0, else return the same table.

        The opponent wins, unless no sequence of moves could win for it; then it is a draw (FIDE Laws, 6.9).  A game
        without a move is aborted.
        """
        falls = self.clock.falls_at if self.clock and not self.over else None
        if self.clock is None or self.clock.running is None or falls is None or now < falls:
            return self
        if not self.moves:
            return self.abort(falls)
        position, other = self.at(self.settled), 1 - self.clock.running
        could_win = position.game.can_win(position.state, other)
        return self.ended(TableResult(other, "timeout") if could_win else TableResult(None, DRAWN_ON_TIME), falls)

    def ended(self, result: TableResult, now: int) -> Table:
        """End the game with a result; drop the unfinished move and all offers, and stop the clocks."""
        clock = self.clock.stopped(now) if self.clock else None
        position = self.at(self.settled)
        return replace(self, position=position, clock=clock, offers=(), result=result, ended_at=now, waiting=False)

    def give_time(self, side: int, seconds: int, now: int) -> Table:
        """Add time to the opponent's clock; raises IllegalMove."""
        self._must_go_on()
        if self.clock is None or self.control is None:
            raise IllegalMove("This game has no clocks.")
        if self.over_days:
            raise IllegalMove("In a game over days, no time can be given.")
        if not 1 <= seconds <= MAX_GIVEN_S:
            raise IllegalMove(f"You can give 1 to {MAX_GIVEN_S} seconds at a time.")
        clock = self.clock.given(1 - side, 1000 * seconds, self.control, now)
        if clock.left[1 - side] > MAX_LEFT_MS:
            raise IllegalMove("The other clock cannot show more than 24 hours.")
        return replace(self, clock=clock)

    def takeback_target(self, side: int) -> int | None:
        """Return the number of moves that remain if `side` takes back its last one; None if it cannot."""
        if self.over or self.waiting:
            return None
        return next((ply for ply, move in reversed([*enumerate(self.moves)]) if move.player == side), None)

    def offer(self, side: int, what: What, now: int) -> Table:
        """Add an offer; if the opponent has offered the same draw or rematch, accept that instead.

        Raises:
            IllegalMove: the offer is already pending, or not possible at present.
            BadInput: a rematch is offered before the game is over.
        """
        self._must_be_possible(side, what)
        if Offer(what, side) in self.offers:
            raise IllegalMove(f"You have already offered a {what}. Wait for the answer.")
        if what != "takeback" and Offer(what, 1 - side) in self.offers:
            return self.accept(side, what, now)
        return replace(self, offers=(*self.offers, Offer(what, side)))

    def accept(self, side: int, what: What, now: int) -> Table:
        """Accept the opponent's offer; a rematch is agreed when both sides have offered it.  Raises IllegalMove."""
        if Offer(what, 1 - side) not in self.offers:
            raise IllegalMove(f"There is no {what} offer of your opponent to accept.")
        if what == "rematch":
            self._must_not_be_agreed()
            return replace(self, offers=(*self.offers, Offer(what, side)))
        if what == "draw":
            return self.ended(TableResult(None, "draw-agreement"), now)
        return self.taken_back(1 - side, now)

    @property
    def rematch_agreed(self) -> bool:
        """Return whether both sides have offered a rematch."""
        return {Offer("rematch", 0), Offer("rematch", 1)} <= set(self.offers)

    def decline(self, what: What) -> Table:
        """Remove all offers of a kind, which declines the opponent's and withdraws one's own; raises IllegalMove."""
        if what == "rematch":
            self._must_not_be_agreed()  # the rematch may be being opened already
        kept = tuple(offer for offer in self.offers if offer.what != what)
        if len(kept) == len(self.offers):
            raise IllegalMove(f"There is no {what} offer to decline.")
        return replace(self, offers=kept)

    def taken_back(self, side: int, now: int) -> Table:
        """Take back the last move of `side` and all later ones; the time left does not change.  Raises IllegalMove."""
        target = self.takeback_target(side)
        if target is None:
            raise IllegalMove("You have no move to take back.")
        position = self.at(self.moves[target].start)
        clock = self.clock
        if clock:
            runs = target or self.over_days
            clock = clock.started(position.to_play, now) if runs else clock.stopped(now)
        return replace(self, position=position, moves=self.moves[:target], clock=clock, offers=())

    def _played(self, actions: list[int], now: int) -> Table:
        """Play actions, and record the moves that they complete."""
        table = self
        for action in actions:
            if table.over:  # the limit of actions was reached during a move
                break
            after = table.position.play(action)
            finished = after.outcome is not None or after.to_play != table.position.to_play
            table = replace(table, position=after)
            if finished or after.num_actions_played >= table.max_plies:
                table = table._pressed(now)
        return table

    def _pressed(self, now: int) -> Table:
        """Record the move that the last action completed, switch the clocks, and end the game if it is over."""
        start, position = self.settled, self.position
        mover = self.at(start).to_play
        clock = self.clock
        if clock and self.control and mover != self.untimed:
            clock = clock.pressed(mover, self.control, now)
        text = position.game.move_text(self.at(start).state, self.actions_since(start))
        move = PlayedMove(text, mover, start, self.ply, clock.left if clock else None, now)
        offers = tuple(each for each in self.offers if each.what == "draw" and each.by == mover)
        table = replace(self, moves=(*self.moves, move), clock=clock, offers=offers)
        if position.outcome:
            return table.ended(TableResult(position.outcome.winner, position.outcome.reason), now)
        if self.ply >= self.max_plies:
            return table.ended(TableResult(None, f"{self.max_plies} actions without a winner"), now)
        runs = clock is not None and position.to_play != self.untimed
        return replace(table, clock=clock.started(position.to_play, now) if clock and runs else clock)

    def _must_go_on(self) -> None:
        if self.over:
            raise IllegalMove("The game is over.")
        if self.waiting:
            raise IllegalMove("You have no opponent yet. Wait until somebody joins the game.")

    def _must_not_be_agreed(self) -> None:
        if self.rematch_agreed:
            raise IllegalMove("The rematch is already agreed.")

    def _must_be_turn(self, side: int) -> None:
        self._must_go_on()
        if side != self.position.to_play:
            raise IllegalMove("It is not your turn.")

    def _must_be_possible(self, side: int, what: What) -> None:
        if what == "rematch":
            if not self.over:
                raise BadInput("The game is not over yet. Offer a rematch afterwards.")
            return
        self._must_go_on()
        if what == "takeback" and self.takeback_target(side) is None:
            raise IllegalMove("You have no move to take back.")


def new_table(position: Position, control: TimeControl | None, *, waiting: bool, max_plies: int) -> Table:
    """Return the table of a new game, with stopped clocks; it is over if the first position is."""
    clock = new_clock(control) if control else None
    table = Table(position, control, clock, waiting=waiting, max_plies=max_plies)
    outcome = position.outcome
    return table.ended(TableResult(outcome.winner, outcome.reason), 0) if outcome else table
