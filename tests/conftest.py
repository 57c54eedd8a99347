"""What holds for all tests: which are tried when, and what most of them need.

Properties see the same examples each time, and none is judged by how long one took, so that a change is judged by what
it changes; `make fuzz` looks for what these examples do not show.
"""

import importlib.util
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import settings

import ludus
from ludus import trust
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo, array_shapes
from ludus.network.config import NetworkSettings, Shapes

settings.register_profile("ludus", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=1000)
settings.load_profile("ludus")
ROOT = Path(__file__).parents[1]
signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that tests start may be told, also in a background


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="try everything, as `make test-all` does, and whole files of it"
    )
    parser.addoption(
        "--slow-site", type=int, default=0, metavar="MS", help="the site answers a page after a random time up to this"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, without `--full`, what every change need not wait for."""
    if not config.getoption("full"):
        left_out = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]


@pytest.fixture(scope="session")
def one_in_ten(pytestconfig: pytest.Config) -> Callable[[Sequence], Sequence]:
    """Return what takes every tenth of many records, from the first on; with `--full`, all of them."""
    return lambda records: records if pytestconfig.getoption("full") else records[::10]


@pytest.fixture(scope="session")
def load_program() -> Callable[[str], ModuleType]:
    """Return what loads a program that is in no package, such as `bench/site.py`, as Python would start it."""

    def load(path: str) -> ModuleType:
        file = ROOT / path
        spec = importlib.util.spec_from_file_location("_".join(Path(path).with_suffix("").parts), file)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(file.parent))
        spec.loader.exec_module(module)
        sys.path.pop(0)
        return module

    return load


@pytest.fixture(autouse=True)
def forget_named_games(monkeypatch):
    """Forget after each test which files of games it named, so that no later test may run them."""
    monkeypatch.setattr(trust, "_named", dict(trust._named))


@pytest.fixture
def is_left_at_once(monkeypatch) -> Callable[[AbstractContextManager[object], type[BaseException]], bool]:
    """Return what says whether a context whose threads are busy is left soon after an error in it."""
    monkeypatch.setattr("ludus.progress.LEAVING_S", 0.05)

    def leave(context: AbstractContextManager[object], why: type[BaseException]) -> bool:
        left = threading.Event()

        def work() -> None:
            with pytest.raises(why), context:
                raise why
            left.set()

        threading.Thread(target=work).start()
        return left.wait(20.0)

    return leave


@pytest.fixture(scope="session")
def flat_model():
    """Return what makes a small model of generation 3, all of whose weights are the same."""

    def make(spec, weight=0.0, name="tiny"):
        game = ludus.game(spec)
        network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes.of(game)
        arrays = {name: np.full(shape, weight, np.float32) for name, shape in array_shapes(network, shapes).items()}
        return Checkpoint(ModelInfo(name, network, shapes, {spec: behaviour(game)}, generation=3), arrays)

    return make
