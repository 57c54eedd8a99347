"""A sweep finds better settings, continues after interruption, and refuses settings that it cannot compare."""

import math

import msgspec
import pytest

from ludus.arena.sweep import FILE, SweepAxis, check_effort, read_axis, settings_with, sweep
from ludus.errors import BadInput, Unavailable
from ludus.search.settings import SearchSettings

AXES = [SweepAxis("cpuct", 0.5, 8.0, logarithmic=True), SweepAxis("choice", words=("visits", "bound"))]


class Judge:
    """Scores of imaginary games, best for cpuct near 3, and slightly better with choice=bound."""

    def __init__(self):
        self.asked = []

    def __call__(self, settings):
        self.asked.append(settings)
        return 0.8 * math.exp(-abs(math.log(settings.cpuct / 3.0))) + 0.1 * (settings.choice == "bound")


def test_the_sweep_finds_the_best_settings(tmp_path):
    judge = Judge()
    best, *others = sweep(AXES, judge, trials=40, folder=tmp_path, plan={})
    assert len(judge.asked) == 40 == 1 + len(others)
    assert best.settings["choice"] == "bound"
    assert 2.4 < best.settings["cpuct"] < 3.75
    assert [tried.score for tried in others] == sorted((tried.score for tried in others), reverse=True)


def test_an_interrupted_sweep_continues(tmp_path):
    judge, told = Judge(), []

    def interrupted(settings):
        if len(judge.asked) == 3:
            raise KeyboardInterrupt
        return judge(settings)

    with pytest.raises(KeyboardInterrupt):
        sweep(AXES, interrupted, trials=6, folder=tmp_path, plan={"visits": 8})
    found = sweep(AXES, judge, trials=6, folder=tmp_path, plan={"visits": 8}, on_trial=told.append)
    assert (len(judge.asked), len(told), len(found)) == (6, 3, 6)
    assert len(sweep(AXES, judge, trials=6, folder=tmp_path, plan={"visits": 8})) == 6
    assert len(judge.asked) == 6, "all trials were finished"


def test_a_record_of_another_plan_is_refused_with_the_remedy(tmp_path):
    sweep(AXES, Judge(), trials=1, folder=tmp_path, plan={"visits": 8})
    with pytest.raises(BadInput, match=rf"{FILE}: belongs to another sweep .*; name another folder"):
        sweep(AXES, Judge(), trials=2, folder=tmp_path, plan={"visits": 9})
    with pytest.raises(BadInput, match="another sweep"):
        sweep(AXES[:1], Judge(), trials=2, folder=tmp_path, plan={"visits": 8})


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("cpuct=1:4", SweepAxis("cpuct", 1.0, 4.0)),
        ("cpuct=1:4:log", SweepAxis("cpuct", 1.0, 4.0, logarithmic=True)),
        ("leaves=1:8", SweepAxis("leaves", 1.0, 8.0, whole=True)),
        ("choice=visits|bound", SweepAxis("choice", words=("visits", "bound"))),
    ],
)
def test_axes_are_read(text, axis):
    assert read_axis(text) == axis


@pytest.mark.parametrize(
    "text",
    ["cpuct", "cpuct=1", "cpuct=4:1", "cpuct=-1:4", "cpuct=0:4:log", "cpuct=1:4:lin", "leaves=0:4", "leaves=1.5:4",
     "gumbel_actions=0:inf",
     "choice=visits|luck", "colour=1:2", "cpuct=a:b", ""],
)  # fmt: skip
def test_settings_that_cannot_be_swept_are_refused(text):
    with pytest.raises(BadInput, match=r"^--vary .*\.$"):
        read_axis(text)


def test_every_setting_that_is_offered_can_be_swept():
    with pytest.raises(BadInput) as refused:
        read_axis("colour=1:2")
    offered = str(refused.value).rpartition("it has ")[2].rstrip(".").split(", ")
    assert "cpuct" in offered
    usual = msgspec.to_builtins(SearchSettings())
    for name in offered:
        values = "visits|bound" if isinstance(usual[name], str) else f"{usual[name]}:{usual[name] + 1}"
        check_effort([read_axis(f"{name}={values}")], seconds=1.0)


def test_settings_are_the_usual_ones_but_for_the_changes():
    assert settings_with({}) == SearchSettings()
    assert settings_with({"cpuct": 3.0}) == SearchSettings(cpuct=3.0)


def test_a_longer_sweep_makes_new_proposals(tmp_path):
    judge = Judge()
    sweep(AXES[:1], judge, trials=3, folder=tmp_path, plan={})
    sweep(AXES[:1], judge, trials=6, folder=tmp_path, plan={})
    assert len({settings.cpuct for settings in judge.asked}) == 6


@pytest.mark.parametrize("torn", [1, 5, 40])
def test_a_sweep_continues_after_a_torn_line(tmp_path, torn):
    sweep(AXES, Judge(), trials=3, folder=tmp_path, plan={})
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes()[:-torn])
    for trials in (4, 5):
        assert len(sweep(AXES, Judge(), trials=trials, folder=tmp_path, plan={})) == trials


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="name another folder"):
        sweep(AXES, Judge(), trials=1, folder=tmp_path / "file", plan={})
