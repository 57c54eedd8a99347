"""Converts a game into wallgame.io's formats: states, snapshots and summaries; these number the players 1 and 2."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from ludus.games import MAIN_GAME
from ludus.games.records import Overtime
from ludus.site.database.records import SeatRow
from ludus.site.live.game import LiveGame
from ludus.site.messages.lists import Configuration, LiveSummary, PresentPlayer, Role, SeatedPlayer, Snapshot, ToldTime
from ludus.site.table.clock import TimeControl
from ludus.site.table.rows import milliseconds

UNLIMITED_S = 86_400
"""The time that wallgame.io reports for games without clocks."""
REASONS = ("capture", "timeout", "resignation", "draw-agreement", "one-move-rule", "survival")
"""The results of wallgame.io's contract; other results are sent as a resignation or an agreed draw."""


def serialized_state(game: LiveGame) -> dict[str, Any]:
    """Return the `state` of a `state` message; pawns and walls are filled in for the main game only."""
    row, table = game.row, game.table
    position = table.at(table.settled)
    clock = table.clock
    left = (UNLIMITED_S, UNLIMITED_S) if clock is None else tuple(ms / 1000 for ms in clock.left_at(game.now()))
    state: dict[str, Any] = {
        "status": "aborted" if _aborted(game) else "finished" if table.over else "playing",
        "turn": position.to_play + 1,
        "moveCount": len(table.moves),
        "timeLeft": {"1": left[0], "2": left[1]},
        "lastMoveTime": _touched_at(game),
        "pawns": {"1": {}, "2": {}},
        "walls": [],
        "initialState": row.setup,
        "history": [{"index": index, "notation": move.text} for index, move in enumerate(table.moves, 1)],
        "config": configuration(game),
    }
    if row.game == MAIN_GAME:
        board = game.boards.shown(position)
        for piece in board.pieces:
            if piece.owner is not None:
                state["pawns"][str(piece.owner + 1)][piece.shape] = list(piece.at)
        for edge in board.edges:
            wall: dict[str, Any] = {
                "cell": list(edge.at),
                "orientation": "vertical" if edge.side == "right" else "horizontal",
            }
            state["walls"].append(wall if edge.owner is None else wall | {"playerId": edge.owner + 1})
    if table.result and not _aborted(game):
        known = row.game != MAIN_GAME or table.result.reason in REASONS
        other = "draw-agreement" if table.result.winner is None else "resignation"
        result: dict[str, Any] = {"reason": table.result.reason if known else other}
        state["result"] = result if table.result.winner is None else result | {"winner": table.result.winner + 1}
    return state


def configuration(game: LiveGame) -> Configuration:
    """Return the `config` of a game: its variant, board size, time control, and first position."""
    row = game.row
    setup = UNSET if row.setup is None else row.setup
    told = row.with_evaluation or UNSET
    return Configuration(
        row.game, row.variant, row.width, row.height, row.rated, told_time(game.table.control), setup, told
    )


def snapshot(game: LiveGame, ratings: Mapping[int, int] | None = None) -> Snapshot:
    """Return the `snapshot` of a game: its players with their `ratings` by side, status and configuration."""
    row, score = game.row, game.score
    host = next((side for side in (0, 1) if game.seats[side].host), 0)
    sides = [side for side in (host, 1 - host) if game.seats[side].kind != "open"]
    return Snapshot(
        id=row.id,
        status=_status(game),
        config=configuration(game),
        match_type="matchmaking" if row.kind == "lobby" else "friend",
        created_at=milliseconds(row.created_at),
        updated_at=_touched_at(game),
        players=[
            _player(game, side, "host" if side == host else "joiner", (ratings or {}).get(side)) for side in sides
        ],
        match_score={"1": score[0], "2": score[1]},
    )


def summary(game: LiveGame) -> LiveSummary:
    """Return a game's entry in the list of running games."""
    row, table = game.row, game.table
    return LiveSummary(
        id=row.id,
        game=row.game,
        variant=row.variant,
        rated=row.rated,
        time_control=told_time(table.control),
        board_width=row.width,
        board_height=row.height,
        players=[
            SeatedPlayer(side + 1, seat.name, "host" if seat.host else "joiner") for side, seat in enumerate(game.seats)
        ],
        status="in-progress" if table.moves else "ready",
        num_moves=len(table.moves),
        average_elo=1500,
        last_move_at=_touched_at(game),
        spectator_count=game.presence.num_spectators,
    )


def _touched_at(game: LiveGame) -> int:
    """Return when the latest move was made, or the game was opened, in milliseconds since 1970."""
    return game.table.moves[-1].at if game.table.moves else milliseconds(game.row.created_at)


def _aborted(game: LiveGame) -> bool:
    return game.table.result is not None and game.table.result.reason == "aborted"


def _status(game: LiveGame) -> Literal["waiting", "ready", "in-progress", "completed", "aborted"]:
    table = game.table
    if table.over:
        return "aborted" if _aborted(game) else "completed"
    return "waiting" if table.waiting else "in-progress" if table.moves else "ready"


def told_time(control: TimeControl | None) -> ToldTime:
    """Return a time control as the lists show it; None: no clocks."""
    if control is None:
        return ToldTime(UNLIMITED_S, 0)
    told = ToldTime(control.total_ms // 1000, control.increment_ms // 1000, control.preset or UNSET)
    if control.days:
        return replace(told, days_per_move=control.days)
    if overtime := control.overtime:
        periods = Overtime(overtime.ms / 1000, overtime.count, overtime.moves)
        return replace(told, initial_seconds=control.initial_ms // 1000, overtime=periods)
    return told


def _player(game: LiveGame, side: int, role: Role, rating: int | None) -> PresentPlayer:
    seat = game.seats[side]
    return PresentPlayer(
        player_id=side + 1,
        display_name=seat.name,
        role=role,
        rating=UNSET if rating is None else rating,
        connected=seat.kind == "person" and game.connected(side),
        config_type="bot" if seat.kind == "bot" else "human",
        appearance=_appearance(seat),
    )


def _appearance(seat: SeatRow) -> dict[str, str]:
    if seat.kind != "bot":
        return seat.appearance
    names = {"color": "pawnColor", "catStyle": "catSkin", "mouseStyle": "mouseSkin", "homeStyle": "homeSkin"}
    return {names[word]: value for word, value in seat.appearance.items() if word in names and value.strip()}
