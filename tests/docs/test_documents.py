"""Every example with `>>>` in the README and the documents runs, and every link between them leads somewhere."""

import doctest
import os
import re
from pathlib import Path

import pytest

from ludus.bot.config import parse_bots
from ludus.loop.changes import MAY_CHANGE

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("models/*/*.md")])
EXAMPLES = [path for path in DOCUMENTS if ">>> " in path.read_text()]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", EXAMPLES, ids=_name)
def test_examples_in_documents_run(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, attempted = doctest.testfile(str(path), module_relative=False, optionflags=flags)
    assert attempted > 0
    assert failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_links_between_documents_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text())
    broken = [link for link in links if "://" not in link and not os.path.exists(path.parent / link)]  # noqa: PTH110
    assert broken == []


def test_every_page_is_found_by_links_from_the_readme():
    found, unread = set(), [ROOT / "README.md"]
    while unread:
        page = unread.pop()
        if page not in found:
            found.add(page)
            links = re.findall(r"\]\(([^)#]+\.md)(?:#[^)]*)?\)", page.read_text())
            unread += [(page.parent / link).resolve() for link in links if "://" not in link]
    assert sorted(_name(page) for page in ROOT.glob("docs/**/*.md") if page not in found) == []


def test_the_readme_is_the_first_example():
    assert ROOT / "README.md" in EXAMPLES


def test_the_bots_file_of_the_documents_can_be_read():
    text = (ROOT / "docs" / "how-to-serve.md").read_text()
    block = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert block
    file = parse_bots(block[1].encode(), "how-to-serve.md", toml=True)
    assert [bot.bot_id for bot in file.bots] == ["wally"]


def test_every_shipped_preset_is_in_the_table():
    text = (ROOT / "docs" / "how-to-train.md").read_text()
    missing = [path.stem for path in ROOT.glob("presets/*.toml") if f"| `{path.stem}` |" not in text]
    assert missing == []


def test_every_setting_that_may_change_is_named():
    text = (ROOT / "docs" / "how-to-train.md").read_text()
    named = re.search(r"these settings may change.*?Any other one", text, re.DOTALL)
    assert named
    words = set(re.findall(r"`(.*?)`", named[0]))
    tables = {f"{table}.{name}" for table in ("match", "gate") for name in words}
    assert [setting for setting in MAY_CHANGE if setting not in words | tables] == []
    assert len(MAY_CHANGE) == len(words) - len({"[match]", "[gate]"}), "names more than may change"


def test_every_picture_is_shown_by_a_document():
    shown = {
        (path.parent / link).resolve()
        for path in DOCUMENTS
        for link in re.findall(r"!\[.*?\]\((.*?)\)", path.read_text())
    }
    pictures = [path for path in ROOT.glob("docs/images/*") if path.resolve() not in shown]
    assert pictures == []
    assert all(path.stat().st_size < 160_000 for path in ROOT.glob("docs/images/*")), "a picture is at most 160 kB"
