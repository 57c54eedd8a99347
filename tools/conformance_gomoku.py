"""What differs between Ludus and records of Gomoku: games under two rules, and the points that renju forbids."""

from collections.abc import Iterator
from typing import Any

import ludus
from ludus.games.board import Mark

Record = dict[str, Any]
Difference = tuple[str, str, object, object]
"""Where, what, found, expected."""
WINNERS = {0: "black", 1: "white", None: "draw"}
RULES = ("freestyle", "standard")


def gomoku(record: Record) -> Iterator[Difference]:
    """Yield what differs in one record."""
    place = f"record {record['id']}"
    points = [point_text(record["size"], point) for point in record["moves"].split()]
    if "forbidden" in record:
        yield place, "forbidden points", forbidden(record["size"], points), sorted(record["forbidden"])
        return
    for rule in RULES:
        yield f"{place}, {rule}", "result", result(rule, record["size"], points), expected(record[rule])


def point_text(size: int, point: str) -> str:
    """Return the name of a point that is written `column,row` from the top left, both counted from 0."""
    column, row = map(int, point.split(","))
    return f"{'abcdefghijklmnopqrst'[column]}{size - row}"


def forbidden(size: int, points: list[str]) -> list[str]:
    """Return the points that are marked as forbidden, as the records write them.

    The stones are set up, not played: some of these records hold moves that renju forbids.
    """
    setup = {"black": points[::2], "white": points[1::2], "to_play": "black"}
    board = ludus.game(f"gomoku:renju:{size}x{size}").start(setup).describe()
    return sorted(f"{column},{row}" for row, column in cells(board.marks, "forbidden"))


def result(rule: str, size: int, points: list[str]) -> Record | None:
    """Return how a game ends within these moves, in the form of the records."""
    position = ludus.game(f"gomoku:{rule}:{size}x{size}").compile().start()
    for ply, point in enumerate(points, 1):
        position = position.play(point)
        if position.outcome:
            won = [[column, row] for row, column in cells(position.describe().marks, "win")]
            return {"winner": WINNERS[position.outcome.winner], "ply": ply, "cells": sorted(won)}
    return None


def expected(wanted: Record | None) -> Record | None:
    """Return what a record says, with its cells in order."""
    return None if wanted is None else {**wanted, "cells": sorted(wanted.get("cells", []))}


def cells(marks: list[Mark], kind: str) -> list[tuple[int, int]]:
    """Return the cells of one kind of mark."""
    return [mark.at for mark in marks if mark.kind == kind]
