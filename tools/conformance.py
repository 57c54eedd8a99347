"""Replays test data with Ludus's public interface and counts mismatches: `conformance.py FILE...`.

It reads Wall Game files (both editions), solved positions of Connect Four, chess (perft, games, cases of rules and
notations), Go (games, and finished games with dead stones), Gomoku (games, forbidden points) and evaluation files of
the original format (with the `.lzc` file beside the records), plain or gzipped.  It prints a line `N records,
M mismatches` for each file, followed by the first ten mismatches with their record and ply.  Exit status: 0; 1 after
mismatches; 2 if a file cannot be read.
"""

import gzip
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from conformance_chess import Difference, chess
from conformance_go import go
from conformance_gomoku import gomoku
from conformance_nncache import CacheFile

import ludus
from ludus.errors import BadInput, BadNotation, BadRecord
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.games.wallgame.notation import Term, read_terms, write_terms

SHOWN = 10  # maximum number of mismatches printed per file
EDITIONS = {1: "2026-01", 2: "2026-09"}  # keys: `format` in Wall Game files
TERM = re.compile(r"[CMDE>^][a-t][1-9][0-9]?", re.ASCII)
KINDS = {"C": "cat", "M": "mouse", "D": "dog", "E": "elephant", ">": "vertical", "^": "horizontal"}
TWO_AWAY = [(-2, 0), (-1, 1), (0, 2), (1, 1), (2, 0), (1, -1), (0, -2), (-1, -1)]
SHAPES = ("cat", "elephant", "mouse", "home", "dog")  # each player's pawns are written in this order
OTHERS = {  # fields that identify formats without a replay
    "protocol transcript": {"dir", "note", "raw", "cmd"},
}

Record = dict[str, Any]
Mismatch = tuple[str, str]
"""Place and description of a mismatch."""


class Unreadable(Exception):
    """Raised for a file that cannot be replayed, with the reason."""


# ---- Wall Game -------------------------------------------------------------------------------------------------------


def wallgame(record: Record, edition: str) -> Iterator[Mismatch]:
    """Yield the mismatches of one record of a Wall Game file."""
    if record["kind"] == "notation":
        yield from notation(record, edition)
    elif record["kind"] == "notation-turn":
        yield from notation_turn(record, edition)
    else:
        yield from WallGame(record, edition).replay()


