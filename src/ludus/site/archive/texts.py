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
from ludus.games.chess.pgn_text import normalised
from ludus.games.game import Position
from ludus.games.go.sgf import BrokenSgf, Node, read_trees, write_sgf
from ludus.games.go.sgf_game import SET_UP, nodes_of, replay
from ludus.games.go.sgf_text import TREE
from ludus.games.recorded import (
    MAX_CHARS,
    RESULTS,
    Recorded,
    read_record,
    record_position,
    replay_moves,
    replay_record,
    result_of,
    write_record,
)
from ludus.games.registry import told_name
from ludus.games.wallgame.record import TERMINATIONS, read_wall_game, write_wall_game
from ludus.site.archive.annotations import NONE, Annotated, Annotations, add_to_sgf, from_pgn, from_sgf, to_pgn
from ludus.site.messages.archive import GameSummary
from ludus.site.study.weight import check_length, check_spec

MAX_SET_UPS = 10
"""Most SGF nodes that set up stones; the rules need more time for one than for a move."""
UNFINISHED = "unfinished"
"""The `reason` of games whose text has no result."""
WITHOUT_RESULT = ("aborted", UNFINISHED)
"""Reasons of games that were neither won nor drawn."""
_SGF = re.compile(rf"[\ufeff\s]*{TREE.pattern}")
_TAG = re.compile(r'\[\s*(\w+)\s*(?:"((?:[^"\\]|\\.)*)"|[^\]\n]*)\s*\]')
_TAGS = re.compile(rf"[\ufeff\s]*(?:{_TAG.pattern}\s*)*")
_AFTER_NOISE = re.compile(rf"^(?:\[\w+\s+\"|{TREE.pattern})", re.MULTILINE)
_SIZE = re.compile(r"\d{1,2}x\d{1,2}")
_MOVES = re.compile(
    r"(?:\{[^}]*\}\s*)*(?:\d{1,3}\s*\.*\s*)?(?:O-O|0-0|[KQRBN]?[a-h]?[1-8]?[-x:]?[a-h][1-8])(?![^\W_])", re.ASCII
)
"""Moves of chess after comments and a move number."""


class Brought(NamedTuple):
    """A game that was read from a text."""

    last: Position
    names: tuple[str, str]
    winner: int | None
    reason: str
    """UNFINISHED if the text has no result; empty if it gives no reason."""
    annotations: Annotations = NONE
    left_out: tuple[str, ...] = ()
    """A sentence for each kind of thing in the text that is left out."""


