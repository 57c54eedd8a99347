"""Engines that browsers can run: which boards they play, how the site lists them, and how it serves their files."""

import json

import httpx
import pytest

from ludus.errors import BadModel
from ludus.site.catalogue.engines import MANIFEST, DeviceEngines

SPECS = ("wallgame:standard:5x5@6x6:ways", "wallgame:standard:6x6:ways", "connect4:ahead", "go:9x9:chinese:liberties")


def exported(folder, name="tiny", specs=SPECS):
    """Write a folder as `ludus export` does, as far as the site reads it."""
    folder.mkdir()
    manifest = {"format": 1, "model": {"name": name, "generation": 3}, "games": [{"spec": spec} for spec in specs]}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    (folder / "connect4-0a1b.wasm").write_bytes(b"\0asm")
    (folder / "network-2c3d.onnx").write_bytes(b"onnx")
    return folder


def test_an_engine_is_found_by_its_board_and_the_first_one_of_a_board_stays(tmp_path):
    engines = DeviceEngines()
    engines.add(exported(tmp_path / "aa"))
    engines.add(exported(tmp_path / "bb", "other", ("connect4", "tictactoe")))
    small = engines.of("wallgame", "standard", 5, 5)
    assert small == ("tiny", "wallgame:standard:5x5@6x6:ways", "/engines/aa/manifest.json")
    assert engines.of("wallgame", "standard", 6, 6).spec == "wallgame:standard:6x6:ways"
    assert engines.of("wallgame", "classic", 5, 5) is None
    assert engines.of("go", "chinese", 9, 9).name == "tiny"
    assert engines.of("connect4", "standard", 7, 6).name == "tiny"
    assert engines.of("tictactoe", "standard", 3, 3).manifest == "/engines/bb/manifest.json"
    assert engines.of("connect4", "standard", 7, 6, "other").spec == "connect4"
    assert engines.of("connect4", "standard", 7, 6, "nobody") is None


def test_games_that_the_site_does_not_have_are_left_out(tmp_path):
    engines = DeviceEngines()
    engines.add(exported(tmp_path / "aa", specs=("wallgame:standard:nowhere", "nothing", "tictactoe")))
    assert engines.of("tictactoe", "standard", 3, 3)
    assert engines.of("nothing", "standard", 3, 3) is None


@pytest.mark.parametrize("text", ["", "{}", '{"format": 2, "model": {"name": "x"}, "games": []}', "[1]", "\xff"])
def test_a_damaged_manifest_is_refused(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text, encoding="latin-1")
    with pytest.raises(BadModel, match="export the model again"):
        DeviceEngines().add(tmp_path)
    with pytest.raises(BadModel, match="cannot be read"):
        DeviceEngines().add(tmp_path / "missing")


def test_the_catalogue_names_the_engine_of_a_board_as_soon_as_it_is_there(at_site, tmp_path):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address, timeout=300) as http:

            async def engine_of(spec):
                games = (await http.get("/api/catalogue")).json()["games"]
                return next(game["engine"] for game in games if game["spec"] == spec)

            assert await engine_of("connect4") == ""
            site.engines.add(exported(tmp_path / "aa"))
            assert await engine_of("connect4") == "/engines/aa/manifest.json"
            assert await engine_of("tictactoe") == ""

    at_site(scenario)


def test_files_of_engines_are_kept_and_nothing_else_is_served(at_site, tmp_path):
    (tmp_path / "secret.json").write_text("{}")

    async def scenario(address, site):
        folder = exported(tmp_path / "aa")
        (folder / "notes.txt").write_text("")
        (folder / "deeper.json").mkdir()
        site.engines.add(folder)
        async with httpx.AsyncClient(base_url=address, timeout=300) as http:
            types = {MANIFEST: "application/json", "connect4-0a1b.wasm": "application/wasm"}
            types |= {"network-2c3d.onnx": "application/octet-stream"}
            for name, kind in types.items():
                found = await http.get(f"/engines/aa/{name}")
                assert (found.status_code, found.headers["content-type"]) == (200, kind)
                assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
                assert found.content == (folder / name).read_bytes()
            names = ["notes.txt", "deeper.json", "missing.wasm", "..%2Fsecret.json", "%2E%2E%2Fsecret.json", "..json"]
            for path in [*(f"aa/{name}" for name in names), "bb/manifest.json", "../secret.json", ".%2E/secret.json"]:
                assert (await http.get(f"/engines/{path}")).status_code in {404, 307}, path

    at_site(scenario)
