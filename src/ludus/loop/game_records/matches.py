"""Reads training samples from match records (`ludus match --record`), without each game's random opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ludus.arena.record import read_record
from ludus.arena.summary import MatchGame
from ludus.errors import BadInput, BadRecord
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.loop.game_records.replayed import OnFault, Replayed, first_number, samples_of
from ludus.players.thinking.mind import find_namesake
from ludus.store import Samples


def read_games(path: Path, games: Sequence[Game], on_fault: OnFault) -> Samples:
    """Return samples of the games of a match.

    Args:
        path: the record's file.
        games: the preset's games, which may have other planes than the match's.
        on_fault: called with a description of each game that is skipped.

    Raises:
        BadRecord: the file cannot be read, is not a match record, or was played under other rules.
        BadInput: the match has none of `games`.
    """
    plan, played = read_record(path)
    numbers = {spec: number for spec in plan.games if (number := find_namesake(spec, games)) is not None}
    if not numbers:
        names = ", ".join(game.name for game in games)
        raise BadInput(f"{path}: holds games of {', '.join(plan.games)}, but the preset has {names}.")
    for game in games:
        game.compile()
    return samples_of(_replay_all(path, played, list(games), numbers, on_fault), list(games))


def _replay_all(
    path: Path,
    played: Sequence[MatchGame],
    games: list[Game],
    numbers: dict[str, int],
    on_fault: OnFault,
) -> Iterator[Replayed]:
    first = first_number(path)
    for number, each in enumerate(played):
        place = f"{path}, pair {each.pair} with {each.first} first"
        if each.game not in numbers:
            on_fault(f"{place}: it is {each.game}, which the preset does not include.")
        elif each.forfeit:
            on_fault(f"{place}: it was forfeited, so its result does not depend on the position.")
        else:
            states = _replay(place, each, games[numbers[each.game]])
            outcome = DRAW if each.winner is None else FIRST_WINS if each.winner == each.first else SECOND_WINS
            yield Replayed(
                numbers[each.game],
                first + number,
                states[each.opening :],
                each.actions[each.opening :],
                outcome,
                first_ply=each.opening,
            )


def _replay(place: str, played: MatchGame, game: Game) -> list[State]:
    """Return the state before each action."""
    state = game.start_state(played.setup)
    states: list[State] = []
    for action in played.actions:
        if game.calls.outcome(state) != ONGOING or action not in game.calls.legal(state):
            raise BadRecord(f"{place}: action {action} is illegal; the game was played under other rules.")
        states.append(state)
        state = game.calls.play(state, action)
    return states
