"""The laws of a game's rules, and functions that check them at one position.

`look` calls every rule at a position and checks the answers; the functions below it compare several positions.
`laws_for_people` checks notation and descriptions.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput
from ludus.games import scope
from ludus.games.check.guard import Broken, Guarded, ask, line
from ludus.games.check.overflow import overflows
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State

LAWS = {
    "runs": "No rule raises an exception at a position that legal actions lead to.",
    "returns": "Rules return the types that the interface names, and write whole numbers that their arrays can hold.",
    "compiles": "Every rule compiles.",
    "bounds": "A rule writes into the array that it is given to write, and nowhere else.",
    "twin": "Compiled rules and plain ones agree bit by bit.",
    "pure": "Rules use no chance and no clock, store and print nothing: equal positions get equal answers.",
    "turn": "The player to move is 0 or 1.",
    "outcome": "An outcome is ONGOING, FIRST_WINS, SECOND_WINS or DRAW, and a game is not over at its start.",
    "legal": "While a game goes on there is a legal action; legal actions are distinct and below num_actions.",
    "padding": "The bytes after the state's last item stay zero, so that equal positions have equal hashes.",
    "planes": "Planes hold bytes, whole numbers from 0 to 255, and depend on the state alone.",
    "mask": "The mask plane is 1 on the board, 0 around it, the same at all positions; action places are on the board.",
    "heuristic": "Weights are finite, not negative and not all zero; the value lies between -1 and 1.",
    "maps": "Final maps hold zeros and ones.",
    "survey": "The survey's value lies between -1 and 1, with ranks or without; some action's rank is 0 or higher.",
    "foresight": "foresee() returns an outcome or ONGOING; no legal action leads to a better outcome for the mover.",
    "symmetry": "Symmetries commute with every rule, and two in a row are again one of them.",
    "text": "parse_move reads what action_text and move_text write, and refuses nonsense with BadNotation.",
    "board": "The description can be drawn: its choices are the legal actions, and everything lies on the board.",
    "setup": "start() accepts what setup() and draw_setup() return, and refuses nonsense with BadNotation.",
    "for_search": "for_search and renew return the same position, perhaps with fewer legal actions.",
    "can_win": "can_win returns True or False, and True for the winner of a finished game.",
    "ends": "Random games, or those by the heuristic's weights, end before max_actions at least sometimes.",
}


REFUSE = "it must raise ludus.errors.BadNotation"
"""What a function for people must do with a text that it cannot read."""
NO_SETUPS: tuple[object, ...] = ("", "?", "zz99 -1", "1.5", {})
"""Setups that a stranger might send to a site, and that no game accepts."""


class Sight(NamedTuple):
    """The rules' answers at a position; equal positions give equal sights."""

    to_play: int
    outcome: int
    legal: tuple[int, ...]
    """In the order of the rule; empty when the game is over."""
    planes: bytes
    weights: bytes
    """The heuristic's weights and value; empty without the rule."""
    maps: bytes
    """The final maps of a finished game for both players; empty without the rule."""
    ranks: bytes
    """The survey's ranks and value; empty without the rule."""
    foreseen: int
    """The outcome that foresee() returns; ONGOING if it is unknown or the game is over."""

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.outcome != ONGOING


def look(rules: Guarded, state: State) -> Sight:
    """Call every rule at a position; raise Broken if an answer breaks a law."""
    game = rules.game
    to_play, outcome = rules.number("to_play", state), rules.number("outcome", state)
    if to_play not in (0, 1):
        one = f", and {scope.ONE_AT_A_TIME.removeprefix('Ludus plays ')}" if to_play < 0 else ""
        raise Broken("turn", f"to_play() returns {to_play}; the players are 0 and 1: {scope.TWO_PLAYERS}{one}")
    if not ONGOING <= outcome <= DRAW:
        known = "ludus.ONGOING, FIRST_WINS, SECOND_WINS and DRAW, 0 to 3"
        raise Broken("outcome", f"outcome() returns {outcome}; it may return {known}: {scope.TWO_PLAYERS}")
    legal = () if outcome else rules.legal(state)
    if not outcome and not legal:
        raise Broken(
            "legal", "the game goes on without a legal action; end it in outcome(), or let legal() write a pass"
        )
    if wrong := [action for action in legal if not 0 <= action < game.num_actions]:
        raise Broken("legal", f"legal() writes action {wrong[0]}; actions are 0 to {game.num_actions - 1}")
    if len(set(legal)) < len(legal):
        raise Broken("legal", f"legal() writes action {next(a for a in legal if legal.count(a) > 1)} twice")
    planes = _planes(rules, state)
    if game.mask_plane is not None:
        _check_mask(game, planes[game.mask_plane], legal)
    weights = _heuristic(rules, state, legal) if game.has_rule("heuristic") and legal else b""
    maps = _maps(rules, state) if game.num_maps else b""
    ranks = _survey(rules, state, legal) if game.has_rule("survey") and legal else b""
    foreseen = rules.number("foresee", state) if game.has_rule("foresee") and legal else ONGOING
    if not ONGOING <= foreseen <= DRAW:
        raise Broken("foresight", f"foresee() returns {foreseen}")
    return Sight(to_play, outcome, legal, planes.tobytes(), weights, maps, ranks, foreseen)


