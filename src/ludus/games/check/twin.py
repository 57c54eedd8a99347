"""The law `twin`: compares the answers of compiled and plain rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.games.check.guard import Broken, Guarded, beginning
from ludus.games.check.laws import Sight
from ludus.games.check.overflow import CONVERT, known_overflows
from ludus.games.rules import State

SHOWN = 12  # legal actions that are shown
REMEDY = f"{CONVERT}, 32-bit floats with float(...), and keep integers below 2**63"

Call = Callable[[Guarded], Any]


def check_answers(rules: Guarded, twin: Guarded, state: State, sight: Sight) -> None:
    """Compare the answers of compiled rules with those of the plain ones, `sight`, at one position."""
    legal = sight.legal
    answers: list[tuple[str, object, Call]] = [
        ("to_play", sight.to_play, lambda each: each.number("to_play", state)),
        ("outcome", sight.outcome, lambda each: each.number("outcome", state)),
        ("encode", sight.planes, lambda each: each.encode(state)),
    ]
    if legal:
        answers.append(("legal", legal, lambda each: each.legal(state)))
        answers.append(("foresee", sight.foreseen, lambda each: each.number("foresee", state)))
    if sight.weights:
        answers.append(("heuristic", sight.weights, lambda each: each.heuristic(state, legal)))
    if sight.ranks:
        answers.append(("survey", sight.ranks, lambda each: each.survey(state, legal)))
    if sight.maps:
        both = (0, 1)
        answers.append(("final_maps", sight.maps, lambda each: np.stack([each.final_maps(state, one) for one in both])))
    for rule, expected, call in answers:
        _compare(rules, twin, rule, "", call, expected)


def check_play(rules: Guarded, twin: Guarded, state: State, action: int, after: State) -> None:
    """Compare the state after an action with the one of the plain rules."""
    _compare(rules, twin, "play", f"{action}", lambda each: each.play(state, action), _bits(after))


def check_symmetries(rules: Guarded, twin: Guarded, state: State, actions: tuple[int, ...]) -> None:
    """Compare the symmetries of the compiled and the plain rules at one position, for some legal actions."""
    for symmetry in range(1, rules.game.num_symmetries):
        _compare_symmetry(rules, twin, state, symmetry, actions)


def _compare_symmetry(rules: Guarded, twin: Guarded, state: State, symmetry: int, actions: tuple[int, ...]) -> None:
    def moved(each: Guarded) -> State:
        return each.symmetric_state(state, symmetry)

    _compare(rules, twin, "symmetric_state", f"{symmetry}", moved, _bits(moved(twin)))

    def image(action: int) -> Call:
        return lambda each: each.number("symmetric_action", state, symmetry, action)

    for action in actions:
        call = image(action)
        _compare(rules, twin, "symmetric_action", f"{symmetry}, {action}", call, call(twin))


def _compare(rules: Guarded, twin: Guarded, rule: str, arguments: str, call: Call, expected: object) -> None:
    """Raise Broken if the compiled rules give another answer than the plain ones, whose bits are `expected`."""
    try:
        answer = call(rules)
    except Broken as broken:
        shown = f": compiled, {broken.what}"
    else:
        if _bits(answer) == expected:
            return
        shown = _shown(answer, call(twin))
    found = known_overflows(lambda: call(twin))
    cause = f"{found[0]}: {CONVERT}" if found else f"{REMEDY}{beginning(getattr(twin.game.rules, rule))}"
    raise Broken("twin", f"{rule}({arguments}) differs between compiled and plain rules{shown}; {cause}")


def _bits(answer: Any) -> object:  # noqa: ANN401 - of any rule
    """Return an answer in the form that a `Sight` keeps."""
    if isinstance(answer, np.ndarray):
        return answer.tobytes()
    if isinstance(answer, tuple) and answer and isinstance(answer[0], np.ndarray):  # of a judging rule
        return answer[0].tobytes() + np.float64(answer[1]).tobytes()
    return answer


def _shown(answer: Any, expected: Any) -> str:  # noqa: ANN401 - of any rule
    """Return the first difference of two answers, as a clause: `: 3 and 255`."""
    if isinstance(answer, np.ndarray):
        places = np.argwhere(answer != expected)
        if not len(places):
            return ""
        place = tuple(int(index) for index in places[0])
        where = f"item {place[0]}" if len(place) == 1 else f"the number at {place}"
        return f": {where} is {answer[place]} and {expected[place]}"
    if isinstance(answer, tuple) and answer and isinstance(answer[0], np.ndarray):  # of a judging rule
        weights = _shown(answer[0], expected[0]).replace("item", "the one of legal action number")
        return weights or f": its value is {answer[1]} and {expected[1]}"
    if isinstance(answer, tuple) and len(answer) > SHOWN:
        only = len(set(answer) ^ set(expected))
        return f": {len(answer)} and {len(expected)} actions, {only} of them in one only"
    return f": {answer} and {expected}"
