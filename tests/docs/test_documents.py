"""Every example with `>>>` in the README and the documents runs, and every link between them leads somewhere."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.bot.config import parse_bots
from ludus.loop.directory.changes import MAY_CHANGE
from ludus.protocol.attach import read_attach
from ludus.protocol.registration import Attach
from ludus.site.settings import JudgeSettings, read_settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("models/*/*.md")])
COMMANDS = sorted(ROOT.glob("docs/reference/commands*.md"))
EXAMPLES = [path for path in DOCUMENTS if ">>> " in path.read_text()]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(name: str, kind: str) -> list[str]:
    """Return what stands in a document between fences of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / "docs" / name).read_text(), re.DOTALL)


def sections(path: Path) -> set[str]:
    """Return the names by which links lead to the headings of a document."""
    prose = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    headings = [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", each) for each in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)]
    return {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("path", EXAMPLES, ids=_name)
def test_examples_in_documents_run(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, attempted = doctest.testfile(str(path), module_relative=False, optionflags=flags)
    assert attempted > 0
    assert failed == 0


def test_links_between_documents_lead_somewhere():
    links = [(path, link) for path in DOCUMENTS for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text())]
    inside = [(path, link) for path, link in links if "://" not in link]
    broken = [f"{_name(path)}: {link}" for path, link in inside if not os.path.exists(path.parent / link)]  # noqa: PTH110
    assert not broken, "\n".join(broken)


def test_links_to_sections_lead_to_a_heading():
    found = r"\]\(([^):#]*)#([^)]+)\)"
    links = [(path, *link) for path in DOCUMENTS for link in re.findall(found, path.read_text())]
    assert links
    broken = [
        f"{_name(path)}: {page}#{section}"
        for path, page, section in links
        if section not in sections(path.parent / page if page else path)
    ]
    assert not broken, "\n".join(broken)


def test_commands_in_documents_have_the_options_that_they_are_given():
    chapters = re.findall(
        r"^## `(ludus [a-z0-9 -]+?) ?[\[A-Z`](.*?)(?=^## |\Z)",
        "".join(page.read_text() for page in COMMANDS),
        re.MULTILINE | re.DOTALL,
    )
    options = {command: set(re.findall(r"`(--[\w-]+)`", text)) for command, text in chapters}
    assert len(options) > 25, "the pages of commands were not understood"
    asked = r"\b(ludus (?:(?:engine|bench) )?[a-z0-9-]+)([^\n`\"#]*)"
    strange = [
        f"{_name(path)}: {command}{rest}"
        for path in DOCUMENTS
        for command, rest in re.findall(asked, path.read_text().replace("\\\n", " "))
        if set(re.findall(r"(?<![\w-])--[a-z][\w-]*", rest)) - {"--help"} - options.get(command, set())
    ]
    assert not strange, "\n".join(strange)


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
    file = parse_bots(blocks("how-to/serve.md", "toml")[0].encode(), "how-to/serve.md", toml=True)
    assert [bot.bot_id for bot in file.bots] == ["wally"]


def test_the_settings_file_of_the_documents_can_be_read(tmp_path):
    judge, example = blocks("how-to/serve.md", "toml")[1:3]
    (tmp_path / "site.toml").write_text(f"{example}\n{judge}")
    settings = read_settings(tmp_path / "site.toml")
    assert settings.judge == JudgeSettings(), "the defaults are told"
    assert (settings.max_games, settings.strangers_bots, settings.safety.max_tables) == (250, False, 60)


def test_the_conversation_of_the_bots_protocol_is_one_with_the_dummy_engine():
    lines = blocks("reference/bot-protocol.md", "json")[0].splitlines()
    command = [sys.executable, "-m", "ludus", "engine", "dummy", "--game", "wallgame:classic:5x5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        for question, answer in zip(lines[::2], lines[1::2], strict=True):
            engine.stdin.write(question + "\n")
            assert engine.stdout.readline() == answer + "\n"
        engine.stdin.close()


def test_the_clients_first_message_of_the_bots_protocol_is_accepted():
    attach = read_attach(blocks("reference/bot-protocol.md", "json")[1])
    assert isinstance(attach, Attach), attach
    assert [bot.name for bot in attach.bots] == ["Wally"]


def test_the_tutorials_preset_is_the_examples():
    assert (ROOT / "examples" / "breakthrough.toml").read_text().endswith(blocks("tutorial/own-game.md", "toml")[0])


def test_every_shipped_preset_is_in_the_table():
    text = (ROOT / "docs/how-to/train.md").read_text()
    missing = [path.stem for path in ROOT.glob("presets/*.toml") if f"| `{path.stem}` |" not in text]
    assert missing == []


def test_every_setting_that_may_change_is_named():
    text = (ROOT / "docs/how-to/train.md").read_text()
    named = re.search(r"these settings may change.*?If any other setting", text, re.DOTALL)
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
    pictures = [path for path in ROOT.glob("docs/images/**/*.*") if path.resolve() not in shown]
    assert pictures == []
    assert all(path.stat().st_size < 160_000 for path in ROOT.glob("docs/images/**/*.*")), "a picture is at most 160 kB"
