"""The reference pages say what the source says."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import ludus
from ludus.games.calls import RULES
from ludus.games.check.laws import LAWS

ROOT = Path(__file__).parents[2]


def test_the_reference_pages_are_fresh():
    command = [sys.executable, "tools/reference.py", "--check"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_page_of_the_interface_explains_every_part_and_law():
    rows = dict(
        re.findall(r"^\| `(\w+).*?` \|.* (\S+) \|$", (ROOT / "docs/reference/game.md").read_text(), re.MULTILINE)
    )
    *parts, _ = inspect.signature(ludus.Game).parameters  # the last one stands for all rules
    assert [part for part in (*parts, *RULES, *LAWS) if not rows.get(part, "|").strip("|")] == []


def test_every_part_of_what_a_game_says_about_itself_is_explained():
    text = (ROOT / "docs/reference/game.md").read_text()
    tables = text.partition("## What `about` says")[2].partition("## Games in packages")[0]
    rows = re.findall(r"^\| `(\w+)` \| `.*?` \| \S+ \| ?(.*?) ?\|$", tables, re.MULTILINE)
    assert {"aim", "variants", "sizes", "kit", "switches", "summary", "goal"} <= {part for part, _ in rows}
    assert [part for part, meaning in rows if not meaning] == []


def test_the_page_of_commands_says_how_to_turn_off_what_is_on():
    text = "".join(page.read_text() for page in sorted(ROOT.glob("docs/reference/commands*.md")))
    rows = re.findall(r"^\| (`--.*) \| `True` \|", text, re.MULTILINE)
    assert "`--balanced`, `--no-balanced`" in rows
    assert [row for row in rows if "`--no-" not in row] == []
