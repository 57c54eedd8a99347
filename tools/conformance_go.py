"""Compares Ludus with records of Go: games with all illegal points, and finished games with dead stones."""

from collections.abc import Iterator
from typing import Any

import ludus
from ludus.games.game import Game, Position
from ludus.games.go.describe import margin, score_text
from ludus.games.go.layout import DEAD, TAKEN
from ludus.games.go.view import action_named, pass_action, points_of, size_of, stones_of
from ludus.games.packed import read_field

Record = dict[str, Any]
Difference = tuple[str, str, object, object]
"""Place, property, found value, expected value."""


def go(record: Record) -> Iterator[Difference]:
    """Yield the comparisons of one record."""
    yield from finished(record) if "dead" in record else game(record)


def started(game: Game, record: Record) -> Position:
    """Return the start of a game with its handicap, and without compensation for White."""
    points = " ".join(record["handicap_points"])
    return game.start({"komi": float(record["komi"]), "bonus": 0, "black": points} if points else {"bonus": 0})


def game(record: Record) -> Iterator[Difference]:
    """Compare the illegal points of a game ply by ply, and its score."""
    moves = record["moves"].split()
    suicide = "yes" if record["suicide"] else "no"
    size, komi = record["size"], record["komi"]
    options = f"ko={record['ko']}:suicide={suicide}:komi={komi:g}"
    found = ludus.game(f"go:{size}x{size}:{options}").compile()
    position, counts = started(found, record), [int(count) for count in record["n_legal"].split()]
    if record["handicap"]:
        fixed = ludus.game(f"go:{size}x{size}:handicap={record['handicap']}").start()
        yield f"game {record['id']}", "handicap", rows(fixed), rows(position)
    for ply, move in enumerate(moves):
        place = f"game {record['id']} ply {ply}"
        legal = position.actions
        yield place, "number of legal points", len(legal) - 1, counts[ply]
        illegal = record["illegal_empty"].get(str(ply), {})
        stones = len(stones_of(position.state))
        named = {action_named(position.state, name) for names in illegal.values() for name in names}
        yield place, "legal points", len(legal) - 1, size * size - stones - len(named)
        yield place, "illegal points", named & set(legal), set[int]()
        position = position.play(action_named(position.state, move))
    place = f"game {record['id']} end"
    yield place, "board", rows(position), record["final_board"]
    for player, name in enumerate(("black", "white")):
        yield place, f"captures by {name}", read_field(position.state, TAKEN[player]), record[f"captures_by_{name}"]
    yield place, "score", margin(position.state), record["score"]
    yield place, "result", score_text(margin(position.state)), record["result"]
    yield place, "over", position.outcome is not None, record["ended"] == "two_passes"


def finished(record: Record) -> Iterator[Difference]:
    """Compare both scores of a finished game after removal of its dead stones."""
    place = f"finished game {record['id']}"
    for scoring in ("area", "territory"):
        size, komi = record["size"], record["komi"]
        spec = f"go:{size}x{size}:ko=simple:suicide=no:scoring={scoring}:komi={komi:g}:marking"
        position = started(ludus.game(spec).compile(), record)
        for move in record["moves"].split():
            position = position.play(action_named(position.state, move))
        dead = {action_named(position.state, name) for name in record["dead"]}
        marked = set[int]()
        for action in sorted(dead):
            if action not in marked:
                position = position.play(action)
                marked = {action for action in dead if is_dead(position, action)}
        for _ in range(2):
            position = position.play(pass_action(position.state))
        yield place, "over", position.outcome is not None, True
        yield place, f"score by {scoring}", score_text(margin(position.state)), plain(record[f"recount_{scoring}"])
        if scoring == "territory":
            yield place, "board", rows(position), record["final_board"]
            yield place, "score by GNU Go", score_text(margin(position.state)), plain(record["gnugo_japanese"])
            continue
        bonus = record["chinese_handicap_bonus_to_white"]
        wanted = plain(record["gnugo_chinese"])
        yield place, "score by GNU Go", score_text(margin(position.state) - bonus), wanted


def is_dead(position: Position, action: int) -> bool:
    """Return whether a stone is marked as dead."""
    return action in points_of(position.state, DEAD)


def plain(score: str) -> str:
    """Return a score in Ludus's format, without a trailing `.0`."""
    return score.removesuffix(".0")


def rows(position: Position) -> list[str]:
    """Return the board's rows in the records' format, from the top down."""
    size, stones = size_of(position.state), stones_of(position.state)
    return ["".join(".XO"[stones.get((row, column), -1) + 1] for column in range(size)) for row in range(size)]
