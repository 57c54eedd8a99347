"""The texts in which finished games are taken home and brought back: each game's own form, or the plain one.

A form is an entry of FORMS, under the game's short name: how it is written, how it is read, and how it is recognised.
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
"""Nodes of a record of Go in which stones are set up; each takes the rules longer than a move."""
UNFINISHED = "unfinished"
"""The reason of games that texts tell without a result."""
WITHOUT_RESULT = ("aborted", UNFINISHED)
"""Reasons for which nobody has won, and nobody drawn."""
_TREE = re.compile(r"[\ufeff\s]*\(\s*;")  # how SGF begins
_BARE = re.compile(r"[\ufeff\s]*1\s*\.\s*[a-hBKNOQR0]")  # how moves of chess begin that nobody put tags before


class Brought(NamedTuple):
    """A game as a text tells it."""

    last: Position
    names: tuple[str, str]
    winner: int | None
    reason: str
    """UNFINISHED where the text has no result; empty where it does not say why."""


class Form(NamedTuple):
    """A way to write games down."""

    suffix: str
    """Of the file's name."""
    write: Callable[[Position, GameSummary], str]
    read: Callable[[str], Brought]
    """Raises BadInput."""
    recognises: Callable[[str], bool]
    """Says whether a text looks like this form."""


def read_text(text: str, files: tuple[str, ...] = ()) -> Brought:
    """Return the game that a text of any form tells; raises BadInput.

    Args:
        text: the text.
        files: paths of game files that are allowed besides the built-in games.
    """
    if len(text) > MAX_CHARS:
        raise BadInput(f"The text has {len(text)} characters; {MAX_CHARS} at most are read.")
    form = next((form for form in FORMS.values() if form.recognises(text)), None)
    if form:
        return form.read(text)
    if PLAIN.recognises(text):
        return _read_plain(text, files)
    raise BadNotation(
        "This text is no recorded game: it has none of the tags Game, Board or Event, and is no SGF. "
        "A position, such as a FEN, is set up on the analysis board."
    )


def _result(summary: GameSummary) -> str:
    return result_of(summary.winner, over=summary.winner is not None or summary.reason not in WITHOUT_RESULT)


def _end(result: str, told: str, position: Position) -> tuple[int | None, str]:
    """Return the winner and the reason of a text; of a game that is over by the rules, theirs."""
    if position.outcome:
        return position.outcome.winner, position.outcome.reason
    if result == result_of(None, over=False):
        return None, told if told in WITHOUT_RESULT else UNFINISHED
    return {"1-0": 0, "0-1": 1}.get(result), told


def _date(summary: GameSummary, tag: str = "Date", form: str = "%Y.%m.%d") -> dict[str, str]:
    """Return the tag of the day on which a game ended, if that is known."""
    return {} if summary.finished is None else {tag: datetime.fromtimestamp(summary.finished, UTC).strftime(form)}


def _tags(summary: GameSummary) -> dict[str, str]:
    """Return the tags that the forms of our own share."""
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
        raise BadNotation(f"{found.result[:20]!r} is no result.")
    first = found.game.start(found.tags.get("FEN"))
    last = replay_moves(first, [played.san for played in found.line.moves])
    winner, reason = _end(found.result, found.tags.get("Termination", ""), last)
    return Brought(last, _names(found.tags, "White", "Black"), winner, reason)


# ---- Go -------------------------------------------------------------------------------------------------------------


def _write_go(last: Position, summary: GameSummary) -> str:
    first, second = summary.players
    tags = {"PB": first.name, "PW": second.name}
    if last.outcome is None:  # the score of a game that was counted stands there anyway
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
        winner, reason = found.winner, f"two passes, {found.result}"  # the players agreed about dead stones
    return Brought(last, (found.root.text("PB") or "?", found.root.text("PW") or "?"), winner, reason)


def _must_be_plain(root: Node) -> None:
    """Raise BadInput where no link will carry a game, before the rules have spent minutes on it."""
    moves = set_ups = 0
    for node in root.main_line():
        set_ups += bool(SET_UP & node.properties.keys())
        if SET_UP & node.properties.keys() and (moves or set_ups > MAX_SET_UPS):
            raise BadInput("Stones are set up in the middle of this game, which no replay shows and no link carries.")
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
"""By the game's short name; other games are written in the plain form."""
