"""Checks of prose: excluded words, and imperative first lines of docstrings.

Ruff's D401 refuses verbs in other forms; tests/docs checks the length of sentences.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXCLUDED = ("whoever", "whomever", "anew", "thereof", "therein", "wherein", "hitherto", "for ever", "put away")
# a docstring that begins with one of these describes a circumstance; an imperative says what the function does
NO_VERB = re.compile(
    r"(?:a|an|the|this|that|these|those|its|it|they|one|no|all|every|each|any|what|who|whether|where|when|how|if|as"
    r"|of|in|on|at|for|from|by|with)\b",
    re.IGNORECASE,
)


def python_files(*folders: str) -> list[Path]:
    """Return the Python files of folders, except this one, which names the words."""
    return [path for each in folders for path in sorted((ROOT / each).rglob("*.py")) if path != Path(__file__)]


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def prose_of(path: Path) -> list[tuple[int, str]]:
    """Return the comments and strings of a Python file, or the lines of another file, each with its line number."""
    if path.suffix != ".py":
        return [*enumerate(path.read_text().splitlines(), 1)]
    kinds = {tokenize.COMMENT, tokenize.STRING}
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
    return [(token.start[0], token.string) for token in tokens if token.type in kinds]


def test_no_text_uses_an_excluded_word():
    wrong = re.compile(rf"\b({'|'.join(EXCLUDED)})\b", re.IGNORECASE)
    page = [path for kind in ("*.ts", "*.tsx") for path in sorted((ROOT / "web/src").rglob(kind))]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in [*python_files("src", "tests", "bench", "tools", "examples"), *pages(), *page]
        for line, text in prose_of(path)
        for word in wrong.findall(text)
    ]
    assert not found, "\n".join(found)


def test_the_docstring_of_a_function_begins_with_an_imperative(tree_of):
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {text.splitlines()[0]}"
        for path in python_files("src", "bench", "tools", "examples")
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (text := ast.get_docstring(node))
        if not any(ast.unparse(each).endswith("property") for each in node.decorator_list)
        if NO_VERB.match(text)
    ]
    assert not found, "\n".join(found)
