"""The documentation site is built without a warning, needs nothing from elsewhere, and has every document."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.games import BUILT_IN

ROOT = Path(__file__).parents[2]
PLAIN = {"NO_COLOR": "1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Return the folder of the built site; a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("documentation")
    command = [sys.executable, "tools/docs_site.py", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | PLAIN)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "docs"


def test_no_page_loads_anything_from_elsewhere(site):
    loading = re.compile(
        r"<(?:script|img|iframe|source)[^>]+src=[\"']?(https?:|//)|<link[^>]+(?:stylesheet|icon|preload)[^>]+href=[\"']?(https?:|//)"
    )
    assert [path.name for path in site.rglob("*.html") if loading.search(path.read_text())] == []
    styles = [
        path for path in site.rglob("*.css") if re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", path.read_text())
    ]
    assert styles == []


def test_every_document_is_a_page_of_the_site(site):
    documents = [*ROOT.glob("docs/**/*.md"), *(ROOT / name for name in ("GLOSSARY.md", "CHANGELOG.md"))]
    for path in documents:
        place = path.relative_to(ROOT / "docs") if path.is_relative_to(ROOT / "docs") else Path("project", path.name)
        name = place.with_name("index") if place.name == "README.md" else place
        assert (site / name).with_suffix(".html").is_file(), path


def test_every_name_of_the_package_is_described(site):
    text = (site / "reference/python.html").read_text()
    missing = [name for name in ludus.__all__ if callable(getattr(ludus, name)) and f'id="ludus.{name}"' not in text]
    assert missing == []


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_page_with_pictures(site, game):
    text = (site / f"games/{game}.html").read_text()
    pictures = re.findall(r'src="([^"]+\.svg)"', text)
    assert pictures
    assert all((site / "games" / name).is_file() for name in pictures)


def test_the_search_finds_words_of_documents_and_of_docstrings(site):
    texts: dict[str, str] = {}
    for entry in json.loads((site / "search.json").read_text())["items"]:
        page = entry["location"].split("#")[0]
        texts[page] = f"{texts.get(page, '')} {entry['title']} {entry['text']}"
    assert "Breakthrough" in texts["tutorial/own-game.html"]
    assert "half the width of its 95 % interval" in texts["reference/python.html"]
    assert "project/examples/breakthrough.py.html" not in texts, "sources would hide what is written about them"


def test_inner_lists_and_tables_are_understood(site):
    tour = (site / "explanation/tour.html").read_text()
    assert len(re.findall(r"<li>[^<]*(?:<(?!ul|li)[^>]*>[^<]*)*<ul>", tour)) >= 3, "lists within lists"
    assert "| part | type |" not in (site / "reference/game.html").read_text()


def test_sources_that_documents_link_to_are_pages(site):
    assert "def legal" in re.sub(r"<[^>]+>", "", (site / "project/examples/breakthrough.py.html").read_text())
