"""The window slides over generations and grows with them."""

import pytest

from ludus import config
from ludus.errors import BadPreset
from ludus.store import WindowRule, shard_path, shards_of, window


@pytest.fixture
def directory(tmp_path):
    for generation in range(12):
        for index in range(2):
            shard_path(tmp_path, generation, index).touch()
    (tmp_path / ".gen-0011-0002.shard.partial").touch()
    (tmp_path / "gen-notes.shard").touch()
    return tmp_path


def generations(paths) -> list[int]:
    return [int(path.name[4:8]) for path in paths]


def test_the_window_slides_with_the_generation(directory):
    rule = WindowRule(shortest=2, share=0.0, longest=20)
    assert generations(window(directory, 0, rule)) == [0, 0]
    assert generations(window(directory, 5, rule)) == [4, 4, 5, 5]
    assert window(directory, 5, rule)[1].name == "gen-0004-0001.shard"


def test_the_window_grows_up_to_its_longest():
    rule = WindowRule(shortest=2, share=0.5, longest=5)
    assert [rule.length(generation) for generation in range(12)] == [2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5]


def test_later_generations_are_not_in_the_window(directory):
    assert generations(window(directory, 3, WindowRule())) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_shards_of_one_generation_come_in_order(directory):
    shard_path(directory, 7, 10000).touch()
    names = [path.name for path in shards_of(directory, 7)]
    assert names == ["gen-0007-0000.shard", "gen-0007-0001.shard", "gen-0007-10000.shard"]


@pytest.mark.parametrize("text", ["shortest = 0", "shortest = 9\nlongest = 3", "share = 1.5"])
def test_a_window_that_holds_nothing_is_refused(tmp_path, text):
    path = tmp_path / "window.toml"
    path.write_text(text)
    with pytest.raises(BadPreset, match="window"):
        config.load(path, WindowRule)
