"""Reads game records as training samples, with a reader for each file ending.

Shards contain the search's results; games of other programs, people and matches contain only moves (`replayed.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ludus.errors import BadInput
from ludus.files import ending_of
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.plain import PLAIN
from ludus.games.registry import game as find_game
from ludus.loop.game_records import matches, texts
from ludus.loop.game_records.replayed import OnFault
from ludus.loop.game_records.texts import endings
from ludus.loop.preset import Preset
from ludus.players.thinking.mind import find_namesake
from ludus.selfplay.openings import Openings
from ludus.store import Samples, read_header, read_shard

Reader = Callable[[Path, Sequence[Game], OnFault], Samples]


def read_own(path: Path, games: Sequence[Game], _on_fault: OnFault) -> Samples:
    """Return the positions of a shard, whose games must be those of the preset; their input planes may differ.

    Raises:
        BadRecord: the file is damaged, or was written under other rules.
        BadInput: the shard has positions of a game that `games` lacks.
    """
    numbers: list[int] = []
    for name in (names := read_header(path).names):
        number = find_namesake(name, games)
        if number is None:
            ours = ", ".join(game.name for game in games)
            raise BadInput(f"{path}: holds games of {name}, but the preset has {ours}.")
        numbers.append(number)
    samples = read_shard(path, rules_key=behaviour(find_game(names[0])))
    return replace(samples, game=np.array(numbers, np.uint8)[samples.game])


BY_NAME = {".jsonl", f".{PLAIN.suffix}"}
"""Endings of files that are only read if they are named: a run's folder has other `.jsonl` files, any folder notes."""


def _readers(games: Sequence[Game]) -> dict[str, Reader]:
    """Return the readers of games by the endings of their files."""
    return dict.fromkeys(endings(games), texts.read_games) | {".jsonl": matches.read_games, ".shard": read_own}


def find_records(paths: Iterable[Path], games: Sequence[Game] = ()) -> list[Path]:
    """Return the game records among `paths` and in the folders among them, in order.

    Args:
        paths: files and folders.
        games: the games that are wanted, which may have text formats of their own.

    Raises:
        BadInput: a path does not exist, has an unknown ending, or is a folder without records.
    """
    found: list[Path] = []
    known = sorted(_readers(games))
    in_folders = [ending for ending in known if ending not in BY_NAME]
    for path in paths:
        inside = sorted(each for each in path.rglob("*") if ending_of(each) in in_folders) if path.is_dir() else [path]
        if not inside:
            raise BadInput(f"{path}: this folder contains no game records ({', '.join(in_folders)}).")
        for file in inside:
            if not file.is_file():
                raise BadInput(f"{file}: not found; name game records ({', '.join(known)}) or folders of them.")
            if ending_of(file) not in known:
                ending = file.suffix or "(none)"
                raise BadInput(f"{file}: unknown ending {ending}; game records end in {', '.join(known)}.")
        found += inside
    return found


def read_records(path: Path, games: Sequence[Game], on_fault: OnFault = lambda _fault: None) -> Samples:
    """Return samples of a file from `find_records`; if there are none, the reason is passed to `on_fault`.

    Raises:
        BadRecord: the file is damaged or cannot be read.
        BadInput: the file holds other games.
    """
    told: list[str] = []

    def tell(fault: str) -> None:
        told.append(fault)
        on_fault(fault)

    samples = _readers(games)[ending_of(path)](path, games, tell)
    if not len(samples) and not told:
        on_fault(f"{path}: it contains no positions.")
    return samples


def read_openings(preset: Preset, games: Sequence[Game]) -> Openings | None:
    """Return the positions of the preset's `openings_from`; None: the preset names none.

    Raises:
        BadInput: a file is missing or holds other games, or no game can be used.
        BadRecord: a file is damaged.
    """
    if not preset.openings_from:
        return None
    files = find_records(map(Path, preset.openings_from), games)
    samples = Samples.concatenate([read_records(file, games) for file in files])
    if not len(samples):
        raise BadInput(
            f"{preset.name}: no game in openings_from can be used; name others (`ludus learn-from` "
            "reports the faults of each)."
        )
    return Openings(samples, [game.max_actions for game in games])
