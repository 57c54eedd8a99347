"""Style rules for source files: one idea per file, a docstring that says what it contains, limited length, good names.

Each rule is one test, which lists all files that break it.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "tools", "bench", "examples", "docs", "presets", "web", ".ci", "models")
NOT_OURS = {".git", "node_modules", "__pycache__", "dist"}  # built or fetched, never committed
PAGE = ROOT / "src/ludus/site/page"
MAX_LINES = 400


def files(*suffixes: str, folders=FOLDERS) -> list[Path]:
    """Return the project's text files, including those in the root folder."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")] + list(ROOT.iterdir())
    return sorted(
        path
        for path in found
        if path.is_file()
        and path.suffix in suffixes
        and not NOT_OURS & set(path.relative_to(ROOT).parts)
        and not path.is_relative_to(PAGE)
    )


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


PYTHON = files(".py")
CODE = files(".py", ".ts", ".tsx", ".css", ".html")
TEXT = files(".py", ".ts", ".tsx", ".css", ".html", ".md", ".toml", ".txt", ".json", ".yml", ".npmrc", "")


def test_a_docstring_describes_each_file_in_its_first_sentence(tree_of):
    docstrings = {path: ast.get_docstring(tree_of(path)) or "" for path in PYTHON}
    first = {path: docstring.split("\n\n")[0].replace("\n", " ") for path, docstring in docstrings.items()}
    found = [f"{name(path)}: {said!r}" for path, said in first.items() if not re.match(r".{10,}[.:?]", said)]
    assert not found, "no docstring that starts with a sentence:\n" + "\n".join(found)


def test_a_file_has_400_lines_at_most():
    # generated files are not read by people
    read = [path for path in [*CODE, *files(".md")] if not path.name.endswith(".gen.ts")]
    lines = {path: len(path.read_text().splitlines()) for path in read}
    found = [f"{name(path)}: {count} lines" for path, count in lines.items() if count > MAX_LINES]
    assert not found, "\n".join(found)


def test_a_file_is_named_for_an_idea():
    vague = {"utils", "util", "helpers", "helper", "misc", "common"}
    found = [name(path) for path in CODE if vague & set(re.split(r"[/._]", name(path)))]
    assert not found, "\n".join(found)


def test_no_file_contains_a_path_of_one_machine():
    roots = "|".join(("work", "root", "opt", "Users", r"home/\w+"))  # split, so that this file does not match
    private = rf"(?<![\w.}}])/(?:{roots})/|[A-Z]:\\\\|find[-]links|index[-]url|file[:]//"
    found = [f"{name(path)}: {place[0]}" for path in TEXT for place in re.finditer(private, path.read_text())]
    assert not found, "paths of one machine:\n" + "\n".join(found)


def test_no_file_contains_a_todo():
    later = r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError"
    read = [path for path in CODE if path != Path(__file__)]
    found = [f"{name(path)}: {mark[0]}" for path in read for mark in re.finditer(later, path.read_text())]
    assert not found, "do it now, or leave it out:\n" + "\n".join(found)


TESTS = files(".py", folders=("tests",))


def test_a_test_name_has_three_words_or_more(tree_of):
    found = [
        f"{name(path)}: {node.name}"
        for path in TESTS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and len(node.name.split("_")) < 4
    ]
    assert not found, "a test name must be a sentence of at least three words:\n" + "\n".join(found)


def test_a_skipped_test_has_a_reason(tree_of):
    found = [f"{name(path)}:{line}" for path in TESTS for line in skips_without_reason(tree_of(path))]
    assert not found, "skipped without a reason:\n" + "\n".join(found)


def skips_without_reason(tree: ast.Module) -> list[int]:
    """Return the lines that skip a test without a reason."""
    reasons: dict[ast.AST, list[ast.expr]] = {
        node.func: [*node.args[:1], *(each.value for each in node.keywords if each.arg == "reason")]
        if ast.unparse(node.func) == "pytest.skip"
        else [each.value for each in node.keywords if each.arg == "reason"]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and re.fullmatch(r"pytest\.(mark\.)?skip(if)?", ast.unparse(node))
        if not any(len(ast.unparse(reason).split()) > 2 for reason in reasons.get(node, []))
    )


def test_a_skip_without_a_reason_is_found():
    text = """
pytest.skip()
pytest.skip("this machine has no GPU")
@pytest.mark.skip
@pytest.mark.skipif(True, reason="this machine has one processor")
@pytest.mark.skipif(True)
def test_nothing_at_all(): ...
"""
    assert skips_without_reason(ast.parse(text)) == [2, 4, 6]


ARRAY = re.compile(r"(NDArray\[[\w.]+\]|np\.ndarray)( \| None)?")


def test_an_array_in_a_struct_has_a_documented_shape(tree_of):
    source = [path for path in PYTHON if path.is_relative_to(ROOT / "src")]
    found = [f"{name(path)}: {field}" for path in source for field in shapeless(path.read_text(), tree_of(path))]
    assert not found, "no `# [B, ...]` comment, and no shape in the docstring:\n" + "\n".join(found)


def shapeless(text: str, tree: ast.Module) -> list[str]:
    """Return the array fields of named tuples and structs that have no documented shape."""
    found: list[str] = []
    lines = text.splitlines()
    for node in ast.walk(tree):
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
    assert shapeless(text, ast.parse(text)) == ["Each.b"]


def test_tests_mirror_the_source():
    source = {path.name for path in (ROOT / "src/ludus").iterdir()}
    apart = {"house", "golden", "parity", "page", "examples", "docs", "tools", "deploy"}
    strange = [
        path.name
        for path in (ROOT / "tests").iterdir()
        if path.name.removeprefix("test_") not in source | apart | NOT_OURS | {"conftest.py"}
    ]
    assert not strange
