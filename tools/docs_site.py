"""Builds the documentation site into FOLDER/docs: `python tools/docs_site.py [FOLDER]` (default: build).

Needs the extra `docs`.

The documents are read as they are in the checkout, and written into a folder for the generator, Zensical:

- The navigation follows docs/README.md.
- Links out of docs/ lead to pages of the site: documents of the checkout, and the text of source files.
- Lists are written for Python's Markdown, which wants four blanks for an inner list, and an empty line before a list.
- docs/reference/python.md is followed by the docstrings of the names that it lists.
- Each built-in game has a page (tools/docs_games.py).

A link that leads nowhere is an error.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

import yaml
from docs_games import game_pages

import ludus

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ("README.md", "GLOSSARY.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""The documents at the top of the checkout, in the order of the navigation."""
API = "docs/reference/python.md"
RESULTS = {"match": "ludus.arena.summary.MatchResult", "train": "ludus.loop.directory.lines.GenerationMetrics"}
"""What functions return that has no name under `ludus`."""
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".yaml": "yaml", ".service": "ini"}
LARGEST = 100_000  # bytes of a source file with a page
LINK = re.compile(r"(?<=\]\()([^)\s#]+)((?:#[^)\s]*)?)(?=\))")
STYLE = ".md-typeset td:first-child code { white-space: nowrap; }\n"
FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2[ ]*$", re.DOTALL | re.MULTILINE)


