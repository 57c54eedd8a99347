"""Decides by searches of increasing length whether a position is a puzzle.

The best move of a search with twice the visits is right.  The remaining moves are then searched repeatedly with as many
visits: the best of them is right too if it is about as good, and wrong if it is clearly worse; it is then excluded, and
the rest is searched again, until enough moves are wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import msgspec

from ludus.errors import BadInput
from ludus.games.game import Position, unusual_setup
from ludus.games.puzzle import Puzzle, begin_of, ends_of, name_of, turn_is_over
from ludus.games.registry import game as find_game
from ludus.lazy import lazy_property
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.spec import plain_spec, spec_in_play
from ludus.search.backup import exact_value
from ludus.viewpoint import turn

REASONS = {
    "kept": "the move played gave too little away",
    "undecided": "the player to move is neither clearly winning nor proved not to lose",
    "seen": "the short search finds it",
    "unsettled": "the longer search does not agree",
    "brief": "the solution has too few moves",
    "many": "there are too many right moves",
    "unclear": "the best wrong move is not clearly worse",
    "known": "the position is a puzzle already",
    "elsewhere": "its moves do not lead to this position",
}
"""Reasons why a position is no puzzle, in the order of the checks."""
SHARE_OF_GLANCE, SHARE_OF_FIRST = 64, 8  # visits of the long search divided by those of the glance and of the first
SEEMS = 0.4  # fraction of the gap that the glance and the first search must find for the long search to run
MOST_ORDERS = 24  # orders of the actions of right moves; a position with more is refused
Move = tuple[int, ...]
Search = Literal["glance", "first", "long"]


class Demands(msgspec.Struct, frozen=True):
    """The conditions for a puzzle; values are seen by the mover."""

    short: int = 30
    """Visits of the short search, which must miss the right move; 0: it may find it."""
    visits: int = 2000
    """Visits of the long search, which must find it; a search with twice the visits must agree."""
    worth: float = 0.7
    """Least value of the position, unless it is proved won or drawn."""
    gap: float = 0.5
    """Least amount of value that the played move and the best wrong move lose."""
    near: float = 0.15
    """Moves that lose at most this amount of value are right, too."""
    most_right: int = 3
    """Largest number of right moves."""
    own_moves: int = 1
    """Least number of moves that the mover makes in the main line."""
    found: bool = False
    """Whether positions count, too, in which the player found the right move, after a mistake of the opponent."""
    wrong: int = 6
    """Wrong actions to find at one position, each the best of the remaining ones."""


class Refused(Exception):
    """Raised if a position is no puzzle; the text is a key of REASONS."""


class _Judged(NamedTuple):
    """A move, its value for the mover, and the search result."""

    move: Move
    worth: float
    thought: Thought


class PuzzleCheck:
    """Searches of increasing length of one position, at the beginning of a turn or at the end of a game."""

    def __init__(self, mind: Mind, position: Position, demands: Demands) -> None:
        """Prepare the searches; each runs when its result is first read."""
        self.position = position
        self._mind, self._demands = mind, demands
        self._seat = None if position.outcome else mind.seat(position)
        self._mover = position.to_play

    @lazy_property
    def short(self) -> _Judged:
        """The result of the short search; without one, of the glance."""
        return self._search(self._demands.short) if self._demands.short else self.glance

    @lazy_property
    def glance(self) -> _Judged:
        """The result of a search with few visits, which continues the short search."""
        assert not self._demands.short or self.short
        return self._search(max(2, self._demands.short, self._demands.visits // SHARE_OF_GLANCE))

    @lazy_property
    def first(self) -> _Judged:
        """The result of the search with an eighth of the long search's visits, which continues the glance."""
        assert self.glance
        return self._search(max(self._demands.short, self._demands.visits // SHARE_OF_FIRST))

    @lazy_property
    def long(self) -> _Judged:
        """The result of the long search, which continues `first`."""
        assert self.first
        return self._search(self._demands.visits)

    def value(self, search: Search) -> float:
        """Return the value of the position, seen by player 0, from one of its searches."""
        if self.position.outcome:
            return self.position.outcome.value
        judged: _Judged = getattr(self, search)
        return turn(judged.worth, self._mover)

    def _is_missed(self, after: PuzzleCheck, search: Search, least: float) -> bool:
        """Return whether the played move seems to lose so much value."""
        return turn(self.value(search) - after.value(search), self._mover) >= least

    def _is_offered(self, before: PuzzleCheck | None, least: float) -> bool:
        """Return whether the opponent's move before this position seems to lose so much value."""
        if before is None or not self._demands.found:
            return False
        return turn(self.value("glance") - before.value("glance"), self._mover) >= least

    def puzzle(self, after: PuzzleCheck, known: Collection[str], before: PuzzleCheck | None = None) -> Puzzle:
        """Return the puzzle of this position.

        Args:
            after: the check of the position after the played move.
            known: ids of existing puzzles.
            before: the check of the position before the opponent's move, if there is one.

        Raises:
            Refused: the position is no puzzle.
        """
        demands, seems = self._demands, self._demands.gap * SEEMS
        offered = self._is_offered(before, seems)
        if not offered and not (self._is_missed(after, "glance", seems) and self._is_missed(after, "first", seems)):
            raise Refused("kept")
        if offered and self.first.worth < demands.worth - demands.gap:
            raise Refused("undecided")
        missed = self._is_missed(after, "long", demands.gap)
        if not offered and not missed:
            raise Refused("kept")
        worth, value_played = self.long.worth, after.value("long")
        if not self._is_decided(self.long):
            raise Refused("undecided")
        short_end, long_end = self._end(self.short.move), self._end(self.long.move)
        sees_worth = demands.short > 0 and worth - self.short.worth < demands.gap
        if sees_worth and short_end == long_end:
            raise Refused("seen")
        best = self._search(2 * demands.visits)
        if not self._is_decided(best) or abs(best.worth - worth) > demands.near:
            raise Refused("unsettled")
        line = self._line(best)
        if len(line) < 2 * demands.own_moves - 1:
            raise Refused("brief")
        right, wrong = self._right_moves(best)
        if sees_worth and short_end in right:
            raise Refused("seen")
        if long_end not in right or (after.position.state.tobytes() in right) == missed:
            raise Refused("unsettled")
        spec = plain_spec(self.position.game.name)
        name = name_of(self.position, spec)
        if name in known:
            raise Refused("known")
        first = self.position.history[0]
        puzzle = Puzzle(
            id=name,
            spec=spec,
            setup=unusual_setup(first),
            moves=self.position.moves,
            right=[self._text(move) for move in right.values()],
            played=after.position.moves[-1],
            value=_rounded(turn(best.worth, self._mover)),
            value_played=_rounded(value_played),
            wrong=self._text(wrong.move) if wrong else "",
            value_wrong=_rounded(turn(wrong.worth if wrong else -1.0, self._mover)),
            value_short=_rounded(turn(self.short.worth, self._mover)),
            proof=best.thought.proof,
            prior=_rounded(_first(best.thought).prior),
            line=line,
        )
        if not self._is_replayed(puzzle):
            raise Refused("elsewhere")
        return puzzle

    def _is_replayed(self, puzzle: Puzzle) -> bool:
        """Return whether replaying the puzzle's moves leads to this position and its right moves are legal."""
        try:
            table = find_game(spec_in_play(puzzle.spec))
            ends_of(puzzle, begin_of(puzzle, table))
            return bool((begin_of(puzzle, self.position.game).state == self.position.state).all())
        except BadInput:
            return False

    def _is_decided(self, judged: _Judged) -> bool:
        """Return whether the mover is clearly winning, or proved not to lose after this move."""
        return judged.worth >= (0.0 if judged.thought.proof else self._demands.worth)

    def _search(self, visits: int) -> _Judged:
        assert self._seat, "a finished game needs no search"
        thought = self._seat.think(visits)
        return self._judged((), self.position, thought, visits)

    def _judged(self, begun: Move, position: Position, thought: Thought, visits: int) -> _Judged:
        """Return a whole move: the actions `begun`, then the best ones found by a search at `position`."""
        best, after = [*begun, *thought.best], position
        for action in thought.best:
            after = after.play(action)
        while not turn_is_over(self.position, after):  # the main line ends within the move
            for action in self._mind.seat(after).think(visits).best:
                after = after.play(action)
                best.append(action)
        found = _first(thought)
        proof = thought.proof or found.proof
        return _Judged(tuple(best), turn(exact_value(proof) if proof else found.value, self._mover), thought)

    def _right_moves(self, best: _Judged) -> tuple[dict[bytes, Move], _Judged | None]:
        """Return the right moves by their resulting states, and the best wrong move.

        At each position within a right move, whose actions may come in several orders, the actions that are not known
        to continue to a right move are searched separately.  The result is right as well, or clearly worse.  A wrong
        action is then excluded from the next search, since searches hardly visit other actions besides a good one.

        Raises:
            Refused: there are too many right moves, or a move is neither right nor clearly wrong.
        """
        demands = self._demands
        right, orders = {self._end(best.move): best.move}, [best.move]
        wrong: dict[Move, dict[int, _Judged]] = {}
        while True:
            inside: dict[Move, set[int]] = {}
            for order in orders:
                for length, action in enumerate(order):
                    inside.setdefault(order[:length], set()).add(action)
            others = ((begun, self._others(begun, inside[begun], wrong.setdefault(begun, {}))) for begun in inside)
            begun, actions = next((each for each in others if each[1]), ((), ()))
            if not actions:
                break
            other = self._best_of(begun, actions)
            if other.worth <= best.worth - demands.gap:
                wrong[begun][other.move[len(begun)]] = other
                continue
            end = self._end(other.move)
            if end not in right and other.worth < best.worth - demands.near:
                raise Refused("unclear")
            right.setdefault(end, other.move)
            orders.append(other.move)
            if len(right) > demands.most_right or len(orders) > MOST_ORDERS:
                raise Refused("many")
        found = [other for each in wrong.values() for other in each.values()]
        return right, max(found, key=lambda each: each.worth, default=None)

    def _others(self, begun: Move, known: set[int], wrong: dict[int, _Judged]) -> Move:
        """Return the actions after `begun` that are still to be searched; none once enough of them are wrong.

        They include legal actions that engines do not consider, such as ending a turn early.
        """
        if len(wrong) >= self._demands.wrong:
            return ()
        return tuple(action for action in self._after(begun).actions if action not in known and action not in wrong)

    def _best_of(self, begun: Move, actions: Move) -> _Judged:
        """Return the best move that begins with `begun` and continues with one of `actions`."""
        position, visits = self._after(begun), 2 * self._demands.visits
        thought = self._mind.seat(position).ask_within(Limits(visits, only=actions)).result()
        return self._judged(begun, position, thought, visits)

    def _end(self, move: Move) -> bytes:
        return self._after(move).state.tobytes()

    def _after(self, move: Sequence[int]) -> Position:
        position = self.position
        for action in move:
            position = position.play(action)
        return position

    def _text(self, move: Move) -> str:
        return self._after(move).moves[-1]

    def _line(self, best: _Judged) -> list[str]:
        """Return the moves of the main line, without a last incomplete move."""
        line = best.thought.line if [*best.move] == best.thought.line[: len(best.move)] else [*best.move]
        last = self._after(line)
        before = len(self.position.moves)
        is_whole = last.outcome is not None or (last.parent is not None and last.parent.to_play != last.to_play)
        moves = last.moves[before:]
        return moves if is_whole else moves[:-1]


def _first(thought: Thought) -> Candidate:
    """Return the first action of the best move."""
    return next(each for each in thought.candidates if each.action == thought.best[0])


def _rounded(value: float) -> float:
    return round(value, 3)
