"""Packages offer what they say that they offer, and have their place in the tour."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import ludus

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    found.name for found in pkgutil.walk_packages(ludus.__path__, "ludus.") if not found.name.endswith("__main__")
)
PACKAGES = sorted(found.name for found in pkgutil.iter_modules(ludus.__path__) if found.name != "__main__")
TOUR = ROOT / "docs/tour.md"


@pytest.mark.parametrize("name", ["ludus", *MODULES])
def test_a_module_offers_exactly_what_it_names(name):
    module = importlib.import_module(name)
    offered = getattr(module, "__all__", None)
    if offered is None:
        return
    assert sorted(set(offered)) == sorted(offered), "named twice"
    missing = [thing for thing in offered if not hasattr(module, thing)]
    assert not missing, "named, but not there"
    hidden = public_names(module) - set(offered)
    assert not hidden, "public, but not named"


def public_names(module) -> set[str]:
    """Return what the module defines or, if it is nothing but a package's face, imports for others."""
    tree = ast.parse(Path(module.__file__).read_text())
    if not any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) for node in tree.body):
        imported = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom)
                    if (node.module or "").startswith("ludus") for alias in node.names}  # fmt: skip
        return {name for name in imported if not name.startswith("_")}
    return {
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isfunction(thing))
        and thing.__module__ == module.__name__
    }


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_has_its_place_in_the_tour(name):
    assert re.search(rf"\b{name}\b", TOUR.read_text()), f"docs/tour.md does not mention {name}"


def test_every_file_and_folder_that_the_tour_names_is_there():
    named = re.findall(r"`([\w./-]+(?:\.py|\.tsx?|/))`", TOUR.read_text())
    assert len(named) > 50, "the tour names files"
    folders = [
        ROOT / name for name in ("src", "web", "bench", "docs", "examples", "models", "presets", "tests", "tools")
    ]
    there = [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for each in folders for path in walk(each)]
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in there)]
    assert not missing, f"docs/tour.md names what is not there: {missing}"


def walk(folder: Path) -> list[Path]:
    """Return a folder and all that is in it, but for what others have built."""
    inside = [path for path in folder.iterdir() if path.name not in ("node_modules", "__pycache__")]
    return [folder, *(found for path in inside for found in (walk(path) if path.is_dir() else [path]))]
