"""Every model that ships comes with the levels that were measured of it."""

from pathlib import Path

import pytest

from ludus.engine.ladder import read_ladder
from ludus.network.checkpoint import FILE, load_checkpoint, weights_fingerprint

MODELS = sorted(path.parent for path in (Path(__file__).parents[2] / "models").glob(f"*/{FILE}"))


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_the_levels_are_those_of_the_weights_beside_them(folder):
    checkpoint = load_checkpoint(folder)
    ladder = read_ladder(folder, checkpoint)
    assert ladder is not None, "levels of another network, or none"
    assert ladder.weights == weights_fingerprint(checkpoint), "the levels do not name the weights"
