"""Models that `ludus serve` exports for visitors' browsers: once for each state of model and code, after the bots."""

import asyncio
import json
import shutil
import sys
from types import SimpleNamespace

import pytest

from ludus.bot.levels import ModelGames
from ludus.cli.serving import engines
from ludus.cli.serving.engines import EngineExports, export_key
from ludus.site.catalogue.engines import DeviceEngines

PROGRAM = """
import json, sys
from pathlib import Path
arguments = sys.argv[1:]
out = Path(arguments[2])
with Path(LOG).open("a") as log:
    print(json.dumps(arguments), file=log)
if FAULT:
    print("A first line.", file=sys.stderr)
    sys.exit("ludus: " + FAULT)  # as `ludus` ends
out.mkdir()
games = [{"spec": each.removeprefix("--game=")} for each in arguments if each.startswith("--game=")]
(out / "manifest.json").write_text(json.dumps({"format": 1, "model": {"name": "tiny"}, "games": games}))
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Two models, a cache folder, and a program in place of `ludus export`, which may fail."""
    log = tmp_path / "log"

    def use(fault=""):
        program = tmp_path / "program.py"
        program.write_text(f"LOG, FAULT = {str(log)!r}, {fault!r}\n{PROGRAM}")
        monkeypatch.setattr(engines, "COMMAND", [sys.executable, str(program)])

    def model(name, *specs):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(name.encode())
        return ModelGames(folder, specs)

    use()
    models = [model("first", "connect4:ahead"), model("second", "tictactoe")]
    calls = lambda: [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []  # noqa: E731
    return SimpleNamespace(models=models, cache=tmp_path / "cache", calls=calls, use=use)


def run(place, ready=None):
    """Run the exports; return the site's engines and the news."""
    found, news = DeviceEngines(), []
    asyncio.run(EngineExports(place.models, found, place.cache, news.append).run(ready))
    return found, news


def test_each_model_is_exported_once_and_offered_at_once_the_next_time(place):
    found, news = run(place)
    assert news == []
    assert [call[0] for call in place.calls()] == ["export", "export"]
    assert place.calls()[0][1] == str(place.models[0].path)
    assert place.calls()[0][3:] == ["--format", "web", "--background", "--game=connect4:ahead"]
    key = export_key(place.models[0])
    assert found.of("connect4", "standard", 7, 6).manifest == f"/engines/{key}/manifest.json"
    assert found.of("tictactoe", "standard", 3, 3)
    again, _ = run(place, asyncio.Event())  # which is never set: nothing is missing
    assert again.of("connect4", "standard", 7, 6) == found.of("connect4", "standard", 7, 6)
    assert len(place.calls()) == 2
    assert not [path for path in (place.cache / "engines").iterdir() if path.name.startswith(".")]


def test_missing_engines_wait_for_the_bots_and_known_ones_do_not(place):
    run(place)
    shutil.rmtree(place.cache / "engines" / export_key(place.models[1]))

    async def scenario():
        found, ready = DeviceEngines(), asyncio.Event()
        running = asyncio.create_task(EngineExports(place.models, found, place.cache, pytest.fail).run(ready))
        while not found.of("connect4", "standard", 7, 6):
            await asyncio.sleep(0.01)
        assert found.of("tictactoe", "standard", 3, 3) is None
        assert len(place.calls()) == 2
        ready.set()
        await running
        assert found.of("tictactoe", "standard", 3, 3)
        assert len(place.calls()) == 3

    asyncio.run(scenario())


def test_a_changed_model_is_exported_anew(place):
    run(place)
    before = export_key(place.models[0])
    (place.models[0].path / "model.safetensors").write_bytes(b"trained on")
    assert export_key(place.models[0]) != before
    run(place)
    assert len(place.calls()) == 3


def test_a_damaged_export_is_told_and_made_anew(place):
    run(place)
    manifest = place.cache / "engines" / export_key(place.models[0]) / "manifest.json"
    manifest.write_text("{}")
    found, (news,) = run(place)
    assert "export the model again" in news
    assert found.of("connect4", "standard", 7, 6)


def test_the_same_fault_is_told_once_and_not_tried_for_all_models(place):
    place.use("Install the extra `web`: pip install 'ludus[web]'.")
    found, news = run(place)
    assert news == [
        f"{place.models[0].path}: visitors' browsers get no engine of this model: "
        "Install the extra `web`: pip install 'ludus[web]'."
    ]
    assert found.of("connect4", "standard", 7, 6) is None
    assert not [*(place.cache / "engines").iterdir()]


def test_old_exports_are_forgotten(place, monkeypatch):
    monkeypatch.setattr(engines, "MOST_KEPT", 3)
    old = place.cache / "engines" / "old"
    for name in ("a", "b"):
        (old.with_name(name)).mkdir(parents=True)
    run(place)
    kept = {path.name for path in (place.cache / "engines").iterdir()}
    assert kept >= {export_key(model) for model in place.models}
    assert len(kept) == 3
