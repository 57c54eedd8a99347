"""The generated tables of the README, the findings and the ledger's index match the records."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def findings(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools/findings.py"), *options]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_the_pages_say_what_the_ledger_says():
    found = findings(ROOT, "--check")
    assert found.returncode == 0, found.stdout + found.stderr


RECORD = """
question = "How fast?"
subject = "search"
command = "ludus bench tree"
machine = "here"
commit = "abc"
prediction = "none"
result = "1 | 2"
kept = "yes"
"""


def small_house(folder: Path) -> Path:
    for name in ("tools", "docs/ledger/speed", "docs/explanation"):
        (folder / name).mkdir(parents=True)
    (folder / "tools/findings.py").write_text((ROOT / "tools/findings.py").read_text())
    (folder / "docs/ledger/machines.toml").write_text('here.text = "a machine"')
    (folder / "docs/ledger/speed/tree.toml").write_text(RECORD)
    (folder / "README.md").write_text("a\n<!-- ledger: speed speed/tree -->\n<!-- end of ledger -->\nb\n")
    (folder / "docs/explanation/findings.md").write_text("no table\n")
    (folder / "docs/ledger/README.md").write_text("<!-- ledger: index -->\nold\n<!-- end of ledger -->\n")
    return folder


def test_a_stale_page_is_named_and_written_anew(tmp_path):
    root = small_house(tmp_path)
    found = findings(root, "--check")
    assert (found.returncode, found.stdout.count("python tools/findings.py")) == (1, 2)
    assert "docs/ledger/README.md is out of date" in found.stdout
    assert findings(root).returncode == 0
    assert findings(root, "--check").returncode == 0
    assert (
        "| [search](docs/ledger/speed/tree.toml) | 1 \\| 2 | `ludus bench tree` |\n<!--"
        in (root / "README.md").read_text()
    )
    assert "old" not in (root / "docs/ledger/README.md").read_text()


def test_a_record_with_an_unknown_field_is_refused_by_name(tmp_path):
    root = small_house(tmp_path)
    (root / "docs/ledger/speed/tree.toml").write_text(RECORD + 'colour = "red"\n')
    found = findings(root)
    assert found.returncode == 1
    assert found.stderr.startswith("docs/ledger/speed/tree.toml: ")
    assert "colour" in found.stderr


def test_a_record_that_a_page_wants_must_be_there(tmp_path):
    root = small_house(tmp_path)
    (root / "README.md").write_text("<!-- ledger: speed speed/none -->\n<!-- end of ledger -->\n")
    found = findings(root)
    assert found.returncode == 1
    assert found.stderr == "README.md: the ledger has no record 'speed/none'.\n"
