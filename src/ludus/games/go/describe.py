"""Describes Go positions for people: stones, star points, the last move, dead stones, and the result."""

from collections.abc import Sequence

import numpy as np

from ludus.games.about import Named
from ludus.games.board import Board, Captured, Cell, Choice, Mark, Piece
from ludus.games.game import Position
from ludus.games.go import layout
from ludus.games.go.count import count_points
from ludus.games.go.layout import recent_action, width_of
from ludus.games.go.points import Points
from ludus.games.go.rulesets import fixed_handicap, most_fixed_handicap
from ludus.games.go.view import (
    COLUMNS,
    action_text,
    cell_of,
    pass_action,
    point_of,
    points_of,
    size_of,
    stones_of,
    write_points,
)
from ludus.games.packed import read_field
from ludus.games.rules import State

RESUMES = "Stop scoring and play on?"
TAKE = "Take the button: half a point"
NINE_STARS = 15  # smallest side with nine star points


def star_points(size: int) -> list[Cell]:
    """Return a board's star points: nine on large boards, five or four on small ones."""
    most = min(most_fixed_handicap(size), 9 if size >= NINE_STARS else 5)
    return fixed_handicap(size, most) if most else []


def territory(state: State) -> dict[Cell, int]:
    """Return the owner of each point after marked dead stones are removed."""
    with np.errstate(over="ignore"):
        return _owners(state, count_points(width_of(read_field(state, layout.FRAME))).area(state))


def worthless(state: State) -> dict[Cell, int]:
    """Return the owner of points that count nothing: eyes in seki under territory scoring."""
    if not read_field(state, layout.TERRITORY):
        return {}
    with np.errstate(over="ignore"):
        return _owners(state, count_points(width_of(read_field(state, layout.FRAME))).in_seki(state))


def _owners(state: State, sets: tuple[Points, Points]) -> dict[Cell, int]:
    return {
        cell_of(state, 64 * index + bit): player
        for player, words in enumerate(sets)
        for index, word in enumerate(words)
        for bit in range(64)
        if int(word) >> bit & 1
    }


def margin(state: State) -> float:
    """Return Black's score minus White's, with komi and compensation, for the stones as they stand or are marked."""
    with np.errstate(over="ignore"):
        return count_points(width_of(read_field(state, layout.FRAME))).margin(state) / 2


def lead_without(state: State, dead: Sequence[Cell]) -> float:
    """Return Black's score minus White's after removing dead stones, as `margin` does for marked ones."""
    marked = state.copy()
    write_points(marked, layout.DEAD, [point_of(state, cell) for cell in dead])
    return margin(marked)


def handed(state: State) -> float:
    """Return Black's points apart from the board: komi, compensation, and prisoners if they count.

    Under territory scoring, this includes the difference between territory and area on the present board.
    """
    now = list(territory(state).values())
    return margin(state) - (now.count(0) - now.count(1))


def terms(first: Position) -> list[Named]:
    """Return the komi, the handicap if there is one, and whether stones were set up by hand."""
    komi = (read_field(first.state, layout.KOMI) - layout.NO_KOMI) / 2
    handicap = read_field(first.state, layout.HANDICAP)
    stones = [Named(f"{handicap} stone{'s' if handicap > 1 else ''}", "Handicap")] if handicap else []
    arranged = [Named("set up by hand", "Position")] if 1 in stones_of(first.state).values() else []
    return [*stones, Named(f"{komi:g}", "Komi"), *arranged]


def score_text(points: float) -> str:
    """Return a margin in result notation: `B+3.5`, `W+12`, `0`."""
    return "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"


def describe(position: Position) -> Board:
    """Describe a position: click a point to play there; passing and agreeing about dead stones are buttons."""
    state = position.state
    size, stones = size_of(state), stones_of(state)
    pieces = [Piece(at=cell, shape="stone", owner=player) for cell, player in sorted(stones.items())]
    return Board(
        rows=size,
        columns=size,
        style="points",
        pieces=pieces,
        marks=_marks(position, stones),
        choices=[_choice(position, action) for action in position.actions],
        column_labels=list(COLUMNS[:size]),
        row_labels=[str(row) for row in range(size, 0, -1)],
        captured=_captured(state),
        note=_note(position),
        stage=_stage(position),
        paints=("black", "white"),
    )


def _captured(state: State) -> list[Captured]:
    """Return the prisoners of both players."""
    taken = [(player, read_field(state, layout.TAKEN[player])) for player in (0, 1)]
    return [Captured(by=player, shape="stone", owner=1 - player, count=count) for player, count in taken if count]


def _note(position: Position) -> str:
    if position.outcome:
        return ""
    if read_field(position.state, layout.PHASE) == layout.AGREEING:
        return "Click dead stones to mark them, then agree."
    placing = read_field(position.state, layout.PLACING)
    return f"{placing} handicap stone{'s' if placing > 1 else ''} to place." if placing else ""


def _stage(position: Position) -> str:
    """Return that the scoring has begun, with the score as it stands."""
    if position.outcome or read_field(position.state, layout.PHASE) != layout.AGREEING:
        return ""
    agreed = "one side agrees" if read_field(position.state, layout.AGREED) else "as marked"
    return f"Scoring: {score_text(margin(position.state))} {agreed}."


def _marks(position: Position, stones: dict[Cell, int]) -> list[Mark]:
    state = position.state
    marks = [Mark(at=cell, kind="star") for cell in star_points(size_of(state))]
    last, ko = recent_action(state, 0), read_field(state, layout.KO)
    if 0 <= last < pass_action(state) and cell_of(state, last) in stones:
        marks.append(Mark(at=cell_of(state, last), kind="last"))
    if ko and not position.outcome:
        marks.append(Mark(at=cell_of(state, ko - 1), kind="ko"))
    if read_field(state, layout.PHASE) == layout.AGREEING or position.outcome:
        dead = {cell_of(state, point) for point in points_of(state, layout.DEAD)}
        marks += [Mark(at=cell, kind="dead") for cell in sorted(dead)]
        without = (stones.keys() - dead) | worthless(state).keys()
        marks += [
            Mark(at=cell, kind=f"territory-{player}")
            for cell, player in sorted(territory(state).items())
            if cell not in without
        ]
    return marks


def _choice(position: Position, action: int) -> Choice:
    text = action_text(position.state, action)
    agreeing = read_field(position.state, layout.PHASE) == layout.AGREEING
    if action != pass_action(position.state):
        at = cell_of(position.state, action)
        resumes = agreeing and at not in stones_of(position.state)
        return Choice(action=action, text=text, kind="cell", at=at, ask=RESUMES if resumes else None)
    takes_button = read_field(position.state, layout.BUTTON) == layout.BUTTON_LEFT
    label = f"Agree: {score_text(margin(position.state))}" if agreeing else TAKE if takes_button else text.capitalize()
    return Choice(action=action, text=text, kind="button", label=label)


def reason(state: State) -> str:
    """Return why a finished game is over, with the score."""
    score = score_text(margin(state))
    if read_field(state, layout.PHASE) == layout.OVER:
        return f"agreed, {score}"
    if read_field(state, layout.PASSES) >= 2:
        return f"two passes, {score}"
    plies = read_field(state, layout.PLY)
    return f"{plies} plies, {score}" if plies >= read_field(state, layout.LIMIT) else score
