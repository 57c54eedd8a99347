"""Reads games of chess (PGN) to learn from: games that are broken or of another kind are reported, and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ludus.errors import BadInput
from ludus.games.chess.pgn import CHESS960, PgnGame, evaluation_in
from ludus.games.chess.pgn_read import BrokenPgn, decode, read_pgn
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.loop.game_records.replayed import Replayed, first_number, read_bytes, samples_of
from ludus.store import Samples

OUTCOMES = {"1-0": FIRST_WINS, "0-1": SECOND_WINS, "1/2-1/2": DRAW}


def read_games(path: Path, games: Sequence[Game], on_fault: Callable[[str], object]) -> Samples:
    """Return the positions of the games in a PGN file, up to the end of each game by the preset's own rules.

    Args:
        path: the file.
        games: those of the preset; standard chess, Chess960, or both.
        on_fault: told, in a sentence, of each game that is left out.

    Raises:
        BadRecord: the file cannot be read.
        BadInput: the preset's games are not chess.
    """
    numbers = {":960" in game.name: number for number, game in enumerate(games) if game.name.split(":")[0] == "chess"}
    if not numbers:
        raise BadInput(f"{path}: holds games of chess, which the preset's games leave out.")
    text = decode(read_bytes(path))
    for game in games:
        game.compile()
    return samples_of(_replay_all(path, text, list(games), numbers, on_fault), list(games))


def _replay_all(
    path: Path, text: str, games: list[Game], numbers: dict[bool, int], on_fault: Callable[[str], object]
) -> Iterator[Replayed]:
    first = first_number(path)
    for number, found in enumerate(read_pgn(text), 1):
        if isinstance(found, BrokenPgn):
            on_fault(f"{path}, {found}")
            continue
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
        on_fault(f"{path}, game {number}: {fault}")


def _fault(found: PgnGame, numbers: dict[bool, int]) -> tuple[str, int]:
    """Return why nobody can learn from a game, or nothing, and which of the preset's games it is."""
    is_960 = bool(CHESS960.search(found.tags.get("Variant", "")))
    if is_960 not in numbers:
        return f"it is {'Chess960' if is_960 else 'standard chess'}, which the preset's games leave out.", 0
    if found.result not in OUTCOMES:
        return "it has no result.", 0
    return "", numbers[is_960]


def _replay(found: PgnGame, game: Game) -> tuple[list[State], list[int], list[float | None]]:
    """Return the states, what was played in each, and by how many pawns White was ahead, where that is written."""
    state = game.start_state(found.tags.get("FEN"))
    states: list[State] = []
    actions: list[int] = []
    pawns: list[float | None] = []
    ahead = evaluation_in(found.line.comments)
    for played in found.line.moves:
        if game.calls.outcome(state) != ONGOING:  # a draw that nobody claimed
            break
        states.append(state)
        actions.append(played.action)
        pawns.append(ahead)
        state = game.calls.play(state, played.action)
        ahead = evaluation_in(played.comments)
    return states, actions, pawns
