"""Every shipped model has measured levels and a model card that matches its files."""

import re
from pathlib import Path

import pytest

from ludus.engine.ladder import read_ladder
from ludus.network.card import licence_of
from ludus.network.checkpoint import FILE, load_checkpoint, weights_fingerprint

MODELS = sorted(path.parent for path in (Path(__file__).parents[2] / "models").glob(f"*/{FILE}"))
each_model = pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)


@each_model
def test_the_levels_are_those_of_the_weights_beside_them(folder):
    checkpoint = load_checkpoint(folder)
    ladder = read_ladder(folder, checkpoint)
    assert ladder is not None, "levels of another network, or none"
    assert ladder.weights == weights_fingerprint(checkpoint), "the levels do not name the weights"


@each_model
def test_the_card_counts_the_numbers_of_the_network_beside_it(folder):
    numbers = sum(array.size for array in load_checkpoint(folder).arrays.values())
    said = re.search(r"([\d,]+) (?:numbers|parameters) in half precision", (folder / "README.md").read_text())
    assert said
    assert said[1] == f"{numbers:,}"


@each_model
def test_the_card_states_the_licence(folder):
    assert licence_of(folder) == licence_of(folder / FILE) == "MIT"


@each_model
def test_the_card_lists_the_levels_beside_it(folder):
    ladder = read_ladder(folder, load_checkpoint(folder))
    assert ladder is not None
    rows = re.findall(r"^\| \w+ \| (.+) \| (\d+ ± \d+) \| (.*?) ?\|$", (folder / "README.md").read_text(), re.MULTILINE)
    assert rows == [
        (
            rung.level.replace(",", ", "),
            f"{rung.elo} ± {rung.error}",
            "" if rung.step is None else f"{rung.step} ± {rung.step_error}",
        )
        for rung in ladder.levels
    ]
