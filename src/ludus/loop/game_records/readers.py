"""Game records as samples: which files hold games, and who reads them.

A reader turns a file into samples of a preset's games: shards with all that a search thought, or games of which the
moves alone are known (`moves.py`), matches among them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ludus.errors import BadInput
from ludus.files import ending_of
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.loop.game_records import matches, pgn, sgf
from ludus.loop.preset import Preset
from ludus.players.thinking.mind import find_namesake
from ludus.selfplay.openings import Openings
from ludus.store import Samples, read_header, read_shard

OnFault = Callable[[str], object]
"""Told, in a sentence with its place, of each game or file that is left out because nobody can learn from it."""
Reader = Callable[[Path, Sequence[Game], OnFault], Samples]


def read_own(path: Path, games: Sequence[Game], _on_fault: OnFault) -> Samples:
    """Return the positions of a shard, whose games must be among `games`, though perhaps with other planes.

    Raises:
        BadRecord: the file is damaged, or was written under other rules.
        BadInput: it holds other games.
    """
    numbers: list[int] = []
    for name in (names := read_header(path).names):
        number = find_namesake(name, games)
        if number is None:
            ours = ", ".join(game.name for game in games)
            raise BadInput(f"{path}: holds games of {name}, which the preset's games ({ours}) leave out.")
        numbers.append(number)
    samples = read_shard(path, rules_key=behaviour(find_game(names[0])))
    return replace(samples, game=np.array(numbers, np.uint8)[samples.game])


READERS: dict[str, Reader] = {
    ".shard": read_own,
    ".pgn": pgn.read_games,
    ".sgf": sgf.read_games,
    ".jsonl": matches.read_games,
}
IN_FOLDERS = READERS.keys() - {".jsonl"}  # the folder of a run holds other lists of lines


def find_records(paths: Iterable[Path]) -> list[Path]:
    """Return the files that `paths` name, and those in the folders that they name, in order.

    Raises:
        BadInput: a path does not exist, nobody reads it, or a folder holds no games.
    """
    found: list[Path] = []
    known = ", ".join(sorted(READERS))
    for path in paths:
        inside = sorted(each for each in path.rglob("*") if ending_of(each) in IN_FOLDERS) if path.is_dir() else [path]
        if not inside:
            raise BadInput(f"{path}: this folder holds no game records ({', '.join(sorted(IN_FOLDERS))}).")
        for file in inside:
            if not file.is_file():
                raise BadInput(f"{file}: there is no such file; name game records ({known}) or folders of them.")
            if ending_of(file) not in READERS:
                raise BadInput(
                    f"{file}: nobody reads {file.suffix or 'files without an ending'}; game records: {known}."
                )
        found += inside
    return found


def read_records(path: Path, games: Sequence[Game], on_fault: OnFault = lambda _fault: None) -> Samples:
    """Return the positions of a file that `find_records` found; if there are none, `on_fault` was told why.

    Raises:
        BadRecord: a shard or the record of a match is damaged, or the file cannot be read.
        BadInput: it holds other games.
    """
    told: list[str] = []

    def tell(fault: str) -> None:
        told.append(fault)
        on_fault(fault)

    samples = READERS[ending_of(path)](path, games, tell)
    if not len(samples) and not told:
        on_fault(f"{path}: it holds no position.")
    return samples


def read_openings(preset: Preset, games: Sequence[Game]) -> Openings | None:
    """Return the positions of the games that the preset names, at which games may begin; None: it names none.

    Raises:
        BadInput: there is no such file, it holds other games, or none of them can be used.
        BadRecord: one is damaged.
    """
    if not preset.openings_from:
        return None
    files = find_records(Path(path) for path in preset.openings_from)
    samples = Samples.concatenate([read_records(file, games) for file in files])
    if not len(samples):
        raise BadInput(
            f"{preset.name}: no game that openings_from names can be used; name others (`ludus learn-from` "
            "says what is wrong with each)."
        )
    return Openings(samples, [game.max_actions for game in games])
