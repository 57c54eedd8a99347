"""Formats a search result as UCI `info` lines: scores seen by the mover, mates in moves, and several candidates."""

from __future__ import annotations

from ludus.engine.uci.board import UciBoard
from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.uci import Info, Score, centipawns, win_draw_loss
from ludus.viewpoint import turn


def infos(
    board: UciBoard, thought: Thought, *, most_visits: int, lines: int = 1, shows_wdl: bool = False
) -> list[Info]:
    """Return an `info` line for each of the best candidates, the best first.

    A proved win or loss is reported as a mate at the end of its line; a shorter mate may exist.  If the end of the line
    is unknown, its score is the largest in centipawns.

    Args:
        board: the board at the root of the search.
        thought: result of the search.
        most_visits: visits that fill the tree's memory, for `hashfull`.
        lines: number of candidates to report.
        shows_wdl: whether to report the probabilities of win, draw and loss.
    """
    mover = board.position.to_play
    seconds = max(1e-3, thought.seconds)
    found: list[Info] = []
    for rank, each in enumerate(ordered(thought, mover)[:lines], 1):
        known = each if each.visits else thought
        value = turn(known.value, mover)
        line, is_whole = _line(board, each)
        found.append(
            Info(
                depth=len(line),
                seldepth=max(len(line), *(len(other.line) for other in thought.candidates)),
                multipv=rank,
                score=_score(each.proof if is_whole else 0, len(line), mover, value),
                wdl=win_draw_loss(value, known.draw) if shows_wdl else None,
                nodes=thought.visits,
                nps=round((thought.visits - thought.kept) / seconds),
                hashfull=min(1000, 1000 * thought.visits // most_visits),
                time=round(1000.0 * thought.seconds),
                pv=board.texts(line),
            )
        )
    return found


def ordered(thought: Thought, mover: int) -> list[Candidate]:
    """Return the candidates that have lines: the best move first, the others by proof and visits."""
    told = [each for each in thought.candidates if each.line]
    order = {FIRST_WINS + mover: 0, SECOND_WINS - mover: 2}
    return sorted(told, key=lambda each: (each.action != thought.best[0], order.get(each.proof, 1), -each.visits))


def has_mate(board: UciBoard, thought: Thought, moves: int) -> bool:
    """Return whether the search has proved a mate by the mover within `moves` moves."""
    mover = board.position.to_play
    best = ordered(thought, mover)[0]
    line, is_whole = _line(board, best)
    return best.proof == FIRST_WINS + mover and is_whole and (len(line) + 1) // 2 <= moves


def _line(board: UciBoard, candidate: Candidate) -> tuple[list[int], bool]:
    """Return a candidate's main line, and whether it ends with the proved win or loss."""
    whole = None if candidate.proof in (0, DRAW) else board.to_win(candidate.line)
    return (candidate.line, False) if whole is None else (whole, True)


def _score(proof: int, length: int, mover: int, value: float) -> Score:
    """Return the score of a candidate whose line has `length` actions."""
    if proof in (0, DRAW):
        return Score(centipawns(value))
    return Score(mate=(length + 1) // 2 if proof == FIRST_WINS + mover else -(length // 2))
