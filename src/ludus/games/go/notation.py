"""How the moves of Go are written: `D4`, `pass`; while dead stones are marked, a stone's point marks its group."""

from ludus.errors import BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.go.layout import FRAME, GAME, KO
from ludus.games.go.view import cell_named, cell_of, point_of, rule, size_of, stones_of, vertex
from ludus.games.rules import State

PASS = "pass"


def pass_action(state: State) -> int:
    """Return the number of the pass."""
    return rule(state, FRAME) ** 2


def action_text(state: State, action: int) -> str:
    """Return a point's name, or `pass`."""
    return PASS if action == pass_action(state) else vertex(cell_of(state, action), size_of(state))


def action_named(state: State, text: str) -> int:
    """Return the action of a name, legal or not; raise BadNotation if there is none."""
    if text.strip().lower() == PASS:
        return pass_action(state)
    return point_of(state, cell_named(text, size_of(state)))


def parse_move(calls: Calls, state: State, text: str) -> list[int]:
    """Return the actions that a text names; raise BadNotation or IllegalMove.

    A move of several actions, the stones of a free handicap or marks of dead stones, has dots between them.
    """
    actions: list[int] = []
    for part in text.split("."):
        try:
            action = action_named(state, part)
        except BadNotation as error:
            raise BadNotation(f"{str(error).rstrip('.')}, or pass.") from error
        if action not in calls.legal(state):
            raise IllegalMove(f"{part.strip()} may not be played here: {why_not(state, action)}.")
        actions.append(action)
        state = calls.play(state, action)
    return actions


def why_not(state: State, action: int) -> str:
    """Say why an action may not be played."""
    if action == pass_action(state):
        return "a pass is not allowed yet"
    if cell_of(state, action) in stones_of(state):
        return "the point is taken"
    if action + 1 == rule(state, KO, GAME):
        return "a ko may not be taken back at once"
    return "it would be suicide, or bring a position back"
