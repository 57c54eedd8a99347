"""The default notation of moves: the texts of a move's actions, joined by dots."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

from ludus.errors import BadInput, BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.rules import State
from ludus.kernel import Rules

SHOWN = 12  # legal actions listed in an error


class Written(Protocol):
    """The parts of a game that this notation uses."""

    name: str
    num_actions: int
    rules: Rules
    calls: Calls
    action_text: Callable[[State, int], str]


class _Way(NamedTuple):
    """A partly read text: the state reached, the actions so far, and the unread rest."""

    state: State
    actions: list[int]
    rest: str


def written(game: Written, state: State, actions: list[int]) -> str:
    """Return the text of a move."""
    texts: list[str] = []
    for action in actions:
        texts.append(game.action_text(state, action))
        state = game.calls.play(state, action)
    return ".".join(texts)


def read(game: Written, state: State, text: str) -> list[int]:
    """Return the actions of a whole or partial move; an action's text may contain dots, so the longest come first.

    Raises:
        BadNotation: the text names no action.
        IllegalMove: the text names an action that is not legal there.
    """
    begin = furthest = _Way(state, [], text.strip())
    ways = [begin]
    while ways:
        way = ways.pop()
        furthest = min(furthest, way, key=lambda each: len(each.rest))
        names = _names(game, way.state)
        if way.rest in names:
            return [*way.actions, names[way.rest]]
        for name in sorted(names, key=len):
            if way.rest.startswith(f"{name}."):
                after = game.calls.play(way.state, names[name])
                if not game.calls.outcome(after) and game.rules.to_play(after) == game.rules.to_play(way.state):
                    ways.append(_Way(after, [*way.actions, names[name]], way.rest.removeprefix(f"{name}.")))
    is_one_action = begin.rest == _first_of_any(game, begin)
    raise _refusal(game, begin.rest, begin if is_one_action else furthest)


def _names(game: Written, state: State) -> dict[str, int]:
    return {game.action_text(state, action): action for action in game.calls.legal(state)}


def _refusal(game: Written, text: str, way: _Way) -> BadInput:
    """Return the error for a text that could not be read to its end."""
    names, first = _names(game, way.state), _first_of_any(game, way)
    if first in names:
        tail = way.rest.removeprefix(f"{first}.")
        return BadNotation(f"{game.name}: the move ends with {first!r}; {tail!r} cannot follow.")
    place = f"after {text.removesuffix(way.rest).rstrip('.')!r}" if way.actions else "here"
    shown = ", ".join(list(names)[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
    if first:
        return IllegalMove(f"{game.name}: {first!r} may not be played {place}; legal: {shown}.")
    return BadNotation(f"{game.name}: {way.rest!r} names no action; legal {place}: {shown}.")


def _first_of_any(game: Written, way: _Way) -> str:
    """Return the longest action text, legal or not, that the rest begins with; empty if there is none."""
    longest = ""
    for action in range(game.num_actions):
        with suppress(Exception):  # `action_text` may fail for illegal actions
            text = game.action_text(way.state, action)
            if f"{way.rest}.".startswith(f"{text}.") and len(text) > len(longest):
                longest = text
    return longest
