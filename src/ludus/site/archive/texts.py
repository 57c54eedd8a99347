"""Export and import of finished games as text: PGN, SGF, the Wall Game's format, or the plain format of Ludus.

FORMS has the text format of each game under its short name; other games use PLAIN.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from ludus.errors import BadInput, BadNotation
from ludus.games.chess.pgn import PgnGame, write_pgn
from ludus.games.chess.pgn import recorded as record_chess
from ludus.games.chess.pgn_read import BrokenPgn, read_pgn
from ludus.games.game import Position
from ludus.games.go.sgf import Node, read_sgf
from ludus.games.go.sgf_game import SET_UP, replay, write_game
from ludus.games.recorded import (
    MAX_CHARS,
    RESULTS,
    read_record,
    record_position,
    replay_moves,
    replay_record,
    result_of,
    write_record,
)
from ludus.games.registry import told_name
from ludus.games.wallgame.record import TERMINATIONS, read_wall_game, write_wall_game
from ludus.site.messages.archive import GameSummary
from ludus.site.study.weight import check_length, check_spec

MAX_SET_UPS = 10
"""Most SGF nodes that set up stones; the rules need more time for one than for a move."""
UNFINISHED = "unfinished"
"""The `reason` of games whose text has no result."""
WITHOUT_RESULT = ("aborted", UNFINISHED)
"""Reasons of games that were neither won nor drawn."""
_TREE = re.compile(r"[\ufeff\s]*\(\s*;")  # the beginning of an SGF file
_BARE = re.compile(r"[\ufeff\s]*1\s*\.\s*[a-hBKNOQR0]")  # the beginning of chess moves without PGN tags


class Brought(NamedTuple):
    """A game that was read from a text."""

    last: Position
    names: tuple[str, str]
    winner: int | None
    reason: str
    """UNFINISHED if the text has no result; empty if it gives no reason."""


class Form(NamedTuple):
    """A text format for games."""

    suffix: str
    """The file name extension, without its dot."""
    write: Callable[[Position, GameSummary], str]
    read: Callable[[str], Brought]
    """Parses a text; raises BadInput."""
    recognises: Callable[[str], bool]
    """Returns whether a text seems to have this format."""


def read_text(text: str, files: tuple[str, ...] = ()) -> Brought:
    """Read a game from a text in any of the formats.

    Args:
        text: the text.
        files: paths of game files that the site offers besides the built-in games.

    Raises:
        BadInput: the format is unknown, or the text cannot be parsed or is too long.
    """
    if len(text) > MAX_CHARS:
        raise BadInput(f"The text has {len(text)} characters; at most {MAX_CHARS} are allowed.")
    form = next((form for form in FORMS.values() if form.recognises(text)), None)
    if form:
        return form.read(text)
    if PLAIN.recognises(text):
        return _read_plain(text, files)
    raise BadNotation(
        "This text is not a recorded game: it is not SGF, and has none of the tags Game, Board or Event. "
        "To enter a position, such as a FEN, use the analysis board."
    )


def _result(summary: GameSummary) -> str:
    return result_of(summary.winner, over=summary.winner is not None or summary.reason not in WITHOUT_RESULT)


def _end(result: str, told: str, position: Position) -> tuple[int | None, str]:
    """Return the winner and the reason of a game: from its outcome if it is over by the rules, else from the text."""
    if position.outcome:
        return position.outcome.winner, position.outcome.reason
    if result == result_of(None, over=False):
        return None, told if told in WITHOUT_RESULT else UNFINISHED
    return {"1-0": 0, "0-1": 1}.get(result), told


def _date(summary: GameSummary, tag: str = "Date", form: str = "%Y.%m.%d") -> dict[str, str]:
    """Return the tag with the date on which a game ended; empty if the date is unknown."""
    return {} if summary.finished is None else {tag: datetime.fromtimestamp(summary.finished, UTC).strftime(form)}


def _tags(summary: GameSummary) -> dict[str, str]:
    """Return the tags that the plain format and the Wall Game's format share."""
    first, second = summary.players
    told = {"Player1": first.name, "Player2": second.name}
    told |= {f"Player{side}Elo": str(who.rating) for side, who in ((1, first), (2, second)) if who.rating is not None}
    return told | _date(summary)


# ---- the plain form ------------------------------------------------------------------------------------------------


def _write_plain(last: Position, summary: GameSummary) -> str:
    termination = {"Termination": summary.reason} if summary.reason else {}
    tags = {"Game": told_name(last.game.name)} | _tags(summary) | termination
    return write_record(record_position(last, tags, _result(summary)))


def _read_plain(text: str, files: tuple[str, ...] = ()) -> Brought:
    recorded = read_record(text)
    check_spec(recorded.tags.get("Game", ""))
    check_length(len(recorded.moves))
    last, tags = replay_record(recorded, files), recorded.tags
    winner, reason = _end(recorded.result, tags.get("Termination", ""), last)
    return Brought(last, _names(tags, "Player1", "Player2"), winner, reason)


