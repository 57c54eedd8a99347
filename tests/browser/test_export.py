"""A model as a folder for browsers: whole, cacheable, and without what is private."""

import base64
import hashlib

import msgspec
import pytest

import ludus
from ludus.browser import module
from ludus.browser.export import MANIFEST, export
from ludus.cli import main
from ludus.errors import BadGame, Unavailable
from ludus.kernel.webassembly.module import check_tools, linker
from ludus.network.checkpoint import FILE, save_checkpoint


@pytest.fixture
def ludus_command(monkeypatch, capsys):
    """Return what runs a command and returns its exit code and output."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["ludus", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code or 0, capsys.readouterr()

    return run


@pytest.fixture
def model(own, flat_model, tmp_path):
    """Return the folder of a small model of a user's own game."""
    (tmp_path / "model").mkdir()
    save_checkpoint(tmp_path / "model" / FILE, flat_model(own.name))
    return tmp_path / "model"


def test_a_model_is_exported_as_a_whole(ludus_command, model, own, tmp_path):
    out = tmp_path / "web"
    assert ludus_command("export", model, out, "--format", "web", "--licence", "MIT")[0] == 0
    made = msgspec.json.decode((out / MANIFEST).read_bytes())
    assert [made["model"][name] for name in ("name", "generation", "licence", "card")] == ["tiny", 3, "MIT", ""]
    [part] = made["games"]
    assert (part["spec"], part["planes"], part["actions"]) == ("stones.py", [1, 1, 3], 3)
    assert str(tmp_path) not in (out / MANIFEST).read_text()  # where files were is private
    for name in (part["module"], made["network"]["file"]):
        assert name.startswith(hashlib.sha256((out / name).read_bytes()).hexdigest()[:16])


def test_a_board_is_exported_with_the_rules_that_sites_play(flat_model, monkeypatch, tmp_path):
    monkeypatch.setattr("ludus.browser.manifest.module_of", lambda _game: b"\0asm")
    spec = "wallgame:classic:5x5"
    [part] = export(tmp_path, flat_model(spec), [ludus.game(spec)], tmp_path / "web", licence="").games
    assert part.spec == spec
    start = base64.b64decode(part.start)
    assert start == ludus.game(f"{spec}:short").start_state().tobytes()  # a move may have one action
    assert start != ludus.game(spec).start_state().tobytes()


def test_a_folder_of_another_model_is_kept(ludus_command, model, tmp_path):
    out = tmp_path / "web"
    out.mkdir()
    (out / MANIFEST).write_text('{"model": {"name": "other"}}')
    code, said = ludus_command("export", model, out, "--format", "web")
    assert code != 0
    assert "has a manifest of the model other; choose another folder." in " ".join(said.err.split())


def test_a_missing_linker_is_named_with_its_remedy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(Unavailable, match=r"need an extra, which has the linker: .*ludus\[web\]"):
        linker()


def test_what_the_compiling_process_says_is_the_error(own, monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "PLAIN", {"PYTHONPATH": str(tmp_path)})  # there, the package `ludus` only fails
    (tmp_path / "ludus" / "browser").mkdir(parents=True)
    (tmp_path / "ludus" / "__init__.py").touch()
    (tmp_path / "ludus" / "browser" / "__init__.py").touch()
    fails = f'import sys\nprint("stones: rule legal() does not compile.", file=sys.stderr)\nsys.exit({module.RULES})'
    (tmp_path / "ludus" / "browser" / "module.py").write_text(fails)
    with pytest.raises(BadGame, match=r"^stones: rule legal\(\) does not compile\.$"):
        module.module_of(own)


def test_another_version_of_the_compiler_is_refused(monkeypatch):
    monkeypatch.setattr("numba.__version__", "0.99.0")
    with pytest.raises(Unavailable, match=r"need numba 0\.68, and this is 0\.99\.0: run .*'numba==0\.68\.\*'"):
        check_tools()