def _check_mask(game: Game, mask: NDArray[np.uint8], legal: tuple[int, ...]) -> None:
    if mask.max() != 1:
        raise Broken("mask", f"the mask plane holds {mask.max()} at most; write 1 on the board and 0 around it")
    for action in legal if game.action_places else ():
        _, row, column = game.action_places[action]
        if row >= 0 and not mask[row, column]:
            raise Broken("mask", f"legal action {action} is at row {row}, column {column}, off the board")


def _maps(rules: Guarded, state: State) -> bytes:
    maps = np.stack([rules.final_maps(state, player) for player in (0, 1)])  # [2, M, H, W]
    if np.any(maps > 1):
        player, number, row, column = np.argwhere(maps > 1)[0]
        what = (
            f"final_maps() writes {maps.max()} into map {number}, row {row}, column {column}, seen by player {player}"
        )
        raise Broken("maps", f"{what}; write 0 or 1")
    return maps.tobytes()


def _planes(rules: Guarded, state: State) -> NDArray[np.uint8]:
    if rules.compiled:
        return rules.encode(state)
    wide = rules.encode_wide(state)  # keeps fractions and numbers beyond a byte
    for plane, row, column in np.argwhere(~((wide >= 0) & (wide <= 255) & (wide == np.floor(wide)))):
        what = f"encode() writes {wide[plane, row, column]} into plane {plane}, row {row}, column {column}"
        raise Broken("planes", f"{what}; write a whole number from 0 to 255, and scale it with plane_scale")
    planes = rules.encode(state)
    if np.any(planes != wide):
        if np.any(rules.encode(state) != planes):
            raise Broken("pure", "encode() writes other planes when it is called again")
        plane, row, column = np.argwhere(planes != wide)[0]
        here, there = planes[plane, row, column], wide[plane, row, column]
        what = f"encode() overflows a byte: plane {plane} holds {here} at row {row}, column {column}, not {there:.0f}"
        raise Broken("planes", f"{what}; calculate with int(...) and write the result")
    return planes


def _heuristic(rules: Guarded, state: State, legal: tuple[int, ...]) -> bytes:
    weights, value = rules.heuristic(state, legal)
    if not np.all(weights >= 0) or not np.all(np.isfinite(weights)):
        index = int(np.argmin(np.isfinite(weights) & (weights >= 0)))
        raise Broken("heuristic", f"heuristic() gives action {legal[index]} the weight {weights[index]}")
    if not np.any(weights > 0):
        raise Broken("heuristic", "heuristic() gives every action the weight 0")
    if not -1.0 <= value <= 1.0:
        raise Broken("heuristic", f"heuristic() returns the value {value}")
    return weights.tobytes() + np.float64(value).tobytes()


def _survey(rules: Guarded, state: State, legal: tuple[int, ...]) -> bytes:
    ranks, value = rules.survey(state, legal)
    if not -1.0 <= value <= 1.0:
        raise Broken("survey", f"survey() returns the value {value}")
    if not np.any(ranks >= 0):
        raise Broken("survey", "survey() gives every action a rank below 0, so minimax would try no action")
    if (alone := rules.survey(state, ())[1]) != value:
        raise Broken("survey", f"survey() returns {value} with ranks and {alone} without them")
    return ranks.tobytes() + np.float64(value).tobytes()


