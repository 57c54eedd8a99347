"""Compares Ludus with records of chess: perft, games, and cases of rules and notations."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import ludus
from ludus.errors import BadInput
from ludus.games.chess.describe import can_win
from ludus.games.chess.fen import read_fen, write_fen
from ludus.games.chess.layout import square_named
from ludus.games.chess.notation import in_check
from ludus.games.chess.perft import perft
from ludus.games.chess.view import ChessView
from ludus.games.game import Game, Position

Record = dict[str, Any]
Difference = tuple[str, str, object, object]
"""Place, property, found value, expected value."""
TERMINATIONS = {
    "checkmate": "CHECKMATE",
    "stalemate": "STALEMATE",
    "insufficient material": "INSUFFICIENT_MATERIAL",
    "75 moves": "SEVENTYFIVE_MOVES",
    "fivefold repetition": "FIVEFOLD_REPETITION",
}


def chess(record: Record) -> Iterator[Difference]:
    """Yield the comparisons of one record."""
    if "perft" in record:
        yield from lines(record)
    elif "san" in record and "moves" in record:
        yield from game(record)
    else:
        yield from CASES[record["kind"]](record)


def rules(record: Record) -> Game:
    """Return the game without claimable draws."""
    castling = record.get("variant") == "chess960" or record.get("kind") == "chess960_moves"
    return ludus.game("chess:960:play-on" if castling else "chess:play-on").compile()


def started(game: Game, fen: str) -> Position:
    """Return a position, even one that no game reaches (where the mover could take the king), as some records have."""
    state = game.empty_state()
    with np.errstate(over="ignore"):
        read_fen(fen, chess960=True).write(state)
    return Position(game, state)


def texts(position: Position) -> list[str]:
    """Return the legal moves in UCI notation, sorted."""
    return sorted(position.text(action) for action in position.actions)


def fen(position: Position) -> str:
    """Return the FEN of a position."""
    return write_fen(ChessView.read(position.state))


# ---- perft -----------------------------------------------------------------------------------------------------------


def lines(record: Record) -> Iterator[Difference]:
    """Compare perft counts, in total and for each first move."""
    found = rules(record)
    start = found.start(record["fen"])
    for depth, wanted in record["perft"].items():
        yield record["id"], f"perft {depth}", perft(found, start.state, int(depth)), wanted
    legal = found.calls.legal(start.state)  # even if the game is drawn by insufficient material
    counts = {start.text(action): perft(found, found.calls.play(start.state, action), 1) for action in legal}
    yield record["id"], "lines of two actions", counts, record["divide2"]


# ---- games -----------------------------------------------------------------------------------------------------------


def game(record: Record) -> Iterator[Difference]:
    """Compare a game ply by ply, and its ends without draw claims and with the earliest claim."""
    found = rules(record)
    position = started(found, record["start_fen"])
    sans, counts = record["san"].split(), [int(count) for count in record["n_legal"].split()]
    first_fifty = first_threefold = None
    for ply, move in enumerate([*record["moves"].split(), ""]):
        place = f"game {record['id']} ply {ply}"
        legal = found.calls.legal(position.state)
        yield place, "number of legal moves", len(legal), counts[ply]
        yield place, "check", str(int(in_check(position.state))), record["in_check"][ply]
        if str(ply) in record["positions"]:
            wanted = record["positions"][str(ply)]
            yield place, "FEN", fen(position), wanted["fen"]
            yield place, "legal moves", sorted(position.text(action) for action in legal), wanted["legal"].split()
        view = ChessView.read(position.state)
        if first_fifty is None and view.clock >= 100 and legal:
            first_fifty = ply
        if first_threefold is None and view.repeats >= 2:
            first_threefold = ply
        if move:
            yield place, "the game goes on", position.outcome, None
            actions = position.parse(move)
            yield place, "SAN", found.move_text(position.state, actions), sans[ply]
            yield place, "SAN read", position.parse(sans[ply]), actions
            position = position.play(actions[0])
    place = f"game {record['id']} end"
    outcome = position.outcome
    yield place, "termination", TERMINATIONS.get(outcome.reason if outcome else ""), record["termination"]
    winner = "1/2-1/2" if outcome is None or outcome.winner is None else ("1-0", "0-1")[outcome.winner]
    yield place, "result", winner, record["result"]
    yield place, "FEN", fen(position), record["final_fen"]
    yield place, "first claim by 50 moves", first_fifty, record["first_fifty_claim"]
    yield place, "first threefold repetition", first_threefold, record["first_threefold"]
    yield from claims(record, first_fifty, first_threefold)


def claims(record: Record, *firsts: int | None) -> Iterator[Difference]:
    """Compare where the game ends if claimable draws end it."""
    position = started(ludus.game("chess").compile(), record["start_fen"])
    for move in record["moves"].split():
        if position.outcome:
            break
        position = position.play(move)
    wanted = min([ply for ply in firsts if ply is not None], default=record["plies"])
    yield f"game {record['id']}", "ply of the end with claims", position.num_actions_played, wanted


# ---- single cases ----------------------------------------------------------------------------------------------------


def accepted(record: Record, castling: bool = False) -> Position | None:
    """Return the position of a FEN; None if it is refused."""
    try:
        return ludus.game("chess:960:play-on" if castling else "chess:play-on").compile().start(record["fen"])
    except BadInput:
        return None


def insufficient(record: Record) -> Iterator[Difference]:
    """Compare which players can still win."""
    position = rules(record).start(record["fen"])
    for player, name in enumerate(("white", "black")):
        yield record["fen"], f"{name} cannot win", not can_win(position.state, player), record[name]
    reason = position.outcome.reason if position.outcome else ""
    yield record["fen"], "drawn", reason == "insufficient material", record["both"]


def en_passant(record: Record) -> Iterator[Difference]:
    """Compare legal en passant captures and the FEN's en passant square."""
    position = rules(record).start(record["fen"])
    found = [position.text(action) for action in position.actions if is_en_passant(position, action)]
    yield record["fen"], "en passant", sorted(found), sorted(record["legal_ep"])
    yield record["fen"], "FEN", fen(position), record["fen_out"]


