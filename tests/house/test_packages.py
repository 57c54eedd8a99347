"""Packages export exactly what `__all__` lists, and the tour mentions every package."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import ludus

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    found.name for found in pkgutil.walk_packages(ludus.__path__, "ludus.") if not found.name.endswith("__main__")
)
PACKAGES = sorted(found.name for found in pkgutil.iter_modules(ludus.__path__) if found.name != "__main__")
TOUR = ROOT / "docs/explanation/tour.md"


def test_a_module_exports_exactly_the_names_in_all(tree_of):
    modules = [importlib.import_module(name) for name in ["ludus", *MODULES]]
    naming = [module for module in modules if hasattr(module, "__all__")]
    assert len(naming) > 10, "packages have __all__"
    found = [complaint for module in naming for complaint in wrongly_offered(module, tree_of(Path(module.__file__)))]
    assert not found, "\n".join(found)


def wrongly_offered(module: ModuleType, tree: ast.Module) -> list[str]:
    """Return the errors in a module's `__all__`."""
    offered = module.__all__
    return [
        *(f"{module.__name__}: {name} is listed twice" for name in set(offered) if offered.count(name) > 1),
        *(f"{module.__name__}: {name} is listed, but does not exist" for name in offered if not hasattr(module, name)),
        *(f"{module.__name__}: {name} is public, but not listed" for name in public_names(module, tree) - {*offered}),
    ]


def public_names(module: ModuleType, tree: ast.Module) -> set[str]:
    """Return the names that a module defines or, if it is only a package's interface, re-exports."""
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


def test_a_package_has_its_place_in_the_tour():
    text = TOUR.read_text()
    missing = [name for name in PACKAGES if not re.search(rf"\b{name}\b", text)]
    assert not missing, f"docs/explanation/tour.md does not mention {missing}"


def test_every_file_and_folder_that_the_tour_names_is_there():
    named = re.findall(r"`([\w./-]+(?:\.py|\.tsx?|/))`", TOUR.read_text())
    assert len(named) > 50, "the tour names files"
    folders = [
        ROOT / name for name in ("src", "web", "bench", "docs", "examples", "models", "presets", "tests", "tools")
    ]
    there = [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for each in folders for path in walk(each)]
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in there)]
    assert not missing, f"docs/explanation/tour.md names files that do not exist: {missing}"


def walk(folder: Path) -> list[Path]:
    """Return a folder and everything in it, except build output."""
    inside = [path for path in folder.iterdir() if path.name not in ("node_modules", "__pycache__")]
    return [folder, *(found for path in inside for found in (walk(path) if path.is_dir() else [path]))]
