"""Boards without a table: any line of moves in any game that this site knows, replayed for whoever asks."""

from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from ludus.errors import BadInput
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.protocol.spec import Setting, setting_of
from ludus.site.catalogue.catalogue import table_game
from ludus.site.messages.page import MoveInfo
from ludus.site.study.weight import MAX_ACTIONS
from ludus.site.table.table import TableResult

Actions = list[Annotated[int, Field(ge=0, le=32_767)]]
Texts = list[Annotated[str, Field(min_length=1, max_length=80)]]


class Line(BaseModel):
    """`POST /api/study`: moves in notation, and then actions, from a game's start or from `setup`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    moves: Annotated[Texts, Field(max_length=MAX_ACTIONS)] = []
    actions: Annotated[Actions, Field(max_length=MAX_ACTIONS)] = []


class StudyView(Struct, frozen=True, rename="camel"):
    """A position to look at and to go on from."""

    game: str
    variant: str
    """As `CatalogueGame` names them."""
    board: Board
    """With a choice for each legal action."""
    to_play: int
    ply: int
    """Actions played."""
    actions: list[int]
    """All of them, from the start on."""
    moves: list[MoveInfo]
    result: TableResult | None
    players: tuple[str, str]
    """What the sides are called in this game."""
    setup: dict[str, Any] | str | None
    """What `setup` takes to begin here, such as a FEN; None where a game has no such thing."""


def replay(line: Line) -> StudyView:
    """Return what a page shows of the end of a line, which takes long if that is long; raises BadInput."""
    return view(position_of(line), setting_of(line.spec))


def position_of(line: Line) -> Position:
    """Return the position at the end of a line; raises BadInput."""
    position = table_game(line.spec).start(line.setup)
    for move in [*line.moves, *line.actions]:
        position = position.play(move)
        if position.num_actions_played > MAX_ACTIONS:
            raise BadInput(f"A line has {MAX_ACTIONS} actions at most.")
    return position


def view(position: Position, setting: Setting) -> StudyView:
    """Return what a page shows of a position of a game and of the way that led to it."""
    actions = [before.action for before in position.history[1:] if before.action is not None]
    outcome = position.outcome
    return StudyView(
        game=setting.game,
        variant=setting.variant,
        board=position.describe(),
        to_play=position.to_play,
        ply=len(actions),
        actions=actions,
        moves=moves_of(position),
        result=TableResult(outcome.winner, outcome.reason) if outcome else None,
        players=position.game.players,
        setup=position.game.setup(position.state),
    )


def moves_of(position: Position) -> list[MoveInfo]:
    """Return the moves with their players and the plies after them; the last one may be unfinished."""
    line = position.history
    ends = [ply for ply in range(1, len(line)) if ply == len(line) - 1 or line[ply].to_play != line[ply - 1].to_play]
    return [
        MoveInfo(text, line[end - 1].to_play, end, clocks=None) for text, end in zip(position.moves, ends, strict=True)
    ]
