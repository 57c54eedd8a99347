"""Recognises groups that live in seki: neither side can play a shared point without being captured.

A group is in seki here if it has no room for two eyes, and a stone of either side on any point that the group shares
with its opponents puts that side in atari.  Stones that can be sacrificed to leave a small eye, such as two stones
inside four points, are no partners in a seki.  Every group found is in seki; larger fights, with kos or many shared
points, are not recognised.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ludus.games.board import Cell
from ludus.games.go.count import SMALL_EYE

Stones = Mapping[Cell, int]

NAKADE = {
    (0,),
    (1, 1),
    (1, 1, 2),
    (1, 1, 1, 3),
    (2, 2, 2, 2),
    (1, 1, 1, 1, 4),
    (1, 2, 2, 2, 3),
    (1, 1, 2, 2, 2, 4),
}
"""Eye shapes without room for two eyes, as the sorted numbers of neighbours that each point has inside."""


class SekiGroup(NamedTuple):
    """Connected stones with their adjacent empty points."""

    stones: frozenset[Cell]
    liberties: frozenset[Cell]


class Region(NamedTuple):
    """Connected empty points with the players whose stones are adjacent."""

    cells: frozenset[Cell]
    owners: set[int]


Regions = Mapping[Cell, Region]
"""The region of each empty point."""


def in_seki(stones: Stones, size: int) -> set[Cell]:
    """Return the stones that live in seki.

    Args:
        stones: owner of the stone on each cell, (row, column) from the top left.
        size: side of the board.
    """
    groups, regions = _groups(stones, size), _regions(stones, size)
    found = {
        group
        for group in groups
        if not _has_two_eyes(group, stones, regions) and _is_locked(group, stones, regions, size)
    }
    while True:  # a group whose partner is not in seki is not in seki, either
        alone = {group for group in found if not _partners(group, stones, regions, groups) <= found}
        if not alone:
            return {cell for group in found for cell in group.stones}
        found -= alone


def _is_locked(group: SekiGroup, stones: Stones, regions: Regions, size: int) -> bool:
    """Return whether neither side may play any point that a group shares with its opponents."""
    owner = stones[min(group.stones)]
    shared = _shared(group, stones, regions)
    has_eye = len(shared) < len(group.liberties)
    if not shared or len(group.liberties) < 2:
        return False
    for point in shared:
        if any(len(_group(near, stones, size).liberties) < 2 for near in _around(point, size) if near in stones):
            return False
        for player in (0, 1):
            after = {**stones, point: player}
            moved = _group(point, after, size)
            if len(moved.liberties) > 1:
                return False
            if player != owner and not has_eye and _shape(moved.stones, size) in NAKADE:
                return False
    return True


def _shared(group: SekiGroup, stones: Stones, regions: Regions) -> set[Cell]:
    """Return the liberties of a group outside its own eyes."""
    owner = stones[min(group.stones)]
    return {cell for cell in group.liberties if regions[cell].owners != {owner}}


def _partners(group: SekiGroup, stones: Stones, regions: Regions, groups: Iterable[SekiGroup]) -> set[SekiGroup]:
    """Return the opponent's groups that are adjacent to the group's shared points."""
    owner, shared = stones[min(group.stones)], _shared(group, stones, regions)
    return {each for each in groups if each.liberties & shared and stones[min(each.stones)] != owner}


def _has_two_eyes(group: SekiGroup, stones: Stones, regions: Regions) -> bool:
    """Return whether a group has room for two eyes: two regions of its own, or a large one."""
    owner = stones[min(group.stones)]
    eyes = {regions[cell].cells for cell in group.liberties if regions[cell].owners == {owner}}
    return len(eyes) > 1 or any(len(eye) > SMALL_EYE for eye in eyes)


def _shape(cells: frozenset[Cell], size: int) -> tuple[int, ...]:
    return tuple(sorted(sum(near in cells for near in _around(cell, size)) for cell in cells))


def _regions(stones: Stones, size: int) -> dict[Cell, Region]:
    found: dict[Cell, Region] = {}
    for cell in ((row, column) for row in range(size) for column in range(size)):
        if cell not in stones and cell not in found:
            region = _region(cell, stones, size)
            found |= dict.fromkeys(region.cells, region)
    return found


def _region(cell: Cell, stones: Stones, size: int) -> Region:
    left, cells, owners = [cell], {cell}, set[int]()
    while left:
        for near in _around(left.pop(), size):
            if near in stones:
                owners.add(stones[near])
            elif near not in cells:
                cells.add(near)
                left.append(near)
    return Region(frozenset(cells), owners)


def _groups(stones: Stones, size: int) -> set[SekiGroup]:
    left, found = set(stones), set[SekiGroup]()
    while left:
        group = _group(min(left), stones, size)
        left -= group.stones
        found.add(group)
    return found


def _group(cell: Cell, stones: Stones, size: int) -> SekiGroup:
    left, cells, liberties = [cell], {cell}, set[Cell]()
    while left:
        for near in _around(left.pop(), size):
            if near not in stones:
                liberties.add(near)
            elif stones[near] == stones[cell] and near not in cells:
                cells.add(near)
                left.append(near)
    return SekiGroup(frozenset(cells), frozenset(liberties))


def _around(cell: Cell, size: int) -> list[Cell]:
    row, column = cell
    beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in beside if 0 <= r < size and 0 <= c < size]