def is_en_passant(position: Position, action: int) -> bool:
    """Return whether an action captures en passant: a pawn changes its file to an empty square."""
    view, text = ChessView.read(position.state), position.text(action)
    here, there = square_named(text[:2]), square_named(text[2:4])
    return view.pieces[here] in "Pp" and text[0] != text[2] and there not in view.pieces


def status(record: Record) -> Iterator[Difference]:
    """Compare whether a position is accepted."""
    yield record["fen"], "accepted", accepted(record) is not None, record["valid"]


def syntax(record: Record) -> Iterator[Difference]:
    """Compare whether a FEN can be parsed."""
    try:
        read = bool(read_fen(record["fen"]).pieces)
    except BadInput:
        read = False
    yield record["fen"], "read", read, record["ok"]


def san(record: Record) -> Iterator[Difference]:
    """Compare writing and parsing of SAN for all legal moves."""
    position = started(rules(record), record["fen"])
    move_text = position.game.move_text
    found = {position.text(action): move_text(position.state, [action]) for action in position.actions}
    yield record["fen"], "SAN", found, record["san"]
    for move, text in record["san"].items():
        yield record["fen"], f"{text} read", position.parse(text), position.parse(move)


def chess960(record: Record) -> Iterator[Difference]:
    """Compare a Chess960 position: legal moves, SAN, and the FEN after each move."""
    position = accepted(record, castling=True)
    yield record["fen"], "accepted", position is not None, record["valid"]
    if position:
        yield record["fen"], "legal moves", texts(position), sorted(record["legal"])
        for move, text in record["san"].items():
            written = position.game.move_text(position.state, position.parse(move))
            yield record["fen"], "SAN", written, text
            yield record["fen"], f"{text} read", position.parse(text), position.parse(move)
        for move, after in record["after"].items():
            yield record["fen"], f"FEN after {move}", fen(position.play(move)), after


CASES = {
    "insufficient": insufficient,
    "ep": en_passant,
    "status": status,
    "fen_syntax": syntax,
    "san": san,
    "chess960_moves": chess960,
}
