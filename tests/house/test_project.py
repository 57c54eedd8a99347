"""The files around the source are consistent: version, changelog, dependencies, glossary, commands."""

import ast
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import ludus

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def dependencies() -> list[str]:
    extras = PROJECT["project"]["optional-dependencies"].values()
    return [*PROJECT["project"]["dependencies"], *(line for extra in extras for line in extra)]


def test_a_dependency_has_a_range_and_an_exact_version():
    bounded = {
        each: re.fullmatch(r"([\w.-]+)(\[[\w,]+\])?>=[\d.]+(,.*)?(; sys_platform == '\w+')?", each)
        for each in dependencies()
    }
    assert [each for each, found in bounded.items() if not found] == [], "no lower bound"
    pinned = {canonical(name) for name in PINS}
    assert [each for each, found in bounded.items() if canonical(found[1]) not in pinned] == [], (
        "not in constraints.txt"
    )


OTHER_NAMES = {"argon2": "argon2-cffi", "grpc": "tritonclient"}  # distributions with other names than their packages


def test_every_imported_package_is_declared(tree_of):
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["project"]["dependencies"], *(each for name in extras if name != "test" for each in extras[name])]
    declared = {canonical(re.split(r"[\[>]", line)[0]) for line in lines}
    imported = {name for path in (ROOT / "src").rglob("*.py") for name in imports(tree_of(path))}
    foreign = imported - sys.stdlib_module_names - {"ludus"}
    assert {"torch", "grpc", "starlette"} <= foreign, "the imports were not understood"
    assert {canonical(OTHER_NAMES.get(name, name)) for name in foreign} <= declared


def imports(tree: ast.Module) -> set[str]:
    """Return the packages that a file imports, including imports by name at run time."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return {name.split(".")[0] for name in names}


def test_constraints_are_exact_and_free_of_local_builds():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\d.]+\w*", line) for line in lines)
    assert lines == sorted(lines, key=str.lower)


def test_changelog_and_citation_have_the_version():
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading
    assert heading[1] == ludus.__version__ == PROJECT["project"]["version"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited
    assert cited[1] == ludus.__version__


def test_the_makefile_is_short_and_runs_every_check():
    makefile = (ROOT / "Makefile").read_text()
    assert len(makefile.splitlines()) <= 40
    for check in ("ruff format --check", "ruff check", "basedpyright", "lint-imports", "pytest"):
        assert check in makefile
    assert "make test" in (ROOT / ".ci/run").read_text()


def test_decisions_are_numbered_without_gaps():
    folder = ROOT / "docs/explanation/decisions"
    names = sorted(path.name for path in folder.glob("*.md") if path.name != "README.md")
    listed = re.findall(r"^(\d+)\. \[(.+)\]\((.+)\)$", (folder / "README.md").read_text(), re.MULTILINE)
    titles = [(folder / name).read_text().splitlines()[0] for name in names]
    assert [(f"# {number}. {title}", name) for number, title, name in listed] == [*zip(titles, names, strict=True)]
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


# ---- the glossary ----------------------------------------------------------------------------------------------------


def glossary() -> list[tuple[str, list[str]]]:
    """Return the words of the glossary, each with the words that must not be used instead."""
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| .+? \| (.*?) ?\|$", (ROOT / "GLOSSARY.md").read_text(), re.MULTILINE)
    return [(word, [wrong.strip() for wrong in wrongs.split(",") if wrong.strip()]) for word, wrongs in rows]


def test_the_glossary_has_each_word_once():
    words = Counter(word for word, _ in glossary())
    assert [word for word, count in words.items() if count > 1] == []


OF_OTHER_THINGS = {"env", "environment", "padding", "tutorial"}  # a process's, a record's, our documents': not in src


def test_no_identifier_uses_a_word_that_the_glossary_forbids(tree_of):
    forbidden = {wrong.replace(" ", "_"): word for word, wrongs in glossary() for wrong in wrongs}
    assert len(forbidden) > 10, "the glossary's table was not understood"
    in_source = re.compile(rf"(?:^|_)({'|'.join(forbidden)})s?(?:_|$)")
    elsewhere = re.compile(rf"(?:^|_)({'|'.join(forbidden.keys() - OF_OTHER_THINGS)})s?(?:_|$)")
    found = [
        f"{path.relative_to(ROOT)}: {name} says {wrong[1]!r}; the glossary's word is {forbidden[wrong[1]]!r}"
        for folder in ("src", "tests", "bench", "tools", "examples")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.is_relative_to(ROOT / "bench/peers")  # they use the words of other programs
        for name in sorted(identifiers(tree_of(path)))
        if (wrong := (in_source if folder == "src" else elsewhere).search(name.lower()))
    ]
    assert not found, "\n".join(found)


def test_identifiers_are_found_wherever_they_are_defined():
    text = "class OneTwo:\n    def three(self, four):\n        self.five = six = seven\n"
    assert identifiers(ast.parse(text)) == {"One_Two", "three", "self", "four", "five", "six"}


def identifiers(tree: ast.Module) -> set[str]:
    """Return the names of the functions, classes, arguments, variables and attributes that a file defines."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name))
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names
