"""Reads games from files in the text formats of all games: PGN, SGF, the plain format, and what packages bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ludus.errors import BadInput
from ludus.files import ending_of
from ludus.games.game import Game, Position
from ludus.games.plain import PLAIN, format_of, formats
from ludus.games.records import BrokenGame, Doubt, RecordedGame, RecordFormat
from ludus.games.registry import about, names
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from ludus.loop.game_records.replayed import OnFault, Replayed, first_number, read_bytes, samples_of
from ludus.protocol.spec import setting_of
from ludus.store import Samples

OUTCOMES = {"1-0": FIRST_WINS, "0-1": SECOND_WINS, "1/2-1/2": DRAW}


class TextGame(NamedTuple):
    """A game of a text file, played by the rules of one of the games that are wanted."""

    number: int
    """Its number in the file, from 1."""
    game: int
    """The index of the game whose rules it was played by."""
    record: RecordedGame
    positions: list[Position]
    """Its positions in order, as far as these rules allow."""


def endings(games: Sequence[Game]) -> list[str]:
    """Return the file name extensions of text formats, with their dots.

    Args:
        games: the games that are wanted, which may have formats of their own.
    """
    return sorted({f".{each.suffix}" for each in formats(game.name for game in games)})


def read_games(path: Path, games: Sequence[Game], on_fault: OnFault) -> Samples:
    """Return samples of the games in a text file, each cut off where the preset's rules end it.

    Args:
        path: the file.
        games: the preset's games.
        on_fault: called with a description of each game, or part of one, that is left out, and of each unclear place.

    Raises:
        BadRecord: the file cannot be read.
        BadInput: the file's format belongs to a game that the preset lacks.
    """
    for game in games:
        game.compile()
    return samples_of(_replay_all(path, games, on_fault), list(games))


def _replay_all(path: Path, games: Sequence[Game], on_fault: OnFault) -> Iterator[Replayed]:
    first = first_number(path)
    for number, chosen, record, positions in text_games(path, games, on_fault):
        last = positions[-1]
        outcome = OUTCOMES.get(record.header.result, games[chosen].calls.outcome(last.state))
        states = [position.state for position in last.history[:-1]]
        actions = [position.action for position in last.history if position.action is not None]
        if record.is_rearranged:
            fault = "pieces are set up during the game"
        elif not actions:
            fault = "it has no moves"
        else:
            fault = "it has no result" if outcome == ONGOING else ""
        if fault:
            on_fault(f"left out: {path}, game {number}: {fault}.")
            continue
        leads = [*record.leads, *([None] * len(actions))][: len(actions)]
        yield Replayed(chosen, first + number, states, actions, outcome, pawns=leads)


def text_games(path: Path, games: Sequence[Game], on_fault: OnFault) -> Iterator[TextGame]:
    """Yield the games of a text file that can be played by the rules of one of `games`; see `read_games`."""
    raw = read_bytes(path)
    form, text, doubts = _format_of(path, raw, games)
    owners = [game for game in games if form is PLAIN or format_of(game.name) is form]
    if not owners:
        titles = " or ".join(dict.fromkeys(about(name).title for name in _owners(form)))
        raise BadInput(f"{path}: holds games of {titles}, not of {', '.join(game.name for game in games)}.")
    for doubt in doubts:
        on_fault(f"{path}, {doubt}")
    number = 0
    try:
        for found in form.read(text, compiled=True):
            if isinstance(found, Doubt):
                on_fault(f"{path}, {found.what}")
                continue
            number += 1
            if isinstance(found, BrokenGame):
                on_fault(f"left out: {path}, game {number}, {found.what}")
                continue
            for part in found.left_out:
                on_fault(f"left out: {path}, game {number}, {part}")
            try:
                chosen = _choose(found, games)
                yield TextGame(number, chosen, found, found.positions(games[chosen], is_cut=True))
            except BadInput as error:
                on_fault(f"left out: {path}, game {number}: {error}")
    except BadInput as error:
        on_fault(f"left out: {path}: {error}")


def _format_of(path: Path, raw: bytes, games: Sequence[Game]) -> tuple[RecordFormat, str, list[str]]:
    """Return the format of a file, its text, and what is unclear in it.

    Several games may have formats with one file name extension; the text tells which it is.
    """
    known = [each for each in formats(game.name for game in games) if f".{each.suffix}" == ending_of(path)]
    read = [(form, *form.decode(raw)) for form in known]
    return next((each for each in read if each[0].recognises(each[1])), read[0])


def _owners(form: RecordFormat) -> list[str]:
    return [name for name in names() if format_of(name) is form]


def _choose(record: RecordedGame, games: Sequence[Game]) -> int:
    """Return the index of the game that a record is played by; raise BadInput if there is none.

    It has the record's board and variant, or another variant if the moves allow it.
    """
    wanted = setting_of(record.spec)
    settings = [setting_of(game.name) for game in games]
    if wanted in settings:
        return settings.index(wanted)
    boards = [setting._replace(variant=wanted.variant) for setting in settings]
    if record.any_variant and wanted in boards:
        return boards.index(wanted)
    variant = [] if wanted.variant == about(record.spec).usual else [wanted.variant]
    size = [f"{wanted.width}x{wanted.height}"] if wanted.width else []
    told = ":".join([wanted.game, *variant, *size])
    raise BadInput(f"it is a game of {told}, not of {', '.join(game.name for game in games)}.")
