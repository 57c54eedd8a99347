"""Reads training samples from chess games (PGN); reports and skips broken games and other variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ludus.errors import BadInput
from ludus.games.chess.pgn import PgnGame, evaluation_in
from ludus.games.chess.pgn_read import BrokenPgn, read_pgn
from ludus.games.chess.pgn_text import decode
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.loop.game_records.replayed import OnFault, Replayed, first_number, read_bytes, samples_of
from ludus.store import Samples

OUTCOMES = {"1-0": FIRST_WINS, "0-1": SECOND_WINS, "1/2-1/2": DRAW}


def read_games(path: Path, games: Sequence[Game], on_fault: OnFault) -> Samples:
    """Return samples of the games in a PGN file, each cut off where the preset's rules end it.

    Args:
        path: the file.
        games: the preset's games: standard chess, Chess960, or both.
        on_fault: called with a description of each game that is skipped.

    Raises:
        BadRecord: the file cannot be read.
        BadInput: the preset has no chess.
    """
    numbers = {":960" in game.name: number for number, game in enumerate(games) if game.name.split(":")[0] == "chess"}
    if not numbers:
        raise BadInput(f"{path}: holds games of chess, but the preset has none.")
    whole = whole_games(path, on_fault)
    for game in games:
        game.compile()
    return samples_of(_replay_all(path, whole, list(games), numbers, on_fault), list(games))


def whole_games(path: Path, on_fault: OnFault) -> Iterator[tuple[int, PgnGame]]:
    """Return the games of a PGN file that can be read, each with its number in the file, counted from 1.

    Args:
        path: the file.
        on_fault: called with a description of each game, or part of one, that is left out.

    Raises:
        BadRecord: the file cannot be read.
    """
    return _whole(path, decode(read_bytes(path)), on_fault)


def _whole(path: Path, text: str, on_fault: OnFault) -> Iterator[tuple[int, PgnGame]]:
    for number, found in enumerate(read_pgn(text), 1):
        for each in [str(found)] if isinstance(found, BrokenPgn) else found.left_out:
            on_fault(f"left out: {path}, game {number}, {each}")
        if isinstance(found, PgnGame):
            yield number, found


def _replay_all(
    path: Path, whole: Iterator[tuple[int, PgnGame]], games: list[Game], numbers: dict[bool, int], on_fault: OnFault
) -> Iterator[Replayed]:
    first = first_number(path)
    for number, found in whole:
        try:
            fault, chosen = _fault(found, numbers)
            if not fault:
                states, actions, pawns = _replay(found, games[chosen])
                if actions:
                    yield Replayed(chosen, first + number, states, actions, OUTCOMES[found.result], pawns=pawns)
                    continue
                fault = "it has no moves."
        except BadInput as error:
            fault = str(error)
        on_fault(f"left out: {path}, game {number}: {fault}")


def _fault(found: PgnGame, numbers: dict[bool, int]) -> tuple[str, int]:
    """Return why a game cannot be used (empty: it can), and the number of its variant in the preset."""
    is_960 = found.is_chess960
    if is_960 not in numbers:
        return f"it is {'Chess960' if is_960 else 'standard chess'}, which the preset does not include.", 0
    if found.result not in OUTCOMES:
        return "it has no result.", 0
    return "", numbers[is_960]


def _replay(found: PgnGame, game: Game) -> tuple[list[State], list[int], list[float | None]]:
    """Return states, actions and White's recorded leads in pawns (None: not recorded)."""
    state = game.start_state(found.tags.get("FEN"))
    states: list[State] = []
    actions: list[int] = []
    pawns: list[float | None] = []
    ahead = evaluation_in(found.line.comments)
    for played in found.line.moves:
        if game.calls.outcome(state) != ONGOING:  # an unclaimed draw
            break
        states.append(state)
        actions.append(played.action)
        pawns.append(ahead)
        state = game.calls.play(state, played.action)
        ahead = evaluation_in(played.comments)
    return states, actions, pawns