class WallGame:
    """The replay of one game of a Wall Game file."""

    def __init__(self, record: Record, edition: str) -> None:
        """Set up the start position."""
        self.record, self.edition = record, edition
        self.columns, self.rows = record["boardWidth"], record["boardHeight"]
        spec = f"wallgame:{record['variant']}:{self.columns}x{self.rows}:{edition}:short"
        self.game = ludus.game(spec).compile()
        self.position = self.game.start(record["initialState"])

    def replay(self) -> Iterator[Mismatch]:
        """Yield the mismatches of all plies and of the end."""
        for number, ply in enumerate(self.record["plies"]):
            for what in self.ply(ply):
                yield f"{self.record['id']} ply {number}", what
        for what in self.end():
            yield f"{self.record['id']} end", what

    def ply(self, ply: Record) -> Iterator[str]:
        """Check a position and its recorded properties, then play the move."""
        position = self.position
        yield from differs("side to move", position.to_play + 1, ply["p"])
        if "pos" in ply:
            yield from differs("pawns", self.pawns(position), self.wanted_pawns(ply["pos"]))
        if "walls" in ply:
            yield from self.lists(position, ply)
            yield from differs("doubles", self.doubles(position), ply["doubles"])
        if "mid" in ply:
            after = position.play(position.parse(ply["mid"]["after"])[0])
            for what in self.lists(after, ply["mid"]):
                yield f"after {ply['mid']['after']}: {what}"
        for move, verdict, told, *_ in ply.get("probes", []):
            yield from self.verdict(position, move, told if verdict else None)
        for tried in ply.get("illegal", []):
            if tried.get("as", ply["p"]) == position.to_play + 1:
                yield from self.verdict(position, tried["move"], None)
        for tried in ply.get("gaps", []):
            yield from self.verdict(position, tried["move"], None)
        yield from self.play(ply["move"], ply.get("as", ply["move"]))

    def lists(self, position: Position, wanted: Record) -> Iterator[str]:
        """Compare the legal actions; walls in the order of their action numbers."""
        choices = position.describe().choices
        walls = [choice.text for choice in choices if choice.kind in ("right", "top")]
        yield from differs("walls", " ".join(walls), wanted["walls"])
        steps = [choice.text for choice in choices if choice.source and distance(choice.source, choice.at) == 1]
        yield from differs("steps", sorted(steps), sorted(wanted["steps"].split()))
        yield from differs("ends of the move", [each.text for each in choices if each.kind == "button"], ["---"])

    def doubles(self, position: Position) -> str:
        """Return all legal moves of one term with two steps."""
        found: list[str] = []
        own = [piece for piece in position.describe().pieces if piece.owner == position.to_play]
        for piece in sorted(own, key=lambda piece: SHAPES.index(piece.shape)):
            row, column = piece.at
            for down, right in TWO_AWAY if piece.shape != "home" else ():
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns:
                    move = piece.shape[0].upper() + self.name((row + down, column + right))
                    if self.accepts(position, move):
                        found.append(move)
        return " ".join(found)

    def accepts(self, position: Position, move: str) -> bool:
        """Return whether a move is legal."""
        try:
            position.parse(move)
        except BadInput:
            return False
        return True

    def verdict(self, position: Position, move: str, outcome: str | None) -> Iterator[str]:
        """Compare the outcome after a move; None: the move is illegal."""
        try:
            found = outcome_text(position.play(move))
        except BadInput:
            found = None
        yield from differs(f"{move}", found, outcome)

    def play(self, move: str, submitted: str) -> Iterator[str]:
        """Play a move in both its forms, and compare the notation that Ludus writes with the site's."""
        before = self.position
        actions = before.parse(submitted)
        self.position = before.play(submitted)
        yield from differs(f"{move} for {submitted}", before.play(move).state.tolist(), self.position.state.tolist())
        written = self.game.move_text(before.state, actions)
        jumps = self.edition == "2026-01" and len(actions) > len(submitted.split("."))
        if jumps:  # this edition keeps a double step as submitted, which the actions do not contain
            written, move = str(before.parse(written)), str(before.parse(move))
        yield from differs("notation", written, move)

    def end(self) -> Iterator[str]:
        """Compare the final position, the owners of walls, and the result."""
        position, final, result = self.position, self.record["final"], self.record["result"]
        yield from differs("pawns", self.pawns(position), self.wanted_pawns(final["pos"]))
        board = position.describe()
        signs = {"right": ">", "top": "^"}
        walls = [
            [signs[edge.side] + self.name(edge.at), 0 if edge.owner is None else edge.owner + 1] for edge in board.edges
        ]
        yield from differs("walls", sorted(walls), sorted(final["walls"]))
        wanted = "" if result["status"] == "playing" else f"{result['winner']}:{result['reason']}"
        yield from differs("result", outcome_text(position), wanted)
        if "p2cat_to_p1mouse" in final:
            yield from differs("path", self.path_to_mouse(position, board), final["p2cat_to_p1mouse"])

    def path_to_mouse(self, position: Position, board: Board) -> int:
        """Return the path length from player 2's cat to player 1's mouse, read from the planes."""
        distances = position.planes[0 if position.to_play == 1 else 2]  # [columns, rows]
        row, column = next(piece.at for piece in board.pieces if (piece.shape, piece.owner) == ("mouse", 0))
        return int(distances[column, row])

    def pawns(self, position: Position) -> str:
        """Return the pawns' cells in the files' order: by player, then by shape."""
        pieces = sorted(position.describe().pieces, key=lambda piece: (piece.owner, SHAPES.index(piece.shape)))
        return " ".join(self.name(piece.at) for piece in pieces)

    def wanted_pawns(self, pos: str) -> str:
        """Return the valid entries of `pos`: in survival only the first and the last."""
        entries = pos.split()
        return " ".join([entries[0], entries[-1]] if self.record["variant"] == "survival" else entries)

    def name(self, at: tuple[int, int]) -> str:
        """Return the name of a cell."""
        return f"{chr(ord('a') + at[1])}{self.rows - at[0]}"


def distance(a: tuple[int, int], b: tuple[int, int] | None) -> int:
    """Return the number of steps between two cells of an empty board; 0 if one is missing."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) if b else 0


def notation(record: Record, edition: str) -> Iterator[Mismatch]:
    """Compare parsing and writing of a move's notation, without a position."""
    text, rows, columns = record["in"], record["boardHeight"], record["boardWidth"]
    wanted = record["parser"] == "ok" and (text == "---" or all(TERM.fullmatch(part) for part in text.split(".")))
    try:
        terms = read_terms(text, rows, columns)
    except BadNotation:
        terms = None
    place = f"notation {text!r}"
    if (terms is not None) != wanted:
        yield place, f"is {'refused' if wanted else 'read'}, must be {'read' if wanted else 'refused'}"
    elif terms is not None:
        read = [as_action(term) for term in terms]
        yield from ((place, what) for what in differs("actions", read, record["actions"]))
        written = write_terms(terms, rows, old_rules=edition == "2026-01")
        yield from ((place, what) for what in differs("canonical form", written, record["canonical"]))


def as_action(term: Term) -> Record:
    """Return a term in the files' format."""
    if not term.wall:
        return {"type": KINDS[term.kind], "target": list(term.at)}
    return {"type": "wall", "target": list(term.at), "orientation": term.wall[1]}


def notation_turn(record: Record, edition: str) -> Iterator[Mismatch]:
    """Compare a turn: one or two moves separated by blanks."""
    moves, rows = record["in"].split(), record["boardHeight"]
    if record["parser"] != "ok":
        yield from ((f"turn {record['in']!r}", what) for what in differs("moves", len(moves), 0))
        return
    written = " ".join(write_terms(read_terms(move, rows, 20), rows, old_rules=edition == "2026-01") for move in moves)
    yield from ((f"turn {record['in']!r}", what) for what in differs("moves", len(moves), record["moves"]))
    yield from ((f"turn {record['in']!r}", what) for what in differs("canonical form", written, record["canonical"]))


