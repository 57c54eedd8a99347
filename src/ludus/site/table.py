"""One game between a guest and a bot: the rules' authority, undo, evaluations; no clocks, no sockets, no waiting."""

from typing import NamedTuple

import msgspec

from ludus.errors import IllegalMove
from ludus.games.board import Board
from ludus.games.position import Position
from ludus.site.messages import GameState, MoveInfo, PlayerInfo, PlyView, Result


class Move(NamedTuple):
    """A whole move that was played."""

    text: str
    player: int
    start: int
    """Actions played before it."""
    end: int
    """Actions played after it."""


class Table:
    """A game in progress; every change goes through it, and what is not allowed raises and changes nothing."""

    def __init__(self, spec: str, title: str, position: Position, human: int, bot_name: str, max_plies: int) -> None:
        """Set up a board.

        Args:
            spec: the game's name in the catalogue.
            title: its name for people.
            position: the first position.
            human: the guest's side, 0 or 1.
            bot_name: the bot's name for people.
            max_plies: actions after which the game is a draw.
        """
        self.spec = spec
        self.title = title
        self.human = human
        self.bot = 1 - human
        self.bot_name = bot_name
        self.moves: list[Move] = []
        self.result: Result | None = None
        self._line = [position]
        self._evaluations: list[float | None] = [None]
        self._max_plies = max_plies
        self._board: Board | None = None
        self._settle()

    @property
    def start(self) -> Position:
        """Return the first position."""
        return self._line[0]

    @property
    def position(self) -> Position:
        """Return the present position."""
        return self._line[-1]

    @property
    def ply(self) -> int:
        """Return how many actions were played."""
        return len(self._line) - 1

    @property
    def staged(self) -> int:
        """Return how many actions of an unfinished move were played."""
        return self.ply - (self.moves[-1].end if self.moves else 0)

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.result is not None

    @property
    def bot_to_play(self) -> bool:
        """Return whether the game waits for the bot."""
        return not self.over and self.position.to_play == self.bot

    def act(self, player: int, action: int, ply: int) -> None:
        """Play one action for `player`, who has seen `ply` actions; raises IllegalMove."""
        if self.over:
            raise IllegalMove("The game is over.")
        if ply != self.ply:
            raise IllegalMove("The board has changed since; look again.")
        if player != self.position.to_play:
            raise IllegalMove("It is not your turn.")
        self._play(action)

    def play_move(self, player: int, text: str) -> None:
        """Play a whole move in notation for `player`; raises BadNotation or IllegalMove."""
        if self.over or player != self.position.to_play:
            raise IllegalMove("It is not the turn of that side.")
        before, after = self.position, self.position
        actions = before.parse(text)
        for action in actions:
            after = after.play(action)
        if not actions or (after.outcome is None and after.to_play == player):
            raise IllegalMove(f"{text!r} is not a whole move.")
        for action in actions:
            self._play(action)

    def undo(self) -> None:
        """Take back the guest's staged action, else the guest's last move and what followed; raises IllegalMove."""
        target = self._undo_target()
        if target is None:
            raise IllegalMove("There is nothing to take back.")
        del self._line[target + 1 :], self._evaluations[target + 1 :]
        while self.moves and self.moves[-1].end > target:
            self.moves.pop()
        self._board = None

    def resign(self, player: int, reason: str = "resignation") -> None:
        """End the game in favour of the other side; raises IllegalMove if it is over."""
        if self.over:
            raise IllegalMove("The game is over.")
        self.result = Result(1 - player, reason)
        self._board = None

    def evaluation_after(self, num_moves: int) -> float | None:
        """Return the evaluation of the position after so many whole moves."""
        return self._evaluations[self._ply_after(num_moves)]

    def note_evaluation(self, num_moves: int, value: float) -> None:
        """Remember an evaluation, seen by player 0, of the position after so many whole moves."""
        if num_moves <= len(self.moves):
            self._evaluations[self._ply_after(num_moves)] = value

    def state(self, you: int | None) -> GameState:
        """Return what a page shows that sits on side `you`, or watches."""
        position = self.position
        board = self._described()
        if you != position.to_play or self.over:
            board = msgspec.structs.replace(board, choices=[])
        return GameState(
            spec=self.spec,
            title=self.title,
            players=self._players(),
            you=you,
            to_play=position.to_play,
            ply=self.ply,
            staged=self.staged,
            board=board,
            moves=self._move_list(),
            evaluation=self._evaluation_at(self.ply),
            evaluations=list(self._evaluations),
            thinking=self.bot_to_play,
            can_undo=you == self.human and self._undo_target() is not None,
            status="over" if self.over else "playing",
            result=self.result,
        )

    def view(self, ply: int) -> PlyView:
        """Return the board after `ply` actions, 0 to `self.ply`."""
        board = msgspec.structs.replace(self._line[ply].describe(), choices=[])
        return PlyView(board=board, evaluation=self._evaluation_at(ply))

    def _play(self, action: int) -> None:
        before = self.position
        self._line.append(before.play(action))
        self._evaluations.append(None)
        self._board = None
        if self.position.outcome or self.position.to_play != before.to_play:
            start = self.moves[-1].end if self.moves else 0
            self.moves.append(Move(self._text(start), before.to_play, start, self.ply))
        self._settle()

    def _settle(self) -> None:
        outcome = self.position.outcome
        if outcome:
            self.result = Result(outcome.winner, outcome.reason)
            self._evaluations[-1] = outcome.value
        elif self.ply >= self._max_plies:
            self.result = Result(None, f"{self._max_plies} actions without a winner")

    def _text(self, start: int) -> str:
        """Return the notation of the actions from ply `start` to the present."""
        actions = [position.action for position in self._line[start + 1 :] if position.action is not None]
        return self.position.game.move_text(self._line[start].state, actions)

    def _ply_after(self, num_moves: int) -> int:
        return self.moves[num_moves - 1].end if num_moves else 0

    def _undo_target(self) -> int | None:
        if self.over:
            return None
        if self.staged and self.position.to_play == self.human:
            return self.ply - 1
        return next((move.start for move in reversed(self.moves) if move.player == self.human), None)

    def _evaluation_at(self, ply: int) -> float | None:
        known = (value for value in reversed(self._evaluations[: ply + 1]) if value is not None)
        return next(known, None)

    def _described(self) -> Board:
        if self._board is None:
            self._board = self.position.describe()
        return self._board

    def _players(self) -> tuple[PlayerInfo, PlayerInfo]:
        guest, bot = PlayerInfo("Guest", bot=False), PlayerInfo(self.bot_name, bot=True)
        return (guest, bot) if self.human == 0 else (bot, guest)

    def _move_list(self) -> list[MoveInfo]:
        moves = [MoveInfo(move.text, move.player, move.end) for move in self.moves]
        if self.staged:
            start = self.ply - self.staged
            moves.append(MoveInfo(self._text(start), self._line[start].to_play, self.ply))
        return moves
