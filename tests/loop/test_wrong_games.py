"""A game with a wrong `encode` or `to_play` raises an alarm that names it; the game without the mistake does not."""

from pathlib import Path

import msgspec
import pytest

from ludus.games import tictactoe
from ludus.learner.settings import LearnerSettings
from ludus.loop.run import Run
from ludus.network.config import NetworkSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.trust import permit

SOURCE = Path(tictactoe.__file__).read_text()
MOVER = "    mover = int(state[TURN])\n"
MISTAKES = {
    "none": (MOVER, MOVER, ""),
    "encode forgets the board of player 1": (MOVER, f"{MOVER}    if mover == 1:\n        return\n", "encode"),
    "encode shows player 1 another board": (
        "planes[0 if int(state[cell]) == 1 + mover else 1, cell // SIZE, cell % SIZE] = 1",
        "planes[0 if int(state[cell]) == 1 + mover else 1, 0 if mover else cell // SIZE, cell % SIZE] = 1",
        "encode",
    ),
    "to_play is always player 0": ("    return int(state[TURN])\n", "    return 0\n", "to_play"),
}


@pytest.mark.full
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_game_is_noticed(mistake, tiny, tmp_path, monkeypatch):
    right, wrong, named = MISTAKES[mistake]
    assert SOURCE.count(right) == 1 or not named
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SOURCE.replace(right, wrong))
    permit("mine.py")  # as the command does whose preset names it
    preset = msgspec.structs.replace(
        tiny,
        games=["mine.py"],
        generations=3,
        network=NetworkSettings(blocks=1, channels=16, head_channels=8),
        selfplay=SelfplaySettings(games=300, first_games=600, parallel=50, visits=30, full_share=1.0),
        learner=LearnerSettings(batch=128, max_steps=150, learning_rate=5e-3, passes=8.0),
        match=msgspec.structs.replace(tiny.match, pairs=0),
    )
    run = Run(preset, tmp_path / "run")
    run.go()
    metrics = run.folder.metrics()
    told = [alarm.text for line in metrics for alarm in line.alarms if alarm.kind in ("one-side", "value-turned")]
    assert all(named in each for each in told), told
    assert bool(told) == bool(named), [line.probe.sides for line in metrics]