def _names(tags: dict[str, str], first: str, second: str) -> tuple[str, str]:
    return tags.get(first, "?"), tags.get(second, "?")


# ---- Wall Game -----------------------------------------------------------------------------------------------------


def _write_wall_game(last: Position, summary: GameSummary) -> str:
    termination = {"Termination": TERMINATIONS.get(summary.reason, "Unknown")}
    return write_wall_game(last, _tags(summary) | termination, _result(summary))


def _read_wall_game(text: str) -> Brought:
    recorded, last = read_wall_game(text)
    known = {name: reason for reason, name in TERMINATIONS.items()}
    told = known.get(recorded.tags.get("Termination", ""), "")
    winner, reason = _end(recorded.result, told, last)
    return Brought(last, _names(recorded.tags, "Player1", "Player2"), winner, reason)


# ---- chess ---------------------------------------------------------------------------------------------------------


def _write_chess(last: Position, summary: GameSummary) -> str:
    first, second = summary.players
    tags = {"Event": "Rated game" if summary.rated else "Casual game", "White": first.name, "Black": second.name}
    tags |= {name: str(who.rating) for name, who in (("WhiteElo", first), ("BlackElo", second)) if who.rating}
    recorded = record_chess(last, tags | _date(summary) | {"Termination": summary.reason})
    result = _result(summary)
    return write_pgn(PgnGame(recorded.tags | {"Result": result}, recorded.line, result))


def _read_chess(text: str) -> Brought:
    found = next(read_pgn(text, compiled=False), None)
    if found is None or isinstance(found, BrokenPgn):
        raise BadNotation(f"The game cannot be read: {found or 'there is none'}")
    if found.result not in RESULTS:
        raise BadNotation(f"{found.result[:20]!r} is not a result; write one of {', '.join(RESULTS)}.")
    first = found.game.start(found.tags.get("FEN"))
    last = replay_moves(first, [played.san for played in found.line.moves])
    winner, reason = _end(found.result, found.tags.get("Termination", ""), last)
    return Brought(last, _names(found.tags, "White", "Black"), winner, reason)


# ---- Go -------------------------------------------------------------------------------------------------------------


def _write_go(last: Position, summary: GameSummary) -> str:
    first, second = summary.players
    tags = {"PB": first.name, "PW": second.name}
    if last.outcome is None:  # otherwise `write_game` writes the result with its score
        without = {"aborted": "Void", UNFINISHED: "?"}.get(summary.reason, "0")
        how = {"resignation": "R", "timeout": "T"}.get(summary.reason, "")
        tags["RE"] = without if summary.winner is None else f"{'BW'[summary.winner]}+{how}"
    return write_game(last, tags | _date(summary, "DT", "%Y-%m-%d"))


def _read_go(text: str) -> Brought:
    root = read_sgf(text)[0]
    _must_be_plain(root)
    found = replay(root)
    last = found.positions[-1]
    told = "aborted" if found.result == "Void" else {"R": "resignation", "T": "timeout"}.get(found.result[2:], "")
    result = result_of(found.winner, over=found.winner is not None or found.result == "0")
    winner, reason = _end(result, told, last)
    if last.outcome and result != result_of(None, over=False) and found.winner != winner:
        winner, reason = found.winner, f"two passes, {found.result}"  # the players removed dead stones
    return Brought(last, (found.root.text("PB") or "?", found.root.text("PW") or "?"), winner, reason)


def _must_be_plain(root: Node) -> None:
    """Raise BadInput for a game that a link cannot contain, before a replay that might take minutes."""
    moves = set_ups = 0
    for node in root.main_line():
        set_ups += bool(SET_UP & node.properties.keys())
        if SET_UP & node.properties.keys() and (moves or set_ups > MAX_SET_UPS):
            raise BadInput("This game sets up stones after its first move; replays and links cannot contain that.")
        moves += sum(name in node.properties for name in "BW")
    check_length(moves)


def _has_tag(*names: str) -> Callable[[str], bool]:
    return lambda text: any(f"[{name} " in text for name in names)


PLAIN = Form("txt", _write_plain, _read_plain, _has_tag("Game"))
FORMS = {
    "go": Form("sgf", _write_go, _read_go, lambda text: bool(_TREE.match(text))),
    "wallgame": Form("txt", _write_wall_game, _read_wall_game, lambda text: "[Board " in text and "[Game " not in text),
    "chess": Form(
        "pgn",
        _write_chess,
        _read_chess,
        lambda text: _has_tag("Event", "White", "FEN")(text) or bool(_BARE.match(text)),
    ),
}
"""Text formats by the game's short name; other games use PLAIN."""
