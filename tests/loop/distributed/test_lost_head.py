"""A run whose cluster's head is killed ends in a sentence, or goes on and says what is lost, in each of its stages."""

import signal
import time

import msgspec
import psutil
import pytest
from tests.loop.distributed.nodes import PATIENCE_S, two_nodes

from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.verify import verify
from ludus.loop.run import Run, RunProgress
from ludus.loop.stages.stage import RunNotice

LOST = "the connection to the Ray cluster was lost; learning and matches go on, and the run ends when it needs"


class KilledHead:
    """A listener that kills the head of a cluster at a stage of a run, and holds this stage until the loss is known."""

    def __init__(self, head, stage, generation):
        self._head, self._at = head, (stage, generation)
        self.told, self.begun = [], None

    def __call__(self, event):
        if isinstance(event, RunNotice):
            self.told.append(event.text)
        if isinstance(event, RunProgress) and (event.stage, event.generation) == self._at and self.begun is None:
            self.begun = time.monotonic()
            for process in [*psutil.Process(self._head.pid).children(recursive=True), self._head]:
                process.send_signal(signal.SIGKILL)
            while event.stage != "self-play" and not self.told and time.monotonic() < self.begun + PATIENCE_S:
                time.sleep(0.1)


@pytest.fixture
def preset(tiny):
    selfplay = msgspec.structs.replace(tiny.selfplay, games=4000, first_games=40)
    return msgspec.structs.replace(tiny, deterministic=False, generations=3, selfplay=selfplay)


@pytest.mark.full
@pytest.mark.parametrize(
    ("stage", "generation", "measured"), [("self-play", 1, 1), ("learning", 0, 1), ("matches", 0, 1)]
)
def test_a_run_without_its_head_ends_in_a_sentence(preset, tmp_path, stage, generation, measured):
    with two_nodes() as (address, _folder, head):
        listener = KilledHead(head, stage, generation)
        with pytest.raises(Unavailable, match="the same command continues the run; finished games are safe"):
            Run(preset, tmp_path, listener, cluster=address).go()
    assert listener.begun
    if stage != "self-play":
        assert any(LOST in each for each in listener.told)
    assert verify(Folder(tmp_path)) == []
    assert len(Folder(tmp_path).metrics()) == measured, "what needs no cluster was done"


@pytest.mark.full
def test_a_run_that_needs_no_more_games_ends_well_without_its_head(preset, tmp_path):
    with two_nodes() as (address, _folder, head):
        listener = KilledHead(head, "learning", 0)
        Run(msgspec.structs.replace(preset, generations=1), tmp_path, listener, cluster=address).go()
    assert any(LOST in each for each in listener.told)
    assert len(Folder(tmp_path).metrics()) == 1
