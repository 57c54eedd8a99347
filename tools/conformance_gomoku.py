"""Compares Ludus with records of Gomoku: games under two rules, and forbidden points of renju."""

from collections.abc import Iterator
from typing import Any

import ludus
from ludus.games.board import Mark

Record = dict[str, Any]
Difference = tuple[str, str, object, object]
"""Place, property, found value, expected value."""
WINNERS = {0: "black", 1: "white", None: "draw"}
RULES = ("freestyle", "standard")


def gomoku(record: Record) -> Iterator[Difference]:
    """Yield the comparisons of one record."""
    place = f"record {record['id']}"
    points = [point_text(record["size"], point) for point in record["moves"].split()]
    if "forbidden" in record:
        yield place, "forbidden points", forbidden(record["size"], points), sorted(record["forbidden"])
        return
    for rule in RULES:
        yield f"{place}, {rule}", "result", result(rule, record["size"], points), expected(record[rule])


def point_text(size: int, point: str) -> str:
    """Return the name of a point given as `column,row`, both counted from 0 at the top left."""
    column, row = map(int, point.split(","))
    return f"{'abcdefghijklmnopqrst'[column]}{size - row}"


def forbidden(size: int, points: list[str]) -> list[str]:
    """Return the forbidden points in the records' format.

    The stones are a setup, since some records contain forbidden moves.
    """
    setup = {"black": points[::2], "white": points[1::2], "to_play": "black"}
    board = ludus.game(f"gomoku:renju:{size}x{size}").start(setup).describe()
    return sorted(f"{column},{row}" for row, column in cells(board.marks, "forbidden"))


def result(rule: str, size: int, points: list[str]) -> Record | None:
    """Return the result of a game in the records' format; None: unfinished."""
    position = ludus.game(f"gomoku:{rule}:{size}x{size}").compile().start()
    for ply, point in enumerate(points, 1):
        position = position.play(point)
        if position.outcome:
            won = [[column, row] for row, column in cells(position.describe().marks, "win")]
            return {"winner": WINNERS[position.outcome.winner], "ply": ply, "cells": sorted(won)}
    return None


def expected(wanted: Record | None) -> Record | None:
    """Return a record's result with sorted cells."""
    return None if wanted is None else {**wanted, "cells": sorted(wanted.get("cells", []))}


def cells(marks: list[Mark], kind: str) -> list[tuple[int, int]]:
    """Return the cells of one kind of mark."""
    return [mark.at for mark in marks if mark.kind == kind]
