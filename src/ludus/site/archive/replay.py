"""Replays of finished games, computed in worker threads and cached."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from msgspec import UNSET

from ludus.errors import BadGame, BadInput, BadRecord, LudusError, Unavailable
from ludus.games.annotations import NONE, Annotations, GameTree
from ludus.games.game import Position, unusual_setup
from ludus.games.records import UNFINISHED, RecordHeader
from ludus.games.registry import about, told_name
from ludus.protocol.spec import plain_spec, setting_of
from ludus.site.archive.link import SharedGame, read_link, write_link
from ludus.site.archive.texts import Brought, header_of
from ludus.site.archive.tree import tree_in, tree_of
from ludus.site.catalogue.specs import sides_of, spec_stored, table_game, title_of
from ludus.site.catalogue.words import IN_BROWSER, ending_words, terms_of
from ludus.site.database.database import Database
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameRow
from ludus.site.faults import NotHere
from ludus.site.messages.archive import GameSummary, LinkTold, Replay, ReplayMove, ReplayPlayer, TreeLink, TreeMove
from ludus.site.messages.page import PlyView
from ludus.site.messages.study import SharedTree
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.study.weight import weight_of

KEPT = 64
KEPT_BYTES = 128 << 20
"""Memory limit of the cache: one long game may take as much as hundreds of others."""
TREE_BYTES = 400
"""Estimated memory of a place in a tree of variations."""
_NOT_BY_TURNS = "In this game a player moves twice in a row, or moves after the end; a link cannot contain such games."


class ReplayedGame(msgspec.Struct, frozen=True):
    """A replayed game with all its positions."""

    last: Position
    moves: list[ReplayMove]
    key: str
    """The name of the game's review: a hash of rules, first position and moves, so that equal games share a review."""
    summary: GameSummary | None = None
    """The summary in a link; None for a game of the database."""
    annotations: Annotations = NONE
    tree: list[TreeMove] = []
    """All places of the game with its variations; empty if there are no annotations."""

    def replay(self, summary: GameSummary, known: dict[int, Evaluation]) -> Replay:
        """Return the replay as a message to the page.

        Args:
            summary: the summary of the game.
            known: evaluations of positions, by their number of moves.
        """
        game, setup = self.last.game, self.last.history[0].setup
        if setup == game.setup(game.start().state):
            setup = None
        return Replay(
            summary,
            self.moves,
            self.last.num_actions_played,
            self.evaluations(known),
            setup,
            self.tree,
            sides_of(game),
            terms_of(game.name, self.last.history[0]) + [IN_BROWSER for each in summary.players if each.in_browser],
            self.key,
        )

    def view(self, ply: int, evaluation: float | None) -> PlyView:
        """Return the board after `ply` actions."""
        return PlyView(self.last.history[ply].describe(), evaluation)  # choices included: the page draws best moves

    def evaluations(self, known: dict[int, Evaluation]) -> list[float | None]:
        """Convert evaluations by number of moves to a list by number of actions.

        The final position of a game that is over gets its outcome as value.
        """
        values: list[float | None] = [None] * (self.last.num_actions_played + 1)
        ends = [0, *(move.ply for move in self.moves)]
        for num_moves, found in known.items():
            if num_moves < len(ends):
                values[ends[num_moves]] = found.value
        if self.last.outcome and known:
            values[-1] = self.last.outcome.value
        return values


class Lines:
    """A cache of replayed games, limited in number and memory."""

    def __init__(self, threads: WorkerThreads, files: tuple[str, ...] = ()) -> None:
        """Create an empty cache; `files` are paths of game files that the site offers besides the built-in games."""
        self._threads, self._files = threads, files
        self._kept: OrderedDict[str, ReplayedGame] = OrderedDict()
        self._weights: dict[str, int] = {}

    async def of_row(self, row: GameRow, address: str) -> ReplayedGame:
        """Replay a game of the database.

        Raises:
            NotHere: the site does not have the game.
            BadRecord: a stored move is illegal.
            Unavailable: too many requests are waiting.
        """
        return await self._made(row.id, address, lambda: _play_row(row, spec_stored(row.spec, self._files)))

    async def of_link(self, link: str, address: str) -> ReplayedGame:
        """Replay the game of a link; raises BadInput or Unavailable."""
        return await self._made(_key(link), address, lambda: _play_link(link, self._files))

    async def link_to_told(self, tell: Callable[[], Brought], address: str) -> LinkTold:
        """Return the link of a game that was given as text, and what it leaves out; cache the game.

        Args:
            tell: parses the text; runs in a worker thread.
            address: the client's address as a key for limits.

        Raises:
            BadInput: the text is wrong, or a link cannot contain its game.
            Unavailable: the game is too long for a link, or too many requests are waiting.
        """
        told, line = await self._threads.do(address, lambda: _carried(tell(), self._files))
        self._keep(_key(told.link), line)
        return told

    async def _made(self, key: str, address: str, make: Callable[[], ReplayedGame]) -> ReplayedGame:
        line = self._kept.get(key) or await self._threads.do(
            address, lambda: self._kept.get(key) or make()
        )  # an earlier request may have cached it meanwhile
        self._keep(key, line)
        return line

    def _keep(self, key: str, line: ReplayedGame) -> None:
        if self._kept.get(key) is not line:
            self._kept[key], self._weights[key] = line, weight_of(line.last) + TREE_BYTES * len(line.tree)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT or (len(self._kept) > 1 and sum(self._weights.values()) > KEPT_BYTES):
            oldest, _ = self._kept.popitem(last=False)
            del self._weights[oldest]


