"""Distinct names of players: fingerprints for networks of one name, and folders for networks of several runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

DIGITS = 8  # digits of a fingerprint, the number that people compare
_MARK = "#"


def distinct_names(players: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return a distinct name for each player, given as (name, identity).

    If several identities share a name, the first digits of each identity are appended: 8, or as many as are needed to
    differ.  The result does not depend on the order of the players.  Digits that a name already has are removed first.
    """
    plain = {(name, identity): unmarked(name, identity) for name, identity in players}
    sharing: dict[str, set[str]] = {}
    for (_, identity), name in plain.items():
        sharing.setdefault(name, set()).add(identity)
    return {player: _marked(name, player[1], sharing[name]) for player, name in plain.items()}


def unmarked(name: str, identity: str) -> str:
    """Return a name without the identity's digits that `distinct_names` appended."""
    plain, mark, digits = name.rpartition(_MARK)
    return plain if mark and digits and identity.startswith(digits) else name


def run_names(files: Sequence[Path]) -> list[str]:
    """Return a name for each run in one table: the shortest distinct end of its folder's path.

    Args:
        files: the match file of each run: `matches.jsonl` in its folder, or a copy with another name.

    Returns:
        distinct names; "" for a single run.
    """
    if len(files) < 2:
        return [""] * len(files)
    paths = [file.parent if file.name == "matches.jsonl" else file for file in files]
    parts = 1
    while len({path.parts[-parts:] for path in paths}) < len(paths):
        parts += 1
    return [PurePath(*path.parts[-parts:]).as_posix() for path in paths]


def _marked(name: str, identity: str, sharing: set[str]) -> str:
    digits = DIGITS
    while len({each[:digits] for each in sharing}) < len(sharing):
        digits += 1
    return f"{name}{_MARK}{identity[:digits]}" if len(sharing) > 1 and identity else name