def main(build: Path) -> int:
    """Write the documents and the settings of the generator into a folder, and run it there."""
    folder, site = build / "documents", build / "docs"
    for old in (folder, site):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.md", "*.toml"))
    for name, text in [*documents().items(), *game_pages().items(), ("site.css", STYLE)]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    look = (ROOT / "tools/docs_site.yml").read_text(encoding="utf-8").replace("SOURCE", str(ROOT / "src"))
    pages = yaml.safe_dump({"docs_dir": "documents", "site_dir": "docs", "nav": navigation()}, sort_keys=False)
    (build / "mkdocs.yml").write_text(f"{look}\n{pages}", encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", "mkdocs.yml"]
    return subprocess.run(command, cwd=build, check=False).returncode


def documents() -> dict[str, str]:
    """Return the text of every page by its path in the site: all documents, and the sources that they link to."""
    waiting = [*PROJECT, *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/**/*.md")))]
    seen, found = set(waiting), dict[str, str]()
    while waiting:
        path = waiting.pop()
        if path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            targets = links(text, path)
            found[place(path)] = page(text, path)
        else:
            targets = inside(path) if (ROOT / path).is_dir() else []
            found[place(path)] = source_page(path)
        new = {target for target in targets if is_page(target)} - seen
        seen |= new
        waiting += sorted(new)
    return found


def page(text: str, path: str) -> str:
    """Return a document with links of the site, and with lists that Python's Markdown understands."""

    def lead(found: re.Match[str]) -> str:
        target = normpath(f"{PurePosixPath(path).parent}/{found[1]}")
        if "://" in found[1] or not (ROOT / target).exists():
            return found[0]
        return relpath(place(target), str(PurePosixPath(place(path)).parent)) + found[2]

    text = outside_code(text, lambda part: literal(lists(LINK.sub(lead, part))))
    return f"{text}\n{docstrings(text)}" if path == API else text


def navigation() -> list[Any]:
    """Return the navigation: the sections of docs/README.md, the games, and the documents at the top."""
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    nav: list[Any] = [{"Overview": "index.md"}]
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        nav.append({title.strip(): [*entries(body)]})
    games = [{heading(text): name} for name, text in game_pages().items() if name.endswith(".md")]
    top = [{heading((ROOT / path).read_text(encoding="utf-8")): place(path)} for path in PROJECT]
    return [*nav, {"Games": games}, {"Project": top}]


def entries(body: str) -> Iterator[Any]:
    """Yield the entries of a section: a page, a group of pages, or a folder's index with its pages."""
    for item in re.split(r"^- ", body, flags=re.MULTILINE)[1:]:
        text = " ".join(item.split())
        group = re.match(r"([A-Z][^\[:]*): \[", text)
        told = text if group else text.partition("): ")[0] + ")"
        pages = [entry(path) for path in links(told, "docs/README.md") if path.startswith("docs/")]
        yield from [{group[1]: pages}] if group else pages


def entry(path: str) -> dict[str, Any]:
    """Return the entry of a document; that of an index contains the other pages of its folder."""
    title = heading((ROOT / path).read_text(encoding="utf-8"))
    if not path.endswith("/README.md"):
        return {title: place(path)}
    others = sorted((ROOT / path).parent.glob("*.md"))
    pages = [entry(each.relative_to(ROOT).as_posix()) for each in others if each.name != "README.md"]
    return {title: [place(path), *pages]}


def heading(text: str) -> str:
    """Return the heading of a document as plain text."""
    return re.sub(r"[`*]", "", text.partition("\n")[0].removeprefix("# "))


def links(text: str, path: str) -> list[str]:
    """Return the paths in the checkout to which the links of a document lead."""
    found: list[str] = []
    outside_code(text, lambda part: LINK.sub(lambda link: found.append(link[1]) or "", part))
    return [normpath(f"{PurePosixPath(path).parent}/{to}") for to in found if "://" not in to]


def is_page(path: str) -> bool:
    """Return whether a path of the checkout has a page: a document, a source file, or a folder of them."""
    file = ROOT / path
    if file.is_file():
        is_source = not path.startswith("docs/") or file.suffix == ".toml"  # others in docs/ are copied
        return file.suffix == ".md" or (is_source and file.stat().st_size < LARGEST)
    return file.is_dir() and not path.startswith("docs/")


def place(path: str) -> str:
    """Return the path in the site of a file or folder of the checkout."""
    name = path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path}"
    if path.endswith(".md"):
        return re.sub(r"(^|/)README\.md$", r"\1index.md", name)
    if not is_page(path):
        return name
    return f"{name}/index.md" if (ROOT / path).is_dir() else f"{name}.md"


def inside(path: str) -> list[str]:
    """Return what the page of a folder lists: its documents and sources, else the documents of its folders."""
    listed = subprocess.run(["git", "ls-files", path], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.splitlines() if PurePosixPath(name).suffix in (".md", *LANGUAGES)]
    direct = [name for name in names if PurePosixPath(name).parent == PurePosixPath(path)]
    return direct or [name for name in names if name.endswith("/README.md")]


def source_page(path: str) -> str:
    """Return the page of a source file, or of a folder; the search leaves it out."""
    head = f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n"
    if (ROOT / path).is_dir():
        folder = str(PurePosixPath(place(path)).parent)
        return head + "".join(f"- [{name}]({relpath(place(name), folder)})\n" for name in inside(path))
    text = (ROOT / path).read_text(encoding="utf-8")
    return f"{head}````{LANGUAGES.get(PurePosixPath(path).suffix, 'text')}\n{text.rstrip()}\n````\n"


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text whose parts outside of fenced code are changed."""
    parts: list[str] = []
    end = 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def lists(text: str) -> str:
    """Return a text with four blanks for each level of a list, and an empty line before each list."""
    deeper = re.sub(r"^( +)(?=\S)", lambda blanks: 2 * blanks[1], text, flags=re.MULTILINE)
    return re.sub(r"^(?!- |\d+\. |[ |#\n])(.+)\n(?=- |1\. )", r"\1\n\n", deeper, flags=re.MULTILINE)


def literal(text: str) -> str:
    """Return a text in which `[A][B]`, as in the options of a command, is no reference."""
    return re.sub(r"(`[^`\n]*`)|\]\[", lambda found: found[1] or r"]\[", text)


def docstrings(text: str) -> str:
    """Return the blocks that mkdocstrings replaces by the docstrings of the names in a page's tables."""
    names = [name for name in dict.fromkeys(re.findall(r"`ludus\.(\w+)`", text)) if name in ludus.__all__]
    shown = [name for name in names if callable(getattr(ludus, name))]
    blocks = [[f"::: ludus.{name}\n", *([f"::: {RESULTS[name]}\n"] if name in RESULTS else [])] for name in shown]
    return "\n".join(["## Docstrings", "", *(block for each in blocks for block in each)])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build"))