async def finished_game(database: Database, game_id: str) -> GameRow:
    """Return a finished game of the database; raises NotHere or Unavailable."""
    row = await GameStore(database).load(game_id) if len(game_id) <= 32 else None
    if row is None or row.progress.status != "over":
        raise NotHere("This site has no finished game with this id.")
    return row


def link_to(line: ReplayedGame, summary: GameSummary) -> str:
    """Return the link of a replayed game; raises Unavailable if it is too long."""
    header = header_of(summary)
    return _linked(line.last, header, summary.winner, summary.reason, NONE)


def link_with(shared: SharedTree, spec: str) -> TreeLink:
    """Return the link of an analysis tree of the game `spec`.

    Raises:
        BadInput: the tree is not one of this game.
        Unavailable: it is too long for a link.
    """
    tree, places = tree_in(shared.nodes, table_game(spec).start(shared.setup))
    if shared.at not in places:
        raise BadInput(f"The tree has no node {shared.at}.")
    outcome, names = tree.last.outcome, sides_of(tree.last.game)
    header = RecordHeader(names=names)
    winner, reason = (outcome.winner, outcome.reason) if outcome else (None, UNFINISHED)
    return TreeLink(_linked(tree.last, header, winner, reason, tree.annotations), places[shared.at])


def _linked(last: Position, header: RecordHeader, winner: int | None, reason: str, annotations: Annotations) -> str:
    ended = None if header.ended is None else int(header.ended)
    return write_link(
        last,
        names=header.names,
        winner=winner,
        reason=reason,
        ended=ended,
        annotations=annotations,
        clock=header.clock,
        ratings=header.ratings,
        overtime=header.overtime,
    )


def _key(link: str) -> str:
    return f"#{link}"


def _carried(brought: Brought, files: tuple[str, ...]) -> tuple[LinkTold, ReplayedGame]:
    """Encode a game as a link and decode it again; raises BadInput if the result differs from the game."""
    last, header, winner, reason, annotations, left_out = brought
    try:
        link = _linked(last, header, winner, reason, annotations)
        line = _play_link(link, files)
    except (BadInput, Unavailable) as error:
        if annotations:
            left_out = (*left_out, "Comments and variations are left out: they are too long for a link.")
            return _carried(brought._replace(annotations=NONE, left_out=left_out), files)
        if isinstance(error, Unavailable):
            raise
        raise BadInput(_NOT_BY_TURNS) from error
    if _way_to(line.last) != _way_to(last):
        raise BadInput(_NOT_BY_TURNS)
    return LinkTold(link, list(left_out) or UNSET), line


def _way_to(last: Position) -> list[tuple[int, int | None]]:
    """Return the side to move of each position of a game, and the action before it."""
    return [(position.to_play, position.action) for position in last.history]


def _play_row(row: GameRow, spec: str) -> ReplayedGame:
    try:
        game = table_game(spec)
    except BadGame as error:
        raise NotHere(f"This site does not have the game of this record now: {error}") from error
    position, moves = game.start(row.setup), list[ReplayMove]()
    for number, move in enumerate(row.moves):
        player = position.to_play
        try:
            position = position.play(move.text)
        except LudusError as error:
            raise BadRecord(f"Move {number + 1} of this stored game cannot be replayed: {error}") from error
        left = None if move.left_0 is None or move.left_1 is None else (move.left_0 / 1000, move.left_1 / 1000)
        moves.append(ReplayMove(move.text, player, position.num_actions_played, left))
    return ReplayedGame(position, moves, review_key(position))


def _play_link(link: str, files: tuple[str, ...] = ()) -> ReplayedGame:
    shared, last = read_link(link, files)
    annotations = shared.annotations
    tree = tree_of(GameTree(last, annotations)) if annotations else []
    moves: list[ReplayMove] = []
    texts = iter(last.moves)
    for before, after in zip(last.history, last.history[1:], strict=False):
        if after.outcome or after.to_play != before.to_play or after is last:
            moves.append(ReplayMove(next(texts), before.to_play, after.num_actions_played, None))
    return ReplayedGame(last, moves, review_key(last), _summary(shared, last, len(moves)), annotations, tree)


def review_key(last: Position) -> str:
    """Return the name of the review of a game with this last position."""
    actions = [position.action for position in last.history[1:]]
    content = [plain_spec(told_name(last.game.name)), unusual_setup(last.history[0]), actions]
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[:32]


def _summary(shared: SharedGame, last: Position, num_moves: int) -> GameSummary:
    setting = setting_of(shared.spec)
    board = last.history[0].describe()
    first, second = shared.ratings or (None, None)
    players = ReplayPlayer(shared.names[0], "guest", first), ReplayPlayer(shared.names[1], "guest", second)
    winner, reason = shared.winner, shared.reason
    agreed = about(shared.spec).options.people and reason  # people may have agreed about the result after the last move
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
        shared.clock,
        ending_words(shared.spec, reason),
        shared.overtime,
    )
