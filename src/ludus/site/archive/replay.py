"""Replays finished games: every position of a game is computed beside the event loop, and cached."""

from collections import OrderedDict
from collections.abc import Callable

import msgspec

from ludus.errors import BadInput, BadRecord, LudusError
from ludus.games.game import Position
from ludus.protocol.spec import plain_spec, setting_of
from ludus.site.archive.link import SharedGame, read_link, write_link
from ludus.site.archive.texts import Brought
from ludus.site.catalogue.catalogue import table_game, title_of
from ludus.site.database.records import Evaluation, GameRow
from ludus.site.messages.archive import GameSummary, Replay, ReplayMove, ReplayPlayer
from ludus.site.messages.page import PlyView
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.study.weight import weight_of

KEPT = 64
KEPT_BYTES = 128 << 20
"""Of all games that are kept: a long one of Go takes as much as hundreds of chess."""
_NOT_BY_TURNS = "Somebody plays twice in a row in this game, or on after its end, which no link can carry."


class ReplayedGame(msgspec.Struct, frozen=True):
    """A replayed game."""

    last: Position
    moves: list[ReplayMove]
    summary: GameSummary | None = None
    """Of a game that came in a link."""

    def replay(self, summary: GameSummary, known: dict[int, Evaluation]) -> Replay:
        """Return the replay as the page gets it, with evaluations by moves made."""
        game, setup = self.last.game, self.last.history[0].setup
        if setup == game.setup(game.start().state):
            setup = None
        return Replay(summary, self.moves, self.last.num_actions_played, self.evaluations(known), setup)

    def view(self, ply: int, evaluation: float | None) -> PlyView:
        """Return the board after so many actions."""
        return PlyView(self.last.history[ply].describe(), evaluation)  # with its choices: best moves are drawn by them

    def evaluations(self, known: dict[int, Evaluation]) -> list[float | None]:
        """Convert evaluations by moves made into a list by actions played; a decided game is worth its result."""
        values: list[float | None] = [None] * (self.last.num_actions_played + 1)
        ends = [0, *(move.ply for move in self.moves)]
        for num_moves, found in known.items():
            if num_moves < len(ends):
                values[ends[num_moves]] = found.value
        if self.last.outcome and known:
            values[-1] = self.last.outcome.value
        return values


class Lines:
    """A cache of replayed games."""

    def __init__(self, threads: WorkerThreads, files: tuple[str, ...] = ()) -> None:
        """Begin with an empty cache; `files` are paths of game files that are allowed besides the built-in games."""
        self._threads, self._files = threads, files
        self._kept: OrderedDict[str, ReplayedGame] = OrderedDict()
        self._weights: dict[str, int] = {}

    async def of_row(self, row: GameRow, address: str) -> ReplayedGame:
        """Return a game of the database; raises BadRecord if it cannot be played any more, or Unavailable."""
        return await self._made(row.id, address, lambda: _play_row(row))

    async def of_link(self, link: str, address: str) -> ReplayedGame:
        """Return the game of a link; raises BadInput or Unavailable."""
        return await self._made(_key(link), address, lambda: _play_link(link, self._files))

    async def link_to_told(self, tell: Callable[[], Brought], address: str) -> str:
        """Return the link of the game that `tell` reads from a text, and cache the game for `address`.

        Raises:
            BadInput: the text is wrong, or no link can carry its game.
            Unavailable: the game is too long for a link, or too much work is queued.
        """
        link, line = await self._threads.do(address, lambda: _carried(tell(), self._files))
        self._keep(_key(link), line)
        return link

    async def _made(self, key: str, address: str, make: Callable[[], ReplayedGame]) -> ReplayedGame:
        line = self._kept.get(key) or await self._threads.do(
            address, lambda: self._kept.get(key) or make()
        )  # another may have had it made
        self._keep(key, line)
        return line

    def _keep(self, key: str, line: ReplayedGame) -> None:
        if self._kept.get(key) is not line:
            self._kept[key], self._weights[key] = line, weight_of(line.last)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT or (len(self._kept) > 1 and sum(self._weights.values()) > KEPT_BYTES):
            oldest, _ = self._kept.popitem(last=False)
            del self._weights[oldest]


def link_to(line: ReplayedGame, summary: GameSummary) -> str:
    """Return the link that carries a game; raises Unavailable if it is too long."""
    first, second = summary.players
    ended = None if summary.finished is None else int(summary.finished)
    names = first.name, second.name
    return write_link(line.last, names=names, winner=summary.winner, reason=summary.reason, ended=ended)


def _key(link: str) -> str:
    return f"#{link}"


def _carried(brought: Brought, files: tuple[str, ...]) -> tuple[str, ReplayedGame]:
    """Return a game's link, and the game read back from it; raises BadInput if that is another one."""
    names, winner, reason = brought.names, brought.winner, brought.reason
    link = write_link(brought.last, names=names, winner=winner, reason=reason, ended=None)
    try:
        line = _play_link(link, files)
    except BadInput:
        line = None
    if line is None or _way_to(line.last) != _way_to(brought.last):
        raise BadInput(_NOT_BY_TURNS)
    return link, line


def _way_to(last: Position) -> list[tuple[int, int | None]]:
    """Return the side to play of each position of a game, and the action that led there."""
    return [(position.to_play, position.action) for position in last.history]


def _play_row(row: GameRow) -> ReplayedGame:
    position, moves = table_game(row.spec).start(row.setup), list[ReplayMove]()
    for number, move in enumerate(row.moves):
        player = position.to_play
        try:
            position = position.play(move.text)
        except LudusError as error:
            raise BadRecord(f"Move {number + 1} of this game cannot be played any more: {error}") from error
        left = None if move.left_0 is None or move.left_1 is None else (move.left_0 / 1000, move.left_1 / 1000)
        moves.append(ReplayMove(move.text, player, position.num_actions_played, left))
    return ReplayedGame(position, moves)


def _play_link(link: str, files: tuple[str, ...] = ()) -> ReplayedGame:
    shared, last = read_link(link, files)
    moves: list[ReplayMove] = []
    texts = iter(last.moves)
    for before, after in zip(last.history, last.history[1:], strict=False):
        if after.outcome or after.to_play != before.to_play or after is last:
            moves.append(ReplayMove(next(texts), before.to_play, after.num_actions_played, None))
    return ReplayedGame(last, moves, _summary(shared, last, len(moves)))


def _summary(shared: SharedGame, last: Position, num_moves: int) -> GameSummary:
    setting = setting_of(shared.spec)
    board = last.history[0].describe()
    players = ReplayPlayer(shared.names[0], "guest"), ReplayPlayer(shared.names[1], "guest")
    winner, reason = shared.winner, shared.reason
    agreed = setting.game == "go" and reason  # about dead stones, of which the moves say nothing
    if last.outcome and not agreed:
        winner, reason = last.outcome.winner, last.outcome.reason
    ended = None if shared.ended is None else float(shared.ended)
    return GameSummary(
        None,
        plain_spec(shared.spec),
        setting.game,
        setting.variant,
        f"{board.columns}x{board.rows}",
        title_of(shared.spec),
        players,
        winner,
        reason,
        False,
        None,
        None,
        ended,
        num_moves,
    )
