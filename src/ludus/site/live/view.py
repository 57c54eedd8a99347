"""Builds the game state that the site sends to a player's or a spectator's page."""

from typing import Literal, cast

import msgspec

from ludus.site.bots.bots import PRIVATE
from ludus.site.catalogue.specs import sides_of, title_of
from ludus.site.catalogue.words import ending_words
from ludus.site.faults import NotHere
from ludus.site.live.fairness import hides_evaluations, is_between_people, sees_best_moves, sees_evaluations
from ludus.site.live.game import LiveGame
from ludus.site.messages.page import (
    ClockInfo,
    GameState,
    MoveInfo,
    OfferInfo,
    OvertimeInfo,
    PlayerInfo,
    PlyView,
    RatingChange,
    StalledBot,
)
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.secrets import public_key
from ludus.site.table.clock import time_class
from ludus.site.table.table import Table


def game_state(game: LiveGame, you: int | None) -> GameState:
    """Return the game state for the player of side `you`, or for a spectator if `you` is None."""
    table, row, control = game.table, game.row, game.table.control
    mine = you is not None and you == table.to_play
    ply = table.ply if mine else table.settled
    position = table.at(ply)
    board = game.boards.shown(position)
    if not mine:
        board = msgspec.structs.replace(board, choices=[])
    evaluations = _by_ply(game, ply)
    playing = not table.over and not table.waiting
    return GameState(
        id=row.id,
        spec=row.spec,
        game=row.game,
        variant=row.variant,
        title=title_of(row.spec),
        kind=cast("Literal['friend', 'lobby', 'bot']", "bot" if row.kind == PRIVATE else row.kind),
        rated=row.rated,
        time_class=time_class(control),
        players=(_player(game, 0), _player(game, 1)),
        you=you,
        to_play=position.to_play,
        ply=ply,
        staged=table.staged if mine else 0,
        board=board,
        moves=_moves(table, staged=mine),
        evaluation=_latest(evaluations),
        evaluations=evaluations,
        thinking=_thinks(game),
        status="over" if table.over else "waiting" if table.waiting else "playing",
        result=table.result,
        clock=_clock(game),
        offers=[OfferInfo(offer.what, offer.by) for offer in table.offers],
        can_undo=mine and table.staged > 0,
        can_takeback=you is not None and playing and table.takeback_target(you) is not None,
        can_abort=you is not None and table.can_abort,
        claim_in=_claim_in(game, you),
        stalled=_stalled(game),
        score=game.score,
        rematch=game.rematch,
        spectators=game.presence.num_spectators,
        sides=sides_of(position.game),
        terms=game.terms,
        setup=row.setup,
        ending=ending_words(row.spec, table.result.reason) if table.result else "",
        rating_changes=_rating_changes(game),
        with_evaluation=row.with_evaluation,
        evaluating=0 if table.over else game.num_evaluating,
        may_evaluate=not table.waiting and sees_evaluations(game, you),
        may_hint=not table.waiting and sees_best_moves(game, you),
        browser_bot=game.browser_bot.info(table) if game.browser_bot and you == 1 - game.browser_bot.side else None,
    )


async def ply_view(game: LiveGame, ply: int, threads: WorkerThreads, address: str) -> PlyView:
    """Return the board and the evaluation after `ply` actions.

    Args:
        game: the game.
        ply: the number of actions.
        threads: the worker threads that describe the position.
        address: the client's address, for fair queuing.

    Raises:
        NotHere: the game is shorter.
        Unavailable: too many requests are waiting.
    """
    table = game.table
    if not 0 <= ply <= table.settled:
        raise NotHere(f"The game has plies 0 to {table.settled}, not {ply}.")
    board = await game.boards.of(table.at(ply), threads, address)  # with its choices: the page draws best moves
    return PlyView(board, _latest(_by_ply(game, ply)))


def _thinks(game: LiveGame) -> bool:
    """Return whether a bot is to move and its engine can be at work; one in a browser needs its opponent's page."""
    side = game.table.to_play
    return (
        side is not None and game.seats[side].kind == "bot" and (game.browser_bot is None or game.connected(1 - side))
    )


def _rating_changes(game: LiveGame) -> tuple[RatingChange, RatingChange] | None:
    if game.rating_changes is None:
        return None
    first, second = (RatingChange(round(before), round(after)) for before, after in game.rating_changes)
    return first, second


def _player(game: LiveGame, side: int) -> PlayerInfo:
    seat = game.seats[side]
    kind = cast("Literal['person', 'bot', 'open']", seat.kind)
    appearance = seat.appearance if seat.kind == "bot" else {}
    key = public_key(game.people[side]) if game.people[side] else ""
    return PlayerInfo(seat.name, kind, game.connected(side), appearance, key, *game.strengths.get(side, ()))


def _moves(table: Table, *, staged: bool) -> list[MoveInfo]:
    moves = [MoveInfo(move.text, move.player, move.end, move.left) for move in table.moves]
    if staged and table.staged:
        start = table.at(table.settled)
        text = start.game.move_text(start.state, table.actions_since(table.settled))
        moves.append(MoveInfo(text, start.to_play, table.ply, None))
    return moves


def _by_ply(game: LiveGame, ply: int) -> list[float | None]:
    """Return the evaluations after 0 to `ply` actions; the last is the result if the game is over by then."""
    values: list[float | None] = [None] * (ply + 1)
    if hides_evaluations(game):
        return values
    ends = [0, *(move.end for move in game.table.moves)]
    for num_moves, found in game.evaluations.items():
        if num_moves < len(ends) and ends[num_moves] <= ply:
            values[ends[num_moves]] = found.value
    outcome = game.table.at(ply).outcome
    if outcome and not is_between_people(game):
        values[ply] = outcome.value
    return values


def _latest(values: list[float | None]) -> float | None:
    return next((value for value in reversed(values) if value is not None), None)


def _claim_in(game: LiveGame, you: int | None) -> int | None:
    at = game.presence.claimable_at(you) if you is not None else None
    return None if at is None else max(0, at - game.now())


def _stalled(game: LiveGame) -> StalledBot | None:
    if game.table.over or not game.stalls:
        return None
    side, stall = next(iter(game.stalls.items()))
    return StalledBot(side, stall.gone, max(0, stall.until - game.now()))


def _clock(game: LiveGame) -> ClockInfo | None:
    clock, control, now = game.table.clock, game.table.control, game.now()
    if clock is None or control is None:
        return None
    running = clock.running if clock.since <= now else None
    overtime = control.overtime and OvertimeInfo(
        period=control.overtime.ms,
        periods=control.overtime.count,
        moves=control.overtime.moves,
        left=(clock.periods_at(0, control, now), clock.periods_at(1, control, now)),
        played=clock.played,
    )
    return ClockInfo(clock.left_at(now), running, control.initial_ms, control.increment_ms, overtime)