def check_foresight(rules: Guarded, state: State, sight: Sight) -> None:
    """Check foresee() against the outcome, or the foreseen outcome, after each legal action."""
    if sight.foreseen == ONGOING:
        return
    worth = {SECOND_WINS - sight.to_play: -1, DRAW: 0, FIRST_WINS + sight.to_play: 1}  # for the mover
    reached: list[int] = []
    for action in sight.legal:
        after = rules.play(state, action)
        outcome = rules.number("outcome", after) or rules.number("foresee", after)
        if outcome == ONGOING:
            continue
        if outcome not in worth:
            raise Broken("foresight", f"outcome() or foresee() returns {outcome} after action {action}")
        reached.append(worth[outcome])
        if reached[-1] > worth[sight.foreseen]:
            said = f"foresee() returns {sight.foreseen}, and action {action} leads to {outcome}"
            raise Broken("foresight", f"{said}, which is better for the mover")
    if len(reached) == len(sight.legal) and max(reached) < worth[sight.foreseen]:
        raise Broken("foresight", f"foresee() returns {sight.foreseen}, but no legal action leads to it")


def check_room(rules: Guarded, state: State, action: int, after: State) -> None:
    """Check that `play` does not overflow the state's integer type, which NumPy and compiled code would not report."""
    wide = rules.play_wide(state, action)
    if wide is None or np.any(wide.astype(after.dtype) != after):  # the rule depends on the type
        return
    for item in np.flatnonzero(wide != after):
        found = overflows(lambda: rules.game.rules.play(state.copy(), action))
        what = f"item {item} of the state becomes {after[item]}, not {wide[item]}{found[0].where if found else ''}"
        remedy = "choose a wider `dtype`, or keep the number within this one"
        raise Broken("returns", f"play({action}) overflows {after.dtype}: {what}; {remedy}")


def check_again(rules: Guarded, state: State, sight: Sight, actions: Sequence[int]) -> None:
    """Call the rules again; other calls in between, or other arrays, must not change the answers."""
    once = [rules.play(state, action).tobytes() for action in actions]
    if look(rules, state) != sight:
        raise Broken("pure", "the rules return different answers when they are called twice")
    for action, after in zip(actions, once, strict=True):
        if rules.play(state, action).tobytes() != after:
            raise Broken("pure", f"play({action}) leads to another state when it is played twice")


def check_setup(game: Game, state: State) -> None:
    """Check that start() restores a state from its setup()."""
    setup = ask("setup", "setup", game.setup, state)
    if setup is not None:
        back = ask("setup", "start", game.start_state, setup)
        if back.tobytes() != state.tobytes():
            raise Broken("setup", f"start() makes another state from the result of setup(), {setup!r}")


def check_refusal(game: Game) -> None:
    """Check that start() refuses nonsense instead of a setup."""
    for nonsense in NO_SETUPS:
        try:
            game.write_start(game.empty_state(), nonsense)
        except BadInput:
            continue
        except Exception as raised:  # a user's function may raise anything
            what = f"start() raises {type(raised).__name__} on the setup {nonsense!r}{line(raised)}"
            raise Broken("setup", f"{what}; {REFUSE} on what it cannot read") from raised


def check_for_search(rules: Guarded, state: State, sight: Sight) -> None:
    """Check that for_search() and renew() return the same position, perhaps with fewer legal actions."""
    game = rules.game
    found: list[tuple[str, object]] = [("for_search", ask("for_search", "for_search", game.for_search, state))]
    if not sight.is_over:
        renewed = cast("object", ask("for_search", "renew", game.renew, state, None))
        if not isinstance(renewed, tuple) or len(renewed) != len(("state", "past")):
            raise Broken("for_search", f"renew() returns {renewed!r}; it must return (state, past)")
        found.append(("renew", renewed[0]))
    for name, instead in found:
        if instead is state:
            continue
        if not isinstance(instead, np.ndarray) or (instead.dtype, instead.shape) != (state.dtype, state.shape):
            raise Broken("for_search", f"{name}() returns {instead!r}; it must return a state")
        seen = look(rules, instead)
        if (seen.to_play, seen.outcome) != (sight.to_play, sight.outcome):
            raise Broken("for_search", f"{name}() changes the player to move or the outcome")
        if more := set(seen.legal) - set(sight.legal):
            raise Broken("for_search", f"{name}() makes action {min(more)} legal")


def check_can_win(game: Game, state: State, sight: Sight) -> None:
    """Check that can_win() returns True for the winner."""
    for player in (0, 1):
        answer = cast("object", ask("can_win", "can_win", game.can_win, state, player))
        if not isinstance(answer, bool | np.bool_):
            raise Broken("can_win", f"can_win() returns {answer!r}")
        if not answer and sight.outcome == (FIRST_WINS, SECOND_WINS)[player]:
            raise Broken("can_win", f"can_win() returns False for player {player}, who has won")