# ---- Connect Four ----------------------------------------------------------------------------------------------------


def connect4(record: Record, _: str) -> Iterator[Mismatch]:
    """Yield the mismatches of one solved position."""
    position = ludus.game("connect4").compile().start()
    place = f"record {record['id']}"
    for number, column in enumerate(record["moves"]):
        position = position.play(column)
        if position.outcome:
            yield f"{place} ply {number + 1}", f"the game is over: {outcome_text(position)}"
            return
    scores, stones = record["scores"], record["ply"] // 2 + 1  # the mover's number of discs after its move
    wins = [
        action for action in position.actions if outcome_text(position.play(action)).startswith(str(record["to_move"]))
    ]
    checks = {
        "ply": (position.num_actions_played, record["ply"]),
        "side to move": (position.to_play + 1, record["to_move"]),
        "legal columns": (position.actions, [column for column, score in enumerate(scores) if score is not None]),
        "number of legal columns": (len(position.actions), record["n_legal"]),
        "a win in one": (bool(wins), record["win_in_1"]),
        "winning columns": (wins, [column for column, score in enumerate(scores) if score == 22 - stones]),
    }
    for name, (found, wanted) in checks.items():
        yield from ((place, what) for what in differs(name, found, wanted))


def compared(check: Callable[[Record], Iterator[Difference]], record: Record, _: str) -> Iterator[Mismatch]:
    """Yield the mismatches among the results of `check`."""
    for place, name, found, wanted in check(record):
        yield from ((place, what) for what in differs(name, found, wanted))


# ---- any file --------------------------------------------------------------------------------------------------------


def differs(name: str, found: object, wanted: object) -> Iterator[str]:
    """Yield a description if two values differ."""
    if found != wanted:
        yield f"{name}: found {shortened(found)}, expected {shortened(wanted)}"


def shortened(thing: object) -> str:
    """Return a value's text, shortened for printing."""
    text = repr(thing)
    return text if len(text) <= 160 else text[:157] + "..."


def outcome_text(position: Position) -> str:
    """Return `winner:reason` with 1, 2 or 0 for a draw; empty for an unfinished game."""
    outcome = position.outcome
    return "" if outcome is None else f"{0 if outcome.winner is None else outcome.winner + 1}:{outcome.reason}"


def records(path: Path) -> Iterator[Record]:
    """Yield the records of a file; raises Unreadable if a line is not a JSON object."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise Unreadable(f"{path}, line {number}: not a JSON object.")
                yield record
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: cannot be read ({error}).") from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"{path}, line {number}: not JSON ({error.msg}).") from error


def replayer(path: Path, first: Record) -> tuple[Callable[[Record, str], Iterator[Mismatch]], str]:
    """Return the replay function of a file, and the edition of the rules."""
    if first.get("kind") == "header" and first.get("format") in EDITIONS:
        return wallgame, EDITIONS[first["format"]]
    if {"moves", "scores", "win_in_1"} <= first.keys():
        return connect4, ""
    if first.keys() & {"fen", "start_fen"}:
        return partial(compared, chess), ""
    if {"komi", "handicap_points"} <= first.keys():
        return partial(compared, go), ""
    if first.keys() & {"freestyle", "forbidden"}:
        return partial(compared, gomoku), ""
    if "compressed_hex" in first:
        return partial(compared, partial(CacheFile(path).check, _edition="")), ""
    name = next((name for name, fields in OTHERS.items() if fields & first.keys()), "unknown")
    replayed = "only Wall Game, solved Connect Four, chess, Go, Gomoku and evaluation files are replayed"
    raise Unreadable(f"{path}: this is {name} data; {replayed}.")


def replay(path: Path) -> int:
    """Replay a file, print the results, and return the number of mismatches."""
    lines = records(path)
    first = next(lines, None)
    if first is None:
        raise Unreadable(f"{path}: the file is empty.")
    check, edition = replayer(path, first)
    count, mismatches, shown = 0, 0, []
    for record in lines if check is wallgame else [first, *lines]:
        count += 1
        try:
            for place, what in check(record, edition):
                mismatches += 1
                shown += [f"  {place}: {what}"] if len(shown) < SHOWN else []
        except (BadInput, KeyError) as error:
            mismatches += 1
            shown += [f"  {record.get('id', record)}: {type(error).__name__}: {error}"] if len(shown) < SHOWN else []
    print(f"{path.name}: {count} records, {mismatches} mismatches")
    print("\n".join(shown), end="\n" if shown else "")
    return mismatches


def main(paths: list[str]) -> int:
    """Replay files; return the exit status."""
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return 1 if sum(replay(Path(path)) for path in paths) else 0
    except (Unreadable, BadRecord) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
