"""Names that tell players apart: networks of one name by their fingerprints, the networks of several runs by runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

DIGITS = 8  # of a fingerprint: as many as people compare
_MARK = "#"


def distinct_names(players: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return a name for each player, by its name and identity: equal names for equal players, and for no others.

    A name that only one identity bears stays as it is; one that several bear is followed by the first digits of each
    identity, 8 or as many as tell them apart, so that it does not matter in which order or from which path they come.
    A name that has such digits already is taken for the name before them.
    """
    plain = {(name, identity): unmarked(name, identity) for name, identity in players}
    sharing: dict[str, set[str]] = {}
    for (_, identity), name in plain.items():
        sharing.setdefault(name, set()).add(identity)
    return {player: _marked(name, player[1], sharing[name]) for player, name in plain.items()}


def unmarked(name: str, identity: str) -> str:
    """Return a name without the digits of its player's identity that `distinct_names` has put behind it."""
    plain, mark, digits = name.rpartition(_MARK)
    return plain if mark and digits and identity.startswith(digits) else name


def run_names(files: Sequence[Path]) -> list[str]:
    """Return what each of several different runs is called in one table: the end of its folder's path that tells it.

    Args:
        files: the matches of each run, `matches.jsonl` in its folder or a copy of it under another name.

    Returns:
        a name for each, all different; "" for a run alone.
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