class Form(NamedTuple):
    """A text format for games."""

    suffix: str
    """The file name extension, without its dot."""
    write: Callable[[Annotated, GameSummary], str]
    read: Callable[[str], Brought]
    """Parses a text; raises BadInput."""
    recognises: Callable[[str], bool]
    """Returns whether a text has this format, by what no other format has."""


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
    begin = _AFTER_NOISE.search(text)
    for part in (text, text[begin.start() :] if begin else ""):  # the second without words before the game
        form = next((form for form in (PLAIN, *FORMS.values()) if form.recognises(part)), None)
        if form:
            return _read_plain(part, files) if form is PLAIN else form.read(part)
    raise BadNotation(
        "This text is not a recorded game: it contains neither SGF nor PGN tags, and does not begin with chess moves. "
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


def _termination(summary: GameSummary) -> dict[str, str]:
    return {"Termination": summary.reason} if summary.reason else {}


def _tags(summary: GameSummary) -> dict[str, str]:
    """Return the tags that the plain format and the Wall Game's format share."""
    first, second = summary.players
    told = {"Player1": first.name, "Player2": second.name}
    told |= {f"Player{side}Elo": str(who.rating) for side, who in ((1, first), (2, second)) if who.rating is not None}
    return told | _date(summary) | _clock(summary)


def _clock(summary: GameSummary) -> dict[str, str]:
    """Return the tag with the time control, such as `180+2`; empty without clocks."""
    if summary.clock is None:
        return {}
    initial, increment = summary.clock
    return {"TimeControl": f"{initial:g}+{increment:g}"}


# ---- the plain form ------------------------------------------------------------------------------------------------


def _write_plain(game: Annotated, summary: GameSummary) -> str:
    last = game.last
    tags = {"Game": told_name(last.game.name)} | _tags(summary) | _termination(summary)
    return write_record(record_position(last, tags, _result(summary)))


def _read_plain(text: str, files: tuple[str, ...] = ()) -> Brought:
    recorded = read_record(text)
    check_spec(recorded.tags.get("Game", ""))
    check_length(len(recorded.moves))
    last, tags = replay_record(recorded, files), recorded.tags
    winner, reason = _end(recorded.result, tags.get("Termination", ""), last)
    return Brought(last, _names(tags, "Player1", "Player2"), winner, reason, left_out=_comments_of(recorded))


def _comments_of(recorded: Recorded) -> tuple[str, ...]:
    return ("Comments are left out.",) if recorded.has_comments else ()


def _names(tags: dict[str, str], first: str, second: str) -> tuple[str, str]:
    return tags.get(first, "?"), tags.get(second, "?")


# ---- Wall Game -----------------------------------------------------------------------------------------------------


def _write_wall_game(game: Annotated, summary: GameSummary) -> str:
    termination = {"Termination": TERMINATIONS.get(summary.reason, "Unknown")}
    return write_wall_game(game.last, _tags(summary) | termination, _result(summary))


def _read_wall_game(text: str) -> Brought:
    recorded, last = read_wall_game(text)
    known = {name: reason for reason, name in TERMINATIONS.items()}
    told = known.get(recorded.tags.get("Termination", ""), "")
    winner, reason = _end(recorded.result, told, last)
    names = _names(recorded.tags, "Player1", "Player2")
    return Brought(last, names, winner, reason, left_out=_comments_of(recorded))


# ---- chess ---------------------------------------------------------------------------------------------------------


def _write_chess(game: Annotated, summary: GameSummary) -> str:
    first, second = summary.players
    tags = {"Event": "Rated game" if summary.rated else "Casual game", "White": first.name, "Black": second.name}
    tags |= {name: str(who.rating) for name, who in (("WhiteElo", first), ("BlackElo", second)) if who.rating}
    tags |= _date(summary) | _clock(summary) | _termination(summary)
    recorded = record_chess(game.last, tags)
    result = _result(summary)
    return write_pgn(PgnGame(recorded.tags | {"Result": result}, to_pgn(game), result))


def _read_chess(text: str) -> Brought:
    games = read_pgn(text, compiled=False)
    found = next(games, None)
    if found is None or isinstance(found, BrokenPgn):
        raise BadNotation(f"The game cannot be read: {found or 'there is none'}")
    if found.result not in RESULTS:
        raise BadNotation(f"{found.result[:20]!r} is not a result; write one of {', '.join(RESULTS)}.")
    first = found.game.start(found.tags.get("FEN"))
    last = replay_moves(first, [played.san for played in found.line.moves])
    winner, reason = _end(found.result, found.tags.get("Termination", ""), last)
    left_out = [f"Left out: {each}" for each in found.left_out] + _others(next(games, None))
    return Brought(last, _names(found.tags, "White", "Black"), winner, reason, from_pgn(found.line), tuple(left_out))


def _others(second: object) -> list[str]:
    return [] if second is None else ["Only the first game of the text is opened."]


# ---- Go -------------------------------------------------------------------------------------------------------------


def _write_go(game: Annotated, summary: GameSummary) -> str:
    last, (first, second) = game.last, summary.players
    tags = {"PB": first.name, "PW": second.name}
    if last.outcome is None:  # otherwise `nodes_of` writes the result with its score
        without = {"aborted": "Void", UNFINISHED: "?"}.get(summary.reason, "0")
        how = {"resignation": "R", "timeout": "T"}.get(summary.reason, "")
        tags["RE"] = without if summary.winner is None else f"{'BW'[summary.winner]}+{how}"
    if summary.clock is not None:
        initial, increment = summary.clock
        tags |= {"TM": f"{initial:g}"} | ({"OT": f"{increment:g} fischer"} if increment else {})
    nodes = nodes_of(last, tags | _date(summary, "DT", "%Y-%m-%d"))
    add_to_sgf(game, nodes)
    return write_sgf([nodes[0]])


def _read_go(text: str) -> Brought:
    doubts: list[str] = []
    root, *others = read_trees(text, lambda doubt: doubts.append(f"{doubt[0].upper()}{doubt[1:]}"))
    if isinstance(root, BrokenSgf):
        raise BadNotation(f"SGF, {root}")
    _must_be_plain(root)
    found = replay(root)
    last = found.positions[-1]
    annotations, left_out = from_sgf(list(zip(root.main_line(), found.positions, strict=True)))
    left_out = [*doubts, *left_out, *_others(others[0] if others else None)]
    told = "aborted" if found.result == "Void" else {"R": "resignation", "T": "timeout"}.get(found.result[2:], "")
    result = result_of(found.winner, over=found.winner is not None or found.result == "0")
    winner, reason = _end(result, told, last)
    if last.outcome and result != result_of(None, over=False) and found.winner != winner:
        winner, reason = found.winner, f"two passes, {found.result}"  # the players removed dead stones
    names = found.root.text("PB") or "?", found.root.text("PW") or "?"
    return Brought(last, names, winner, reason, annotations, tuple(left_out))


def _must_be_plain(root: Node) -> None:
    """Raise BadInput for a game that a link cannot contain, before a replay that might take minutes."""
    moves = set_ups = 0
    for node in root.main_line():
        set_ups += bool(SET_UP & node.properties.keys())
        if SET_UP & node.properties.keys() and (moves or set_ups > MAX_SET_UPS):
            raise BadInput("This game sets up stones after its first move; replays and links cannot contain that.")
        moves += sum(name in node.properties for name in "BW")
    check_length(moves)


# ---- which format a text has ----------------------------------------------------------------------------------------


def _tags_of(text: str) -> dict[str, str]:
    """Return the tags at the beginning of a text."""
    tags = _TAGS.match(text)
    return dict(_TAG.findall(tags[0])) if tags else {}


def _is_go(text: str) -> bool:
    return bool(_SGF.match(text))


def _is_chess(text: str) -> bool:
    """Return whether a text begins with tags, or with moves of chess."""
    return bool(_tags_of(text) or _MOVES.match(normalised(text).strip()))


PLAIN = Form("txt", _write_plain, _read_plain, lambda text: not _tags_of(text).get("Game", "0").isdecimal())
FORMS = {
    "go": Form("sgf", _write_go, _read_go, _is_go),
    "wallgame": Form(
        "txt", _write_wall_game, _read_wall_game, lambda text: bool(_SIZE.fullmatch(_tags_of(text).get("Board", "")))
    ),
    "chess": Form("pgn", _write_chess, _read_chess, _is_chess),
}
"""Text formats by the game's short name, the one with the fewest conditions last; other games use PLAIN."""
