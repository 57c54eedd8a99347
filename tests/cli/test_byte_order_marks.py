"""Files that people write are read with the byte order mark that some editors put before the text."""

from pathlib import Path

import msgspec
import pytest

import ludus
from ludus import config
from ludus.bot.config import read_bots_file
from ludus.engine.ladder import Ladder, read_ladder
from ludus.games.connect4.solved import read_columns
from ludus.loop.preset import Preset
from ludus.network.checkpoint import load_checkpoint
from ludus.site.settings import read_settings
from ludus.site.study.lessons import _read as read_lesson

ROOT = Path(__file__).parents[2]
BOTS = """
[[bots]]
botId = "a"
name = "A"
game = "tictactoe"
engine = "x"
[bots.variants.standard]
boardWidth = { min = 3, max = 3 }
boardHeight = { min = 3, max = 3 }
recommended = [{ boardWidth = 3, boardHeight = 3 }]
"""
COLUMNS = b'{"moves": "44", "scores": [0, 0, 0, 1, 0, 0, 0], "optimal_outcome": [3]}\n'
LEVELS = ROOT / "models" / "connect4"


def levels(path: Path) -> Ladder | None:
    return read_ladder(path.parent, load_checkpoint(LEVELS))


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("bots.toml", BOTS.encode(), read_bots_file),
        ("bots.json", msgspec.json.encode(msgspec.toml.decode(BOTS)), read_bots_file),
        ("preset.toml", (ROOT / "presets" / "connect4.toml").read_bytes(), lambda path: config.load(path, Preset)),
        ("site.toml", b"max_games = 3\n", read_settings),
        ("lesson.toml", (ROOT / "examples" / "hex.lesson.toml").read_bytes(), read_lesson),
        ("levels.json", (LEVELS / "levels.json").read_bytes(), levels),
        ("positions.jsonl", COLUMNS, read_columns),
        ("mygame.py", (ROOT / "examples" / "hex.py").read_bytes(), lambda path: ludus.game(f"{path}").num_actions),
    ],
)
def test_a_byte_order_mark_changes_nothing(tmp_path, name, text, read):
    file = tmp_path / name
    file.write_bytes(text)
    expected = read(file)
    assert expected
    file.write_bytes(b"\xef\xbb\xbf" + text)
    assert read(file) == expected
