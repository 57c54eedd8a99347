"""The arrays behind a module's references, for the program that allocates them: names, sizes of items, and axes.

An axis has a length, or a letter for one that is chosen with the memory: V most visits of a root, B rows of a batch,
M entries of the cache, and what follows from these (`lengths`): N, E, K, D, P as in `ludus.search.tree`, and T, the
length of the tables in the settings.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ludus.browser.entries import make_desk
from ludus.games.game import Game
from ludus.kernel.webassembly.module import fields_of, word_of
from ludus.players.thinking.group import nodes_for
from ludus.players.thinking.plan import PLAN
from ludus.search.cache import EDGES, make_cache
from ludus.search.settings import SearchSettings
from ludus.search.tree import ARRAYS, CHILD, KEPT, NODE, TREE, Length, Trees, lengths, padded

Axis = int | str
RECORDS = {"TREE": TREE, "CHILD": CHILD, "NODE": NODE, "PLAN": PLAN}


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field behind a reference, or one array of the desk: an array, or a number."""

    name: str
    itemsize: int = 0
    """Bytes of an item; 0 for a number."""
    dims: list[Axis] = []
    same: str = ""
    """The array before it that has the same memory."""
    value: str = ""
    """The 64-bit word of a number."""


class Layout(msgspec.Struct, frozen=True):
    """The fields of each reference in the order of its words, and the arrays of the desk."""

    trees: list[Part]
    cache: list[Part]
    parameters: list[Part]
    desk: list[Part]
    lengths: dict[str, Length]
    """The axes that follow from others."""


def layout_of(game: Game, settings: SearchSettings) -> Layout:
    """Return the layout of a game's arrays for one tree."""
    return Layout(
        trees=_trees(game),
        cache=_cache(game),
        parameters=_parameters(game, settings),
        desk=_desk(game),
        lengths={
            "N": Length("V", 1, 1, nodes_for(0, settings)),
            "T": Length("V", 1, 1, len(settings.parameters(0).inverse)),
            **lengths(1, game.max_legal),
        },
    )


def records() -> dict[str, dict[str, tuple[str, int]]]:
    """Return type and offset of each field of the records."""
    return {
        name: {field: (kind[field].str.lstrip("<|"), kind.fields[field][1]) for field in kind.fields}
        for name, kind in RECORDS.items()
        if kind.fields
    }


def _trees(game: Game) -> list[Part]:
    known: dict[str, Axis] = {"G": 1, "W": game.state_words, "A": game.max_legal, "L": padded(game.max_legal)}
    parts = {
        name: Part(name, kind.itemsize, [known.get(str(axis), axis) for axis in axes])
        for name, (axes, kind) in ARRAYS.items()
    }
    item, items = game.dtype.itemsize, game.state_words * 8 // game.dtype.itemsize
    parts["states"] = Part("states", item, [1, "N", items], same="words")
    parts["planes"] = Part("planes", 1, ["B", *game.planes])
    parts["turned"] = Part("turned", item, [items])
    return [parts[name] for name in Trees._fields]


def _cache(game: Game) -> list[Part]:
    kept = EDGES + min(KEPT, game.max_legal)
    shapes: dict[str, list[Axis]] = {"words": ["M", kept], "floats": ["M", kept], "salt": [1]}
    return [
        Part(name, part.itemsize, shapes[name], same="words" if name == "floats" else "")
        for name, part in fields_of(make_cache(0, kept - EDGES))
    ]


def _parameters(game: Game, settings: SearchSettings) -> list[Part]:
    return [
        Part(name, part.itemsize, ["T"]) if isinstance(part, np.ndarray) else Part(name, value=str(word_of(part)))
        for name, part in fields_of(settings.parameters(1, game.num_symmetries))
    ]


def _desk(game: Game) -> list[Part]:
    desk = make_desk(game, 1)
    arrays: dict[str, Any] = desk._asdict()
    return [
        Part(
            name,
            array.itemsize,
            [*(["B"] if name in ("logits", "outcomes") else array.shape[:1]), *array.shape[1:]],
            same="state" if name == "words" else "",
        )
        for name, array in arrays.items()
    ]
