"""The rule of the training window, by generations and by positions."""

import dataclasses
import re

import numpy as np
import pytest

from ludus import config
from ludus.errors import BadPreset, BadRecord
from ludus.store import Samples, WindowRule, all_shards, shard_path, window_shards, write_shard


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
    assert generations(window_shards(directory, 0, rule)) == [0, 0]
    assert generations(window_shards(directory, 5, rule)) == [4, 4, 5, 5]
    assert window_shards(directory, 5, rule)[1].name == "gen-0004-0001.shard"


def test_the_window_grows_up_to_its_longest():
    rule = WindowRule(shortest=2, share=0.5, longest=5)
    assert [rule.length(generation) for generation in range(12)] == [2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5]


def test_a_share_that_is_a_whole_number_of_generations_is_not_rounded_up():
    for percent in range(101):
        rule = WindowRule(shortest=1, share=percent / 100, longest=99)
        assert [rule.length(played - 1) for played in range(1, 100)] == [
            max(1, -(-percent * played // 100)) for played in range(1, 100)
        ]


def test_later_generations_are_not_in_the_window(directory):
    assert generations(window_shards(directory, 3, WindowRule())) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_shards_of_one_generation_come_in_order(directory):
    shard_path(directory, 7, 10000).touch()
    names = [path.name for number, path in all_shards(directory) if number == 7]
    assert names == ["gen-0007-0000.shard", "gen-0007-0001.shard", "gen-0007-10000.shard"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("shortest = 0", "shortest must be 1 or more, and is 0."),
        ("shortest = 9\nlongest = 3", "the window needs shortest <= longest."),
        ("share = 1.5", "share must be between 0.0 and 1.0, and is 1.5."),
        ("exponent = 0.0", "exponent must be above 0.0 and at most 1.0, and is 0.0."),
    ],
)
def test_a_rule_for_an_empty_window_is_refused(tmp_path, text, sentence):
    path = tmp_path / "window.toml"
    path.write_text(text)
    with pytest.raises(BadPreset, match=f"^{re.escape(f'{path}: settings: {sentence}')}$"):
        config.load(path, WindowRule)


@pytest.mark.parametrize(
    ("played", "held"),
    # c * (1 + 0.4 * ((N / c)^0.75 - 1) / 0.75) by hand; 16^0.75 = 8, 81^0.75 = 27, 256^0.75 = 64
    [(0, 0), (700, 700), (1000, 1000), (16_000, 4733), (81_000, 14_867), (256_000, 34_600)],
)
def test_the_window_of_positions_grows_as_katagos(played, held):
    assert WindowRule(by="positions", positions=1000).size(played) == held


def test_a_window_that_grows_by_every_position_holds_all():
    rule = WindowRule(by="positions", positions=10, exponent=1.0, growth=1.0)
    assert [rule.size(played) for played in (5, 10, 1000)] == [5, 10, 1000]


def test_a_window_of_positions_takes_whole_shards(tmp_path):
    lengths = [40, 30, 20, 10, 20, 30]
    for generation, length in enumerate(lengths):
        write_shard(shard_path(tmp_path, generation, 0), samples_of(length), rules_key="abc", names=["connect4"])
    rule = WindowRule(by="positions", shortest=1, positions=50, growth=0.0)
    for generation in range(6):
        held = generations(window_shards(tmp_path, generation, rule))
        slow = [
            each for each in range(generation + 1) if sum(lengths[each + 1 : generation + 1]) < 50 or each == generation
        ]
        assert held == slow
    longer = WindowRule(by="positions", shortest=4, positions=10, growth=0.0)
    assert generations(window_shards(tmp_path, 5, longer)) == [2, 3, 4, 5]


def samples_of(length):
    samples = Samples.empty(1)
    arrays = {field.name: getattr(samples, field.name) for field in dataclasses.fields(Samples)}
    longer = {name: np.zeros((length, *array.shape[1:]), array.dtype) for name, array in arrays.items()}
    return Samples(
        **longer
        | {name: arrays[name] for name in ("policy_action", "policy_weight")}
        | {"policy_start": np.zeros(length + 1, np.int32)}
    )


@pytest.mark.parametrize("rule", [WindowRule(), WindowRule(by="positions", shortest=3, positions=10, growth=0.0)])
def test_a_generation_without_a_shard_is_named(tmp_path, rule):
    for generation in (0, 1, 3, 4):
        write_shard(shard_path(tmp_path, generation, 0), samples_of(3), rules_key="abc", names=["connect4"])
    with pytest.raises(BadRecord, match=r"gen-0002-0000\.shard: the shard is missing; restore it from a backup"):
        window_shards(tmp_path, 4, rule)
    assert generations(window_shards(tmp_path, 4, WindowRule(shortest=2, share=0.0))) == [3, 4]
