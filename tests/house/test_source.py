"""The source keeps the house's order: one idea a file, said in its first sentence, small, and named for what it is."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "tools", "bench", "examples", "docs", "presets", "web", ".ci", "models")
NOT_OURS = {"node_modules", "__pycache__", "dist"}  # built or fetched, never committed, as is the page
PAGE = ROOT / "src/ludus/site/page"
MAX_LINES = 400


def files(*suffixes: str, folders=FOLDERS) -> list[Path]:
    """Return our text files, those of the root included."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")] + list(ROOT.iterdir())
    return sorted(
        path
        for path in found
        if path.is_file()
        and path.suffix in suffixes
        and not NOT_OURS & set(path.relative_to(ROOT).parts)
        and not path.is_relative_to(PAGE)
    )


def named(paths):
    return pytest.mark.parametrize("path", paths, ids=[path.relative_to(ROOT).as_posix() for path in paths])


PYTHON = files(".py")
CODE = files(".py", ".ts", ".tsx", ".css", ".html")
TEXT = files(".py", ".ts", ".tsx", ".css", ".html", ".md", ".toml", ".txt", ".json", ".yml", ".npmrc", "")


@named(PYTHON)
def test_a_file_says_in_one_sentence_what_it_is(path):
    docstring = ast.get_docstring(ast.parse(path.read_text()))
    assert docstring, "no module docstring"
    first = docstring.split("\n\n")[0].replace("\n", " ")
    assert re.match(r".{10,}[.:?]", first), f"the docstring does not begin with a sentence: {first!r}"


@named([path for path in CODE if not path.name.endswith(".gen.ts")])  # what a tool writes, nobody has to read
def test_a_file_has_400_lines_at_most(path):
    assert len(path.read_text().splitlines()) <= MAX_LINES


@named(CODE)
def test_a_file_is_named_for_an_idea(path):
    assert not {"utils", "util", "helpers", "helper", "misc", "common"} & set(re.split(r"[/._]", path.as_posix()))


@named(TEXT)
def test_no_file_knows_the_machine_it_was_written_on(path):
    roots = "|".join(("work", "root", "opt", "Users", r"home/\w+"))  # in pieces, or this file would find itself
    private = rf"(?<![\w.}}])/(?:{roots})/|[A-Z]:\\\\|find[-]links|index[-]url|file[:]//"
    found = re.search(private, path.read_text())
    assert not found, f"names a place on one machine: {found and found[0]}"


@named([path for path in CODE if path != Path(__file__)])
def test_nothing_is_left_for_later(path):
    found = re.search(r"\b(TODO|FIXME|XXX|HACK)\b|pytest\.(mark\.)?skip|NotImplementedError", path.read_text())
    assert not found, f"{found and found[0]}: do it now, or leave it out"


@named(files(".py", folders=("tests",)))
def test_a_test_is_named_by_a_sentence(path):
    names = [node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    short = [name for name in names if name.startswith("test_") and len(name.split("_")) < 4]
    assert not short, "a sentence has three words or more"


ARRAY = re.compile(r"(NDArray\[[\w.]+\]|np\.ndarray)( \| None)?")


@named([path for path in PYTHON if path.is_relative_to(ROOT / "src")])
def test_an_array_in_a_struct_says_its_shape(path):
    found = shapeless(path.read_text())
    assert not found, "no `# [B, ...]`, and no shape in the docstring"


def shapeless(text: str) -> list[str]:
    """Return the fields of named tuples and structs that are arrays of nobody knows which shape."""
    found: list[str] = []
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef):
            continue
        if not {"NamedTuple", "Struct"} & {ast.unparse(base).split(".")[-1] for base in node.bases}:
            continue
        for field, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and ARRAY.fullmatch(ast.unparse(field.annotation)):
                docstring = ast.unparse(after) if isinstance(after, ast.Expr) else ""
                if "[" not in lines[field.end_lineno - 1].partition("#")[2] + docstring:
                    found.append(f"{node.name}.{ast.unparse(field.target)}")
    return found


def test_an_array_without_a_shape_is_found():
    text = """
class Each(NamedTuple):
    a: NDArray[np.uint8]  # [B]
    b: NDArray[np.uint8] | None = None
    c: np.ndarray
    'One for each of them [N].'
"""
    assert shapeless(text) == ["Each.b"]


def test_tests_mirror_the_source():
    source = {path.name for path in (ROOT / "src/ludus").iterdir()}
    apart = {"house", "golden", "parity", "page", "examples", "docs", "tools"}
    strange = [
        path.name
        for path in (ROOT / "tests").iterdir()
        if path.name.removeprefix("test_") not in source | apart | NOT_OURS | {"conftest.py"}
    ]
    assert not strange
