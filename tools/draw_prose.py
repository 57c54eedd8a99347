"""Draws a random sample of prose for a review by a new reader: docstrings, errors and pages of documentation.

python tools/draw_prose.py [SEED]     the same seed and tree give the same sample; without a seed, one is drawn
"""

import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCSTRINGS, ERRORS, PAGES = 50, 20, 5
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> None:
    """Print the seed and the sample, each text with its location."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(10**6)
    draw = random.Random(seed)
    trees = {path: ast.parse(path.read_text()) for path in sorted((ROOT / "src").rglob("*.py"))}
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    print(f"seed {seed}")
    for title, texts, count in (
        ("Docstrings", [text for path, tree in trees.items() for text in docstrings(path, tree)], DOCSTRINGS),
        ("Errors", [text for path, tree in trees.items() for text in errors(path, tree)], ERRORS),
        ("Pages", [str(path.relative_to(ROOT)) for path in pages], PAGES),
    ):
        print(f"\n== {title}: {count} of {len(texts)}")
        for number, text in enumerate(draw.sample(texts, count), 1):
            print(f"\n{number}. {text}")


def docstrings(path: Path, tree: ast.Module) -> Iterator[str]:
    """Yield each docstring of a file with its location and name."""
    for node in ast.walk(tree):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text:
            yield f"{place(path, node)} {getattr(node, 'name', '(file)')}\n{text}"


def errors(path: Path, tree: ast.Module) -> Iterator[str]:
    """Yield the source of each error that a file raises with a message."""
    for node in ast.walk(tree):
        call = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(call, ast.Call) and any(isinstance(part, ast.Constant) and part.value for part in ast.walk(call)):
            yield f"{place(path, node)}\n{ast.unparse(call)}"


def place(path: Path, node: ast.AST) -> str:
    """Return the location of a node."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


if __name__ == "__main__":
    main()
