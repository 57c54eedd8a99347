"""Figures in the prose of the README and the findings are those of the records that these pages list."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = (
    "Elo|points|times|simulations|positions|evaluations|visits|games|moves|samples|steps|k|M|ms|us|s|seconds?|minutes?"
    "|hours?|[KMG]i?B"
)
FIGURE = re.compile(rf"(?<![\w.,-])[+-]?(\d[\d,]*(?:\.\d+)?)(?:[ -](?:{UNITS})\b| ?%)")
TABLES = re.compile(r"<!-- ledger: \w+(.*?) -->.*?<!-- end of ledger -->", re.DOTALL)


def unrecorded(page: str, records: dict[str, str]) -> list[str]:
    """Return the figures with units in a page's prose that no record listed by the page states."""
    listed = "\n".join(records[name] for names in TABLES.findall(page) for name in names.split())
    prose = re.sub(r"```.*?```|`[^`]*`", "", TABLES.sub("", page), flags=re.DOTALL)
    return [
        found[0]
        for found in FIGURE.finditer(prose)
        if not re.search(rf"(?<![\d.,]){re.escape(found[1])}(?!\d|[.,]\d)", listed)
    ]


@pytest.mark.parametrize("page", ["README.md", "docs/explanation/findings.md"])
def test_every_figure_of_a_page_is_in_a_record_that_it_lists(page):
    ledger = ROOT / "docs/ledger"
    records = {
        path.relative_to(ledger).with_suffix("").as_posix(): path.read_text() for path in ledger.glob("*/*.toml")
    }
    wrong = unrecorded((ROOT / page).read_text(), records)
    assert not wrong, f"{page}: no record that this page lists states {', '.join(wrong)}; list one, or drop the figure"


def test_a_figure_without_a_record_is_found():
    table = "<!-- ledger: records speed/a -->\n| 77 % |\n<!-- end of ledger -->\n"
    page = f"{table}It takes 1,250 ms and 3.5 k, with `7 games`; a board of 8 by 8. It is 12 % faster, by +31 Elo."
    assert unrecorded(page, {"speed/a": "12 %, 1,250"}) == ["3.5 k", "+31 Elo"]
    assert unrecorded("4 s", {}) == ["4 s"]
    assert unrecorded(f"{table} 5 % in 3 s", {"speed/a": "15, 5.2 and 3"}) == ["5 %"]
